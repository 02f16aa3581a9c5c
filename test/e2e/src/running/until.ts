import { setTimeout as sleep } from 'node:timers/promises';

/** A condition has not come about in time. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

const pollMs = 25;

/**
 * Waits for a condition: asks again and again until the answer is not undefined. Throws NotInTime after `msMax`, and at once
 * what asking throws.
 */
export const until = async <T>(what: string, msMax: number, ask: () => Promise<T | undefined>): Promise<T> => {
  const end = Date.now() + msMax;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new NotInTime(`waited ${msMax} ms in vain for ${what}`);
    await sleep(pollMs);
  }
};
