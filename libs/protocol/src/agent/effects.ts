import { z } from 'zod';
import { keyId, ordinal, sha256 } from '../ids.ts';

/** A partition of a kind that the account walk has to pass (engine.md §6). */
export const walkPartition = z.strictObject({
  kind: z.enum(['memory', 'thread', 'task', 'akep.inbox']),
  partition: z.int().min(0),
});
export type WalkPartition = Readonly<z.infer<typeof walkPartition>>;

/**
 * Effects on an agent account. Storage format: add, never rename.
 * `walk` numbers the account changes of an agent from 1; deactivating and activating each take the next number.
 */
export const agentEffect = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('agent.created') }),
  z.strictObject({ type: z.literal('agent.labels-set'), labels: z.array(z.string()) }),
  z.strictObject({ type: z.literal('agent.key-issued'), key: keyId, hash: sha256 }),
  z.strictObject({ type: z.literal('agent.key-revoked'), key: keyId }),
  z.strictObject({ type: z.literal('agent.deactivating'), walk: ordinal, partitions: z.array(walkPartition) }),
  z.strictObject({ type: z.literal('agent.deactivated'), walk: ordinal }),
  z.strictObject({ type: z.literal('agent.activating'), walk: ordinal, partitions: z.array(walkPartition) }),
  z.strictObject({ type: z.literal('agent.activated'), walk: ordinal }),
]);
export type AgentEffect = Readonly<z.infer<typeof agentEffect>>;
