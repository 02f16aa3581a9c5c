/**
 * Owns one partition of one kind: follows its facts, takes its inputs in log order, decides them, appends the facts.
 *
 * Whole interface: start(), lead(lease), yield(), stop(), status(). Nothing else touches the partition's store.
 *
 *   following ──lease, near the end──▶ claiming ──own claim read──▶ running
 *      ▲                                   ▲                          │
 *      │                                   └── jitter, lease renewed ─┤ lost: append failed, another's claim
 *      └──────────────────── yielded: lease gone ─────────────────────┘
 *
 * Invariants (engine.md §3):
 * - O1 A valid fact was decided on exactly the valid facts before it: after an append whose offsets do not continue where
 *   this owner's last record stood, the draft is thrown away and the log is read instead.
 * - O2 Each action has at most one valid fact, and none after a valid refusal of its newest attempt.
 * - O3 Only `decided` moves the input position.
 * - O4 A zombie's record after a newer claim changes nothing, however late.
 * - O5 Log time never goes back.
 * - O6 Replaying the facts from 0 gives the owner's state, byte for byte.
 * - O7 A lost, stale or damaged store costs time, never correctness.
 *
 * Safe to repeat: start, yield, stop, reading. Not safe to repeat: append; after any doubt about one, the owner is lost and
 * claims again.
 */
import {
  type Clock,
  type Lease,
  type Log,
  type LogRecord,
  type Producer,
  type Random,
  type Reader,
  RecordTooLarge,
  type Timers,
  type TopicPartition,
} from '@kungfu/log-port';
import { actionsTopic, type DecisionLimits, encodeClaim, factsTopic, UnreadableRecord } from '@kungfu/protocol';
import { type Batch, decideBatch } from './batch.ts';
import { Facts } from './facts.ts';
import { BrokenInvariant, type ErasedKind } from './partition-state.ts';
import type { Store } from './store.ts';

/** Bounds of the owner's loops; milliseconds and bytes. */
export type OwnerLimits = {
  readonly batchInputsMax: number;
  readonly batchBytesMax: number;
  readonly appendRecordsMax: number;
  readonly pollMs: number;
  /** An input further ahead of this owner's clock waits (engine.md §3, Clocks). */
  readonly maxSkewMs: number;
  readonly jitterMs: number;
};
export const ownerLimits: OwnerLimits = {
  batchInputsMax: 256,
  batchBytesMax: 1_048_576,
  appendRecordsMax: 512,
  pollMs: 250,
  maxSkewMs: 2_000,
  jitterMs: 200,
};

/** What the outside hears of an owner. None of these may throw. */
export type OwnerObserver = {
  /** An input that could not be read or whose decision threw: parked and passed, or refused `failed`. */
  parked(input: LogRecord, error: unknown): void;
  /** The partition is stopped, or something was skipped that should not have been: somebody has to look. */
  alarm(partition: TopicPartition, error: unknown): void;
  /** Ownership was lost and will be claimed again. */
  lost(partition: TopicPartition, reason: unknown): void;
  /** A batch has become valid. */
  decided(
    partition: TopicPartition,
    batch: { readonly inputs: number; readonly facts: number; readonly refused: number },
  ): void;
};

export type OwnerPorts = {
  readonly log: Log;
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** Hash of a record's bytes, to tell whether a store still fits its log (O7). */
  readonly hash: (bytes: Uint8Array) => string;
  readonly observer: OwnerObserver;
};

export type OwnerOptions = {
  readonly kind: ErasedKind;
  readonly partition: number;
  readonly limits: DecisionLimits;
  readonly bounds?: Partial<OwnerLimits>;
};

export type OwnerStatus = 'stopped' | 'following' | 'claiming' | 'running' | 'alarmed';

/** Format of the records that this owner writes, told in its claims (engine.md §3, rolling upgrades). */
const format = 1;

/** This owner no longer owns its partition, or cannot know: it claims again. */
class Lost extends Error {
  override readonly name = 'Lost';
}

export class PartitionOwner {
  readonly #ports: OwnerPorts;
  readonly #kind: ErasedKind;
  readonly #bounds: OwnerLimits;
  readonly #limits: DecisionLimits;
  readonly #actions: TopicPartition;
  readonly #factsAt: TopicPartition;

  #status: OwnerStatus = 'stopped';
  #lease: Lease | undefined;
  #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #yielded: (() => void)[] = [];

  constructor(options: OwnerOptions, ports: OwnerPorts) {
    this.#ports = ports;
    this.#kind = options.kind;
    this.#limits = options.limits;
    this.#bounds = { ...ownerLimits, ...options.bounds };
    this.#actions = { topic: actionsTopic(options.kind.name), partition: options.partition };
    this.#factsAt = { topic: factsTopic(options.kind.name), partition: options.partition };
  }

  status(): OwnerStatus {
    return this.#status;
  }

  /** Begins to follow the facts, so that a take-over finds the state warm. */
  start(): void {
    if (this.#loop !== undefined) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run();
  }

  /** A lease on this partition is held: claim as soon as the end of the facts is near. */
  lead(lease: Lease): void {
    this.#lease = lease;
  }

  /** The lease is gone, or is to be given back: finish the batch, then only follow. Resolves when no longer deciding. */
  async yield(): Promise<void> {
    this.#lease = undefined;
    if (this.#status !== 'running' && this.#status !== 'claiming') return;
    await new Promise<void>((resolve) => this.#yielded.push(resolve));
  }

  /** Finishes the batch, then ends the loop. */
  async stop(): Promise<void> {
    this.#lease = undefined;
    this.#stopping.abort();
    await this.#loop;
    this.#loop = undefined;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const facts = new Facts(this.#kind, this.#factsAt, this.#ports);
      try {
        await facts.open();
        while (!this.#stopped) await this.#term(facts);
      } catch (error) {
        if (!isOperating(error)) return this.#giveUp(error);
        await this.#lose(error);
      } finally {
        await facts.close();
      }
    }
    this.#become('stopped');
  }

  /** One term: follow until a lease is held, claim, run until yielded. Whatever it throws ends with facts opened anew. */
  async #term(facts: Facts): Promise<void> {
    await this.#follow(facts);
    if (this.#stopped) return;
    let producer: Producer | undefined;
    try {
      this.#become('claiming');
      producer = await this.#ports.log.producer();
      await this.#claim(facts, producer);
      this.#become('running');
      await this.#decideAll(facts, producer);
    } finally {
      this.#become('following');
      await producer?.close();
    }
  }

  async #follow(facts: Facts): Promise<void> {
    this.#become('following');
    while (!this.#stopped) {
      if (this.#lease?.fresh() === true) return facts.readToEnd(this.#stopping.signal);
      await facts.followOnce(this.#bounds.pollMs);
    }
  }

  async #claim(facts: Facts, producer: Producer): Promise<void> {
    const nonce = this.#ports.random.hex(16);
    const claim = encodeClaim(
      { nonce, format },
      { kind: this.#kind.name, partition: this.#factsAt.partition, at: this.#ports.clock.now() },
    );
    const [appended] = await producer.append([{ ...this.#factsAt, records: [claim] }]);
    await facts.readTo(appended!.firstOffset + 1, this.#stopping.signal);
    if (facts.chain.epoch !== nonce) throw new Lost('another claim came after this one');
  }

  async #decideAll(facts: Facts, producer: Producer): Promise<void> {
    const epoch = facts.chain.epoch;
    facts.rest();
    const inputs = await this.#ports.log.reader();
    try {
      await this.#followInputs(inputs, facts);
      while (await this.#mayDecide()) {
        const records = await inputs.poll({
          records: this.#bounds.batchInputsMax,
          bytes: this.#bounds.batchBytesMax,
          waitMs: this.#bounds.pollMs,
        });
        await this.#decideRecords(records, facts, producer, epoch);
      }
    } finally {
      await inputs.close();
    }
  }

  /** Inputs older than the actions topic keeps are gone: count, alarm, go on. */
  async #followInputs(inputs: Reader, facts: Facts): Promise<void> {
    const start = await this.#ports.log.start(this.#actions);
    const { upTo } = facts.state;
    if (upTo < start)
      this.#ports.observer.alarm(this.#actions, new Error(`the inputs from ${upTo} to ${start} are no longer kept`));
    inputs.follow({ ...this.#actions, offset: Math.max(upTo, start) });
  }

  /** Whether to go on deciding: waits while the lease is stale, ends when it is gone (engine.md §3). */
  async #mayDecide(): Promise<boolean> {
    while (!this.#stopped && this.#lease !== undefined) {
      if (this.#lease.fresh()) return true;
      await this.#ports.timers.sleep(this.#bounds.pollMs / 5, this.#stopping.signal);
    }
    return false;
  }

  async #decideRecords(records: readonly LogRecord[], facts: Facts, producer: Producer, epoch: string): Promise<void> {
    let rest = records;
    while (rest.length > 0 && (await this.#mayDecide())) {
      const ready = await this.#notFromTheFuture(rest);
      if (ready.length === 0) continue;
      const batch = decideBatch(ready, {
        state: facts.state,
        kind: this.#kind,
        limits: this.#limits,
        partition: this.#factsAt.partition,
        chain: facts.chain,
        onParked: (record, error) => this.#ports.observer.parked(record, error),
      });
      await this.#append(batch, facts, producer, epoch);
      rest = rest.slice(batch.inputs);
    }
  }

  /** The inputs whose timestamps are not ahead of this clock by more than maxSkew; waits a little when it is none. */
  async #notFromTheFuture(records: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    const horizon = this.#ports.clock.now() + this.#bounds.maxSkewMs;
    const ahead = records.findIndex(({ timestamp }) => timestamp > horizon);
    if (ahead === 0)
      await this.#ports.timers.sleep(
        Math.min(this.#bounds.pollMs, records[0]!.timestamp - horizon),
        this.#stopping.signal,
      );
    return ahead === -1 ? records : records.slice(0, ahead);
  }

  /** Appends a batch in as few requests as its size allows; `decided` is the last record of the last (O3). */
  async #append(batch: Batch, facts: Facts, producer: Producer, epoch: string): Promise<void> {
    let expected = facts.next;
    let undisturbed = true;
    for (let i = 0; i < batch.records.length; i += this.#bounds.appendRecordsMax) {
      const records = batch.records.slice(i, i + this.#bounds.appendRecordsMax);
      const [appended] = await producer.append([{ ...this.#factsAt, records }]);
      undisturbed &&= appended!.firstOffset === expected;
      expected = appended!.firstOffset + records.length;
    }
    if (undisturbed) facts.commitDraft(batch);
    else await this.#reread(facts, expected, epoch);
    const { inputs, facts: accepted, refused } = batch;
    this.#ports.observer.decided(this.#factsAt, { inputs, facts: accepted, refused });
  }

  /** Somebody wrote in between: believe the log, not the draft (O1, O4). */
  async #reread(facts: Facts, end: number, epoch: string): Promise<void> {
    facts.state.discard();
    await facts.readTo(end, this.#stopping.signal);
    if (facts.chain.epoch !== epoch) throw new Lost('another owner has claimed this partition');
  }

  /** Claims again only after a pause and with a lease that has been renewed since. */
  async #lose(reason: unknown): Promise<void> {
    this.#ports.observer.lost(this.#factsAt, reason);
    this.#become('following');
    await this.#ports.timers.sleep(this.#bounds.jitterMs * (0.5 + this.#ports.random.next()), this.#stopping.signal);
  }

  /** A broken invariant or a bug: this partition stops until somebody has looked; the others go on. */
  #giveUp(error: unknown): void {
    this.#ports.observer.alarm(this.#factsAt, error);
    this.#become('alarmed');
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #become(status: OwnerStatus): void {
    this.#status = status;
    if (status === 'running' || status === 'claiming') return;
    for (const resolve of this.#yielded.splice(0)) resolve();
  }
}

/** Anything but a bug or a broken invariant: the log or its connection failed, and may be back later. */
const isOperating = (error: unknown): boolean => !fatal.some((type) => error instanceof type);
const fatal = [BrokenInvariant, UnreadableRecord, RecordTooLarge, TypeError, RangeError, ReferenceError];
