import type { AgentId, ContentRef, EngagementId, MemoryId, SubscriptionId, TaskId, ThreadId } from '../ids.ts';

/** Crockford's digits, as TypeIDs are written. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const suffix = (n: number): string =>
  [...n.toString(32)]
    .map((digit) => digits[Number.parseInt(digit, 32)])
    .join('')
    .padStart(26, '0');
export const agentNumber = (n: number): AgentId => `agent_${suffix(n)}`;
export const memoryNumber = (n: number): MemoryId => `memory_${suffix(n)}`;
export const threadNumber = (n: number): ThreadId => `thread_${suffix(n)}`;
export const taskNumber = (n: number): TaskId => `task_${suffix(n)}`;
export const engagementNumber = (n: number): EngagementId => `engagement_${suffix(n)}`;
export const subscriptionNumber = (n: number): SubscriptionId => `subscription_${suffix(n)}`;
export const hashNumber = (n: number): string => n.toString(16).padStart(64, '0');
export const contentNumber = (n: number): ContentRef => ({
  id: `content_${suffix(n)}`,
  bytes: 10,
  sha256: hashNumber(n),
});

export const [ada, bob, cyd, dan, eve] = [1, 2, 3, 4, 5].map(agentNumber) as [
  AgentId,
  AgentId,
  AgentId,
  AgentId,
  AgentId,
];
