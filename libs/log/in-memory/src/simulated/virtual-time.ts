import type { Clock, Timers } from '@kungfu/log-port';
import type { SeededRandom } from './random.ts';

type Timer = { readonly at: number; readonly order: number; readonly fire: () => void };

/** Start of simulated time, milliseconds since the epoch: far from 0, so that an unset time shows. */
const begin = Date.UTC(2030, 0, 1);

/**
 * Simulated time: nothing happens but what a timer or a promise brings, and timers fire one at a time, in the order of their
 * times; of those due at the same time the seed says which is first. Promises settle between two timers. So one seed is one
 * trace.
 */
export class VirtualTime implements Clock, Timers {
  readonly #random: SeededRandom;
  #now = begin;
  #timers: Timer[] = [];

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer: Timer = { at: this.#now + Math.max(0, Math.ceil(ms)), order: this.#random.next(), fire: resolve };
      this.#timers.push(timer);
      signal?.addEventListener(
        'abort',
        () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
          resolve();
        },
        { once: true },
      );
    });
  }

  /** Runs until the condition holds or so much simulated time has passed; says whether it held. */
  async run(until: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.#now + limitMs;
    for (;;) {
      await settled();
      if (until()) return true;
      const next = this.#takeNext();
      if (next === undefined || next.at > end) {
        if (next !== undefined) this.#timers.push(next);
        this.#now = end;
        return false;
      }
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
  }

  #takeNext(): Timer | undefined {
    let best: Timer | undefined;
    for (const timer of this.#timers) {
      if (best === undefined || timer.at < best.at || (timer.at === best.at && timer.order < best.order)) best = timer;
    }
    if (best !== undefined) this.#timers.splice(this.#timers.indexOf(best), 1);
    return best;
  }
}

/** All promises that can settle without a timer have settled: the queue of microtasks is empty at the next macrotask. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
