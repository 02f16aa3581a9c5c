import { describe, expect, it } from '@jest/globals';
import type { FetchedBatch, FetchedMessage } from './consumption.ts';
import { offsetAfter, recordsFrom } from './records.ts';

const message = (offset: number, more: Partial<FetchedMessage> = {}): FetchedMessage =>
  ({
    offset: `${offset}`,
    timestamp: '1700',
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    headers: {},
    ...more,
  }) as FetchedMessage;
const batch = (...messages: FetchedMessage[]): FetchedBatch =>
  ({ topic: 't', partition: 2, messages }) as unknown as FetchedBatch;

describe('records from a fetched batch', () => {
  it('begin at the offset asked for, though Kafka answers whole batches', () => {
    expect(recordsFrom(batch(message(3), message(4), message(6)), 4)).toEqual([
      { topic: 't', partition: 2, offset: 4, timestamp: 1700, key: 'k', value: new Uint8Array([118]), headers: {} },
      { topic: 't', partition: 2, offset: 6, timestamp: 1700, key: 'k', value: new Uint8Array([118]), headers: {} },
    ]);
  });

  it('have text of any client: no key, headers twice, headers without value', () => {
    const headers = { a: [Buffer.from('1'), Buffer.from('2')], b: Buffer.from('ü'), c: null } as never;
    const [record] = recordsFrom(batch(message(0, { key: null, value: null, headers })), 0);
    expect([record!.key, record!.value, record!.headers]).toEqual(['', null, { a: '2', b: 'ü', c: '' }]);
  });

  it('own their bytes', () => {
    const answer = Buffer.from('shared');
    const [record] = recordsFrom(batch(message(0, { value: answer })), 0);
    answer.fill(0);
    expect(Buffer.from(record!.value!).toString()).toBe('shared');
  });
});

describe('the offset after a fetched batch', () => {
  it('follows its last record', () => {
    expect(offsetAfter(batch(message(3), message(4)))).toBe(5);
    expect(offsetAfter(batch())).toBeUndefined();
  });

  it('is where the batch ended before compaction took its last records', () => {
    expect(offsetAfter(batch(message(3, { batchContext: { firstOffset: '2', lastOffsetDelta: 7 } })))).toBe(10);
  });
});
