import type { Clock, Log, LogRecord, PollLimits, Position, Producer, Reader, TopicPartition } from '@kungfu/log-port';

/**
 * A log whose polls are timed: a poll that should have answered long ago means that this process no longer reads, whatever
 * else still works, and that only a restart helps (engine.md §3: liveness is the age of the last fetch).
 */
export class WatchedLog implements Log {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #due = new Map<symbol, number>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Milliseconds by which the poll that is the longest overdue has not answered; 0 if none is overdue. */
  overdueMs(): number {
    return Math.max(0, this.#clock.now() - Math.min(...this.#due.values(), Number.MAX_SAFE_INTEGER));
  }

  /** Milliseconds since the log last heard from its brokers, where it can tell; 0 elsewhere. */
  lastFetchAgeMs(): number {
    return 'lastFetchAgeMs' in this.#log ? (this.#log as Log & { lastFetchAgeMs(): number }).lastFetchAgeMs() : 0;
  }

  /** Retention and compaction, where nobody else does them: see LogUpkeep. */
  async upkeep(nowMs: number): Promise<void> {
    if (!('prune' in this.#log && 'compact' in this.#log)) return;
    const log = this.#log as Log & { prune(nowMs: number): Promise<void>; compact(): Promise<void> };
    await log.prune(nowMs);
    await log.compact();
  }

  async reader(): Promise<Reader> {
    return new WatchedReader(await this.#log.reader(), this.#clock, this.#due);
  }

  producer(): Promise<Producer> {
    return this.#log.producer();
  }
  read(position: Position, records: number): Promise<readonly LogRecord[]> {
    return this.#log.read(position, records);
  }
  start(partition: TopicPartition): Promise<number> {
    return this.#log.start(partition);
  }
  end(partition: TopicPartition): Promise<number> {
    return this.#log.end(partition);
  }
  partitions(topic: string): Promise<number> {
    return this.#log.partitions(topic);
  }
  close(): Promise<void> {
    return this.#log.close();
  }
}

class WatchedReader implements Reader {
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #due: Map<symbol, number>;
  readonly #id = Symbol('reader');

  constructor(reader: Reader, clock: Clock, due: Map<symbol, number>) {
    this.#reader = reader;
    this.#clock = clock;
    this.#due = due;
  }

  async poll(limits: PollLimits): Promise<readonly LogRecord[]> {
    this.#due.set(this.#id, this.#clock.now() + limits.waitMs);
    try {
      return await this.#reader.poll(limits);
    } finally {
      this.#due.delete(this.#id);
    }
  }

  follow(position: Position): void {
    this.#reader.follow(position);
  }
  unfollow(partition: TopicPartition): void {
    this.#reader.unfollow(partition);
  }
  pause(partition: TopicPartition): void {
    this.#reader.pause(partition);
  }
  resume(partition: TopicPartition): void {
    this.#reader.resume(partition);
  }
  close(): Promise<void> {
    this.#due.delete(this.#id);
    return this.#reader.close();
  }
}
