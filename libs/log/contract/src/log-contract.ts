import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Log,
  type LogRecord,
  type NewRecord,
  OffsetOutOfRange,
  type Position,
  type Reader,
  RecordTooLarge,
  type TopicAdmin,
  TopicMismatch,
  type TopicPartition,
  type TopicSettings,
} from '@kungfu/log-port';

/** What an adapter brings to the suite. */
export type LogSetup = {
  /** A log that has these topics. The same durable store for every call of one set-up. */
  open(topics: readonly TopicSettings[]): Promise<{ readonly log: Log; readonly admin: TopicAdmin }>;
  /** Kills the broker or server the hard way and starts it again; absent where there is none. */
  restart?(): Promise<void>;
  /** Bytes of the largest record it takes. */
  readonly recordBytesMax: number;
  close(): Promise<void>;
};

const patience = 60_000;
const text = new TextEncoder();
const read = new TextDecoder();
const record = (value: string, key = 'k'): NewRecord => ({
  key,
  value: text.encode(value),
  headers: { h: `of ${value}` },
});
const textOf = ({ value }: LogRecord): string | null => (value === null ? null : read.decode(value));
const numbers = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(from + i));

/** Reads until so many records have come, within patience. */
const take = async (reader: Reader, count: number): Promise<readonly LogRecord[]> => {
  const taken: LogRecord[] = [];
  const end = Date.now() + patience;
  while (taken.length < count) {
    if (Date.now() > end) throw new Error(`only ${taken.length} of ${count} records came`);
    taken.push(...(await reader.poll({ records: count - taken.length, bytes: 1_000_000, waitMs: 200 })));
  }
  return taken;
};

/** The behaviour every log has (libs/log/port): in memory, Postgres, Kafka. */
export const logContract = (name: string, setUp: () => Promise<LogSetup>): void => {
  describe(`the log contract, ${name}`, () => {
    let setup: LogSetup;
    let log: Log;
    let admin: TopicAdmin;
    const topic = `contract.${Math.random().toString(36).slice(2, 8)}`;
    const settings: TopicSettings = { topic, partitions: 16, time: 'LogAppendTime', retentionMs: -1, compacted: false };
    let used = 0;
    const fresh = (): TopicPartition => ({ topic, partition: used++ });
    const append = async (partition: TopicPartition, ...values: readonly string[]): Promise<number> => {
      const producer = await log.producer();
      const [appended] = await producer.append([{ ...partition, records: values.map((value) => record(value)) }]);
      await producer.close();
      return appended!.firstOffset;
    };
    const following = async (...positions: readonly Position[]): Promise<Reader> => {
      const reader = await log.reader();
      for (const position of positions) reader.follow(position);
      return reader;
    };

    beforeAll(async () => {
      setup = await setUp();
      ({ log, admin } = await setup.open([settings]));
    }, 180_000);
    afterAll(async () => {
      await log?.close();
      await setup?.close();
    }, 60_000);

    it(
      'gives offsets from 0 without gaps, and reads back in order what was appended: key, value, headers',
      async () => {
        const p = fresh();
        expect(await append(p, 'a', 'b')).toBe(0);
        expect(await append(p, 'c')).toBe(2);
        const records = await log.read({ ...p, offset: 0 }, 10);
        expect(records.map((r) => [r.offset, r.key, textOf(r), r.headers['h']])).toEqual([
          [0, 'k', 'a', 'of a'],
          [1, 'k', 'b', 'of b'],
          [2, 'k', 'c', 'of c'],
        ]);
        expect([await log.start(p), await log.end(p), await log.partitions(topic)]).toEqual([0, 3, 16]);
      },
      patience,
    );
    it(
      'keeps a null value and text of any script',
      async () => {
        const p = fresh();
        const producer = await log.producer();
        await producer.append([{ ...p, records: [{ key: 'ключ', value: null, headers: { kf_é: '☃' } }] }]);
        const [only] = await log.read({ ...p, offset: 0 }, 1);
        expect([only!.key, only!.value, only!.headers['kf_é']]).toEqual(['ключ', null, '☃']);
        await producer.close();
      },
      patience,
    );
    it(
      'follows from any offset, sees what comes later, and seeks again',
      async () => {
        const p = fresh();
        await append(p, ...numbers(0, 5));
        const reader = await following({ ...p, offset: 3 });
        expect((await take(reader, 2)).map(textOf)).toEqual(['3', '4']);
        await append(p, '5');
        expect((await take(reader, 1)).map(textOf)).toEqual(['5']);
        reader.follow({ ...p, offset: 1 });
        expect((await take(reader, 5)).map(textOf)).toEqual(['1', '2', '3', '4', '5']);
        await reader.close();
      },
      patience,
    );
    it(
      'holds back a paused partition without delaying another, and loses nothing of it',
      async () => {
        const [a, b] = [fresh(), fresh()];
        const reader = await following({ ...a, offset: 0 }, { ...b, offset: 0 });
        reader.pause(a);
        await append(a, 'a0');
        await append(b, 'b0', 'b1');
        expect((await take(reader, 2)).map(textOf)).toEqual(['b0', 'b1']);
        expect(await reader.poll({ records: 10, bytes: 1_000, waitMs: 50 })).toEqual([]);
        reader.resume(a);
        expect((await take(reader, 1)).map(textOf)).toEqual(['a0']);
        reader.unfollow(a);
        await append(a, 'a1');
        await append(b, 'b2');
        expect((await take(reader, 1)).map(textOf)).toEqual(['b2']);
        await reader.close();
      },
      patience,
    );
    it(
      'serves readers independently of one another',
      async () => {
        const p = fresh();
        await append(p, ...numbers(0, 3));
        const [one, two] = [await following({ ...p, offset: 0 }), await following({ ...p, offset: 2 })];
        expect((await take(two, 1)).map(textOf)).toEqual(['2']);
        expect((await take(one, 3)).map(textOf)).toEqual(['0', '1', '2']);
        await one.close();
        await append(p, '3');
        expect((await take(two, 1)).map(textOf)).toEqual(['3']);
        await two.close();
      },
      patience,
    );
    it(
      'hands out within the limits of a poll',
      async () => {
        const p = fresh();
        await append(p, ...numbers(10, 10));
        const reader = await following({ ...p, offset: 0 });
        const first = await reader.poll({ records: 4, bytes: 1_000_000, waitMs: patience });
        expect(first.length).toBeGreaterThan(0);
        expect(first.length).toBeLessThanOrEqual(4);
        const next = await reader.poll({ records: 100, bytes: 1, waitMs: patience });
        expect(next).toHaveLength(1);
        expect(next[0]!.offset).toBe(first.length);
        await reader.close();
      },
      patience,
    );
    it(
      'lands the appends of many producers each in one piece, without gaps',
      async () => {
        const p = fresh();
        const firsts = await Promise.all(numbers(0, 20).map((n) => append(p, `${n}.0`, `${n}.1`, `${n}.2`)));
        expect([...firsts].sort((a, b) => a - b)).toEqual(numbers(0, 20).map((n) => Number(n) * 3));
        const values = (await log.read({ ...p, offset: 0 }, 100)).map(textOf);
        for (const [n, first] of firsts.entries())
          expect(values.slice(first, first + 3)).toEqual([`${n}.0`, `${n}.1`, `${n}.2`]);
      },
      patience,
    );
    it(
      'appends to several partitions in one call',
      async () => {
        const [a, b] = [fresh(), fresh()];
        await append(a, 'x');
        const producer = await log.producer();
        const appended = await producer.append([
          { ...a, records: [record('y')] },
          { ...b, records: [record('z'), record('w')] },
        ]);
        expect(appended.map(({ partition, firstOffset }) => [partition, firstOffset])).toEqual([
          [a.partition, 1],
          [b.partition, 0],
        ]);
        await producer.close();
      },
      patience,
    );
    it(
      'never lets the time of a partition go back',
      async () => {
        const p = fresh();
        await Promise.all(numbers(0, 10).map((n) => append(p, n)));
        const times = (await log.read({ ...p, offset: 0 }, 10)).map(({ timestamp }) => timestamp);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(Math.abs(times[0]! - Date.now())).toBeLessThan(600_000);
      },
      patience,
    );
    it(
      'takes a record of the largest size, refuses a larger one whole, and goes on',
      async () => {
        const p = fresh();
        const producer = await log.producer();
        const large = (bytes: number): NewRecord => ({ key: 'k', value: new Uint8Array(bytes) });
        await producer.append([{ ...p, records: [large(setup.recordBytesMax - 2_048)] }]);
        await expect(
          producer.append([{ ...p, records: [record('small'), large(setup.recordBytesMax + 1)] }]),
        ).rejects.toThrow(RecordTooLarge);
        expect(await producer.append([{ ...p, records: [record('after')] }])).toMatchObject([{ firstOffset: 1 }]);
        await producer.close();
      },
      patience,
    );
    it(
      'says out of range for an offset that it never had, and for a topic that does not exist',
      async () => {
        const p = fresh();
        await append(p, 'a');
        await expect(log.read({ ...p, offset: 7 }, 1)).rejects.toThrow(OffsetOutOfRange);
        const reader = await following({ ...p, offset: 7 });
        await expect(take(reader, 1)).rejects.toThrow(OffsetOutOfRange);
        await reader.close();
        await expect(log.partitions(`${topic}.none`)).rejects.toThrow();
      },
      patience,
    );
    it(
      'makes topics once and refuses those that exist with other settings, naming the difference',
      async () => {
        await admin.ensure([settings]);
        await expect(admin.ensure([{ ...settings, partitions: 17 }])).rejects.toThrow(TopicMismatch);
        await expect(admin.ensure([{ ...settings, compacted: true }])).rejects.toThrow(/compacted|cleanup/);
        expect(await log.partitions(topic)).toBe(16);
      },
      patience,
    );
    it('has what it acknowledged, and its readers go on, after the server was killed and started again', async () => {
      if (setup.restart === undefined) return;
      const p = { topic, partition: 0 };
      const before = await log.end(p);
      const reader = await following({ ...p, offset: before });
      await append(p, 'before');
      expect((await take(reader, 1)).map(textOf)).toEqual(['before']);
      await setup.restart();
      const acknowledged = await untilAppended(() => append(p, 'after'));
      const records = await take(reader, acknowledged - before);
      expect(records.map(({ offset }) => offset)).toEqual(
        Array.from({ length: acknowledged - before }, (_, i) => before + 1 + i),
      );
      expect(textOf(records.at(-1)!)).toBe('after');
      await reader.close();
    }, 180_000);
  });
};

/** A producer is not used again after a failure: tries with new ones until the server is back. */
const untilAppended = async (append: () => Promise<number>): Promise<number> => {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};
