import {
  type AccountInput,
  type ActionInput,
  type AnyEffect,
  type Cause,
  type Context,
  type DecisionLimits,
  type Existing,
  type Fact,
  type Input,
  type RefusalCode,
  type Refused,
} from '@kungfu/protocol';
import type { ErasedKind, PartitionState } from './partition-state.ts';

/** An input of the partition: its place, its log timestamp and what it says. */
export type PlacedInput = { readonly offset: number; readonly timestamp: number; readonly input: Input };

/** What deciding one input came to. The facts are folded into the state's draft already. */
export type DecidedInput = { readonly facts: readonly Fact[]; readonly refused?: Refused };

/** A decision threw: a bug. The input is to be parked and reported; what had been folded before stands (engine.md §3). */
export type Failure = { readonly error: unknown };

export type Deciding = { readonly kind: ErasedKind; readonly limits: DecisionLimits };

/**
 * Decides one input on the draft of the partition's state, in the order of engine.md §3: binding, attempt, expiry, due
 * deadlines, then the kind's own order. Pure but for the draft: no clock, no randomness, nothing to wait for.
 */
export const decideInput = (
  state: PartitionState,
  placed: PlacedInput,
  deciding: Deciding,
  onFailure: (failure: Failure) => void,
): DecidedInput => {
  const facts: Fact[] = [];
  state.reach(placed.timestamp);
  const { at } = state;
  const batch: Batch = { state, at, deciding, facts, onFailure };
  switch (placed.input.kind) {
    case 'action': {
      const refused = decideAction(batch, placed.input);
      return refused === undefined ? { facts } : { facts, refused: refusal(placed.offset, placed.input, refused) };
    }
    case 'deadline': {
      const { object } = placed.input;
      attempt(batch, () => fireDue(batch, object));
      return { facts };
    }
    case 'account':
      decideAccount(batch, placed.input);
      return { facts };
    case 'fence':
      state.fence(placed.input.generation);
      return { facts };
  }
};

/** The refusal as `decided` records it. */
export const refusal = (
  offset: number,
  action: Pick<ActionInput, 'id' | 'attempt' | 'binding' | 'notAfter'>,
  code: RefusalCode,
): Refused => ({
  input: offset,
  action: action.id,
  attempt: action.attempt,
  binding: action.binding,
  code,
  notAfter: action.notAfter,
});

type Batch = {
  readonly state: PartitionState;
  readonly at: number;
  readonly deciding: Deciding;
  readonly facts: Fact[];
  readonly onFailure: (failure: Failure) => void;
};

/** Decides an action; the code if it is refused, nothing if it is accepted or was decided before. */
const decideAction = (batch: Batch, action: ActionInput): RefusalCode | undefined => {
  const { state, at } = batch;
  const bound = state.fingerprint(action.binding);
  if (bound !== undefined) return bound === action.fingerprint ? undefined : 'idempotency_conflict';
  if (action.attempt <= state.refusedAttempt(action.id)) return undefined;
  if (action.interrupted) return 'interrupted';
  if (at > action.notAfter || action.generation < state.generation) return 'expired';
  const fired = attempt(batch, () => fireDue(batch, action.object));
  return fired === 'failed' ? 'failed' : weigh(batch, action);
};

const weigh = (batch: Batch, action: ActionInput): RefusalCode | undefined => {
  const { state, at, deciding } = batch;
  const decision = attempt(batch, () => {
    const { state: object } = state.object(action.object);
    return deciding.kind.decide(object, action.payload, context(batch, action));
  });
  if (decision === 'failed') return 'failed';
  if (decision.kind === 'refused') return decision.code;
  const folded = attempt(batch, () =>
    record(
      batch,
      action.object,
      { ...causeOf(action) },
      decision.effects,
      { existing: decision.existing, content: action.content },
      at,
    ),
  );
  return folded === 'failed' ? 'failed' : undefined;
};

const context = ({ state, at, deciding }: Batch, action: ActionInput): Context => ({
  object: action.object,
  agent: action.agent,
  at,
  inactive: (agent) => state.account(agent).inactive || (action.inactive ?? []).some((named) => named === agent),
  limits: deciding.limits,
});

const causeOf = ({ id, attempt: number, agent, payload, binding, fingerprint }: ActionInput): Cause => ({
  kind: 'action',
  id,
  attempt: number,
  agent,
  action: payload.type,
  binding,
  fingerprint,
});

/** Each due deadline is a fact of its own, in the order of due time, then number (L4-3, K-15). */
const fireDue = (batch: Batch, object: string): void => {
  const { state, at, deciding } = batch;
  for (const { dueAt, effects } of deciding.kind.due(state.object(object).state, at)) {
    record(batch, object, { kind: 'deadline', dueAt }, effects, {}, at);
  }
};

/**
 * Applies a step of an account walk: first the agent becomes inactive (or active) in this partition, then each object that
 * knows it gets its fact, last comes the closing fact. Only that one records the walk as applied, so a walk that was cut
 * off goes on where it stopped (engine.md §6, A-4, A-6, A-7).
 */
const decideAccount = (batch: Batch, input: AccountInput): void => {
  if (input.step === 'complete') return void attempt(batch, () => completeWalk(batch, input));
  if (input.walk <= batch.state.account(input.agent).applied) return;
  attempt(batch, () => (input.change === 'deactivate' ? deactivate(batch, input) : activate(batch, input)));
};

const deactivate = (batch: Batch, input: AccountInput): void => {
  const { state, at, deciding } = batch;
  const { agent, walk } = input;
  if (!state.account(agent).inactive) onAccount(batch, input, [{ type: 'account.inactive', agent, walk }]);
  for (const object of state.tied(agent)) {
    fireDue(batch, object);
    const effects = deciding.kind.deactivate(state.object(object).state, agent, at);
    if (effects.length > 0) record(batch, object, walkCause(input), effects, {}, at);
  }
  onAccount(batch, input, [{ type: 'account.applied', agent, walk }]);
};

const activate = (batch: Batch, input: AccountInput): void => {
  const { agent, walk } = input;
  onAccount(batch, input, [
    { type: 'account.active', agent, walk },
    { type: 'account.applied', agent, walk },
  ]);
};

const completeWalk = (batch: Batch, input: AccountInput): void => {
  const effects = batch.deciding.kind.completeWalk?.(batch.state.object(input.agent).state, input.walk) ?? [];
  if (effects.length > 0) record(batch, input.agent, walkCause(input), effects, {}, batch.at);
};

const onAccount = (batch: Batch, input: AccountInput, effects: readonly AnyEffect[]): void =>
  record(batch, input.agent, walkCause(input), effects, {}, batch.at);

const walkCause = ({ agent, walk, change }: AccountInput): Cause => ({ kind: 'account', agent, walk, change });

type Extras = { readonly existing?: Existing | undefined; readonly content?: Fact['content'] | undefined };

const record = (
  { state, deciding, facts }: Batch,
  object: string,
  cause: Cause,
  effects: readonly AnyEffect[],
  extras: Extras,
  at: number,
): void => {
  const fact: Fact = {
    object: { kind: deciding.kind.name, id: object },
    revision: state.object(object).revision + 1,
    at,
    cause,
    effects: [...effects],
    ...(extras.existing === undefined ? {} : { existing: extras.existing }),
    ...(extras.content === undefined ? {} : { content: extras.content }),
  };
  state.foldFact(fact);
  facts.push(fact);
};

/** Runs a part of a decision; a throw is a bug that costs this input only. */
const attempt = <T>(batch: Batch, part: () => T): T | 'failed' => {
  try {
    return part();
  } catch (error) {
    batch.onFailure({ error });
    return 'failed';
  }
};
