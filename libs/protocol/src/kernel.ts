import type { EngagementId } from './ids.ts';
import type { AkepLimits } from './limits.ts';
import type { RefusalCode } from './refusals.ts';

/** What a decider hands back: the effects to record, or the reason why nothing is (L2-3). */
export type Decision<Effect> =
  | {
      readonly kind: 'accepted';
      readonly effects: readonly Effect[];
      /** Only for the two successes without effects (L2-4): what was there already. */
      readonly existing?: Existing;
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode };

/** What a success without effects found (L2-4). */
export type Existing =
  | {
      readonly type: 'membership';
      readonly membership: number;
      readonly role: 'observer' | 'speaker' | 'governor';
    }
  | { readonly type: 'engagement'; readonly engagement: EngagementId; readonly number: number };

/** A deadline that is due: when it was due, and the effects of its passing. Each becomes a fact of its own (L4-3). */
export type Fired<Effect> = { readonly dueAt: number; readonly effects: readonly Effect[] };

/** Everything about an action that is not its payload. Times are milliseconds since the epoch. */
export type Context = {
  /** The object decided on. */
  readonly object: string;
  /** The acting agent; `administration` for actions of the administration interface. */
  readonly agent: string;
  /** Log time: when the log accepted the action for this object (L4-3). */
  readonly at: number;
  /** Whether an agent is known to this partition as deactivated, or being so. */
  readonly inactive: (agent: string) => boolean;
  readonly limits: DecisionLimits;
};

/** The capacities that deciders check (L4-4); configurable, see limits.ts. Those of AKEP have their defaults where none is given. */
export type DecisionLimits = {
  readonly membersMax: number;
  readonly openResponsesMax: number;
  readonly liveAssignmentsMax: number;
  readonly openEngagementsMax: number;
} & Partial<AkepLimits>;

/**
 * One kind of object: pure and synchronous. Ids, time, pins, labels and hashes come with the action (engine.md §3).
 *
 * `decide` weighs, in this order: account, right to know the object, part, permission, state, target, capacity, what the
 * gateway stamped. The owner has looked at binding, attempt, expiry and due deadlines before.
 */
export type Kind<State, Action, Effect> = {
  readonly name: KindName;
  readonly initial: State;
  readonly evolve: (state: State, effect: Effect, at: number) => State;
  readonly decide: (state: State, action: Action, context: Context) => Decision<Effect>;
  /** The deadlines due at log time `at` (dueAt <= at), in the order of due time, then of their number (K-15). */
  readonly due: (state: State, at: number) => readonly Fired<Effect>[];
  /** What the deactivation of an agent does to this object; empty if nothing. */
  readonly deactivate: (state: State, agent: string, at: number) => readonly Effect[];
  /** Only for accounts: the effects of a walk that all partitions have passed (engine.md §6). */
  readonly completeWalk?: (state: State, walk: number) => readonly Effect[];
  /** The agents that an effect ties to the object, so that the account walk finds it again. */
  readonly ties: (effect: Effect) => readonly string[];
  /** The state as pieces of bounded size for a store; a piece that has not changed is the same reference as before. */
  readonly pieces: (state: State) => ReadonlyMap<string, unknown>;
  readonly fromPieces: (pieces: ReadonlyMap<string, unknown>) => State;
};

/** The kinds of Kungfu. */
export type KungfuKind = 'agent' | 'memory' | 'thread' | 'task';
/** The kinds of AKEP: on the same engine, without a part in Kungfu's rules (B-3). */
export type AkepKind = 'akep.inbox';
export type KindName = KungfuKind | AkepKind;

export const accept = <E>(...effects: readonly E[]): Decision<E> => ({ kind: 'accepted', effects });
export const refuse = (code: RefusalCode): Decision<never> => ({ kind: 'refused', code });
