import { describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@kungfu/log-port';
import { Followed } from './followed.ts';
import { kafkaLimits } from './settings.ts';

const position = { topic: 't', partition: 0, offset: 5 };
const records = (from: number, count: number, bytes = 10): LogRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    topic: 't',
    partition: 0,
    offset: from + i,
    timestamp: 0,
    key: 'k',
    value: new Uint8Array(bytes),
    headers: {},
  }));
const offsets = (taken: readonly LogRecord[]): number[] => taken.map(({ offset }) => offset);

describe('a partition as one reader follows it', () => {
  it('hands out in order within the limits, the first whatever its size', () => {
    const followed = new Followed(position, () => {});
    followed.push(records(5, 6), 11);
    expect(offsets(followed.take(2, 1_000, true))).toEqual([5, 6]);
    expect(offsets(followed.take(10, 25, true))).toEqual([7, 8]);
    expect(offsets(followed.take(10, 1, false))).toEqual([]);
    expect(offsets(followed.take(10, 1, true))).toEqual([9]);
    expect(offsets(followed.take(10, 1_000, false))).toEqual([10]);
    expect([followed.waiting, followed.next]).toEqual([0, 11]);
  });

  it('wants no more once it holds its bound, until half of that is taken', () => {
    const followed = new Followed(position, () => {});
    const count = 8;
    followed.push(records(5, count, kafkaLimits.queuedBytesMax / count), 5 + count);
    expect(followed.wanted).toBe(false);
    followed.take(count / 2 - 1, Number.POSITIVE_INFINITY, true);
    expect(followed.wanted).toBe(false);
    followed.take(2, Number.POSITIVE_INFINITY, true);
    expect(followed.wanted).toBe(true);
  });

  it('wakes its reader for records and for a failure, not for a hole in the log', () => {
    let woken = 0;
    const followed = new Followed(position, () => woken++);
    followed.push([], 9);
    expect([woken, followed.next]).toEqual([0, 9]);
    followed.push(records(9, 1), 10);
    expect(woken).toBe(1);
    followed.fail(new Error('gone'));
    expect([woken, followed.wanted, followed.waiting]).toEqual([2, false, 1]);
  });

  it('forgets on a seek what was fetched, why it failed and what was being looked up', () => {
    const followed = new Followed(position, () => {});
    followed.push(records(5, 3), 8);
    followed.mending = true;
    followed.gapTo = 20;
    followed.fail(new Error('gone'));
    const { generation } = followed;
    followed.seek(2);
    expect([followed.waiting, followed.next, followed.wanted, followed.gapTo]).toEqual([0, 2, true, undefined]);
    expect(followed.generation).toBeGreaterThan(generation);
  });

  it('keeps order over many takes', () => {
    const followed = new Followed({ ...position, offset: 0 }, () => {});
    const taken: number[] = [];
    for (let i = 0; i < 50; i++) {
      followed.push(records(i * 100, 100), (i + 1) * 100);
      taken.push(...offsets(followed.take(97, 1_000_000, true)));
    }
    taken.push(...offsets(followed.take(10_000, 1_000_000, true)));
    expect(taken).toEqual(Array.from({ length: 5_000 }, (_, i) => i));
  });
});
