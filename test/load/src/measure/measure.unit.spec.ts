import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.ts';
import { closedLoop, percentile } from './closed-loop.ts';
import { cpuPercent } from './cpu.ts';

describe('percentiles', () => {
  it('are the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([7], 0.5)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('a batcher', () => {
  it('sends what waits together, and gathers while a batch is under way', async () => {
    const batches: string[][] = [];
    const released: (() => void)[] = [];
    const flush = (items: readonly string[]) =>
      new Promise<void>((done) => released.push(done) && batches.push([...items]));
    const batcher = new Batcher<string>(flush, { itemsMax: 2, inFlightMax: 1 });
    const settled = Promise.all(['a', 'b', 'c'].map((item) => batcher.add(item)));
    for (let turn = 0; turn < 2; turn++) {
      while (released.length === 0) await new Promise(setImmediate);
      released.shift()?.();
    }
    await settled;
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('fails every item of a batch that failed and goes on with the next', async () => {
    const batcher = new Batcher<number>(
      async ([first]) => (first === 1 ? Promise.reject(new Error('no')) : undefined),
      {
        itemsMax: 1,
        inFlightMax: 1,
      },
    );
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('a closed loop', () => {
  it('keeps as many requests under way as it has connections, and ends at its bound', async () => {
    let underWay = 0;
    let most = 0;
    const result = await closedLoop({ connections: 3, warmupMs: 0, measureMs: 60_000, requestsMax: 30 }, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return 'ok';
    });
    expect(most).toBe(3);
    expect(result.answered).toBeGreaterThanOrEqual(30);
    expect(result.answered).toBeLessThanOrEqual(32);
    expect(result.refusals).toEqual({});
  });

  it('counts refusals by code', async () => {
    let sent = 0;
    const request = async () => (sent++ % 2 === 0 ? 'ok' : 'pending');
    const { refusals } = await closedLoop({ connections: 1, warmupMs: 0, measureMs: 60_000, requestsMax: 10 }, request);
    expect(refusals).toEqual({ pending: 5 });
  });
});

describe('CPU', () => {
  it('is told in percent of one core', () => {
    const before = new Map([['gateway', 1]]);
    const after = new Map([
      ['gateway', 2.5],
      ['projector', 0.2],
    ]);
    expect(cpuPercent(before, after, 2)).toEqual({ gateway: 75, projector: 10 });
  });
});
