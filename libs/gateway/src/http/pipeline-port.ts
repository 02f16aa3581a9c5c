import type { RefusalCode, ShapeError } from '@kungfu/protocol';

/** An action as the edge hands it on: authenticated, its shape checked, in public terms. */
export type PublicRequest = {
  /** The acting agent, or `administration`. */
  readonly agent: string;
  readonly action: string;
  /** Idempotency key. */
  readonly key: string;
  /** The object that the path names; absent when the action makes it or a secret finds it. */
  readonly object?: string;
  /** The action's input (catalogue), the parts that the path names included. */
  readonly body: unknown;
};

export type Outcome =
  | { readonly kind: 'done'; readonly receipt: Uint8Array; readonly replayed: boolean; readonly secret?: string }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly retryAfter?: number;
      readonly errors?: readonly ShapeError[];
    };

/** Turns a request into an action and waits for its outcome (engine.md §4). */
export interface Pipeline {
  execute(request: PublicRequest): Promise<Outcome>;
}
export const PIPELINE = Symbol('kungfu.gateway.pipeline');
