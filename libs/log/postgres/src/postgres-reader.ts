import {
  type LogRecord,
  OffsetOutOfRange,
  type PollLimits,
  type Position,
  type Reader,
  type TopicPartition,
} from '@kungfu/log-port';
import type { PostgresLog } from './postgres-log.ts';

/** How long to wait before the database is asked again after it did not answer. */
export const troubleMs = 250;
export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

type Followed = { readonly partition: TopicPartition; next: number; paused: boolean };

/** Follows partitions of the log; the log wakes it when one of their heads has moved. */
export class PostgresReader implements Reader {
  readonly #log: PostgresLog;
  readonly #onClose: () => void;
  readonly #followed = new Map<string, Followed>();
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(log: PostgresLog, onClose: () => void) {
    this.#log = log;
    this.#onClose = onClose;
  }

  follow({ topic, partition, offset }: Position): void {
    this.#followed.set(nameOf({ topic, partition }), { partition: { topic, partition }, next: offset, paused: false });
  }

  unfollow(partition: TopicPartition): void {
    this.#followed.delete(nameOf(partition));
  }

  pause(partition: TopicPartition): void {
    const followed = this.#followed.get(nameOf(partition));
    if (followed !== undefined) followed.paused = true;
  }

  resume(partition: TopicPartition): void {
    const followed = this.#followed.get(nameOf(partition));
    if (followed !== undefined) followed.paused = false;
  }

  /** A head has moved; wakes the poll that waits for it. */
  wake(head: TopicPartition): void {
    if (this.#followed.get(nameOf(head))?.paused === false) this.#wake?.();
  }

  async poll(limits: PollLimits): Promise<readonly LogRecord[]> {
    const end = performance.now() + limits.waitMs;
    while (!this.#closed) {
      const records = await this.#take(limits);
      const left = end - performance.now();
      if (records.length > 0 || left <= 0) return records;
      if (!this.#waits()) await this.#sleep(left);
    }
    return [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#followed.clear();
    this.#wake?.();
    this.#onClose();
  }

  async #take(limits: PollLimits): Promise<readonly LogRecord[]> {
    try {
      const behind = await this.#behind();
      if (behind.length === 0) return [];
      const asked = new Map(behind.map((followed) => [nameOf(followed.partition), followed.next]));
      const records = await this.#log.fetch(
        behind.map(({ partition, next }) => ({ ...partition, offset: next })),
        limits.records,
      );
      return this.#hand(records, asked, limits);
    } catch (error) {
      if (error instanceof OffsetOutOfRange) throw error;
      this.#log.trouble(error);
      await this.#sleep(Math.min(limits.waitMs, troubleMs));
      return [];
    }
  }

  /** The partitions followed in which records wait. Heads may be behind, never ahead: look again before saying out of range. */
  async #behind(): Promise<readonly Followed[]> {
    const active = [...this.#followed.values()].filter(({ paused }) => !paused);
    const fits = ({ partition, next }: Followed): boolean =>
      next >= this.#log.head(partition).start && next <= this.#log.head(partition).next;
    if (!active.every(fits)) await this.#log.refresh();
    for (const { partition, next } of active) this.#log.check({ ...partition, offset: next });
    return active.filter(({ partition, next }) => next < this.#log.head(partition).next);
  }

  /** Hands out within the limits; what another call has sought elsewhere meanwhile is left out. */
  #hand(records: readonly LogRecord[], asked: ReadonlyMap<string, number>, limits: PollLimits): readonly LogRecord[] {
    const handed: LogRecord[] = [];
    let bytes = 0;
    for (const record of records) {
      const name = nameOf(record);
      const followed = this.#followed.get(name);
      const expected = handed.findLast((h) => nameOf(h) === name);
      if (followed === undefined || followed.paused || (expected === undefined && followed.next !== asked.get(name)))
        continue;
      if (handed.length >= limits.records || (handed.length > 0 && bytes >= limits.bytes)) break;
      bytes += record.value?.length ?? 0;
      followed.next = record.offset + 1;
      handed.push(record);
    }
    return handed;
  }

  /** Whether records wait, as far as the heads are known: asked right before sleeping, so that no wake-up is missed. */
  #waits(): boolean {
    return [...this.#followed.values()].some(
      ({ partition, next, paused }) => !paused && next < this.#log.head(partition).next,
    );
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
