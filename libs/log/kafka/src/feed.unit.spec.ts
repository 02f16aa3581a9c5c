import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OffsetOutOfRange, type TopicPartition } from '@kungfu/log-port';
import type { ConsumptionEvents, FetchedBatch } from './consumption.ts';
import { type Consuming, Feed } from './feed.ts';
import type { Followed } from './followed.ts';
import type { Range } from './offsets.ts';
import { kafkaLimits } from './settings.ts';

/** A consumer that does what the spec says, and notes where it was placed. */
class FakeConsumer implements Consuming {
  readonly events: ConsumptionEvents;
  readonly placed: string[] = [];
  started = false;
  retired = false;
  fetching = true;
  silent = 0;

  constructor(events: ConsumptionEvents) {
    this.events = events;
  }
  start(): void {
    this.started = true;
  }
  async retire(): Promise<void> {
    this.retired = true;
  }
  silentMs(): number {
    return this.silent;
  }
  place({ topic, partition }: TopicPartition, fetch: boolean, offset?: number): void {
    this.placed.push(`${topic}/${partition} ${fetch ? `from ${offset ?? 'there'}` : 'not'}`);
  }
  /** What kafkajs has fetched at an offset: records with these offsets. */
  fetched(fetchedOffset: number, ...offsets: readonly number[]): number | undefined {
    const messages = offsets.map((offset) => ({
      offset: `${offset}`,
      timestamp: '0',
      key: null,
      value: null,
      headers: {},
    }));
    return this.events.fetched({
      topic: 't',
      partition: 0,
      fetchedOffset: `${fetchedOffset}`,
      messages,
    } as unknown as FetchedBatch);
  }
}

describe('a feed', () => {
  let consumers: FakeConsumer[];
  let range: Range;
  let reachable: boolean;
  let trouble: string[];
  /** Whether a new consumer gets to fetching. */
  let gets: boolean;
  let feed: Feed;
  const newest = (): FakeConsumer => consumers.at(-1)!;
  const offsetsOf = (followed: Followed): number[] => followed.take(1_000, 1_000_000, true).map(({ offset }) => offset);
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    consumers = [];
    range = { start: 0, end: 100 };
    reachable = true;
    gets = true;
    trouble = [];
    const ask = async (): Promise<Range> => {
      if (!reachable) throw new Error('no broker');
      return range;
    };
    feed = new Feed({
      partitions: new Map([['t', 2]]),
      offsets: { range: ask, ranges: async () => new Map([[0, await ask()]]) },
      consume: (events) => {
        const consumer = new FakeConsumer(events);
        consumer.fetching = gets;
        consumers.push(consumer);
        return consumer;
      },
      trouble: ({ what }) => trouble.push(what),
    });
  });
  afterEach(async () => {
    await feed.close();
    jest.useRealTimers();
  });

  const follow = (offset: number): Followed => feed.follow({ topic: 't', partition: 0, offset }, () => {});

  it('[F1] takes in what was fetched at its position, and answers the next', () => {
    const followed = follow(5);
    expect(newest().placed).toEqual(['t/0 from 5']);
    expect(newest().fetched(5, 5, 6)).toBe(7);
    expect(newest().fetched(7, 6, 7, 9)).toBe(10);
    expect(offsetsOf(followed)).toEqual([5, 6, 7, 9]);
  });

  it('[F1] throws away what was fetched elsewhere, and seeks its position again', async () => {
    const followed = follow(5);
    expect(newest().fetched(8, 8)).toBeUndefined();
    await pass(0);
    expect(newest().placed).toEqual(['t/0 from 5', 't/0 not', 't/0 from 5']);
    expect(newest().fetched(5, 5)).toBe(6);
    expect(offsetsOf(followed)).toEqual([5]);
  });

  it('[F1] goes on behind a hole only when the log is reached at the same place again and holds the position', async () => {
    const followed = follow(5);
    newest().fetched(8, 8);
    await pass(0);
    newest().fetched(9, 9);
    await pass(0);
    expect(followed.next).toBe(5);
    newest().fetched(9, 9);
    await pass(0);
    expect([followed.next, newest().placed.at(-1)]).toEqual([9, 't/0 from 9']);
    expect(newest().fetched(9, 9)).toBe(10);
    expect(offsetsOf(followed)).toEqual([9]);
  });

  it('[F1] does not take a hole for granted while no broker says that the log holds the position', async () => {
    const followed = follow(5);
    reachable = false;
    for (let i = 0; i < 3; i++) {
      newest().fetched(9, 9);
      await pass(0);
    }
    expect([followed.next, followed.failure]).toEqual([5, undefined]);
    expect(trouble).toContain('offsets unknown');
  });

  it('[F2] fails a position that the log no longer holds, or never had, until it is sought elsewhere', async () => {
    const followed = follow(5);
    range = { start: 7, end: 100 };
    newest().events.outOfRange({ topic: 't', partition: 0 });
    await pass(0);
    expect(followed.failure).toBeInstanceOf(OffsetOutOfRange);
    expect(followed.failure!.message).toBe('t/0 holds 7 to 100, asked for 5');
    expect(newest().fetched(7, 7)).toBeUndefined();
    expect(newest().placed.at(-1)).toBe('t/0 not');
    feed.seek(followed, 101);
    newest().fetched(7, 7);
    await pass(0);
    expect(followed.failure!.message).toBe('t/0 holds 7 to 100, asked for 101');
    feed.seek(followed, 7);
    expect(newest().fetched(7, 7)).toBe(8);
  });

  it('[F2] does not let a look that began before a seek judge the position after it', async () => {
    const followed = follow(5);
    range = { start: 7, end: 100 };
    newest().events.outOfRange({ topic: 't', partition: 0 });
    feed.seek(followed, 50);
    await pass(0);
    expect(followed.failure).toBeUndefined();
    expect(newest().fetched(50, 50)).toBe(51);
  });

  it('[F3] places every partition at each join', () => {
    follow(5);
    newest().fetched(5, 5);
    const both = [0, 1].map((partition) => ({ topic: 't', partition }));
    newest().events.joined(both);
    expect(newest().placed.slice(1)).toEqual(['t/0 from 6', 't/1 not']);
  });

  it('[F4] replaces a consumer that has ended, ever more slowly, and goes on at its position', async () => {
    follow(5);
    newest().fetched(5, 5);
    for (let i = 1; i <= 6; i++) {
      newest().events.ended(new Error('crash'));
      expect(newest().retired).toBe(true);
      await pass(kafkaLimits.replaceMsMax);
      expect([consumers.length, newest().started]).toEqual([i + 1, true]);
    }
    newest().events.joined([{ topic: 't', partition: 0 }]);
    expect(newest().placed).toEqual(['t/0 from 6']);
  });

  it('[F4] replaces a consumer none of whose fetches ends, and shows how long there was none', async () => {
    follow(5);
    newest().silent = kafkaLimits.silenceMsMax + 1;
    gets = false;
    await pass(kafkaLimits.watchMs);
    expect(consumers[0]!.retired).toBe(true);
    await pass(10_000);
    expect([consumers.length, feed.silentMs()]).toEqual([2, kafkaLimits.silenceMsMax + 1 + 10_000]);
    newest().fetching = true;
    expect(feed.silentMs()).toBe(0);
  });

  it('[F4] replaces a consumer that gets nothing though the log holds more', async () => {
    follow(5);
    await pass(2 * kafkaLimits.auditMs + 4 * kafkaLimits.watchMs);
    expect(trouble).toContain('consumer replaced');
    expect(consumers.length).toBeGreaterThan(1);
  });

  it('[F4] leaves one alone that stands at the end', async () => {
    range = { start: 0, end: 5 };
    follow(5);
    await pass(10 * kafkaLimits.auditMs);
    expect([consumers.length, trouble]).toEqual([1, []]);
  });

  it('[F2] finds in an audit that the log has lost what was read', async () => {
    const followed = follow(5);
    range = { start: 0, end: 3 };
    await pass(kafkaLimits.auditMs + 2 * kafkaLimits.watchMs);
    expect(followed.failure!.message).toBe('t/0 holds 0 to 3, asked for 5');
  });

  it('fetches no more into a full queue until half of it is taken', () => {
    const followed = follow(0);
    const records = Math.ceil(kafkaLimits.queuedBytesMax / 200);
    newest().fetched(0, ...Array.from({ length: records }, (_, i) => i));
    expect(newest().placed.at(-1)).toBe('t/0 not');
    const { wanted } = followed;
    followed.take(records, 1_000_000, true);
    feed.drained(followed, wanted);
    expect(newest().placed.at(-1)).toBe('t/0 from there');
  });

  it('forgets a partition that is no longer followed', () => {
    const followed = follow(5);
    feed.unfollow(followed);
    expect([newest().placed.at(-1), feed.follows(followed)]).toEqual(['t/0 not', false]);
    expect(newest().fetched(5, 5)).toBeUndefined();
    expect(feed.silentMs()).toBe(0);
  });
});
