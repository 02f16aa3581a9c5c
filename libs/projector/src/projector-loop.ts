/**
 * Folds the fact topics and the content topic into the read model (engine.md §5): two lanes, facts and content, each with
 * readers, leases and transactions of its own; a fact waits for its content without holding up other partitions.
 *
 * Whole interface: start(), stop(), trouble(). Several instances share the partitions by leases; safety comes from the
 * positions, which move in the same transaction as the rows (lane.ts).
 */
import type { Clock, Leases, Log, LogRecord, Timers, TopicPartition } from '@kungfu/log-port';
import {
  contentTopic,
  decodeFactRecord,
  type FactRecord,
  factsTopic,
  type KindName,
  kinds,
  type Refused,
  validity,
} from '@kungfu/protocol';
import type { ContentAdvance, FactAdvance, PlacedFact, ProjectedPosition, ProjectionStore } from '@kungfu/read-model';
import { ContentGate } from './content-gate.ts';
import type { Observe } from './events.ts';
import type { Waiting } from './followed.ts';
import { Lane, type Taken } from './lane.ts';
import { Signal } from './signal.ts';

export type ProjectorPorts = {
  readonly log: Log;
  readonly store: ProjectionStore;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly observe: Observe;
  /** Whose facts are projected; those of Kungfu if absent. */
  readonly kinds?: readonly KindName[];
};

type FactItem = { readonly fact?: PlacedFact; readonly refused: readonly Refused[] };
type ContentItem = ContentAdvance['records'][number];

const refreshMs = 25;
const idleMs = 1_000;
const effectsPerWeight = 16;
const bytesPerWeight = 16_384;

export class ProjectorLoop {
  readonly #ports: ProjectorPorts;
  readonly #gate: ContentGate;
  /** Raised when a fact waits for content. */
  readonly #wanted: Signal;
  #stopping = false;
  #facts: Lane<FactItem> | undefined;
  #content: Lane<ContentItem> | undefined;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(ports: ProjectorPorts) {
    this.#ports = ports;
    this.#gate = new ContentGate(ports.log, (partitions) => ports.store.load(partitions));
    this.#wanted = new Signal(ports.timers);
  }

  /** Starts both lanes. Throws if the topics do not exist. */
  async start(): Promise<void> {
    const folded = this.#ports.kinds ?? kinds;
    const facts = await Promise.all(folded.map((kind) => this.#partitionsOf(kind, factsTopic(kind))));
    const content = await this.#partitionsOf('content', contentTopic);
    this.#facts = this.#factLane(new Map(facts.flatMap((partitions) => [...partitions])));
    this.#content = this.#contentLane(content);
    this.#content.start();
    this.#facts.start();
    this.#refreshing = this.#refresh();
  }

  /** Finishes the batches in hand, then gives the leases back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wanted.raise();
    await Promise.all([this.#facts?.stop(), this.#content?.stop(), this.#refreshing]);
  }

  /** Partitions that have stopped with an alarm; undefined: none. */
  trouble(): string | undefined {
    const stopped = [...(this.#facts?.stopped() ?? []), ...(this.#content?.stopped() ?? [])];
    return stopped.length === 0
      ? undefined
      : `stopped: ${stopped.map(({ topic, partition }) => `${topic}/${partition}`).join(', ')}`;
  }

  async #partitionsOf(name: string, topic: string): Promise<ReadonlyMap<string, TopicPartition>> {
    const count = await this.#ports.log.partitions(topic);
    return new Map(
      Array.from({ length: count }, (_, partition) => [`projector/${name}/${partition}`, { topic, partition }]),
    );
  }

  #factLane(partitions: ReadonlyMap<string, TopicPartition>): Lane<FactItem> {
    const { store, ...ports } = this.#ports;
    return new Lane<FactItem>(
      {
        lane: 'facts',
        partitions,
        compacted: false,
        load: (places) => store.load(places),
        accept: acceptFact,
        ready: ({ fact }) => this.#isReady(fact),
        apply: (batch) => store.apply(batch.map(factAdvance)),
        refusals: ({ refused }) => refused.length,
      },
      ports,
    );
  }

  #contentLane(partitions: ReadonlyMap<string, TopicPartition>): Lane<ContentItem> {
    const { store, ...ports } = this.#ports;
    return new Lane<ContentItem>(
      {
        lane: 'content',
        partitions,
        compacted: true,
        load: (places) => store.load(places),
        accept: acceptContent,
        ready: () => true,
        apply: (batch) => store.applyContent(batch.map(({ from, to, items }) => ({ from, to, records: items }))),
        onApplied: (positions) => this.#passed(positions),
        refusals: () => 0,
      },
      ports,
    );
  }

  #passed(positions: readonly ProjectedPosition[]): void {
    for (const position of positions) this.#gate.note(position);
    this.#facts?.wake();
  }

  #isReady(fact: PlacedFact | undefined): boolean {
    const needs = fact?.fact.content ?? [];
    if (this.#gate.passed(needs)) return true;
    this.#wanted.raise();
    return false;
  }

  /** Content that another instance projects is looked for in the store, only while a fact waits for it. */
  async #refresh(): Promise<void> {
    const { timers, observe } = this.#ports;
    while (!this.#stopping) {
      await this.#wanted.wait(idleMs);
      try {
        if (await this.#gate.refresh()) this.#facts?.wake();
        await timers.sleep(refreshMs);
      } catch (error) {
        observe({ type: 'failed', during: 'reading', error });
        await timers.sleep(refreshMs * 10);
      }
    }
  }
}

/** A record of a fact topic where the partition stands: void ones move only the offset (O4). Throws for what stops it. */
const acceptFact = (position: ProjectedPosition, record: LogRecord): Waiting<FactItem> => {
  const decoded = decodeFactRecord(record);
  const verdict = validity(position, decoded);
  const { timestamp, offset } = record;
  const moved = { ...position, next: offset + 1 };
  switch (verdict.kind) {
    case 'gap':
      throw new Error(`record ${verdict.found} of the epoch where ${verdict.expected} was due`);
    case 'void':
      return { after: moved, timestamp, weight: 1 };
    case 'valid':
      return acceptValid({ ...moved, ...verdict.chain }, record, decoded);
  }
};

const acceptValid = (
  after: ProjectedPosition,
  { offset, timestamp }: LogRecord,
  record: FactRecord,
): Waiting<FactItem> => {
  switch (record.type) {
    case 'claim':
      return { after, timestamp, weight: 0 };
    case 'decided': {
      const { upTo, at, generation, refused } = record.decided;
      return {
        after: { ...after, logAt: at, decidedUpTo: upTo, generation },
        item: { refused },
        timestamp,
        weight: refused.length,
      };
    }
    case 'fact': {
      const { fact } = record;
      const weight = 1 + Math.floor(fact.effects.length / effectsPerWeight);
      return { after: { ...after, logAt: fact.at }, item: { fact: { offset, fact }, refused: [] }, timestamp, weight };
    }
  }
};

const factAdvance = ({ from, to, items }: Taken<FactItem>): FactAdvance => ({
  from,
  to,
  facts: items.flatMap(({ fact }) => (fact === undefined ? [] : [fact])),
  refused: items.flatMap(({ refused }) => refused),
});

const acceptContent = (
  position: ProjectedPosition,
  { offset, key, value, timestamp }: LogRecord,
): Waiting<ContentItem> => ({
  after: { ...position, next: offset + 1 },
  item: { id: key, value },
  timestamp,
  weight: 1 + Math.floor((value?.length ?? 0) / bytesPerWeight),
});
