import { performance } from 'node:perf_hooks';

/** What one request came to: `ok`, or the code it was refused with. */
export type Outcome = string;

export type LoopOptions = {
  /** So many requests are under way at any time: each connection sends its next one when the last is answered. */
  readonly connections: number;
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Stops before the time is over when so many have been answered. */
  readonly requestsMax: number;
  /** Called when measuring starts and when it ends. */
  readonly onWindow?: (edge: 'start' | 'end') => void;
};

/** Latencies in milliseconds; rate in answers a second. */
export type LoopResult = {
  readonly connections: number;
  readonly answered: number;
  readonly seconds: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers that were no success, by code. */
  readonly refusals: Readonly<Record<string, number>>;
};

/** Runs a closed loop: warms up, then measures every request that is answered within the window. */
export const closedLoop = async (options: LoopOptions, request: () => Promise<Outcome>): Promise<LoopResult> => {
  const { connections, warmupMs, measureMs, requestsMax, onWindow } = options;
  const begin = performance.now() + warmupMs;
  const end = begin + measureMs;
  const latencies: number[] = [];
  const refusals: Record<string, number> = {};
  let started = false;
  const connection = async (): Promise<void> => {
    for (;;) {
      const sent = performance.now();
      if (sent >= end || latencies.length >= requestsMax) return;
      if (!started && sent >= begin) {
        started = true;
        onWindow?.('start');
      }
      const outcome = await request();
      const answered = performance.now();
      if (answered < begin || answered > end) continue;
      latencies.push(answered - sent);
      if (outcome !== 'ok') refusals[outcome] = (refusals[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  onWindow?.('end');
  const seconds = (Math.min(performance.now(), end) - begin) / 1000;
  return { connections, answered: latencies.length, seconds, ...figures(latencies, seconds), refusals };
};

const figures = (latencies: number[], seconds: number) => {
  latencies.sort((a, b) => a - b);
  return {
    rate: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
    maxMs: latencies.at(-1) ?? Number.NaN,
  };
};

/** Nearest rank of sorted values; NaN when there are none. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
