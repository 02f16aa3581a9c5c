import type { TopicPartition } from '@kungfu/log-port';

/** What the projector tells about itself. Whoever observes must not throw. */
export type ProjectorEvent =
  | {
      readonly type: 'applied';
      readonly lane: 'facts' | 'content';
      readonly partitions: number;
      /** Facts, or contents. */
      readonly items: number;
      readonly refused: number;
      /** Age of the newest record applied, by this instance's clock, milliseconds. */
      readonly lagMs: number;
      readonly tookMs: number;
    }
  /** Somebody else moved the partition; it is loaded again. */
  | { readonly type: 'stale'; readonly partition: TopicPartition }
  /** Store or log are away; it is tried again. */
  | { readonly type: 'failed'; readonly during: 'reading' | 'applying'; readonly error: unknown }
  /** The partition has stopped before this offset and needs attention; facts are never skipped. */
  | { readonly type: 'alarm'; readonly partition: TopicPartition; readonly offset: number; readonly error: unknown };
export type Observe = (event: ProjectorEvent) => void;
