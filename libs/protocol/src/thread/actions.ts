import { z } from 'zod';
import { agentId, contentRef, memoryId, ordinal, pin, sha256, taskId } from '../ids.ts';
import { role } from './effects.ts';

/** What an entry pins: a Memory born with it, or a version that the gateway resolved (M-10). */
const postedMemory = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('born'), id: memoryId, content: contentRef }),
  z.strictObject({ kind: z.literal('reference'), pin }),
  /** The gateway found that the Memory cannot be referenced; the owner says so when its turn comes (V-14). */
  z.strictObject({ kind: z.literal('unusable'), code: z.enum(['invalid_target', 'memory_withdrawn']) }),
]);

/** Defaults are filled in by the gateway. `redoes` is an earlier assignment of the same thread (T-48). */
const newAssignment = z.strictObject({
  to: agentId,
  content: contentRef,
  structured: z.boolean(),
  deliverySeconds: z.int().min(1),
  judgmentSeconds: z.int().min(1),
  redoes: ordinal.optional(),
});

/** At least one of `content` (the payload) and `memories` (the taker's own) stands (T-44). */
const delivery = z.strictObject({
  content: contentRef.optional(),
  memories: z.array(pin),
  /** What the gateway found wrong with payload or Memories, for the owner to say; `changed`: it did not know the assignment yet. */
  unusable: z.enum(['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed']).optional(),
});
export type Delivery = Readonly<z.infer<typeof delivery>>;

const onEntry = { entry: ordinal };
const onAssignment = { assignment: ordinal };

/** Actions on a thread as they stand on `kungfu.actions.thread`. */
export const threadAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('thread.create'),
    content: contentRef.optional(),
    grant: z.strictObject({ role, hash: sha256 }).optional(),
  }),
  z.strictObject({ type: z.literal('thread.grant'), role, hash: sha256 }),
  z.strictObject({ type: z.literal('thread.revoke-grant') }),
  z.strictObject({ type: z.literal('thread.join'), hash: sha256 }),
  z.strictObject({ type: z.literal('thread.leave') }),
  z.strictObject({ type: z.literal('thread.close') }),
  z.strictObject({ type: z.literal('thread.remove'), member: agentId }),
  z.strictObject({ type: z.literal('thread.set-role'), member: agentId, role }),
  z.strictObject({
    type: z.literal('thread.post'),
    memory: postedMemory,
    replyTo: ordinal.optional(),
    /** Absent: the default rules decide; empty: nobody (T-24, L3-8). */
    ask: z.array(agentId).optional(),
    assign: newAssignment.optional(),
    task: taskId.optional(),
    /** The Task referred to is none that the author may know (K-16). */
    unusableTask: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal('thread.handle'), ...onEntry, note: contentRef.optional() }),
  z.strictObject({ type: z.literal('thread.retract'), ...onEntry }),
  z.strictObject({ type: z.literal('assignment.take'), ...onAssignment, delivery: delivery.optional() }),
  z.strictObject({ type: z.literal('assignment.deliver'), ...onAssignment, delivery }),
  z.strictObject({ type: z.literal('assignment.drop'), ...onAssignment }),
  z.strictObject({ type: z.literal('assignment.void'), ...onAssignment }),
  z.strictObject({ type: z.literal('assignment.adopt'), ...onAssignment }),
  z.strictObject({ type: z.literal('assignment.reject'), ...onAssignment, content: contentRef }),
]);
export type ThreadAction = Readonly<z.infer<typeof threadAction>>;
