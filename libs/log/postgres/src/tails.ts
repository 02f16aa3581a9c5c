import type { LogRecord } from '@kungfu/log-port';

/** Records of a partition that are kept in memory. */
const tailRecordsMax = 512;
const tailBytesMax = 1_048_576;

type Tail = { first: number; bytes: number; readonly records: LogRecord[] };

/**
 * The newest records that this process has appended, partition by partition, so that its own readers need not ask the database
 * for what has just been committed. A tail has no gaps: what another process has appended in between begins it anew.
 */
export class Tails {
  readonly #tails = new Map<number, Tail>();

  /** Acknowledged records of one append, in their order. `place` numbers the partition. */
  appended(place: number, records: readonly LogRecord[]): void {
    const [first] = records;
    if (first === undefined) return;
    const tail = this.#tails.get(place);
    const end = tail === undefined ? undefined : tail.first + tail.records.length;
    // Two appends of this process may be acknowledged in the other order: the later one stands, the earlier is read.
    if (tail !== undefined && end !== undefined && first.offset < end) return;
    const kept = tail !== undefined && end === first.offset ? tail : { first: first.offset, bytes: 0, records: [] };
    kept.records.push(...records);
    kept.bytes += sizeOf(records);
    this.#tails.set(place, shortened(kept));
  }

  /** Up to so many records from an offset on; undefined if the first of them is not kept. */
  from(place: number, offset: number, records: number): readonly LogRecord[] | undefined {
    const tail = this.#tails.get(place);
    if (tail === undefined || offset < tail.first || offset >= tail.first + tail.records.length) return undefined;
    return tail.records.slice(offset - tail.first, offset - tail.first + records);
  }
}

const sizeOf = (records: readonly LogRecord[]): number =>
  records.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);

/** Drops the oldest half when there is too much. */
const shortened = (tail: Tail): Tail => {
  if (tail.records.length <= tailRecordsMax && tail.bytes <= tailBytesMax) return tail;
  const dropped = Math.ceil(tail.records.length / 2);
  const records = tail.records.slice(dropped);
  return { first: tail.first + dropped, bytes: sizeOf(records), records };
};
