import { z } from 'zod';

/** TypeID prefixes of everything that has an id of its own (contract.md, Ids and references). */
export const idPrefixes = [
  'agent',
  'memory',
  'thread',
  'task',
  'engagement',
  'content',
  'action',
  'key',
  'subscription',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

export type AgentId = `agent_${string}`;
export type MemoryId = `memory_${string}`;
export type ThreadId = `thread_${string}`;
export type TaskId = `task_${string}`;
export type EngagementId = `engagement_${string}`;
export type ContentId = `content_${string}`;
export type ActionId = `action_${string}`;
export type KeyId = `key_${string}`;
export type SubscriptionId = `subscription_${string}`;

/** A TypeID: prefix, underscore, 26 characters of Crockford base32 that encode 128 bits. */
const typeId = <P extends IdPrefix>(prefix: P) =>
  z.templateLiteral([z.literal(`${prefix}_`), z.string().regex(/[0-7][0-9a-hjkmnp-tv-z]{25}/)]);

export const agentId = typeId('agent');
export const memoryId = typeId('memory');
export const threadId = typeId('thread');
export const taskId = typeId('task');
export const engagementId = typeId('engagement');
export const contentId = typeId('content');
export const actionId = typeId('action');
export const keyId = typeId('key');
export const subscriptionId = typeId('subscription');

/** The acting principal of actions of the administration interface; it is no agent. */
export const administration = 'administration';

/** A small number inside an object: membership, grant, entry, assignment, version. From 1. */
export const ordinal = z.int().min(1);

/** Where a participant's text stands in `kungfu.content`: id, length in bytes, sha256 over salt and text (engine.md §2). */
export const contentRef = z.strictObject({
  id: contentId,
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ContentRef = Readonly<z.infer<typeof contentRef>>;

/** A pinned version of a Memory (M-4). */
export const pin = z.strictObject({ id: memoryId, version: ordinal });
export type Pin = Readonly<z.infer<typeof pin>>;

/** sha256 as lower-case hex. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Milliseconds since the epoch. */
export const millis = z.int().min(0);
