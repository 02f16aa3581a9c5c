import { z } from 'zod';
import { contentRef } from '../ids.ts';
import { genesis } from './effects.ts';

/** Stamped by the gateway on every action on a Memory that was born in an entry (engine.md §8). */
const born = { genesis: genesis.optional() };

/** Actions on a Memory as they stand on `kungfu.actions.memory`. */
export const memoryAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('memory.create'), content: contentRef }),
  z.strictObject({ type: z.literal('memory.update'), content: contentRef, ...born }),
  z.strictObject({ type: z.literal('memory.publish'), ...born }),
  z.strictObject({ type: z.literal('memory.unpublish'), ...born }),
  z.strictObject({ type: z.literal('memory.withdraw'), ...born }),
]);
export type MemoryAction = Readonly<z.infer<typeof memoryAction>>;
