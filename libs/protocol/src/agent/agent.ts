import { administration, type KeyId } from '../ids.ts';
import { accept, type Context, type Decision, type Kind, refuse } from '../kernel.ts';
import type { AgentAction } from './actions.ts';
import type { AgentEffect } from './effects.ts';

export type AgentStatus = 'active' | 'deactivating' | 'deactivated' | 'activating';
type Account = {
  readonly labels: readonly string[];
  readonly keys: Readonly<Record<string, 'live' | 'revoked'>>;
  readonly walk: number;
};
export type AgentState = { readonly status: 'absent' } | (Account & { readonly status: AgentStatus });
type Existing = Exclude<AgentState, { status: 'absent' }>;

export const evolve = (state: AgentState, effect: AgentEffect): AgentState => {
  if (effect.type === 'agent.created') return { status: 'active', labels: [], keys: {}, walk: 0 };
  const account = existing(state);
  switch (effect.type) {
    case 'agent.labels-set':
      return { ...account, labels: effect.labels };
    case 'agent.key-issued':
      return { ...account, keys: { ...account.keys, [effect.key]: 'live' } };
    case 'agent.key-revoked':
      return { ...account, keys: { ...account.keys, [effect.key]: 'revoked' } };
    case 'agent.deactivating':
      return { ...account, status: 'deactivating', walk: effect.walk };
    case 'agent.deactivated':
      return { ...account, status: 'deactivated' };
    case 'agent.activating':
      return { ...account, status: 'activating', walk: effect.walk };
    case 'agent.activated':
      return { ...account, status: 'active' };
  }
};

const existing = (state: AgentState): Existing => {
  if (state.status === 'absent') throw new Error('a fact on an agent that is absent');
  return state;
};

/** Decides an action on an account; only the administration acts on accounts. */
export const decide = (state: AgentState, action: AgentAction, { agent }: Context): Decision<AgentEffect> => {
  if (agent !== administration) return refuse('not_found');
  if (action.type === 'agent.create') return create(state, action);
  return state.status === 'absent' ? refuse('not_found') : onExisting(state, action);
};

type Create = Extract<AgentAction, { type: 'agent.create' }>;
const create = (state: AgentState, { labels, key, hash }: Create): Decision<AgentEffect> => {
  if (state.status !== 'absent') return refuse('wrong_state');
  const labelled: readonly AgentEffect[] =
    labels.length === 0 ? [] : [{ type: 'agent.labels-set', labels: sorted(labels) }];
  return accept({ type: 'agent.created' }, ...labelled, { type: 'agent.key-issued', key, hash });
};

const onExisting = (account: Existing, action: Exclude<AgentAction, Create>): Decision<AgentEffect> => {
  switch (action.type) {
    case 'agent.issue-key':
      return accept({ type: 'agent.key-issued', key: action.key, hash: action.hash });
    case 'agent.revoke-key':
      return revokeKey(account, action.key);
    case 'agent.set-labels':
      return setLabels(account, action.labels);
    case 'agent.deactivate':
      return deactivate(account, action);
    case 'agent.activate':
      return activate(account, action);
  }
};

const revokeKey = ({ keys }: Existing, key: KeyId): Decision<AgentEffect> => {
  if (!Object.hasOwn(keys, key)) return refuse('not_found');
  return keys[key] === 'revoked' ? refuse('no_effect') : accept({ type: 'agent.key-revoked', key });
};

const sorted = (labels: readonly string[]): string[] => [...new Set(labels)].sort();

const setLabels = (account: Existing, labels: readonly string[]): Decision<AgentEffect> => {
  const next = sorted(labels);
  const same = next.length === account.labels.length && next.every((label, i) => label === account.labels[i]);
  return same ? refuse('no_effect') : accept({ type: 'agent.labels-set', labels: next });
};

/** Begins the walk through all partitions; until it is complete nothing else may begin (engine.md §6). */
const deactivate = (
  { status, walk }: Existing,
  { partitions }: Extract<AgentAction, { type: 'agent.deactivate' }>,
): Decision<AgentEffect> => {
  switch (status) {
    case 'active':
      return accept({ type: 'agent.deactivating', walk: walk + 1, partitions });
    case 'deactivated':
      return refuse('no_effect');
    case 'deactivating':
    case 'activating':
      return refuse('wrong_state');
  }
};

const activate = (
  { status, walk }: Existing,
  { partitions }: Extract<AgentAction, { type: 'agent.activate' }>,
): Decision<AgentEffect> => {
  switch (status) {
    case 'deactivated':
      return accept({ type: 'agent.activating', walk: walk + 1, partitions });
    case 'active':
      return refuse('no_effect');
    case 'deactivating':
    case 'activating':
      return refuse('wrong_state');
  }
};

/** All partitions have passed the walk; one that is not the running one changes nothing. */
const completeWalk = (state: AgentState, walk: number): readonly AgentEffect[] =>
  state.status === 'absent' || state.walk !== walk ? [] : completed(state.status, walk);

const completed = (status: AgentStatus, walk: number): readonly AgentEffect[] => {
  switch (status) {
    case 'deactivating':
      return [{ type: 'agent.deactivated', walk }];
    case 'activating':
      return [{ type: 'agent.activated', walk }];
    case 'active':
    case 'deactivated':
      return [];
  }
};

/** The agent account (§4). */
export const agentKind: Kind<AgentState, AgentAction, AgentEffect> = {
  name: 'agent',
  initial: { status: 'absent' },
  evolve,
  decide,
  due: () => [],
  deactivate: () => [],
  completeWalk,
  ties: () => [],
  pieces: (state) => (state.status === 'absent' ? new Map() : new Map([['core', state]])),
  fromPieces: (pieces) => (pieces.get('core') as AgentState | undefined) ?? { status: 'absent' },
};
