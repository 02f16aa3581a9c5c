import type { Lease, TopicPartition } from '@kungfu/log-port';
import type { ProjectedPosition } from '@kungfu/read-model';

/** A record that was read and counts, or void or control: where the partition stands after it, and what it holds. */
export type Waiting<Item> = {
  readonly after: ProjectedPosition;
  readonly item?: Item;
  readonly timestamp: number;
  readonly weight: number;
};

/** One partition that this instance projects. */
export class Followed<Item> {
  readonly place: TopicPartition;
  readonly lease: Lease;
  /** After the last record taken into a batch; absent while it has to be loaded. */
  position: ProjectedPosition | undefined;
  /** After the last record read. */
  read: ProjectedPosition | undefined;
  queue: Waiting<Item>[] = [];
  /** Whether the reader has been told to follow from `read`. */
  following = false;
  paused = false;
  /** Found to be what cannot be folded: stop when it is read again. */
  stopBefore: { readonly offset: number; readonly error: unknown } | undefined;
  stopped = false;

  constructor(place: TopicPartition, lease: Lease) {
    this.place = place;
    this.lease = lease;
  }

  /** Forgets what was read: the store says where to go on. */
  reset(): void {
    this.position = undefined;
    this.read = undefined;
    this.queue = [];
    this.following = false;
  }

  loaded(position: ProjectedPosition): void {
    this.position = position;
    this.read = position;
  }
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
