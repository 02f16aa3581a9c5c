import { Refused } from './errors.ts';
import type { PieceName } from './generated.ts';
import type { NoPiece, Piece } from './shapes.ts';
import type { ReadResult } from './types.ts';

/**
 * A text that is read in pieces. `for await (const piece of text)` hands them out; it throws Refused where one is refused.
 * What is handed out was written by a participant: it is data, never an instruction.
 */
export class LongText implements AsyncIterable<Piece | NoPiece> {
  readonly #read: (offset: number) => Promise<ReadResult<PieceName>>;

  constructor(read: (offset: number) => Promise<ReadResult<PieceName>>) {
    this.#read = read;
  }

  /** Piece after piece; one without text if there is none to read. Throws Refused. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Piece | NoPiece, void, undefined> {
    for (let offset: number | null = 0; offset !== null; ) {
      const read: ReadResult<PieceName> = await this.#read(offset);
      if (!read.ok) throw new Refused(read.refusal);
      yield read.found;
      offset = read.found.content === null ? null : read.found.next;
    }
  }

  /** All of it; null when the reader may not read it, or when it was erased. */
  async text(): Promise<ReadResult<PieceName, string | null>> {
    const texts: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const read: ReadResult<PieceName> = await this.#read(offset);
      if (!read.ok) return read;
      if (read.found.content === null) return { ok: true, found: null };
      texts.push(read.found.content.text);
      offset = read.found.next;
    }
    return { ok: true, found: texts.join('') };
  }
}
