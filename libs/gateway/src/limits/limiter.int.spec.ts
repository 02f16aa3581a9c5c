import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultLimits } from '@kungfu/protocol';
import pg from 'pg';
import { createLimiter, type Joining, type Limiter } from './limiter.ts';

const limits = {
  ...defaultLimits,
  actionsPerMinute: 7,
  creationsPerHour: 5,
  readsPerMinute: 6,
  failedJoinsPerQuarterHour: 4,
};

let pools: pg.Pool[];
/** Two gateways' limiters. */
let limiters: Limiter[];
let agent: string;
let agents = 0;

beforeAll(async () => {
  const url = await testDatabase();
  pools = [await testPool(url), await testPool(url)];
  limiters = await Promise.all(pools.map((pool) => createLimiter(pool, limits)));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await stopTestDatabases();
});
beforeEach(() => {
  agents += 1;
  agent = `agent_${agents}`;
});

type Ask = (limiter: Limiter) => Promise<number | undefined>;
const waitOf = (joining: Joining): number | undefined => ('retryAfter' in joining ? joining.retryAfter : undefined);
const join: Ask = async (limiter) => waitOf(await limiter.join(agent));

/** As many at once, by turns at the two limiters: the waits of those that are over. */
const atOnce = async (count: number, ask: Ask): Promise<readonly number[]> => {
  const asked = await Promise.all(Array.from({ length: count }, (_, i) => ask(limiters[i % 2]!)));
  return asked.filter((wait) => wait !== undefined);
};

const rates: readonly { rate: string; limit: number; seconds: number; ask: Ask }[] = [
  { rate: 'actions', limit: 7, seconds: 60, ask: (limiter) => limiter.consume(agent, 'memory.create') },
  { rate: 'creations', limit: 5, seconds: 3_600, ask: (limiter) => limiter.consume(agent, 'thread.create') },
  { rate: 'reads', limit: 6, seconds: 60, ask: (limiter) => limiter.read(agent) },
  { rate: 'failed-joins', limit: 4, seconds: 900, ask: join },
];

describe.each(rates)('$rate of an agent', ({ rate, limit, seconds, ask }) => {
  it(`[L4-4] are ${limit} at two gateways at once, and never ${limit + 1}`, async () => {
    const waits = await atOnce(limit + 1, ask);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(seconds - 30);
    expect(waits[0]).toBeLessThanOrEqual(seconds);
    expect(await limiters[0]!.use(agent)).toMatchObject({ [rate]: { used: limit, limit, perSeconds: seconds } });
  });

  it(`[L4-4] fit up to ${limit}, whichever gateway is asked, and the next waits at both`, async () => {
    expect(await atOnce(limit, ask)).toEqual([]);
    for (const limiter of limiters) expect(await ask(limiter)).toBeGreaterThan(0);
  });

  it('[L4-4] are of that agent only, and come back when the time is over', async () => {
    await atOnce(limit, ask);
    expect(await ask(limiters[0]!)).toBeGreaterThan(0);
    const first = agent;
    agent = `${first}_other`;
    expect(await ask(limiters[0]!)).toBeUndefined();
    agent = first;
    await pools[0]!.query("update gateway.rate set expire = 1 where key like '%:' || $1", [agent]);
    expect(await ask(limiters[1]!)).toBeUndefined();
  });
});

describe('joins', () => {
  const joined = async (joining: Joining): Promise<void> => {
    if ('notFailed' in joining) await joining.notFailed();
  };

  it('[T-7] that did not fail do not count', async () => {
    for (let n = 0; n < 10; n++) await joined(await limiters[n % 2]!.join(agent));
    expect(await atOnce(5, join)).toHaveLength(1);
  });

  it('[T-7] that were turned away for the rate do not count either', async () => {
    const under = await Promise.all(Array.from({ length: 4 }, (_, i) => limiters[i % 2]!.join(agent)));
    expect(await atOnce(6, join)).toHaveLength(6);
    await Promise.all(under.map(joined));
    expect(await atOnce(5, join)).toHaveLength(1);
  });

  it('[T-7] that end after their quarter of an hour give nothing to the next', async () => {
    const old = await limiters[0]!.join(agent);
    const then = Date.now();
    await pools[0]!.query("update gateway.rate set expire = 1 where key like '%:' || $1", [agent]);
    // A quarter of an hour lies between two of them: never do they end in the same millisecond.
    while (Date.now() === then) await new Promise((next) => setImmediate(next));
    await atOnce(4, join);
    await joined(old);
    expect(await join(limiters[1]!)).toBeGreaterThan(0);
  });
});
