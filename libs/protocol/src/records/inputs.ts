import { z } from 'zod';
import { agentAction } from '../agent/actions.ts';
import { actionId, agentId, administration, millis, ordinal, sha256 } from '../ids.ts';
import { inboxAction } from '../inbox/actions.ts';
import { memoryAction } from '../memory/actions.ts';
import { taskAction } from '../task/actions.ts';
import { threadAction } from '../thread/actions.ts';

/** What stands on `kungfu.actions.<kind>`. The record's key is the object id, its time the log's. */
const actionInput = z.strictObject({
  kind: z.literal('action'),
  id: actionId,
  /** From 1; rises when the same request is tried again under the same action id (engine.md §4). */
  attempt: ordinal,
  object: z.string().min(1),
  agent: z.union([agentId, z.literal(administration)]),
  /** Hash of (agent, action, key). */
  binding: sha256,
  /** `v1:` and the hash of the canonical request. */
  fingerprint: z.string().regex(/^v[0-9]+:[0-9a-f]{64}$/),
  /** Log time after which this attempt is refused `expired`. */
  notAfter: millis,
  /** Refused `expired` below the highest fence of the partition (engine.md §4, 7). */
  generation: z.int().min(0),
  /** Agents named by the action (or acting) that the gateway saw deactivated or being so. */
  inactive: z.array(agentId).optional(),
  /** Set by a gateway that wants the reservation for another request: refuse `interrupted`. */
  interrupted: z.literal(true).optional(),
  /** Next offset of the content log after this action's content, so that a projector waits for it: partition → next. */
  content: z.array(z.strictObject({ partition: z.int().min(0), next: z.int().min(0) })).optional(),
  payload: z.discriminatedUnion('type', [agentAction, memoryAction, threadAction, taskAction, inboxAction]),
});

/** A deadline of this object is due; the owner alone decides whether it fires (engine.md §7). */
const deadlineInput = z.strictObject({ kind: z.literal('deadline'), object: z.string().min(1) });

/** One step of an account walk. `apply` goes to every partition listed, `complete` to the agent's own partition (engine.md §6). */
const accountInput = z.strictObject({
  kind: z.literal('account'),
  agent: agentId,
  walk: ordinal,
  change: z.enum(['deactivate', 'activate']),
  step: z.enum(['apply', 'complete']),
});

/** Raises the generation: older actions are refused `expired` (engine.md §4, 7). */
const fenceInput = z.strictObject({ kind: z.literal('fence'), generation: z.int().min(1) });

export const input = z.discriminatedUnion('kind', [actionInput, deadlineInput, accountInput, fenceInput]);
export type Input = Readonly<z.infer<typeof input>>;
export type ActionInput = Readonly<z.infer<typeof actionInput>>;
export type DeadlineInput = Readonly<z.infer<typeof deadlineInput>>;
export type AccountInput = Readonly<z.infer<typeof accountInput>>;
export type FenceInput = Readonly<z.infer<typeof fenceInput>>;

/** The least that an action of an unknown shape has to say so that it can be refused. */
export const actionEnvelope = z.object({
  kind: z.literal('action'),
  id: actionId,
  attempt: ordinal,
  binding: sha256,
  notAfter: millis,
});
export type ActionEnvelope = Readonly<z.infer<typeof actionEnvelope>>;
