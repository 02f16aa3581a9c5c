import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Attempt, afterAttempt, delayMs, type Failing, type Next, retryPlan } from './retries.ts';

const at = 1_778_157_296_000;
const answered = (status: number, retryAfterSeconds?: number): Attempt => ({
  kind: 'answered',
  status,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const unreachable: Attempt = { kind: 'unreachable' };
const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Attempts that fail, each when it is due, until the endpoint is disabled. */
const failUntilDisabled = (
  attempt: Attempt,
  random: () => number,
): { readonly times: number[]; readonly last: Next } => {
  const times = [at];
  let next = afterAttempt(attempt, undefined, at, random());
  while (next.kind === 'retry') {
    times.push(next.at);
    next = afterAttempt(attempt, next.failing, next.at, random());
  }
  return { times, last: next };
};

describe('a push', () => {
  it.each([200, 201, 202, 204, 299])('[D-4] is delivered when it is answered with %d', (status) => {
    expect(afterAttempt(answered(status), { since: at - 1, failures: 3 }, at, 0)).toEqual({ kind: 'delivered' });
  });
  it.each([100, 301, 302, 307, 308, 304, 400, 401, 404, 408, 409, 413, 422, 429, 500, 502, 503])(
    '[D-4] is tried again when it is answered with %d',
    (status) => {
      expect(afterAttempt(answered(status), undefined, at, 0)).toEqual({
        kind: 'retry',
        at: at + 5_000,
        failing: { since: at, failures: 1 },
      });
    },
  );
  it('[D-4] is tried again when nobody answers, and counts from the first failure', () => {
    const before: Failing = { since: at - 60_000, failures: 3 };
    expect(afterAttempt(unreachable, before, at, 0)).toEqual({
      kind: 'retry',
      at: at + 135_000,
      failing: { since: at - 60_000, failures: 4 },
    });
  });
  it('[D-4] ends at once where trying again cannot help', () => {
    expect(afterAttempt(answered(410), undefined, at, 0)).toEqual({ kind: 'disable', reason: 'gone', failures: 1 });
    expect(afterAttempt({ kind: 'forbidden-address' }, { since: at, failures: 2 }, at, 0)).toEqual({
      kind: 'disable',
      reason: 'forbidden-address',
      failures: 3,
    });
  });
  it('[D-4] waits as long as the receiver asks, within bounds, never shorter than planned', () => {
    const retriedAfter = (seconds: number): number => {
      const next = afterAttempt(answered(429, seconds), undefined, at, 0);
      return next.kind === 'retry' ? next.at - at : Number.NaN;
    };
    expect(retriedAfter(120)).toBe(120_000);
    expect(retriedAfter(1)).toBe(5_000);
    expect(retriedAfter(-5)).toBe(5_000);
    expect(retriedAfter(Number.NaN)).toBe(5_000);
    expect(retriedAfter(Number.POSITIVE_INFINITY)).toBe(5_000);
    expect(retriedAfter(1e9)).toBe(21_600_000);
  });
  it('[D-4] is tried at growing distances for less than three days, then its endpoint is disabled', () => {
    const { times, last } = failUntilDisabled(unreachable, () => 0);
    const seconds = times.slice(1).map((time, n) => (time - times[n]!) / 1_000);
    expect(seconds.slice(0, 9)).toEqual([5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 21_600]);
    expect(seconds.slice(9).every((delay) => delay === 21_600)).toBe(true);
    expect(times.at(-1)! - at).toBeLessThanOrEqual(259_200_000);
    expect(times.at(-1)! - at + 21_600_000).toBeGreaterThan(259_200_000);
    expect(last).toEqual({ kind: 'disable', reason: 'failing', failures: times.length });
  });
  it('[D-4] ends in bounded time and attempts, whatever the dice and the receiver say', () => {
    const attempt = fc.oneof(
      fc.constant(unreachable),
      fc.nat({ max: 10 ** 7 }).map((after) => answered(503, after)),
    );
    fc.assert(
      fc.property(attempt, fc.array(dice, { minLength: 1, maxLength: 30 }), (failure, thrown) => {
        let n = 0;
        const { times, last } = failUntilDisabled(failure, () => thrown[n++ % thrown.length]!);
        expect(last).toEqual({ kind: 'disable', reason: 'failing', failures: times.length });
        expect(times.length).toBeLessThanOrEqual(retryPlan.failuresMax);
        expect(times.at(-1)! - at).toBeLessThanOrEqual(retryPlan.ageMaxMs);
      }),
    );
  });
  it('[D-4] is disabled after so many failures too, however short they take', () => {
    const plan = { ...retryPlan, delayMaxMs: 1, failuresMax: 4 };
    expect(afterAttempt(unreachable, { since: at, failures: 2 }, at, 0, plan).kind).toBe('retry');
    expect(afterAttempt(unreachable, { since: at, failures: 3 }, at, 0, plan)).toEqual({
      kind: 'disable',
      reason: 'failing',
      failures: 4,
    });
  });
  it('[D-4] never waits shorter after more failures, up to the longest delay, and the dice spread it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), dice, dice, (failures, one, other) => {
        const [shorter, longer] = [delayMs(failures, one), delayMs(failures + 1, other)];
        expect(longer >= shorter || shorter >= retryPlan.delayMaxMs).toBe(true);
        expect(longer).toBeLessThanOrEqual(retryPlan.delayMaxMs * 1.25);
      }),
    );
    expect([0, 0.5, 0.999_999].map((random) => delayMs(1, random))).toEqual([5_000, 5_625, 6_250]);
  });
});
