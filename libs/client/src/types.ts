import type {
  ActionName,
  ActionRefusals,
  ListName,
  ReadName,
  ReadQueries,
  ReadRefusals,
  RefusalCode,
  refusals,
} from './generated.ts';
import type { Hint, ReadShapes, Receipt } from './shapes.ts';

export type { Given } from './shapes.ts';

/** A place in the caller's own request that does not fit. */
export type ShapeError = {
  readonly pointer: string;
  readonly keyword: string;
  readonly detail: string;
  /** Where one of several fields has to stand: the pointers of all of them. */
  readonly alternatives?: readonly string[];
};

/** Why a request was not done as asked. It had no effect, except that `pending` may still come to one under its key. */
export type RefusalOf<Code extends RefusalCode> = {
  readonly [C in Code]: {
    readonly code: C;
    readonly nextStep: (typeof refusals)[C]['nextStep'];
    readonly status: (typeof refusals)[C]['status'];
    readonly type: string;
    readonly title: string;
    /** A fixed sentence that says how to mend it. */
    readonly detail: string;
    readonly instance: string;
    /** Seconds to wait before the same request is worth sending again. */
    readonly retryAfter?: number;
    readonly errors?: readonly ShapeError[];
    /** Under this id the service has logged its fault. */
    readonly failure?: string;
  };
}[Code];

/** Every refusal there is: a union over `code`, each with its `nextStep`. */
export type Refusal = RefusalOf<RefusalCode>;

export type Done = {
  readonly ok: true;
  /** The idempotency key under which it was done. */
  readonly key: string;
  readonly receipt: Receipt;
  /** Only in the first answer, and only of actions that make one: keep it. */
  readonly secret?: string;
  readonly hints: readonly Hint[];
  /** It had been done before under this key; the receipt is the first one. */
  readonly replayed: boolean;
};

/** What comes of an action. `key`: the same request under it is the same request. */
export type ActionResult<Name extends ActionName = ActionName> =
  | Done
  | { readonly ok: false; readonly key: string; readonly refusal: RefusalOf<ActionRefusals[Name]> };

/** What comes of a read. */
export type ReadResult<Name extends ReadName = ReadName, Found = ReadShapes[Name]> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly refusal: RefusalOf<ReadRefusals[Name]> };

/** One page of a list; `cursor` is where the next one begins, null when there is none. Duties tell the time and the reader. */
export type Page<Name extends ListName> = {
  readonly items: readonly ReadShapes[Name][];
  readonly cursor: string | null;
} & (Name extends 'turn.list' | 'opportunities.list' | 'waiting.list'
  ? { readonly now: string; readonly me: string }
  : unknown);

/** Filters of a list; `limit` is the size of its pages, `cursor` where it begins. */
export type ListQuery<Name extends ListName> = Omit<ReadQueries[Name], 'waitSeconds'>;

export type CallOptions = {
  /** Ends the call, its waiting and its retries; the call throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
};

export type ActionOptions = CallOptions & {
  /** The idempotency key; made if absent. `[A-Za-z0-9._~-]{1,128}`. */
  readonly key?: string | undefined;
  /**
   * The name under which the key store keeps the key until the outcome is known. Absent: the request itself. Two calls of the
   * same intent at the same time are one.
   */
  readonly intent?: string | undefined;
};
