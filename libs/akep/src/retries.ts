/** How an attempt to push ended. `retryAfterSeconds`: what the receiver asked for, if it did. */
export type Attempt =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds?: number }
  /** No answer in time, no connection, no name, no trust in the certificate. */
  | { readonly kind: 'unreachable' }
  /** The name led to an address that must not be connected to (D-5). */
  | { readonly kind: 'forbidden-address' };

/** Failures of an endpoint one after another, since it last took an event. Times in milliseconds. */
export type Failing = { readonly since: number; readonly failures: number };

/** What to do after an attempt. `at` in milliseconds. */
export type Next =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: number; readonly failing: Failing }
  | { readonly kind: 'disable'; readonly reason: DisableReason; readonly failures: number };
export type DisableReason = 'failing' | 'gone' | 'forbidden-address';

/** The bounds of pushing; an endpoint that fails for `ageMaxMs`, or so many times, is disabled (D-4). */
export type RetryPlan = {
  readonly firstDelayMs: number;
  /** At least 1 + jitter, so that each delay is longer than the one before, whatever the dice say. */
  readonly growth: number;
  /** Share of a delay that may come on top of it. */
  readonly jitter: number;
  readonly delayMaxMs: number;
  readonly ageMaxMs: number;
  readonly failuresMax: number;
};

/** 5 s, 15 s, 45 s, … up to 6 h apart; after three days it ends. */
export const retryPlan: RetryPlan = {
  firstDelayMs: 5_000,
  growth: 3,
  jitter: 0.25,
  delayMaxMs: 21_600_000,
  ageMaxMs: 259_200_000,
  failuresMax: 30,
};

/**
 * What follows from an attempt at `at` (D-4). Taken is what is answered with 2xx; a redirect is not followed and is a failure.
 * 410 and a forbidden address end it at once: trying again cannot help. `random` is from 0 up to 1.
 */
export const afterAttempt = (
  attempt: Attempt,
  before: Failing | undefined,
  at: number,
  random: number,
  plan: RetryPlan = retryPlan,
): Next => {
  const failing = { since: before?.since ?? at, failures: (before?.failures ?? 0) + 1 };
  if (attempt.kind === 'forbidden-address') return disable('forbidden-address', failing);
  if (attempt.kind === 'unreachable') return retry(failing, at, 0, random, plan);
  if (attempt.status >= 200 && attempt.status < 300) return { kind: 'delivered' };
  if (attempt.status === 410) return disable('gone', failing);
  return retry(failing, at, (attempt.retryAfterSeconds ?? 0) * 1_000, random, plan);
};

const disable = (reason: DisableReason, { failures }: Failing): Next => ({ kind: 'disable', reason, failures });

const retry = (failing: Failing, at: number, askedMs: number, random: number, plan: RetryPlan): Next => {
  const asked = Number.isFinite(askedMs) ? Math.min(Math.max(askedMs, 0), plan.delayMaxMs) : 0;
  const next = at + Math.max(delayMs(failing.failures, random, plan), asked);
  const isOver = failing.failures >= plan.failuresMax || next - failing.since > plan.ageMaxMs;
  return isOver ? disable('failing', failing) : { kind: 'retry', at: next, failing };
};

/** How long to wait after the n-th failure, in whole milliseconds: growing, with jitter, bounded. */
export const delayMs = (failures: number, random: number, plan: RetryPlan = retryPlan): number => {
  const step = Math.min(plan.firstDelayMs * plan.growth ** (failures - 1), plan.delayMaxMs);
  return Math.round(step * (1 + plan.jitter * random));
};
