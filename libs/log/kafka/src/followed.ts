import type { LogRecord, Position, TopicPartition } from '@kungfu/log-port';
import { kafkaLimits } from './settings.ts';

/** One partition as one reader follows it: where it stands and what has been fetched but not polled. */
export class Followed {
  readonly topic: string;
  readonly partition: number;
  /** Called when records or a failure have arrived. */
  readonly wake: () => void;
  /** The offset that the next record fetched has to have, or the first above it that the log still holds. */
  next: number;
  /** Set by the reader: hand nothing out. */
  held = false;
  /** Why the log can give nothing from `next` on. */
  failure: Error | undefined;
  /** Whether the position is being compared with what the log holds: nothing is fetched meanwhile. */
  mending = false;
  /** Where the log went on above `next` when last sought there: the same again means that nothing is in between. */
  gapTo: number | undefined;
  /** `next` at the last audit. */
  audited: number | undefined;
  /** Rises with every seek; what began before one is stale after it. */
  generation = 0;

  #queue: LogRecord[] = [];
  #taken = 0;
  #bytes = 0;
  #full = false;

  constructor({ topic, partition, offset }: Position, wake: () => void) {
    this.topic = topic;
    this.partition = partition;
    this.next = offset;
    this.wake = wake;
  }

  /** Whether records should be fetched. */
  get wanted(): boolean {
    return !this.#full && !this.mending && this.failure === undefined;
  }

  get waiting(): number {
    return this.#queue.length - this.#taken;
  }

  seek(offset: number): void {
    this.generation += 1;
    this.next = offset;
    this.failure = undefined;
    this.mending = false;
    this.gapTo = undefined;
    this.audited = undefined;
    this.#queue = [];
    this.#taken = 0;
    this.#bytes = 0;
    this.#full = false;
  }

  /** Takes in what was fetched, up to below `next`. */
  push(records: readonly LogRecord[], next: number): void {
    for (const record of records) {
      this.#queue.push(record);
      this.#bytes += costOf(record);
    }
    this.next = next;
    this.gapTo = undefined;
    this.#full ||= this.#bytes >= kafkaLimits.queuedBytesMax;
    if (records.length > 0) this.wake();
  }

  fail(failure: Error): void {
    this.mending = false;
    this.failure = failure;
    this.wake();
  }

  /** Hands out from the front, within limits; the first one whatever its size if `atLeastOne`. */
  take(records: number, bytes: number, atLeastOne: boolean): readonly LogRecord[] {
    const first = this.#taken;
    let left = bytes;
    while (this.waiting > 0 && this.#taken - first < records) {
      const record = this.#queue[this.#taken]!;
      left -= record.value?.length ?? 0;
      if (left < 0 && !(atLeastOne && this.#taken === first)) break;
      this.#bytes -= costOf(record);
      this.#taken += 1;
    }
    const taken = this.#queue.slice(first, this.#taken);
    if (this.#bytes <= kafkaLimits.queuedBytesMax / 2) this.#full = false;
    if (this.#taken > 1_024 || this.waiting === 0) {
      this.#queue = this.#queue.slice(this.#taken);
      this.#taken = 0;
    }
    return taken;
  }
}

/** What a record costs to keep, in bytes: its value and about what comes with it. */
const costOf = ({ value }: LogRecord): number => (value?.length ?? 0) + 200;

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
