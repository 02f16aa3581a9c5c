import { z } from 'zod';
import { agentId, contentRef, millis, ordinal, pin, sha256, taskId } from '../ids.ts';
import { memoryCreated } from '../memory/effects.ts';

export const role = z.enum(['observer', 'speaker', 'governor']);
export type Role = z.infer<typeof role>;

/** How a pending response ended (O-1). */
export const responseEnding = z.enum([
  'reply',
  'handled',
  'taken',
  'retracted',
  'left',
  'removed',
  'demoted',
  'deactivated',
  'closed',
]);
export type ResponseEnding = z.infer<typeof responseEnding>;

const onAssignment = { assignment: ordinal };

/**
 * Effects on a thread. Storage format: add, never rename. Memberships, grants, entries and assignments are numbered from 1
 * in the thread. The creator is membership 1.
 */
export const threadEffect = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('thread.created'), creator: agentId, content: contentRef.optional() }),
  z.strictObject({ type: z.literal('grant.issued'), grant: ordinal, role, hash: sha256, by: agentId }),
  z.strictObject({ type: z.literal('grant.voided'), grant: ordinal, how: z.enum(['superseded', 'revoked', 'closed']) }),
  z.strictObject({ type: z.literal('member.joined'), membership: ordinal, agent: agentId, role, grant: ordinal }),
  z.strictObject({ type: z.literal('member.role-set'), membership: ordinal, agent: agentId, role }),
  z.strictObject({
    type: z.literal('membership.ended'),
    membership: ordinal,
    agent: agentId,
    how: z.enum(['left', 'removed', 'deactivated']),
  }),
  z.strictObject({
    type: z.literal('entry.posted'),
    entry: ordinal,
    author: agentId,
    membership: ordinal,
    replyTo: ordinal.optional(),
    memory: pin,
    task: taskId.optional(),
  }),
  /** A Memory born in an entry, by the author of the entry (engine.md §8). */
  memoryCreated,
  z.strictObject({ type: z.literal('response.owed'), entry: ordinal, agent: agentId }),
  /** `note` only when handled. */
  z.strictObject({
    type: z.literal('response.ended'),
    entry: ordinal,
    agent: agentId,
    how: responseEnding,
    note: contentRef.optional(),
  }),
  /** `content` holds wanted, criteria and, if `structured`, the output schema. */
  z.strictObject({
    type: z.literal('assignment.created'),
    ...onAssignment,
    entry: ordinal,
    creator: agentId,
    assignee: agentId,
    content: contentRef,
    structured: z.boolean(),
    deliverySeconds: z.int().min(1),
    judgmentSeconds: z.int().min(1),
    redoes: ordinal.optional(),
  }),
  z.strictObject({ type: z.literal('assignment.taken'), ...onAssignment, taker: agentId, deliverBy: millis }),
  z.strictObject({
    type: z.literal('assignment.delivered'),
    ...onAssignment,
    content: contentRef.optional(),
    memories: z.array(pin),
    judge: agentId,
    judgeBy: millis,
  }),
  z.strictObject({ type: z.literal('assignment.adopted'), ...onAssignment }),
  z.strictObject({ type: z.literal('assignment.rejected'), ...onAssignment, content: contentRef }),
  z.strictObject({ type: z.literal('assignment.dropped'), ...onAssignment }),
  /** `taker` stands when it had been taken, so that the fact alone says whose duty to deliver ended (L3-3). */
  z.strictObject({
    type: z.literal('assignment.voided'),
    ...onAssignment,
    how: z.enum(['creator', 'taker-gone', 'creator-gone', 'closed']),
    taker: agentId.optional(),
  }),
  z.strictObject({ type: z.literal('assignment.timed-out'), ...onAssignment }),
  z.strictObject({ type: z.literal('assignment.undecided'), ...onAssignment }),
  /** The creator's membership ended after delivery: it no longer judges (T-15). */
  z.strictObject({ type: z.literal('judgment.forfeited'), ...onAssignment, agent: agentId }),
  z.strictObject({ type: z.literal('thread.closed'), how: z.enum(['governor', 'no-governor']) }),
]);
export type ThreadEffect = Readonly<z.infer<typeof threadEffect>>;
