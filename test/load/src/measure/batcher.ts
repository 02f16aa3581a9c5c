/**
 * Batches by what is waiting, never by a timer: while one batch is under way the next one gathers.
 *
 * Whole interface: add(). Each added item settles with its batch. At most `inFlight` batches are under way at a time and no
 * batch is larger than `itemsMax`.
 */
export class Batcher<Item> {
  readonly #flush: (items: readonly Item[]) => Promise<void>;
  readonly #itemsMax: number;
  readonly #inFlightMax: number;
  #waiting: Waiting<Item>[] = [];
  #inFlight = 0;

  constructor(flush: (items: readonly Item[]) => Promise<void>, limits: { itemsMax: number; inFlightMax: number }) {
    this.#flush = flush;
    this.#itemsMax = limits.itemsMax;
    this.#inFlightMax = limits.inFlightMax;
  }

  /** Resolves when the batch with this item has gone through; rejects when it has failed. */
  add(item: Item): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      // Whatever else this turn of the event loop brings shares the batch.
      if (this.#waiting.length === 1) setImmediate(() => this.#next());
    });
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#inFlightMax) {
      const batch = this.#waiting.splice(0, this.#itemsMax);
      this.#inFlight += 1;
      void this.#run(batch);
    }
  }

  async #run(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#flush(batch.map(({ item }) => item));
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      this.#inFlight -= 1;
      this.#next();
    }
  }
}

type Waiting<Item> = {
  readonly item: Item;
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
};
