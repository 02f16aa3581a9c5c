import type { LogRecord, PollLimits, Position, Reader, TopicPartition } from '@kungfu/log-port';
import type { Feed } from './feed.ts';
import type { Feeds } from './feeds.ts';
import { type Followed, nameOf } from './followed.ts';

type Following = { readonly feed: Feed; readonly followed: Followed };

/** Follows partitions over the feeds of its log; costs nothing while it follows none. */
export class KafkaReader implements Reader {
  readonly #feeds: Feeds;
  readonly #whenClosed: (reader: KafkaReader) => void;
  readonly #following = new Map<string, Following>();
  #wake: (() => void) | undefined;
  #polling = false;
  #closed = false;

  constructor(feeds: Feeds, whenClosed: (reader: KafkaReader) => void) {
    this.#feeds = feeds;
    this.#whenClosed = whenClosed;
  }

  follow(position: Position): void {
    if (this.#closed) throw new Error('the reader is closed');
    this.unfollow(position);
    const following = this.#feeds.follow(position, () => this.#wake?.());
    this.#following.set(nameOf(position), following);
    this.#wake?.(); // it may have failed at once
  }

  unfollow(partition: TopicPartition): void {
    const following = this.#following.get(nameOf(partition));
    if (following === undefined) return;
    this.#following.delete(nameOf(partition));
    following.feed.unfollow(following.followed);
  }

  pause(partition: TopicPartition): void {
    const following = this.#following.get(nameOf(partition));
    if (following !== undefined) following.followed.held = true;
  }

  resume(partition: TopicPartition): void {
    const following = this.#following.get(nameOf(partition));
    if (following === undefined) return;
    following.followed.held = false;
    this.#wake?.();
  }

  async poll(limits: PollLimits): Promise<readonly LogRecord[]> {
    if (this.#polling) throw new Error('this reader is being polled');
    this.#polling = true;
    try {
      return await this.#poll(limits, performance.now() + limits.waitMs);
    } finally {
      this.#polling = false;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { followed } of [...this.#following.values()]) this.unfollow(followed);
    this.#wake?.();
    this.#whenClosed(this);
  }

  async #poll(limits: PollLimits, until: number): Promise<readonly LogRecord[]> {
    for (;;) {
      const records = this.#take(limits);
      const leftMs = until - performance.now();
      if (records.length > 0 || leftMs <= 0 || this.#closed) return records;
      await this.#woken(leftMs);
    }
  }

  #woken(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), Math.ceil(waitMs));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** From all partitions in turn; a partition that has been served goes to the end. */
  #take(limits: PollLimits): readonly LogRecord[] {
    const taken: LogRecord[] = [];
    let bytes = 0;
    for (const [name, following] of [...this.#following]) {
      const { feed, followed } = following;
      if (followed.held) continue;
      if (followed.waiting === 0 && followed.failure !== undefined && taken.length === 0) throw followed.failure;
      if (followed.waiting === 0 || taken.length >= limits.records || (taken.length > 0 && bytes >= limits.bytes))
        continue;
      const { wanted } = followed;
      const records = followed.take(limits.records - taken.length, limits.bytes - bytes, taken.length === 0);
      feed.drained(followed, wanted);
      for (const record of records) {
        bytes += record.value?.length ?? 0;
        taken.push(record);
      }
      this.#following.delete(name);
      this.#following.set(name, following);
    }
    return taken;
  }
}
