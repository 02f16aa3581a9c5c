import type { Log, LogRecord, TopicPartition } from '@kungfu/log-port';
import {
  actionsTopic,
  type Chain,
  decodeFactRecord,
  emptyChain,
  type Fact,
  type FactRecord,
  factsTopic,
  type KindName,
  UnreadableRecord,
  validity,
} from '@kungfu/protocol';

/** What a partition of facts holds. Offsets are those of the facts, but `failed`, which are those of inputs. */
export type Verified = {
  readonly topic: string;
  readonly partition: number;
  readonly records: number;
  readonly facts: number;
  readonly decided: number;
  readonly claims: number;
  /** Records of owners that no longer owned: skipped by every reader (O4). */
  readonly voids: number;
  /** Inputs refused `failed`: parked where they lie, in the actions. */
  readonly failed: readonly string[];
  /** What must not be; empty in a sound log. */
  readonly problems: readonly string[];
};

const recordsAtOnce = 500;

/** Reads every partition of facts from its beginning, as every reader does: validity, shape, revisions, log time. */
export const verifyFacts = async (
  log: Log,
  kinds: readonly KindName[],
  told: (verified: Verified) => void,
): Promise<void> => {
  for (const kind of kinds) {
    const topic = factsTopic(kind);
    const partitions = await log.partitions(topic);
    for (let partition = 0; partition < partitions; partition++)
      told(await verifyPartition(log, { topic, partition }, actionsTopic(kind)));
  }
};

const verifyPartition = async (log: Log, place: TopicPartition, actions: string): Promise<Verified> => {
  const walk = new Walk(actions, place.partition);
  const [start, end] = [await log.start(place), await log.end(place)];
  if (start !== 0) walk.problem(start, 'the facts before it are gone');
  for (let offset = start; offset < end && !walk.over; ) {
    const records = await log.read({ ...place, offset }, Math.min(recordsAtOnce, end - offset));
    if (records.length === 0) break;
    for (const record of records) walk.take(record);
    offset = records.at(-1)!.offset + 1;
  }
  return { ...place, ...walk.found() };
};

/** Goes over the records of one partition in order. */
class Walk {
  readonly #actions: string;
  readonly #partition: number;
  readonly #revisions = new Map<string, number>();
  readonly #count = { records: 0, facts: 0, decided: 0, claims: 0, voids: 0 };
  readonly #failed: string[] = [];
  readonly #problems: string[] = [];
  #chain: Chain = emptyChain;
  #at = 0;
  /** After a gap or a record that cannot be read no reader goes on. */
  over = false;

  constructor(actions: string, partition: number) {
    this.#actions = actions;
    this.#partition = partition;
  }

  found(): Omit<Verified, 'topic' | 'partition'> {
    return { ...this.#count, failed: this.#failed, problems: this.#problems };
  }

  problem(offset: number, what: string): void {
    this.#problems.push(`${offset}: ${what}`);
  }

  take(stored: LogRecord): void {
    if (this.over) return;
    this.#count.records += 1;
    const record = this.#decoded(stored);
    if (record === undefined) return;
    const verdict = validity(this.#chain, record);
    switch (verdict.kind) {
      case 'void':
        this.#count.voids += 1;
        return;
      case 'gap':
        this.over = true;
        this.problem(stored.offset, `number ${verdict.found} where ${verdict.expected} has to follow`);
        return;
      case 'valid':
        this.#chain = verdict.chain;
        this.#counted(stored.offset, record);
    }
  }

  #decoded(stored: LogRecord): FactRecord | undefined {
    try {
      return decodeFactRecord(stored);
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      this.over = true;
      this.problem(stored.offset, `cannot be read: ${error.message}`);
      return undefined;
    }
  }

  #counted(offset: number, record: FactRecord): void {
    switch (record.type) {
      case 'claim':
        this.#count.claims += 1;
        return;
      case 'decided':
        this.#count.decided += 1;
        for (const { input, code } of record.decided.refused)
          if (code === 'failed') this.#failed.push(`${this.#actions}/${this.#partition}/${input}`);
        this.#time(offset, record.decided.at);
        return;
      case 'fact':
        this.#count.facts += 1;
        this.#revision(offset, record.fact);
        this.#time(offset, record.fact.at);
    }
  }

  #revision(offset: number, { object, revision }: Fact): void {
    const expected = (this.#revisions.get(object.id) ?? 0) + 1;
    if (revision !== expected)
      this.problem(offset, `revision ${revision} of ${object.id}, where ${expected} has to follow`);
    this.#revisions.set(object.id, revision);
  }

  /** Log time never goes back (O5). */
  #time(offset: number, at: number): void {
    if (at < this.#at) this.problem(offset, `log time ${at} after ${this.#at}`);
    this.#at = Math.max(this.#at, at);
  }
}
