type StartedAndStopped = { start(): Promise<void>; stop(): Promise<void> };

/** Loops that are started together and stopped in reverse order. */
export class LoopGroup implements StartedAndStopped {
  readonly #loops: readonly StartedAndStopped[];

  constructor(loops: readonly StartedAndStopped[]) {
    this.#loops = loops;
  }

  async start(): Promise<void> {
    for (const loop of this.#loops) await loop.start();
  }

  /** Stops all of them, also when one fails to; throws the first failure. */
  async stop(): Promise<void> {
    const outcomes = await Promise.allSettled([...this.#loops].reverse().map((loop) => loop.stop()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
