import { describe, expect, it } from '@jest/globals';
import { Grouped } from './grouped.ts';

/** Groups of numbers that end when they are told to; a group with a 0 in it is refused. */
const rig = (callsMax = 1, weightMax = 10) => {
  const calls: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  const grouped = new Grouped<number, number>({
    work: async (items) => {
      calls.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (items.includes(0)) throw new Error('refused');
      if (items.includes(-1)) throw new Error('away');
      return items.map((item) => item * 10);
    },
    weigh: (item) => item,
    weightMax,
    callsMax,
    refused: (error) => error instanceof Error && error.message === 'refused',
  });
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) {
      gates.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { calls, grouped, settle };
};

describe('grouped work', () => {
  it('does at once what waits while a call is under way, and answers each', async () => {
    const { calls, grouped, settle } = rig();
    const first = grouped.do(1);
    await Promise.resolve();
    const others = [grouped.do(2), grouped.do(3)];
    await settle();
    expect(await Promise.all([first, ...others])).toEqual([10, 20, 30]);
    expect(calls).toEqual([[1], [2, 3]]);
  });

  it('keeps groups within their weight; one item may weigh more', async () => {
    const { calls, grouped, settle } = rig();
    const all = [grouped.do(50), grouped.do(6), grouped.do(5), grouped.do(4)];
    await settle();
    expect(await Promise.all(all)).toEqual([500, 60, 50, 40]);
    expect(calls).toEqual([[50], [6], [5, 4]]);
  });

  it('has no more calls under way than it may', async () => {
    const { calls, grouped, settle } = rig(2, 1);
    const all = [grouped.do(1), grouped.do(2), grouped.do(3)];
    await Promise.resolve();
    await Promise.resolve();
    expect(calls).toEqual([[1], [2]]);
    await settle();
    expect(await Promise.all(all)).toEqual([10, 20, 30]);
  });

  it('fails only the item that is refused', async () => {
    const { calls, grouped, settle } = rig();
    const all = Promise.allSettled([grouped.do(1), grouped.do(0), grouped.do(2)]);
    await settle();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(calls).toEqual([[1, 0, 2], [1], [0], [2]]);
  });

  it('fails all and repeats nothing when it is not known what took effect', async () => {
    const { calls, grouped, settle } = rig();
    const all = Promise.allSettled([grouped.do(1), grouped.do(-1)]);
    await settle();
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toEqual([[1, -1]]);
  });
});
