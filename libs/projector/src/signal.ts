import type { Timers } from '@kungfu/log-port';

/** Wakes one waiter; raised while nobody waits, it ends the next wait at once. */
export class Signal {
  readonly #timers: Timers;
  #raised = false;
  #waiting: AbortController | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  raise(): void {
    this.#raised = true;
    this.#waiting?.abort();
  }

  /** Resolves when raised, or after so many milliseconds. */
  async wait(msMax: number): Promise<void> {
    if (!this.#raised) {
      this.#waiting = new AbortController();
      await this.#timers.sleep(msMax, this.#waiting.signal);
      this.#waiting = undefined;
    }
    this.#raised = false;
  }
}
