/**
 * A log in PostgreSQL: for one process that has no Kafka, and for a few that share a database.
 *
 * Whole interface: createPostgresLog(), the Log and TopicAdmin ports, prune() and compact(). Offsets have no gaps and follow the
 * order of commits, since an append holds the row of its partition's head until it commits. An append is acknowledged once
 * committed; if the connection breaks meanwhile its outcome is not known (AppendFailed).
 *
 * Readers in this process are woken by an append in this process at once; appends of other processes are seen by one query for
 * all heads every 50 ms. What this process has appended lately is handed to its readers from memory.
 * Appends that come while others are under way go together in one statement, whoever their producers are.
 */
import {
  type Append,
  type Appended,
  AppendFailed,
  type Log,
  type LogRecord,
  type NewRecord,
  OffsetOutOfRange,
  type Position,
  type Producer,
  type Reader,
  RecordTooLarge,
  type TopicAdmin,
  TopicMismatch,
  type TopicPartition,
  type TopicSettings,
} from '@kungfu/log-port';
import type { Pool } from 'pg';
import { Grouped } from './grouped.ts';
import { nameOf, PostgresReader, troubleMs } from './postgres-reader.ts';
import { Tails } from './tails.ts';
import { appendRecords, compactRecords, ddl, ddlLock, pruneRecords, readHeads, readRecords } from './schema.ts';

export type PostgresLogOptions = {
  readonly pool: Pool;
  /** Bytes of key, value and headers of one record. */
  readonly recordBytesMax?: number;
  /** Hears of the database being away while reading; reading goes on when it is back. */
  readonly onTrouble?: (error: unknown) => void;
};

type Head = { readonly place: number; readonly topic: string; readonly partition: number; start: number; next: number };
/** Records that one caller appends to one partition. */
type Located = { readonly head: Head; readonly records: readonly NewRecord[] };

const recordBytesMaxDefault = 4_194_304;
/** Of the appends that share a statement. */
const groupBytesMax = 4_194_304;
const statementsMax = 2;
const headsMs = 50;

export class PostgresLog implements Log, TopicAdmin {
  readonly #options: PostgresLogOptions;
  readonly #heads = new Map<string, Head>();
  readonly #byPlace = new Map<number, Head>();
  readonly #readers = new Set<PostgresReader>();
  readonly #appends: Grouped<readonly Located[], readonly number[]>;
  readonly #tails = new Tails();
  #refreshing: Promise<void> | undefined;
  #refreshingNext: Promise<void> | undefined;
  #polling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PostgresLogOptions) {
    this.#options = options;
    this.#appends = new Grouped({
      work: (appends) => this.#land(appends),
      weigh: bytesOf,
      weightMax: groupBytesMax,
      callsMax: statementsMax,
      refused: (error) => error instanceof AppendFailed && refusesRows(error.cause),
    });
  }

  /** Makes the schema, and the topics that are missing; one that exists is compared and never changed. Throws TopicMismatch. */
  async ensure(topics: readonly TopicSettings[]): Promise<void> {
    const client = await this.#options.pool.connect();
    try {
      await client.query('begin');
      await client.query(ddlLock);
      await client.query(ddl);
      for (const settings of topics) {
        const { topic, partitions, time, retentionMs, compacted } = settings;
        await client.query('insert into log.topic values ($1, $2, $3, $4, $5) on conflict do nothing', [
          topic,
          partitions,
          time,
          retentionMs,
          compacted,
        ]);
        await client.query(
          'insert into log.head (topic, partition) select $1, generate_series(0, $2::int - 1) on conflict do nothing',
          [topic, partitions],
        );
        const { rows } = await client.query(
          'select partitions, time, retention_ms, compacted from log.topic where topic = $1',
          [topic],
        );
        verify(settings, rows[0] as StoredSettings);
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
    await this.refresh();
  }

  async producer(): Promise<Producer> {
    return { append: (appends) => this.#append(appends), close: async () => {} };
  }

  async reader(): Promise<Reader> {
    const reader = new PostgresReader(this, () => this.#readers.delete(reader));
    this.#readers.add(reader);
    this.#pollHeads();
    return reader;
  }

  async read(position: Position, records: number): Promise<readonly LogRecord[]> {
    await this.refresh();
    this.check(position);
    return this.fetch([position], records);
  }

  async start(partition: TopicPartition): Promise<number> {
    await this.refresh();
    return this.head(partition).start;
  }

  async end(partition: TopicPartition): Promise<number> {
    await this.refresh();
    return this.head(partition).next;
  }

  async partitions(topic: string): Promise<number> {
    await this.refresh();
    const count = [...this.#heads.values()].filter((head) => head.topic === topic).length;
    if (count === 0) throw new Error(`there is no topic ${topic}`);
    return count;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#polling);
    await this.#refreshing;
  }

  /** Drops records older than their topic's retention. `nowMs` is the time now, in milliseconds since the epoch. */
  async prune(nowMs: number): Promise<void> {
    const { rows } = await this.#options.pool.query(
      'select h.place, t.retention_ms from log.head h join log.topic t using (topic) where t.retention_ms >= 0',
    );
    for (const { place, retention_ms } of rows as { place: number; retention_ms: string }[]) {
      await this.#options.pool.query(pruneRecords, [place, nowMs - Number(retention_ms)]);
    }
    await this.refresh();
  }

  /** Keeps of each key of a compacted topic only the newest record. */
  async compact(): Promise<void> {
    const { rows } = await this.#options.pool.query(
      'select h.place from log.head h join log.topic t using (topic) where t.compacted',
    );
    for (const { place } of rows as { place: number }[]) await this.#options.pool.query(compactRecords, [place]);
  }

  /** The head as last seen. Throws if there is no such partition. */
  head(partition: TopicPartition): Head {
    const head = this.#heads.get(nameOf(partition));
    if (head === undefined) throw new Error(`there is no partition ${nameOf(partition)}`);
    return head;
  }

  /** Throws OffsetOutOfRange. */
  check(position: Position): void {
    const { start, next } = this.head(position);
    if (position.offset < start || position.offset > next) throw new OffsetOutOfRange(position, start, next);
  }

  async fetch(positions: readonly Position[], records: number): Promise<readonly LogRecord[]> {
    const kept = positions.map((position) => this.#tails.from(this.head(position).place, position.offset, records));
    const missing = positions.filter((_, i) => kept[i] === undefined);
    const read = missing.length === 0 ? [] : await this.#select(missing, records);
    return [...kept.flatMap((some) => some ?? []), ...read];
  }

  async #select(positions: readonly Position[], records: number): Promise<readonly LogRecord[]> {
    const places = positions.map((position) => this.head(position).place);
    const { rows } = await this.#options.pool.query({
      name: 'log-read',
      text: readRecords,
      values: [places, positions.map(({ offset }) => offset), records],
    });
    return (rows as Row[]).map((row) => this.#toRecord(row));
  }

  trouble(error: unknown): void {
    this.#options.onTrouble?.(error);
  }

  /**
   * Reads the heads as they are at some moment after the call, and wakes the readers of those that have moved. Concurrent calls
   * share one query, but never one that is under way: it may have begun before what the caller has seen.
   */
  refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#refresh().finally(() => {
        this.#refreshing = undefined;
      });
      return this.#refreshing;
    }
    this.#refreshingNext ??= Promise.allSettled([this.#refreshing]).then(() => {
      this.#refreshingNext = undefined;
      return this.refresh();
    });
    return this.#refreshingNext;
  }

  async #refresh(): Promise<void> {
    const { rows } = await this.#options.pool.query({ name: 'log-heads', text: readHeads });
    for (const { place, topic, partition, start, next } of rows as (Pick<Head, 'place' | 'topic' | 'partition'> & {
      start: string;
      next: string;
    })[]) {
      const head = this.#byPlace.get(place) ?? { place, topic, partition, start: 0, next: 0 };
      this.#byPlace.set(place, head);
      this.#heads.set(nameOf(head), head);
      head.start = Number(start);
      this.#moved(head, Number(next));
    }
  }

  #moved(head: Head, next: number): void {
    if (next <= head.next) return;
    head.next = next;
    for (const reader of this.#readers) reader.wake(head);
  }

  #pollHeads(): void {
    if (this.#polling !== undefined || this.#closed) return;
    const again = (ms: number): void => {
      this.#polling = setTimeout(() => {
        this.refresh().then(
          () => !this.#closed && again(headsMs),
          (error: unknown) => {
            this.trouble(error);
            if (!this.#closed) again(troubleMs);
          },
        );
      }, ms);
      this.#polling.unref();
    };
    again(headsMs);
  }

  async #append(appends: readonly Append[]): Promise<readonly Appended[]> {
    for (const { records } of appends) for (const record of records) this.#checkSize(record);
    const heads = await Promise.all(appends.map((append) => this.#headOf(append)));
    const first = await this.#appends.do(appends.map(({ records }, i) => ({ head: heads[i]!, records })));
    return appends.map(({ topic, partition }, i) => ({ topic, partition, firstOffset: first[i]! }));
  }

  /** Appends of several callers in one statement; of each, the first offset of what it appends to each partition. Throws AppendFailed. */
  async #land(appends: readonly (readonly Located[])[]): Promise<readonly (readonly number[])[]> {
    const groups = new Map<Head, NewRecord[]>();
    const places = appends.map((located) => located.map(({ head, records }) => joined(groups, head, records)));
    const first = new Map<number, number>();
    try {
      const query = { name: 'log-append', text: appendRecords, values: valuesOf([...groups]) };
      const { rows } = await this.#options.pool.query(query);
      for (const row of rows as Landed[]) first.set(row.place, this.#landed(groups, row));
    } catch (cause) {
      throw new AppendFailed('the append failed, or its outcome is not known', { cause });
    }
    return places.map((own) => own.map(({ head, index }) => first.get(head.place)! + index));
  }

  /** Lets the readers of this process have what has landed in a partition; its first offset. */
  #landed(groups: ReadonlyMap<Head, readonly NewRecord[]>, { place, first, time }: Landed): number {
    const head = this.#byPlace.get(place)!;
    const { topic, partition } = head;
    const firstOffset = Number(first);
    const timestamp = Number(time);
    const records = (groups.get(head) ?? []).map(
      (record, i): LogRecord => ({
        topic,
        partition,
        offset: firstOffset + i,
        timestamp,
        headers: {},
        ...record,
      }),
    );
    this.#tails.appended(place, records);
    this.#moved(head, firstOffset + records.length);
    return firstOffset;
  }

  async #headOf(partition: TopicPartition): Promise<Head> {
    if (!this.#heads.has(nameOf(partition))) await this.refresh();
    return this.head(partition);
  }

  #checkSize({ key, value, headers }: NewRecord): void {
    const bytes = Buffer.byteLength(key) + (value?.length ?? 0) + Buffer.byteLength(JSON.stringify(headers ?? {}));
    if (bytes > (this.#options.recordBytesMax ?? recordBytesMaxDefault))
      throw new RecordTooLarge(`a record of ${bytes} bytes`);
  }

  #toRecord({ place, off, at, key, value, headers }: Row): LogRecord {
    const { topic, partition } = this.#byPlace.get(place)!;
    return {
      topic,
      partition,
      offset: Number(off),
      timestamp: Number(at),
      key,
      value,
      headers: JSON.parse(headers) as Record<string, string>,
    };
  }
}

/** What came of one partition's part of an append. */
type Landed = { place: number; first: string; time: string };

/** Where records come to lie among those that land in their partition. */
const joined = (groups: Map<Head, NewRecord[]>, head: Head, records: readonly NewRecord[]) => {
  const group = groups.get(head) ?? [];
  groups.set(head, group);
  return { head, index: group.push(...records) - records.length };
};

/** The parameters of an append. */
const valuesOf = (groups: readonly (readonly [Head, readonly NewRecord[]])[]): unknown[] => {
  const rows = groups.flatMap(([{ place }, records]) => records.map((record, i) => ({ place, i, record })));
  return [
    groups.map(([{ place }]) => place),
    groups.map(([, records]) => records.length),
    rows.map(({ place }) => place),
    rows.map(({ i }) => i),
    rows.map(({ record }) => record.key),
    rows.map(({ record }) => (record.value === null ? null : Buffer.from(record.value))),
    rows.map(({ record }) => JSON.stringify(record.headers ?? {})),
  ];
};

const bytesOf = (located: readonly Located[]): number =>
  located.flatMap(({ records }) => records).reduce((sum, { value }) => sum + (value?.length ?? 0), 0);

/** SQLSTATE classes 22 and 23: the statement was refused for a value in it, so nothing has landed. */
const refusesRows = (cause: unknown): boolean => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && (code.startsWith('22') || code.startsWith('23'));
};

type Row = { place: number; off: string; at: string; key: string; value: Buffer | null; headers: string };
type StoredSettings = { partitions: number; time: string; retention_ms: string; compacted: boolean };

const verify = (wanted: TopicSettings, stored: StoredSettings): void => {
  const found = {
    ...wanted,
    partitions: stored.partitions,
    time: stored.time,
    retentionMs: Number(stored.retention_ms),
    compacted: stored.compacted,
  };
  const different = Object.entries(wanted).filter(([name, value]) => found[name as keyof TopicSettings] !== value);
  if (different.length > 0) {
    throw new TopicMismatch(
      `${wanted.topic}: ${different.map(([name, value]) => `${name} is ${found[name as keyof TopicSettings]}, should be ${value}`).join(', ')}`,
    );
  }
};

/** A log on this pool; call `ensure` before anything else when the topics may not exist. */
export const createPostgresLog = async (options: PostgresLogOptions): Promise<PostgresLog> => new PostgresLog(options);
