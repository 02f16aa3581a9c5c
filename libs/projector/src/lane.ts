/**
 * Projects the partitions of one sort of topic whose leases this instance holds.
 *
 * Whole interface: start(), stop(), stopped(). Two activities that overlap: one reads ahead into a bounded queue a partition,
 * the other takes whatever waits in all of them into one transaction at a time.
 *
 *   lease gained ──▶ load ──▶ follow ──▶ queue ──▶ batch ──applied──▶ (next batch)
 *                      ▲                             │ stale, failed
 *                      └──────────────◀──────────────┘        poison ──▶ stopped (alarm)
 *
 * Invariants: P1 what is applied continues exactly where the store stands (compare and set), so two projectors of one
 * partition, or one that died at any point, project every record once. P2 a record is never skipped: what cannot be read or
 * folded stops its partition, and only that. P3 a partition that waits holds up no other. A lease only spares fights.
 */
import type { Clock, Lease, Leases, Log, LogRecord, Reader, Seeking, Timers, TopicPartition } from '@kungfu/log-port';
import { OffsetOutOfRange } from '@kungfu/log-port';
import type { Outcome, ProjectedPosition, Unfoldable } from '@kungfu/read-model';
import type { Observe } from './events.ts';
import { Followed, nameOf, type Waiting } from './followed.ts';
import { Signal } from './signal.ts';

export type LanePorts = {
  readonly log: Log;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly observe: Observe;
};

export type Taken<Item> = { readonly from: number; readonly to: ProjectedPosition; readonly items: readonly Item[] };

export type LaneOptions<Item> = {
  readonly lane: 'facts' | 'content';
  /** Name of the lease → partition. */
  readonly partitions: ReadonlyMap<string, TopicPartition>;
  readonly load: (partitions: readonly TopicPartition[]) => Promise<readonly ProjectedPosition[]>;
  /** What a record means where the partition stands. Throws for one that stops the partition. */
  readonly accept: (position: ProjectedPosition, record: LogRecord) => Waiting<Item>;
  /** Whether an item may be applied now; it is asked again whenever something has changed. */
  readonly ready: (item: Item) => boolean;
  readonly apply: (batch: readonly Taken<Item>[]) => Promise<Outcome>;
  readonly onApplied?: (positions: readonly ProjectedPosition[]) => void;
  /** How many refusals an item holds, for the observer. */
  readonly refusals: (item: Item) => number;
  /** Compaction leaves gaps between the offsets of this topic. */
  readonly compacted: boolean;
};

const batchWeightMax = 256;
const queueItemsMax = 1_024;
const queueAllMax = 8_192;
const poll = { records: 1_024, bytes: 4_194_304, waitMs: 100 };
const idleMs = 250;
const backoffMsMin = 100;
const backoffMsMax = 3_000;
const gapsCheckMs = 2_000;

export class Lane<Item> {
  readonly #options: LaneOptions<Item>;
  readonly #ports: LanePorts;
  readonly #held = new Map<string, Followed<Item>>();
  readonly #gone: TopicPartition[] = [];
  readonly #arrived: Signal;
  readonly #taken: Signal;
  readonly #stopping = new AbortController();
  #turn = 0;
  #gapsCheckedAt = 0;
  #seeking: Seeking | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: LaneOptions<Item>, ports: LanePorts) {
    this.#options = options;
    this.#ports = ports;
    this.#arrived = new Signal(ports.timers);
    this.#taken = new Signal(ports.timers);
  }

  start(): void {
    const { partitions } = this.#options;
    this.#running = Promise.all([
      this.#retrying('reading', () => this.#reading()),
      this.#retrying('applying', () => this.#applying()),
    ]);
    this.#seeking = this.#ports.leases.seek([...partitions.keys()], {
      gained: (lease) => this.#gain(lease),
      lost: (name) => this.#lose(name),
    });
  }

  /** Finishes the batch in hand, then gives the leases back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#arrived.raise();
    this.#taken.raise();
    await this.#running;
    await this.#seeking?.stop();
  }

  /** Something outside has changed that items wait for. */
  wake(): void {
    this.#arrived.raise();
  }

  /** Partitions that have stopped with an alarm. */
  stopped(): readonly TopicPartition[] {
    return [...this.#held.values()].filter(({ stopped }) => stopped).map(({ place }) => place);
  }

  #gain(lease: Lease): void {
    const place = this.#options.partitions.get(lease.name);
    if (place !== undefined) this.#held.set(nameOf(place), new Followed(place, lease));
  }

  #lose(name: string): void {
    const place = this.#options.partitions.get(name);
    if (place === undefined || !this.#held.delete(nameOf(place))) return;
    this.#gone.push(place);
  }

  /** Runs an activity until stopped, again after a while whenever it fails. */
  async #retrying(during: 'reading' | 'applying', activity: () => Promise<void>): Promise<void> {
    let backoffMs = backoffMsMin;
    while (!this.#stopping.signal.aborted) {
      const begun = this.#ports.clock.now();
      try {
        await activity();
      } catch (error) {
        this.#ports.observe({ type: 'failed', during, error });
        if (this.#ports.clock.now() - begun > backoffMsMax) backoffMs = backoffMsMin;
        await this.#ports.timers.sleep(backoffMs, this.#stopping.signal);
        backoffMs = Math.min(backoffMs * 2, backoffMsMax);
      }
    }
  }

  // Reading.

  /** A reader of its own; when anything but an offset fails, everything is loaded and followed anew by another. */
  async #reading(): Promise<void> {
    const reader = await this.#ports.log.reader();
    for (const followed of this.#held.values()) followed.following = false;
    try {
      while (!this.#stopping.signal.aborted) await this.#readOnce(reader);
    } finally {
      await reader.close();
    }
  }

  async #readOnce(reader: Reader): Promise<void> {
    await this.#loadNew();
    this.#direct(reader);
    if (this.#queued() >= queueAllMax) return this.#taken.wait(idleMs);
    const records = await this.#poll(reader);
    for (const record of records) this.#enqueue(record);
    if (records.length > 0) this.#arrived.raise();
    else if (this.#options.compacted) await this.#passGaps();
  }

  async #poll(reader: Reader): Promise<readonly LogRecord[]> {
    try {
      return await reader.poll(poll);
    } catch (error) {
      const followed = error instanceof OffsetOutOfRange ? this.#held.get(nameOf(error.position)) : undefined;
      if (followed === undefined) throw error;
      this.#alarm(followed, followed.read?.next ?? 0, error);
      // What the poll had taken from the others by then went down with it.
      for (const held of this.#held.values()) held.following = false;
      return [];
    }
  }

  async #loadNew(): Promise<void> {
    const fresh = [...this.#held.values()].filter(({ position, stopped }) => position === undefined && !stopped);
    if (fresh.length === 0) return;
    const positions = new Map(
      (await this.#options.load(fresh.map(({ place }) => place))).map((position) => [nameOf(position), position]),
    );
    for (const followed of fresh) {
      const position = positions.get(nameOf(followed.place));
      if (position !== undefined) followed.loaded(position);
    }
  }

  /** Tells the reader, between two polls, what to follow and what to hold back. */
  #direct(reader: Reader): void {
    for (const place of this.#gone.splice(0)) if (!this.#held.has(nameOf(place))) reader.unfollow(place);
    for (const followed of this.#held.values()) this.#directOne(reader, followed);
  }

  #directOne(reader: Reader, followed: Followed<Item>): void {
    const { place, read, stopped } = followed;
    if (stopped) reader.unfollow(place);
    if (stopped || read === undefined) return;
    if (!followed.following) {
      reader.follow({ ...place, offset: read.next });
      followed.following = true;
      followed.paused = false;
    }
    const full = followed.queue.length >= queueItemsMax;
    if (full === followed.paused) return;
    if (full) reader.pause(place);
    else reader.resume(place);
    followed.paused = full;
  }

  #enqueue(record: LogRecord): void {
    const followed = this.#held.get(nameOf(record));
    if (followed?.read === undefined || followed.stopped || !followed.following) return;
    const expected = followed.read.next;
    if (record.offset !== expected && !(this.#options.compacted && record.offset > expected)) {
      followed.following = false;
      return;
    }
    try {
      if (record.offset === followed.stopBefore?.offset) throw followed.stopBefore.error;
      const waiting = this.#options.accept(followed.read, record);
      followed.queue.push(waiting);
      followed.read = waiting.after;
    } catch (error) {
      this.#alarm(followed, record.offset, error);
    }
  }

  /** What was read before it is still applied. */
  #alarm(followed: Followed<Item>, offset: number, error: unknown): void {
    followed.stopped = true;
    this.#ports.observe({ type: 'alarm', partition: followed.place, offset, error });
  }

  /** Where everything up to the end has been compacted away there is nothing to wait for: the end counts as read. */
  async #passGaps(): Promise<void> {
    const now = this.#ports.clock.now();
    if (now - this.#gapsCheckedAt < gapsCheckMs) return;
    this.#gapsCheckedAt = now;
    for (const followed of this.#held.values()) {
      const { place, read, following } = followed;
      if (read === undefined || !following) continue;
      const end = await this.#ports.log.end(place);
      if (
        end <= read.next ||
        (await this.#ports.log.read({ ...place, offset: read.next }, 1)).length > 0 ||
        followed.read !== read
      )
        continue;
      followed.queue.push({ after: { ...read, next: end }, timestamp: now, weight: 1 });
      followed.read = { ...read, next: end };
      this.#arrived.raise();
    }
  }

  #queued(): number {
    let all = 0;
    for (const { queue } of this.#held.values()) all += queue.length;
    return all;
  }

  // Applying.

  async #applying(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const batch = this.#take();
      if (batch.length === 0) await this.#arrived.wait(idleMs);
      else await this.#apply(batch);
    }
  }

  /** Whatever waits in all partitions, up to a limit; those that went short last time come first. */
  #take(): readonly Batched<Item>[] {
    const held = [...this.#held.values()].filter(
      ({ queue, lease, position }) => queue.length > 0 && position !== undefined && lease.fresh(),
    );
    const first = held.length === 0 ? 0 : this.#turn++ % held.length;
    const batch: Batched<Item>[] = [];
    let room = batchWeightMax;
    for (const followed of [...held.slice(first), ...held.slice(0, first)]) {
      const taken = this.#takeFrom(followed, room);
      if (taken === undefined) continue;
      batch.push(taken.batched);
      room -= taken.weight;
      if (room <= 0) break;
    }
    if (batch.length > 0) this.#taken.raise();
    return batch;
  }

  #takeFrom(
    followed: Followed<Item>,
    room: number,
  ): { readonly batched: Batched<Item>; readonly weight: number } | undefined {
    const { queue, position } = followed;
    let weight = 0;
    let count = 0;
    for (; count < queue.length && weight < room; count++) {
      const { item, weight: more } = queue[count]!;
      if (item !== undefined && !this.#options.ready(item)) break;
      weight += more;
    }
    const last = queue[count - 1];
    if (last === undefined || position === undefined) return undefined;
    const items = queue.splice(0, count).flatMap(({ item }) => (item === undefined ? [] : [item]));
    followed.position = last.after;
    return { batched: { followed, from: position.next, to: last.after, items, timestamp: last.timestamp }, weight };
  }

  async #apply(batch: readonly Batched<Item>[]): Promise<void> {
    const begun = this.#ports.clock.now();
    let outcome: Outcome;
    try {
      outcome = await this.#options.apply(batch);
    } catch (error) {
      // It may have taken effect or not: the store says.
      for (const { followed } of batch) followed.reset();
      throw error;
    }
    const byName = new Map(batch.map((batched) => [nameOf(batched.to), batched]));
    for (const partition of outcome.stale) this.#foundStale(byName.get(nameOf(partition))!.followed);
    for (const unfoldable of outcome.unfoldable)
      this.#foundUnfoldable(byName.get(nameOf(unfoldable))!.followed, unfoldable);
    const applied = outcome.applied.map((partition) => byName.get(nameOf(partition))!);
    if (applied.length > 0) this.#applied(applied, begun);
  }

  #applied(applied: readonly Batched<Item>[], begun: number): void {
    this.#options.onApplied?.(applied.map(({ to }) => to));
    const now = this.#ports.clock.now();
    const items = applied.flatMap((batched) => batched.items);
    this.#ports.observe({
      type: 'applied',
      lane: this.#options.lane,
      partitions: applied.length,
      items: items.length,
      refused: items.reduce((sum, item) => sum + this.#options.refusals(item), 0),
      lagMs: now - Math.max(...applied.map(({ timestamp }) => timestamp)),
      tookMs: now - begun,
    });
  }

  #foundStale(followed: Followed<Item>): void {
    followed.reset();
    this.#ports.observe({ type: 'stale', partition: followed.place });
  }

  /** What came before it in the batch was not applied either: go back, and stop right before it. */
  #foundUnfoldable(followed: Followed<Item>, { offset, error }: Unfoldable): void {
    followed.reset();
    followed.stopBefore = { offset, error };
  }
}

type Batched<Item> = Taken<Item> & { readonly followed: Followed<Item>; readonly timestamp: number };
