/**
 * A log in memory: the simulated twin of the others. Deterministic: nothing happens but what a call brings, and waiting goes
 * through the Timers port. Whoever shares the log shares the topics; producers and readers are as many as asked for.
 */
import {
  type Append,
  type Appended,
  AppendFailed,
  type Clock,
  type Log,
  type LogRecord,
  type NewRecord,
  OffsetOutOfRange,
  type PollLimits,
  type Position,
  type Producer,
  type Reader,
  RecordTooLarge,
  type Timers,
  type TopicAdmin,
  type TopicPartition,
  TopicMismatch,
  type TopicSettings,
} from '@kungfu/log-port';

/** What becomes of one append call (a fault of the simulation): asked once a call. */
export type AppendFate =
  | 'land'
  /** Nothing lands; the producer hears AppendFailed. */
  | 'drop'
  /** Everything lands; the producer hears AppendFailed. */
  | 'lose-ack'
  /** Only so many of its records land; the producer hears AppendFailed. */
  | { readonly landFirst: number }
  /** Nothing lands now, and the producer hears nothing until `later` has been called, if ever. */
  | { readonly hold: (later: () => void) => void };

export type InMemoryLogOptions = {
  readonly topics: readonly TopicSettings[];
  readonly clock: Clock;
  readonly timers: Timers;
  /** Bytes of key, value and headers of one record. */
  readonly recordBytesMax?: number;
  readonly fate?: (appends: readonly Append[]) => AppendFate;
};

type Partition = { start: number; records: LogRecord[]; time: number };
type Topic = { readonly settings: TopicSettings; readonly partitions: readonly Partition[] };

const recordBytesMaxDefault = 4_194_304;

export class InMemoryLog implements Log, TopicAdmin {
  readonly #options: InMemoryLogOptions;
  readonly #topics = new Map<string, Topic>();
  #waiting = new Set<() => void>();

  constructor(options: InMemoryLogOptions) {
    this.#options = options;
    for (const settings of options.topics) this.#make(settings);
  }

  async ensure(topics: readonly TopicSettings[]): Promise<void> {
    for (const settings of topics) {
      const { settings: before } = this.#topics.get(settings.topic) ?? this.#make(settings);
      const different = Object.entries(settings).filter(
        ([name, value]) => before[name as keyof TopicSettings] !== value,
      );
      if (different.length > 0)
        throw new TopicMismatch(
          `${settings.topic}: ${different.map(([name, value]) => `${name} should be ${value}`).join(', ')}`,
        );
    }
  }

  async producer(): Promise<Producer> {
    return { append: (appends) => this.#append(appends), close: async () => {} };
  }

  async reader(): Promise<Reader> {
    return new InMemoryReader(this, this.#options.timers);
  }

  async read(position: Position, records: number): Promise<readonly LogRecord[]> {
    return this.slice(position, records, Number.POSITIVE_INFINITY);
  }

  async start(partition: TopicPartition): Promise<number> {
    return this.#partition(partition).start;
  }

  async end(partition: TopicPartition): Promise<number> {
    const { start, records } = this.#partition(partition);
    return start + records.length;
  }

  async partitions(topic: string): Promise<number> {
    return this.#topic(topic).partitions.length;
  }

  async close(): Promise<void> {}

  /** Retention: the records below this offset are gone. */
  dropBelow(partition: TopicPartition, offset: number): void {
    const held = this.#partition(partition);
    held.records.splice(0, offset - held.start);
    held.start = offset;
  }

  /** Resolves at the next append, or when the signal aborts. */
  appended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** The records from a position on, within limits; at least one if there is any. Throws OffsetOutOfRange. */
  slice(position: Position, records: number, bytes: number): readonly LogRecord[] {
    const held = this.#partition(position);
    const end = held.start + held.records.length;
    if (position.offset < held.start || position.offset > end) throw new OffsetOutOfRange(position, held.start, end);
    const first = position.offset - held.start;
    let size = 0;
    let last = first;
    while (last < held.records.length && last - first < records && (last === first || size < bytes))
      size += held.records[last++]!.value?.length ?? 0;
    return held.records.slice(first, last);
  }

  async #append(appends: readonly Append[]): Promise<readonly Appended[]> {
    for (const { records } of appends) for (const record of records) this.#checkSize(record);
    const fate = this.#options.fate?.(appends) ?? 'land';
    if (fate === 'land') return this.#land(appends);
    if (fate === 'drop') throw new AppendFailed('the append did not land');
    if (fate === 'lose-ack') {
      this.#land(appends);
      throw new AppendFailed('the acknowledgement was lost');
    }
    if ('hold' in fate) return new Promise((resolve) => fate.hold(() => resolve(this.#land(appends))));
    this.#land(firstOf(appends, fate.landFirst));
    throw new AppendFailed('the append landed in part');
  }

  #land(appends: readonly Append[]): readonly Appended[] {
    const appended = appends.map(({ topic, partition, records }) => {
      const held = this.#partition({ topic, partition });
      const firstOffset = held.start + held.records.length;
      held.time = Math.max(held.time, this.#options.clock.now());
      records.forEach((record, i) => {
        held.records.push({
          topic,
          partition,
          offset: firstOffset + i,
          timestamp: held.time,
          key: record.key,
          value: record.value,
          headers: { ...record.headers },
        });
      });
      return { topic, partition, firstOffset };
    });
    for (const wake of [...this.#waiting]) wake();
    return appended;
  }

  #checkSize({ key, value, headers }: NewRecord): void {
    const bytes = key.length + (value?.length ?? 0) + JSON.stringify(headers ?? {}).length;
    if (bytes > (this.#options.recordBytesMax ?? recordBytesMaxDefault))
      throw new RecordTooLarge(`a record of ${bytes} bytes`);
  }

  #make(settings: TopicSettings): Topic {
    const partitions = Array.from({ length: settings.partitions }, () => ({ start: 0, records: [], time: 0 }));
    const topic = { settings, partitions };
    this.#topics.set(settings.topic, topic);
    return topic;
  }

  #topic(name: string): Topic {
    const topic = this.#topics.get(name);
    if (topic === undefined) throw new Error(`there is no topic ${name}`);
    return topic;
  }

  #partition({ topic, partition }: TopicPartition): Partition {
    const held = this.#topic(topic).partitions[partition];
    if (held === undefined) throw new Error(`the topic ${topic} has no partition ${partition}`);
    return held;
  }
}

/** The first so many records of a call, in the order of its appends. */
const firstOf = (appends: readonly Append[], records: number): readonly Append[] => {
  let left = records;
  return appends.flatMap((append) => {
    const landed = append.records.slice(0, left);
    left -= landed.length;
    return landed.length === 0 ? [] : [{ ...append, records: landed }];
  });
};

type Followed = { readonly partition: TopicPartition; next: number; paused: boolean };

class InMemoryReader implements Reader {
  readonly #log: InMemoryLog;
  readonly #timers: Timers;
  readonly #followed = new Map<string, Followed>();

  constructor(log: InMemoryLog, timers: Timers) {
    this.#log = log;
    this.#timers = timers;
  }

  follow({ topic, partition, offset }: Position): void {
    this.#followed.set(nameOf({ topic, partition }), { partition: { topic, partition }, next: offset, paused: false });
  }

  unfollow(partition: TopicPartition): void {
    this.#followed.delete(nameOf(partition));
  }

  pause(partition: TopicPartition): void {
    this.#set(partition, true);
  }

  resume(partition: TopicPartition): void {
    this.#set(partition, false);
  }

  async poll(limits: PollLimits): Promise<readonly LogRecord[]> {
    const stop = new AbortController();
    const over = this.#timers.sleep(limits.waitMs, stop.signal).then(() => 'over' as const);
    try {
      for (;;) {
        const records = this.#take(limits);
        if (records.length > 0 || limits.waitMs <= 0) return records;
        const woken = await Promise.race([over, this.#log.appended(stop.signal)]);
        if (woken === 'over') return this.#take(limits);
      }
    } finally {
      stop.abort();
    }
  }

  async close(): Promise<void> {
    this.#followed.clear();
  }

  #take(limits: PollLimits): readonly LogRecord[] {
    const taken: LogRecord[] = [];
    let bytes = 0;
    for (const followed of this.#followed.values()) {
      if (followed.paused || taken.length >= limits.records || (taken.length > 0 && bytes >= limits.bytes)) continue;
      const records = this.#log.slice(
        { ...followed.partition, offset: followed.next },
        limits.records - taken.length,
        limits.bytes - bytes,
      );
      for (const { value } of records) bytes += value?.length ?? 0;
      followed.next += records.length;
      taken.push(...records);
    }
    return taken;
  }

  #set(partition: TopicPartition, paused: boolean): void {
    const followed = this.#followed.get(nameOf(partition));
    if (followed !== undefined) followed.paused = paused;
  }
}

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/** A log in memory with these topics. */
export const createInMemoryLog = (options: InMemoryLogOptions): InMemoryLog => new InMemoryLog(options);
