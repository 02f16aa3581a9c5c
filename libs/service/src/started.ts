/** Things that have been started, one on top of another: the last is stopped first. */
export class Started {
  readonly #ends: (() => Promise<void>)[] = [];

  /** How to stop what has just been started. */
  add(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** Stops all, each before the next, also after a failure; then throws the first failure. Safe to repeat. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) {
      const [outcome] = await Promise.allSettled([end()]);
      if (outcome.status === 'rejected') failures.push(outcome.reason);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Runs a start that adds what it starts; when it fails, stops what it had started and throws why it failed. */
  static async all<T>(start: (started: Started) => Promise<T>): Promise<{ readonly value: T; stop(): Promise<void> }> {
    const started = new Started();
    try {
      const value = await start(started);
      return { value, stop: () => started.stop() };
    } catch (error) {
      await Promise.allSettled([started.stop()]);
      throw error;
    }
  }
}
