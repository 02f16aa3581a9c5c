import { describe, expect, it } from '@jest/globals';
import { type Append, type NewRecord, RecordTooLarge } from '@kungfu/log-port';
import { bytesOf, roundsOf } from './batches.ts';

const record = (key: string, bytes: number): NewRecord => ({ key, value: new Uint8Array(bytes) });
const append = (partition: number, ...records: readonly NewRecord[]): Append => ({ topic: 't', partition, records });
/** Of each request: per batch its partition and, per append, the number of the first record and the keys. */
const shapeOf = (appends: readonly Append[], batchBytesMax: number): unknown =>
  roundsOf(appends, batchBytesMax).map((round) =>
    round.map(({ partition, pieces }) => [
      partition,
      ...pieces.map((piece) => `${piece.append}@${piece.first}:${piece.records.map(({ key }) => key).join('')}`),
    ]),
  );

describe('the requests of an append', () => {
  it('are one while every partition has room in one batch', () => {
    const appends = [
      append(0, record('a', 10), record('b', 10)),
      append(1, record('c', 10)),
      append(0, record('d', 10)),
    ];
    expect(shapeOf(appends, 10_000)).toEqual([
      [
        [0, '0@0:ab', '2@0:d'],
        [1, '1@0:c'],
      ],
    ]);
  });

  it('are several, in order, where the records of a partition exceed a batch', () => {
    const appends = [
      append(0, record('a', 400), record('b', 400), record('c', 400)),
      append(1, record('x', 10)),
      append(0, record('d', 400)),
    ];
    expect(shapeOf(appends, 1_000)).toEqual([
      [
        [0, '0@0:ab'],
        [1, '1@0:x'],
      ],
      [[0, '0@2:c', '2@0:d']],
    ]);
  });

  it('are none when one record fits no batch', () => {
    expect(() => roundsOf([append(0, record('a', 10)), append(1, record('b', 1_000))], 1_000)).toThrow(RecordTooLarge);
    expect(() => roundsOf([append(1, record('b', 1_000))], 1_000)).toThrow('a record for t/1 takes 1036 bytes of 1000');
  });

  it('count text in bytes, and headers', () => {
    expect(bytesOf({ key: '☃', value: null })).toBe(35 + 3);
    expect(bytesOf({ key: 'k', value: new Uint8Array(5), headers: { ü: 'ab' } })).toBe(35 + 1 + 5 + 10 + 2 + 2);
  });
});
