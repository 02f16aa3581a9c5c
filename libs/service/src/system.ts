import { randomBytes } from 'node:crypto';
import type { Clock, Random, Timers } from '@kungfu/log-port';

/** The machine's wall clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Node's timers. */
export const systemTimers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
};

/** Randomness of the machine. */
export const systemRandom: Random = { next: () => Math.random(), hex: (bytes) => randomBytes(bytes).toString('hex') };
