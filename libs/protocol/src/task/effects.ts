import { z } from 'zod';
import { agentId, contentRef, engagementId, millis, ordinal, pin } from '../ids.ts';

/** Open to all who are eligible, or restricted to the agents that the author named; fixed for ever (K-6). */
export const audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('restricted'), agents: z.array(agentId).min(1) }),
]);
export type Audience = Readonly<z.infer<typeof audience>>;

/** How an engagement ends whose delivery nobody judged in time (K-1). */
export const withoutJudgment = z.enum(['adopted', 'undecided']);
/** Who reads an adopted delivery besides author, engaged agent and judge (V-11). */
export const adoptedReaders = z.enum(['parties', 'audience', 'anyone']);

/** What a contract says, as actions and effects carry it. `content` holds wanted, criteria and, if `structured`, the output schema. */
export const contractTerms = {
  content: contentRef,
  structured: z.boolean(),
  /** Pinned versions of the author's own Memories, kept for everyone who engages (K-2). */
  requiredInputs: z.array(pin),
  /** Other material, pinned; it guarantees nothing (K-2). */
  informative: z.array(pin),
  deliverySeconds: z.int().min(1),
  judgmentSeconds: z.int().min(1),
  withoutJudgment,
  judge: agentId,
  /** Labels that an agent has to have, all of them; none: everyone is eligible (K-4). */
  eligibility: z.array(z.string()),
  maxAdoptions: ordinal.optional(),
  adoptedReaders,
};

/** Engagements have an id and a number in their Task, which gives their order (K-15). */
const onEngagement = { engagement: engagementId, number: ordinal };

/** Effects on a Task. Storage format: add, never rename. Contract versions and engagements are numbered from 1. */
export const taskEffect = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('task.created'), author: agentId, audience }),
  z.strictObject({ type: z.literal('contract.stated'), version: ordinal, ...contractTerms }),
  z.strictObject({ type: z.literal('task.paused') }),
  z.strictObject({ type: z.literal('task.resumed') }),
  /** Binds the agent, the contract version and the versions of its required inputs (K-8). */
  z.strictObject({
    type: z.literal('engagement.confirmed'),
    ...onEngagement,
    agent: agentId,
    author: agentId,
    judge: agentId,
    version: ordinal,
    inputs: z.array(pin),
    deliverBy: millis,
    redoes: engagementId.optional(),
  }),
  z.strictObject({
    type: z.literal('engagement.delivered'),
    ...onEngagement,
    agent: agentId,
    content: contentRef.optional(),
    memories: z.array(pin),
    judge: agentId,
    judgeBy: millis,
  }),
  /** `adoptions` counts those of the Task, this one included (K-15); `by` says who or what adopted it (K-12). */
  z.strictObject({
    type: z.literal('engagement.adopted'),
    ...onEngagement,
    by: z.enum(['judge', 'deadline']),
    adoptions: ordinal,
  }),
  z.strictObject({ type: z.literal('engagement.rejected'), ...onEngagement, content: contentRef }),
  z.strictObject({ type: z.literal('engagement.undecided'), ...onEngagement }),
  z.strictObject({ type: z.literal('engagement.dropped'), ...onEngagement }),
  z.strictObject({ type: z.literal('engagement.timed-out'), ...onEngagement }),
]);
export type TaskEffect = Readonly<z.infer<typeof taskEffect>>;
