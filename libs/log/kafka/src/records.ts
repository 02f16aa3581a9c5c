import type { LogRecord } from '@kungfu/log-port';
import type { IHeaders } from 'kafkajs';
import type { FetchedBatch, FetchedMessage } from './consumption.ts';

/** The records of a fetched batch from an offset on. What they hold is copied, so that the whole answer can be freed. */
export const recordsFrom = ({ topic, partition, messages }: FetchedBatch, offset: number): readonly LogRecord[] =>
  messages.filter((message) => Number(message.offset) >= offset).map((message) => recordOf(topic, partition, message));

const recordOf = (
  topic: string,
  partition: number,
  { offset, timestamp, key, value, headers }: FetchedMessage,
): LogRecord => ({
  topic,
  partition,
  offset: Number(offset),
  timestamp: Number(timestamp),
  key: key?.toString('utf8') ?? '',
  value: value === null ? null : new Uint8Array(value),
  headers: headersOf(headers ?? {}),
});

/** Of a header that stands several times the last counts. */
const headersOf = (headers: IHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String((Array.isArray(value) ? value.at(-1) : value) ?? '')]),
  );

/**
 * The offset after the last record of a fetched batch, or undefined if it has none. Where compaction has taken the last
 * records, this is where they ended: kafkajs would otherwise crawl over the hole, a request an offset.
 */
export const offsetAfter = ({ messages }: FetchedBatch): number | undefined => {
  const last = messages.at(-1);
  if (last === undefined) return undefined;
  const { batchContext } = last;
  const end = batchContext === undefined ? 0 : Number(batchContext.firstOffset) + batchContext.lastOffsetDelta;
  return Math.max(Number(last.offset), end) + 1;
};
