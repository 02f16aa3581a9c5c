import { Refused } from './errors.ts';
import type { ListName } from './generated.ts';
import type { ReadShapes } from './shapes.ts';
import type { Page, ReadResult, Refusal } from './types.ts';

/**
 * A list that is read as far as it is asked for. `for await (const item of list)` goes through every page; it throws Refused
 * where a page is refused. `page()` gives one page, or its refusal, as a result.
 */
export class List<Name extends ListName> implements AsyncIterable<ReadShapes[Name]> {
  readonly #read: (cursor: string | undefined) => Promise<ReadResult<Name, Page<Name>>>;

  constructor(read: (cursor: string | undefined) => Promise<ReadResult<Name, Page<Name>>>) {
    this.#read = read;
  }

  /** One page: the first one, or the one that a `cursor` of this list begins. */
  page(cursor?: string): Promise<ReadResult<Name, Page<Name>>> {
    return this.#read(cursor);
  }

  /** Page after page. Throws Refused. */
  async *pages(): AsyncGenerator<Page<Name>, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const read = await this.#read(cursor);
      if (!read.ok) throw new Refused(read.refusal as Refusal);
      yield read.found;
      if (read.found.cursor === null) return;
      cursor = read.found.cursor;
    }
  }

  /** Item after item. Throws Refused. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ReadShapes[Name], void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
