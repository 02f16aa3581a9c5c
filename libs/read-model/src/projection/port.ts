import type { TopicPartition } from '@kungfu/log-port';
import type { Fact, Refused } from '@kungfu/protocol';

/** Where a partition stands: how far it has been projected, and what its records said up to there. */
export type ProjectedPosition = TopicPartition & {
  /** Next offset to project. */
  readonly next: number;
  /** The chain of validity (records/validity.ts): epoch, and number of the last valid record. Empty and 0 for content. */
  readonly epoch: string;
  readonly n: number;
  /** Log time, milliseconds; 0 before the first record and for content. */
  readonly logAt: number;
  /** Next input that is not decided yet. */
  readonly decidedUpTo: number;
  /** The highest fence passed (engine.md §4, 7). */
  readonly generation: number;
};

/** A valid fact at its offset. */
export type PlacedFact = { readonly offset: number; readonly fact: Fact };

/** One fact partition goes on from `from` (the next offset it must still stand at) to `to`; void records are left out. */
export type FactAdvance = {
  readonly from: number;
  readonly to: ProjectedPosition;
  readonly facts: readonly PlacedFact[];
  /** Refusals of valid `decided` records, in their order. */
  readonly refused: readonly Refused[];
};

/** One content partition goes on. A null value: erased. */
export type ContentAdvance = {
  readonly from: number;
  readonly to: ProjectedPosition;
  readonly records: readonly { readonly id: string; readonly value: Uint8Array | null }[];
};

/** What cannot be folded: the partition has to stop before this offset until code that can is running. */
export type Unfoldable = TopicPartition & { readonly offset: number; readonly error: unknown };

/** What became of a batch: each partition of it stands in exactly one of the three. */
export type Outcome = {
  readonly applied: readonly TopicPartition[];
  /** Stood elsewhere: somebody else moved it. Nothing of it was written; load it and read on from there. */
  readonly stale: readonly TopicPartition[];
  /** Nothing of it was written. */
  readonly unfoldable: readonly Unfoldable[];
};

/**
 * Where the projector folds facts to (engine.md §5). Everything that one call applies, positions and rows, takes effect
 * together or not at all. Throws when the store is away: nothing is known then, so load before going on.
 */
export interface ProjectionStore {
  /** The positions as they stand; a partition that was never projected starts at 0. */
  load(partitions: readonly TopicPartition[]): Promise<readonly ProjectedPosition[]>;
  apply(batch: readonly FactAdvance[]): Promise<Outcome>;
  applyContent(batch: readonly ContentAdvance[]): Promise<Outcome>;
}

/** Where a partition starts. */
export const startOf = ({ topic, partition }: TopicPartition): ProjectedPosition => ({
  topic,
  partition,
  next: 0,
  epoch: '',
  n: 0,
  logAt: 0,
  decidedUpTo: 0,
  generation: 0,
});
