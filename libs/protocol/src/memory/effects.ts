import { z } from 'zod';
import { agentId, contentRef, memoryId, ordinal, threadId } from '../ids.ts';

/** Where a Memory born in an entry comes from: the thread fact that created it (engine.md §8). */
export const genesis = z.strictObject({ author: agentId, content: contentRef, thread: threadId, entry: ordinal });
export type Genesis = Readonly<z.infer<typeof genesis>>;

/** Version 1, private (M-1). `entry` stands when it was born in an entry, in the fact of that thread (engine.md §8). */
export const memoryCreated = z.strictObject({
  type: z.literal('memory.created'),
  memory: memoryId,
  author: agentId,
  content: contentRef,
  entry: ordinal.optional(),
});

/** Effects on a Memory. Storage format: add, never rename. */
export const memoryEffect = z.discriminatedUnion('type', [
  memoryCreated,
  /** A Memory born in an entry, recorded by its owner with the first action on it. Version 1, private. */
  z.strictObject({ type: z.literal('memory.born'), genesis }),
  z.strictObject({ type: z.literal('memory.updated'), version: ordinal, content: contentRef }),
  z.strictObject({ type: z.literal('memory.published') }),
  z.strictObject({ type: z.literal('memory.unpublished') }),
  z.strictObject({ type: z.literal('memory.withdrawn') }),
]);
export type MemoryEffect = Readonly<z.infer<typeof memoryEffect>>;
