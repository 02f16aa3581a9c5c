import { type PieceName, type ReadName, reads } from './generated.ts';
import { isReferenceOf } from './references.ts';

/** The read that shows what a reference refers to. */
export type Opened<Reference extends string> = Reference extends `thread_${string}/entries/${string}`
  ? 'thread.entry'
  : Reference extends `thread_${string}/assignments/${string}`
    ? 'thread.assignment'
    : Reference extends `memory_${string}/versions/${string}`
      ? 'memory.version'
      : Reference extends `task_${string}/versions/${string}`
        ? 'task.version'
        : Reference extends `task_${string}/engagements/${string}`
          ? 'task.engagement'
          : Reference extends `thread_${string}`
            ? 'thread.get'
            : Reference extends `memory_${string}`
              ? 'memory.get'
              : Reference extends `task_${string}`
                ? 'task.get'
                : OpenName;

const openNames = [
  'thread.get',
  'thread.entry',
  'thread.assignment',
  'memory.get',
  'memory.version',
  'task.get',
  'task.version',
  'task.engagement',
] as const satisfies readonly ReadName[];
export type OpenName = (typeof openNames)[number];

/** Throws TypeError for what is no reference to something that can be opened. */
export const openerOf = (reference: string): OpenName => {
  const name = openNames.find((one) => isReferenceOf(reads[one], reference));
  if (name === undefined) throw new TypeError(`'${reference}' is no reference to something that can be opened`);
  return name;
};

/** Which long text of an object: its words, or the payload of its delivery. */
export type TextPart = 'content' | 'payload';

const pieceNames = Object.keys(reads).filter((name): name is PieceName => reads[name as ReadName].endsWith('/content'));
const partOf = (name: PieceName): TextPart => (reads[name].endsWith('/payload/content') ? 'payload' : 'content');

/** The read of a long text; without a part the words, or the payload where nothing else is long. Throws TypeError. */
export const pieceReadOf = (reference: string, part: TextPart | undefined): PieceName => {
  const fitting = pieceNames.filter((name) => isReferenceOf(reads[name], reference));
  const name = part === undefined ? fitting[0] : fitting.find((one) => partOf(one) === part);
  if (name === undefined) throw new TypeError(`'${reference}' has no long ${part ?? 'text'}`);
  return name;
};
