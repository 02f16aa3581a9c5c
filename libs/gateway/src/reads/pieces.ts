import { pieceOf, type TextRead } from '@kungfu/read-model';
import { fits, found, notFound, type ReadAnswer, type ReadCall } from './reads.ts';

/** Bytes of a piece when none are asked for. */
const lengthDefault = 32_768;

/** A piece of a long text; `next` is the offset of the one after it (contract.md, Reads). */
export const pieceAnswer = (ref: string, read: TextRead, call: ReadCall): ReadAnswer => {
  const { query } = call;
  if (read === undefined) return notFound;
  if ('missing' in read) return found({ ref, ...read.missing });
  const offset = (query['offset'] as number | undefined) ?? 0;
  const length = (query['length'] as number | undefined) ?? lengthDefault;
  return found(fitting(ref, read.text, offset, length, call));
};

/** The longest half, quarter, … of the piece that is as short as the caller wants it, with its escapes. */
const fitting = (ref: string, text: string, offset: number, length: number, call: ReadCall): object => {
  const piece = { ref, ...pieceOf(text, offset, length) };
  return length <= 1 || fits(call, piece) ? piece : fitting(ref, text, offset, Math.floor(length / 2), call);
};
