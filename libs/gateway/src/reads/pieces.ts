import { pieceOf, type TextRead } from '@kungfu/read-model';
import { found, notFound, type ReadAnswer, type ReadCall } from './reads.ts';

/** Bytes of a piece when none are asked for. */
const lengthDefault = 32_768;

/** A piece of a long text; `next` is the offset of the one after it (contract.md, Reads). */
export const pieceAnswer = (ref: string, read: TextRead, { query }: ReadCall): ReadAnswer => {
  if (read === undefined) return notFound;
  if ('missing' in read) return found({ ref, ...read.missing });
  const offset = (query['offset'] as number | undefined) ?? 0;
  const length = (query['length'] as number | undefined) ?? lengthDefault;
  return found({ ref, ...pieceOf(read.text, offset, length) });
};
