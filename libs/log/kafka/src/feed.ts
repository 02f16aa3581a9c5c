/**
 * Follows partitions of all topics over one kafkajs consumer at a time, each partition for one reader, and keeps them
 * followed, whatever the brokers do.
 *
 * Whole interface: follows(), follow(), seek(), unfollow(), drained(), silentMs(), idleMs(), close().
 *
 * Invariants:
 * - F1 What a Followed is given continues at its `next`, in order, without gap or repeat. A batch that was not fetched at
 *   `next` is thrown away, and the partition sought again after a look at what the log holds.
 * - F2 A position the log does not hold is a failure of its Followed, never a restart at another offset.
 * - F3 Each join places every partition anew: those followed at `next`, all others paused.
 * - F4 A consumer that crashes, stays silent, or gets nothing where the log has more, is replaced, for ever.
 *
 * Safe to repeat: everything.
 */
import { OffsetOutOfRange, type Position, type TopicPartition } from '@kungfu/log-port';
import type { Consumption, ConsumptionEvents, FetchedBatch } from './consumption.ts';
import { Followed, nameOf } from './followed.ts';
import type { Offsets, Range } from './offsets.ts';
import { offsetAfter, recordsFrom } from './records.ts';
import { type KafkaTrouble, kafkaLimits } from './settings.ts';

/** A consumer as a feed sees it. */
export type Consuming = Pick<Consumption, 'start' | 'retire' | 'place' | 'silentMs' | 'fetching'>;

export type FeedPorts = {
  /** How many partitions each topic has. */
  readonly partitions: ReadonlyMap<string, number>;
  readonly offsets: Pick<Offsets, 'range' | 'ranges'>;
  /** Another consumer of all topics, in a group that no other has or had. */
  readonly consume: (events: ConsumptionEvents) => Consuming;
  readonly trouble: (trouble: KafkaTrouble) => void;
};

export class Feed {
  readonly #ports: FeedPorts;
  readonly #followed = new Map<string, Followed>();
  readonly #retiring = new Set<Promise<void>>();
  readonly #watch: NodeJS.Timeout;
  #consumption: Consuming | undefined;
  #replacing: NodeJS.Timeout | undefined;
  #replaceMs: number = kafkaLimits.replaceMsMin;
  #watchedAt = performance.now();
  #fetchedAt = performance.now();
  #auditedAt = performance.now();
  #auditing = false;
  #usedAt = performance.now();
  #closed = false;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#watch = setInterval(() => this.#look(), kafkaLimits.watchMs);
    this.#begin();
  }

  follows(partition: TopicPartition): boolean {
    return this.#followed.has(nameOf(partition));
  }

  /** Begins to follow a partition that is not followed yet. */
  follow(position: Position, wake: () => void): Followed {
    const followed = new Followed(position, wake);
    this.#followed.set(nameOf(position), followed);
    const { topic, partition } = position;
    const known = partition >= 0 && partition < (this.#ports.partitions.get(topic) ?? 0);
    if (known) this.#consumption?.place(followed, true, followed.next);
    else followed.fail(new Error(`there is no partition ${nameOf(position)}`));
    return followed;
  }

  seek(followed: Followed, offset: number): void {
    followed.seek(offset);
    this.#consumption?.place(followed, true, offset);
  }

  unfollow(followed: Followed): void {
    if (this.#followed.get(nameOf(followed)) !== followed) return;
    followed.seek(followed.next);
    this.#followed.delete(nameOf(followed));
    this.#usedAt = performance.now();
    this.#consumption?.place(followed, false);
  }

  /** Records have been taken: fetch on if that made room. */
  drained(followed: Followed, wanted: boolean): void {
    if (followed.wanted && !wanted) this.#consumption?.place(followed, true);
  }

  /** Milliseconds since a fetch has ended, of the broker that has been silent the longest; 0 while nothing is followed. */
  silentMs(): number {
    this.#noteFetches();
    return this.#followed.size === 0 ? 0 : performance.now() - this.#fetchedAt;
  }

  /** Milliseconds since anything was followed. */
  idleMs(): number {
    return this.#followed.size === 0 ? performance.now() - this.#usedAt : 0;
  }

  /** Resolves when every consumer it had is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#replacing);
    this.#retire();
    await Promise.all(this.#retiring);
  }

  #begin(): void {
    const consumption = this.#ports.consume({
      joined: (partitions) => this.#place(partitions),
      fetched: (batch) => this.#fetched(batch),
      outOfRange: (partition) => this.#outOfRange(partition),
      ended: (reason) => this.#replace(reason),
      notClosed: (reason) => this.#ports.trouble({ what: 'consumer not closed', reason }),
    });
    this.#consumption = consumption;
    consumption.start();
  }

  #replace(reason: unknown): void {
    if (this.#closed || this.#consumption === undefined) return;
    this.#ports.trouble({ what: 'consumer replaced', reason });
    this.#retire();
    this.#replacing = setTimeout(() => this.#begin(), this.#replaceMs);
    this.#replaceMs = Math.min(2 * this.#replaceMs, kafkaLimits.replaceMsMax);
  }

  #noteFetches(): void {
    if (this.#consumption?.fetching === true) this.#fetchedAt = performance.now() - this.#consumption.silentMs();
  }

  #retire(): void {
    this.#noteFetches();
    const retired = this.#consumption?.retire();
    this.#consumption = undefined;
    if (retired === undefined) return;
    this.#retiring.add(retired);
    void retired.finally(() => this.#retiring.delete(retired));
  }

  #place(partitions: readonly TopicPartition[]): void {
    for (const partition of partitions) {
      const followed = this.#followed.get(nameOf(partition));
      if (followed === undefined) this.#consumption?.place(partition, false);
      else this.#consumption?.place(partition, followed.wanted, followed.next);
    }
  }

  /** Takes a batch in and answers the offset to fetch next; undefined if it is not what should have been fetched. */
  #fetched(batch: FetchedBatch): number | undefined {
    this.#replaceMs = kafkaLimits.replaceMsMin;
    const followed = this.#followed.get(nameOf(batch));
    if (followed === undefined || followed.mending || followed.failure !== undefined) return undefined;
    const fetchedAt = Number(batch.fetchedOffset);
    if (fetchedAt !== followed.next) {
      void this.#mend(followed, fetchedAt);
      return undefined;
    }
    const next = offsetAfter(batch);
    if (next === undefined) return undefined;
    followed.push(recordsFrom(batch, followed.next), next);
    if (!followed.wanted) this.#consumption?.place(followed, false);
    return next;
  }

  #outOfRange(partition: TopicPartition): void {
    const followed = this.#followed.get(nameOf(partition));
    if (followed !== undefined) void this.#mend(followed, undefined);
  }

  /**
   * The fetch went elsewhere than to `next`: the log does not hold it (a failure), kafkajs lost the position (seek again), or
   * the log has no record from there to `gapTo`, by compaction (the same place was reached twice: go on there).
   */
  async #mend(followed: Followed, gapTo: number | undefined): Promise<void> {
    if (followed.mending || followed.failure !== undefined) return;
    const { generation } = followed;
    followed.mending = true;
    this.#consumption?.place(followed, false);
    const known = await this.#compare(followed);
    if (followed.generation !== generation || followed.failure !== undefined) return;
    if (known && gapTo !== undefined && gapTo > followed.next && gapTo === followed.gapTo) followed.push([], gapTo);
    else followed.gapTo = gapTo;
    followed.mending = false;
    this.#ports.trouble({ what: 'partition sought again', reason: `${nameOf(followed)} at ${followed.next}` });
    this.#consumption?.place(followed, followed.wanted, followed.next);
  }

  /** Fails what stands outside of what the log holds. Answers whether that could be found out. */
  async #compare(followed: Followed): Promise<boolean> {
    const { generation, next } = followed;
    try {
      const range = await this.#ports.offsets.range(followed);
      if (followed.generation === generation) this.#failOutside(followed, next, range);
      return true;
    } catch (reason) {
      this.#ports.trouble({ what: 'offsets unknown', reason });
      return false;
    }
  }

  #look(): void {
    const now = performance.now();
    const late = now - this.#watchedAt > 2 * kafkaLimits.watchMs;
    this.#watchedAt = now;
    this.#noteFetches();
    if (late || this.#consumption === undefined) return; // this process stood still: whoever answered has not been heard yet
    const silentMs = this.#consumption.silentMs();
    const silentMsMax = this.#consumption.fetching ? kafkaLimits.silenceMsMax : kafkaLimits.startMsMax;
    if (silentMs > silentMsMax) this.#replace(new Error(`no fetch has ended for ${Math.round(silentMs)} ms`));
    else if (now - this.#auditedAt > kafkaLimits.auditMs && !this.#auditing) void this.#audit();
  }

  /** Finds what no single fetch tells: a partition that gets nothing though the log holds more, or holds less. */
  async #audit(): Promise<void> {
    this.#auditing = true;
    for (const topic of new Set([...this.#followed.values()].map((followed) => followed.topic))) {
      try {
        await this.#auditTopic(topic);
      } catch (reason) {
        this.#ports.trouble({ what: 'offsets unknown', reason });
      }
    }
    this.#auditedAt = performance.now();
    this.#auditing = false;
  }

  async #auditTopic(topic: string): Promise<void> {
    const audited = [...this.#followed.values()].filter((followed) => followed.topic === topic && followed.wanted);
    const before = audited.map(({ next, generation }) => ({ next, generation }));
    const ranges = await this.#ports.offsets.ranges(topic);
    for (const [i, followed] of audited.entries()) {
      const { next, generation } = before[i]!;
      const range = ranges.get(followed.partition);
      if (range === undefined || followed.generation !== generation || !followed.wanted) continue;
      this.#failOutside(followed, next, range);
      const stuck = followed.next < range.end && followed.next === followed.audited && followed.failure === undefined;
      if (stuck)
        this.#replace(new Error(`${nameOf(followed)} stays at ${followed.next} though the log goes to ${range.end}`));
      followed.audited = followed.next;
    }
  }

  /** `next`: where it stood before the range was asked for; it may have gone on since. */
  #failOutside(followed: Followed, next: number, { start, end }: Range): void {
    if (followed.next >= start && next <= end) return;
    const { topic, partition, next: offset } = followed;
    followed.fail(new OffsetOutOfRange({ topic, partition, offset }, start, end));
    this.#consumption?.place(followed, false);
  }
}
