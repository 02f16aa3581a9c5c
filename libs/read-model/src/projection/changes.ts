/**
 * The changes that a batch makes to one table, folded to the last state of each row. A row is either made in this batch,
 * and later changes of the batch go into it, or it stood before, and the changes are kept to be written over it.
 */
export class Changes<Row extends object, Patch extends object = Partial<Row>> {
  readonly #made = new Map<string, Row>();
  readonly #changed = new Map<string, Patch>();

  /** The row comes into being in this batch. */
  make(key: string, row: Row): void {
    this.#made.set(key, row);
  }

  /** `identity` is what finds the row; `change` holds the fields that get another value. */
  change(key: string, identity: Partial<Patch>, change: Partial<Patch>): void {
    const made = this.#made.get(key);
    if (made !== undefined) this.#made.set(key, { ...made, ...change });
    else this.#changed.set(key, { ...(this.#changed.get(key) ?? identity), ...change } as Patch);
  }

  /** What the batch has said of a row so far. */
  soFar(key: string): Row | Patch | undefined {
    return this.#made.get(key) ?? this.#changed.get(key);
  }

  /** Rows made, in the order of their keys, so that two projectors lock rows in the same order. */
  get made(): readonly Row[] {
    return inOrder(this.#made);
  }
  /** Rows changed, in the order of their keys. */
  get changed(): readonly Patch[] {
    return inOrder(this.#changed);
  }
}

const inOrder = <T>(rows: ReadonlyMap<string, T>): readonly T[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

/** The key of a row in memory. Ids hold no slash. */
export const keyOf = (...parts: readonly (string | number)[]): string => parts.join('/');
