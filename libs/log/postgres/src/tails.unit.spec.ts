import { describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@kungfu/log-port';
import { Tails } from './tails.ts';

const record = (offset: number, bytes = 1): LogRecord => ({
  topic: 't',
  partition: 0,
  offset,
  timestamp: 1,
  key: 'k',
  value: new Uint8Array(bytes),
  headers: {},
});
const records = (from: number, count: number, bytes?: number) =>
  Array.from({ length: count }, (_, i) => record(from + i, bytes));
const offsets = (found: readonly LogRecord[] | undefined) => found?.map(({ offset }) => offset);

describe('the tails of a log', () => {
  it('hand out what was appended, from any offset that is kept', () => {
    const tails = new Tails();
    tails.appended(1, records(5, 2));
    tails.appended(1, records(7, 2));
    tails.appended(1, []);
    expect(offsets(tails.from(1, 5, 10))).toEqual([5, 6, 7, 8]);
    expect(offsets(tails.from(1, 7, 1))).toEqual([7]);
    for (const offset of [4, 9]) expect(tails.from(1, offset, 10)).toBeUndefined();
    expect(tails.from(2, 5, 10)).toBeUndefined();
  });

  it('have no gap: what somebody else appended in between begins them anew', () => {
    const tails = new Tails();
    tails.appended(1, records(5, 2));
    tails.appended(1, records(8, 1));
    expect(tails.from(1, 5, 10)).toBeUndefined();
    expect(offsets(tails.from(1, 8, 10))).toEqual([8]);
  });

  it('take nothing that was acknowledged late: it is read', () => {
    const tails = new Tails();
    tails.appended(1, records(7, 2));
    tails.appended(1, records(5, 2));
    expect(tails.from(1, 5, 10)).toBeUndefined();
    expect(offsets(tails.from(1, 7, 10))).toEqual([7, 8]);
  });

  it('are bounded in number and in bytes', () => {
    const many = new Tails();
    for (let offset = 0; offset < 2_000; offset++) many.appended(1, [record(offset)]);
    expect(many.from(1, 1_400, 10)).toBeUndefined();
    expect(offsets(many.from(1, 1_990, 10))).toHaveLength(10);
    const large = new Tails();
    large.appended(1, records(0, 4, 400_000));
    expect(large.from(1, 0, 10)).toBeUndefined();
    expect(offsets(large.from(1, 2, 10))).toEqual([2, 3]);
  });
});
