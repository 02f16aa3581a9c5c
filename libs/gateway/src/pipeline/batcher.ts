/** Work of many callers in one call: whatever waits while a call is under way goes into the next. Never by a timer. */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #itemsMax: number;
  readonly #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  #running = false;

  /** `work` answers each item at its own index. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, itemsMax = 512) {
    this.#work = work;
    this.#itemsMax = itemsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    // One turn of the queue lets those that arrive together go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#itemsMax);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        for (const [i, { resolve }] of batch.entries()) resolve(results[i]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }
}
