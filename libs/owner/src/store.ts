import type { Chain } from '@kungfu/protocol';

/** Where a partition's folded state stands in the log. Committed together with the rows (O7). */
export type Head = {
  /** Next offset of the fact topic to fold. */
  readonly next: number;
  readonly chain: Chain;
  /** The last valid record folded, to check on opening that the log still says the same; absent before the first. */
  readonly last?: { readonly offset: number; readonly hash: string };
  /** Next input to decide: only `decided` moves it (O3). */
  readonly upTo: number;
  /** Log time: never goes back (O5). */
  readonly at: number;
  /** The highest fence. */
  readonly generation: number;
  /** Version of `evolve` that folded the rows. */
  readonly version: number;
};

/**
 * The local store of one partition: an ordered map from text to plain data, and a head. Synchronous, since deciding is.
 * Losing it, or finding an old one, costs time and never correctness (O7), so it need not survive a power cut.
 */
export interface Store {
  head(): Head | undefined;
  get(key: string): unknown;
  /** Keys with this prefix, in order. */
  keys(prefix: string): readonly string[];
  /** One transaction: all of it or nothing. An undefined value removes the key. */
  commit(head: Head, writes: ReadonlyMap<string, unknown>): void;
  /** Drops everything, the head included. */
  clear(): void;
  close(): Promise<void>;
}

/** A store in memory: for simulation and specs, and for services that are run without a store folder. */
export class InMemoryStore implements Store {
  #head: Head | undefined;
  readonly #rows = new Map<string, unknown>();
  /** Only the prefixes that are ever asked for are indexed: everything up to and with the second slash. */
  readonly #byPrefix = new Map<string, Set<string>>();

  head(): Head | undefined {
    return this.#head;
  }

  get(key: string): unknown {
    return this.#rows.get(key);
  }

  keys(prefix: string): readonly string[] {
    const indexed = prefix.split('/').length > 2 ? this.#byPrefix.get(group(prefix)) : this.#rows.keys();
    return [...(indexed ?? [])].filter((key) => key.startsWith(prefix)).sort();
  }

  commit(head: Head, writes: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of writes) {
      if (value === undefined) this.#remove(key);
      else this.#put(key, value);
    }
    this.#head = head;
  }

  clear(): void {
    this.#head = undefined;
    this.#rows.clear();
    this.#byPrefix.clear();
  }

  async close(): Promise<void> {}

  #put(key: string, value: unknown): void {
    this.#rows.set(key, value);
    const name = group(key);
    const set = this.#byPrefix.get(name) ?? new Set();
    set.add(key);
    this.#byPrefix.set(name, set);
  }

  #remove(key: string): void {
    this.#rows.delete(key);
    this.#byPrefix.get(group(key))?.delete(key);
  }
}

const group = (key: string): string => key.split('/', 2).join('/');
