import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type AppendFate, createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import { Process, SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import type { Lease, LogRecord } from '@kungfu/log-port';
import {
  type Chain,
  decodeFactRecord,
  emptyChain,
  encodeInput,
  type FactRecord,
  type Input,
  validity,
} from '@kungfu/protocol';
import { PartitionOwner } from '../owner.ts';
import { PartitionState } from '../partition-state.ts';
import { InMemoryStore } from '../store.ts';
import { effectsOf, toyKind } from './toy-kind.ts';

const actions = { topic: 'kungfu.actions.memory', partition: 0 };
const facts = { topic: 'kungfu.facts.memory', partition: 0 };
const forEver = { partitions: 1, time: 'LogAppendTime', retentionMs: -1, compacted: false } as const;
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const limits = { membersMax: 50, openResponsesMax: 5_000, liveAssignmentsMax: 1_000, openEngagementsMax: 1_000 };
const conditionMsMax = 120_000;

/** A lease whose freshness the spec decides. */
class RigLease {
  fresh = true;
  readonly asLease: Lease = { name: 'memory/0', fresh: () => this.fresh };
}

export type Began = {
  readonly owner: PartitionOwner;
  readonly process: Process;
  readonly store: InMemoryStore;
  readonly lease: RigLease;
};

/** Owners of one partition of the toy kind, over a log in memory and simulated time, with a hand on every fault. */
export class OwnerRig {
  readonly #time = new VirtualTime(new SeededRandom(1));
  readonly #random = new SeededRandom(2);
  readonly #log: InMemoryLog;
  #skewMs = 0;
  #fates: AppendFate[] = [];
  #read: { next: number; chain: Chain; valid: FactRecord[]; skipped: number } = {
    next: 0,
    chain: emptyChain,
    valid: [],
    skipped: 0,
  };
  #began: Began[] = [];
  lost = 0;
  alarms = 0;

  private constructor() {
    const clock = { now: () => this.#time.now() + this.#skewMs };
    this.#log = createInMemoryLog({
      topics: [
        { topic: actions.topic, ...forEver },
        { topic: facts.topic, ...forEver },
      ],
      clock,
      timers: this.#time,
      fate: ([append]) => (append?.topic === facts.topic ? (this.#fates.shift() ?? 'land') : 'land'),
    });
  }

  static async make(): Promise<OwnerRig> {
    return new OwnerRig();
  }

  async send(...inputs: readonly Input[]): Promise<void> {
    const producer = await this.#log.producer();
    await producer.append([{ ...actions, records: inputs.map(encodeInput) }]);
  }

  /** Sends while the log's clock is ahead by so many milliseconds. */
  async sendAt(aheadMs: number, input: Input): Promise<void> {
    this.#skewMs = aheadMs;
    await this.send(input);
    this.#skewMs = 0;
  }

  begin(name: string, options: { lease?: boolean; store?: InMemoryStore | undefined; dieAtStep?: number } = {}): Began {
    const { lease: held = true, store = new InMemoryStore(), dieAtStep } = options;
    const process = new Process({
      name,
      time: this.#time,
      random: this.#random.fork(),
      skewMs: 0,
      odds: { death: 0, pause: 0 },
      ...(dieAtStep === undefined ? {} : { dieAtStep }),
      onDeath: () => {},
    });
    const observer = {
      parked: () => {},
      alarm: () => {
        this.alarms += 1;
      },
      lost: () => {
        this.lost += 1;
      },
      decided: () => {},
    };
    const owner = new PartitionOwner(
      { kind: toyKind, partition: 0, limits },
      {
        log: process.guard(this.#log),
        store,
        clock: process.clock,
        timers: process.timers,
        random: process.random,
        hash,
        observer,
      },
    );
    const lease = new RigLease();
    owner.start();
    if (held) owner.lead(lease.asLease);
    const began = { owner, process, store, lease };
    this.#began.push(began);
    return began;
  }

  async end({ owner }: Began): Promise<void> {
    let ended = false;
    void owner.stop().then(() => (ended = true));
    assert.ok(await this.#time.run(() => ended, conditionMsMax), 'the owner does not stop');
  }

  async pass(ms: number): Promise<void> {
    await this.#time.run(() => false, ms);
  }

  /** Until a valid `decided` says that so many inputs are decided. */
  async untilDecided(upTo: number): Promise<void> {
    for (let waited = 0; waited < conditionMsMax; waited += 100) {
      await this.#readValid();
      if (this.#read.valid.some((r) => r.type === 'decided' && r.decided.upTo >= upTo)) return;
      await this.pass(100);
    }
    assert.fail(`not decided up to ${upTo}`);
  }

  async validEffects(): Promise<readonly string[]> {
    return effectsOf((await this.#readValid()).flatMap((r) => (r.type === 'fact' ? [r.fact] : [])));
  }

  async refusedCodes(): Promise<readonly string[]> {
    return (await this.#readValid()).flatMap((r) =>
      r.type === 'decided' ? r.decided.refused.map(({ code }) => code) : [],
    );
  }

  async voidRecords(): Promise<number> {
    await this.#readValid();
    return this.#read.skipped;
  }

  /** [O6] What the newest living owner's store holds is what a replay from 0 gives. */
  async replayEqualsStore(): Promise<void> {
    const live = this.#began.findLast(({ process }) => process.alive)!;
    await this.pass(1_000);
    const replayed = new InMemoryStore();
    const state = new PartitionState(toyKind, replayed);
    for (const record of await this.#readValid()) state.fold(record);
    state.commit({ next: this.#read.next, chain: this.#read.chain, version: 1 });
    const rows = (store: InMemoryStore) => store.keys('').map((key) => [key, store.get(key)]);
    assert.deepEqual(rows(live.store), rows(replayed));
    const { last: _, ...head } = live.store.head()!;
    assert.deepEqual(head, replayed.head());
  }

  copyOf(store: InMemoryStore): InMemoryStore {
    const copy = new InMemoryStore();
    copy.commit(store.head()!, new Map(store.keys('').map((key) => [key, store.get(key)])));
    return copy;
  }

  /** The next append to the facts does not land until the function is called. */
  holdNextAppend(): () => void {
    let land = (): void => assert.fail('nothing has been appended yet');
    this.#fates.push({
      hold: (later) => {
        land = later;
      },
    });
    return () => land();
  }
  loseNextAck(): void {
    this.#fates.push('lose-ack');
  }
  dropNextAppend(): void {
    this.#fates.push('drop');
  }
  /** The claim lands; of the batch after it only so many records. */
  landOnly(records: number): void {
    this.#fates.push('land', { landFirst: records });
  }

  /** Appends a copy of the last fact under a number that does not follow. */
  async forgeRecord({ n }: { ofEpoch: 'current'; n: number }): Promise<void> {
    await this.#readValid();
    const records = await this.#log.read({ ...facts, offset: 0 }, 1_000);
    const last = records.findLast(({ headers }) => headers['kf_n'] !== undefined)!;
    const producer = await this.#log.producer();
    await producer.append([
      { ...facts, records: [{ key: last.key, value: last.value, headers: { ...last.headers, kf_n: String(n) } }] },
    ]);
  }

  async #readValid(): Promise<readonly FactRecord[]> {
    const records: readonly LogRecord[] = await this.#log.read({ ...facts, offset: this.#read.next }, 100_000);
    for (const record of records) {
      const decoded = decodeFactRecord(record);
      const verdict = validity(this.#read.chain, decoded);
      this.#read.next = record.offset + 1;
      if (verdict.kind !== 'valid') {
        this.#read.skipped += 1;
        continue;
      }
      this.#read.chain = verdict.chain;
      this.#read.valid.push(decoded);
    }
    return this.#read.valid;
  }
}
