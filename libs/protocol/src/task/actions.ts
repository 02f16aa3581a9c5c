import { z } from 'zod';
import { contentRef, engagementId, ordinal, pin } from '../ids.ts';
import { audience, contractTerms } from './effects.ts';

/** What the gateway found wrong with a contract's references, for the owner to say when their turn comes. */
const unusableContract = z.enum(['invalid_target', 'memory_withdrawn']).optional();

/** At least one of `content` (the payload) and `memories` (the engaged agent's own) stands. */
const engagementDelivery = z.strictObject({
  content: contentRef.optional(),
  memories: z.array(pin),
  /** What the gateway found wrong with it; `changed`: it did not know yet what to check it against. */
  unusable: z.enum(['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed']).optional(),
});
export type EngagementDelivery = Readonly<z.infer<typeof engagementDelivery>>;

const onEngagement = { engagement: engagementId };

/** Actions on a Task as they stand on `kungfu.actions.task`. Defaults are filled in by the gateway. */
export const taskAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('task.create'), audience, ...contractTerms, unusable: unusableContract }),
  z.strictObject({ type: z.literal('task.revise'), ...contractTerms, unusable: unusableContract }),
  z.strictObject({ type: z.literal('task.pause') }),
  z.strictObject({ type: z.literal('task.resume') }),
  z.strictObject({
    type: z.literal('task.take'),
    /** The id that the engagement gets if one is confirmed. */
    engagement: engagementId,
    /** The agent's labels as the gateway saw them. */
    labels: z.array(z.string()),
    /** The contract version that the agent read, or its payload was checked against; another one: `changed`. */
    version: ordinal.optional(),
    redoes: engagementId.optional(),
    delivery: engagementDelivery.optional(),
  }),
  z.strictObject({ type: z.literal('engagement.deliver'), ...onEngagement, delivery: engagementDelivery }),
  z.strictObject({ type: z.literal('engagement.drop'), ...onEngagement }),
  z.strictObject({ type: z.literal('engagement.adopt'), ...onEngagement }),
  z.strictObject({ type: z.literal('engagement.reject'), ...onEngagement, content: contentRef }),
]);
export type TaskAction = Readonly<z.infer<typeof taskAction>>;
