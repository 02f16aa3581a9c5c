type Waiting<Item, Result> = {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export type GroupedOptions<Item, Result> = {
  /** Does the work of some at once and answers each at its own index; all of it takes effect or nothing. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly weigh: (item: Item) => number;
  /** Of the items that go together; a single one may weigh more. */
  readonly weightMax: number;
  /** Calls under way at a time. */
  readonly callsMax: number;
  /** Whether a failure says for certain that nothing took effect and that another item may be the cause. */
  readonly refused: (error: unknown) => boolean;
};

/**
 * Work of many callers in few calls: whatever waits while calls are under way goes into the next one. When a group is refused
 * because of one of its items, each item is done on its own, so that only the one that is wrong fails.
 */
export class Grouped<Item, Result> {
  readonly #options: GroupedOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #calls = 0;

  constructor(options: GroupedOptions<Item, Result>) {
    this.#options = options;
  }

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, weight: this.#options.weigh(item), resolve, reject });
      if (this.#calls < this.#options.callsMax) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#calls += 1;
    // One turn of the queue lets those that come together go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#together(this.#take());
    this.#calls -= 1;
  }

  #take(): readonly Waiting<Item, Result>[] {
    let weight = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      weight += waiting.weight;
      if (count > 0 && weight > this.#options.weightMax) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #together(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.work(group.map(({ item }) => item));
      for (const [i, { resolve }] of group.entries()) resolve(results[i]!);
    } catch (error) {
      if (group.length > 1 && this.#options.refused(error)) for (const one of group) await this.#together([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
