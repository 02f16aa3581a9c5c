import { z } from 'zod';
import { keyId, sha256 } from '../ids.ts';
import { walkPartition } from './effects.ts';

/** Actions on an agent account as they stand on `kungfu.actions.agent`; the administration alone sends them. */
export const agentAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('agent.create'), labels: z.array(z.string()), key: keyId, hash: sha256 }),
  z.strictObject({ type: z.literal('agent.issue-key'), key: keyId, hash: sha256 }),
  z.strictObject({ type: z.literal('agent.revoke-key'), key: keyId }),
  z.strictObject({ type: z.literal('agent.set-labels'), labels: z.array(z.string()) }),
  z.strictObject({ type: z.literal('agent.deactivate'), partitions: z.array(walkPartition) }),
  z.strictObject({ type: z.literal('agent.activate'), partitions: z.array(walkPartition) }),
]);
export type AgentAction = Readonly<z.infer<typeof agentAction>>;
