import type { AgentId, MemoryId } from '../ids.ts';
import { accept, type Context, type Decision, type Kind, refuse } from '../kernel.ts';
import type { MemoryAction } from './actions.ts';
import type { Genesis, MemoryEffect } from './effects.ts';

export type MemoryState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'valid';
      readonly author: AgentId;
      readonly version: number;
      readonly visibility: 'private' | 'public';
    }
  | { readonly status: 'withdrawn'; readonly author: AgentId };
type Existing = Exclude<MemoryState, { status: 'absent' }>;

export const evolve = (state: MemoryState, effect: MemoryEffect): MemoryState => {
  switch (effect.type) {
    case 'memory.created':
      return { status: 'valid', author: effect.author, version: 1, visibility: 'private' };
    case 'memory.born':
      return { status: 'valid', author: effect.genesis.author, version: 1, visibility: 'private' };
    case 'memory.updated':
      return { ...valid(state), version: effect.version };
    case 'memory.published':
      return { ...valid(state), visibility: 'public' };
    case 'memory.unpublished':
      return { ...valid(state), visibility: 'private' };
    case 'memory.withdrawn':
      return { status: 'withdrawn', author: valid(state).author };
  }
};

const valid = (state: MemoryState): Extract<MemoryState, { status: 'valid' }> => {
  if (state.status !== 'valid') throw new Error(`a fact on a Memory that is ${state.status}`);
  return state;
};

/** Decides an action on a Memory (§5). The first action on one born in an entry records where it came from (engine.md §8). */
export const decide = (state: MemoryState, action: MemoryAction, context: Context): Decision<MemoryEffect> => {
  if (context.inactive(context.agent)) return refuse('agent_inactive');
  if (action.type === 'memory.create') return create(state, action, context);
  const born = state.status === 'absent' && action.genesis !== undefined ? birth(action.genesis) : [];
  const decision = onExisting(born.reduce(evolve, state), action, context.agent as AgentId);
  return decision.kind === 'refused' ? decision : accept(...born, ...decision.effects);
};

const birth = (genesis: Genesis): readonly MemoryEffect[] => [{ type: 'memory.born', genesis }];

type Create = Extract<MemoryAction, { type: 'memory.create' }>;
const create = (state: MemoryState, { content }: Create, { object, agent }: Context): Decision<MemoryEffect> => {
  if (state.status !== 'absent') return refuse('wrong_state');
  return accept({ type: 'memory.created', memory: object as MemoryId, author: agent as AgentId, content });
};

const onExisting = (
  state: MemoryState,
  action: Exclude<MemoryAction, Create>,
  agent: AgentId,
): Decision<MemoryEffect> => {
  if (!knows(state, agent)) return refuse('not_found');
  if (agent !== state.author) return refuse('not_permitted');
  if (state.status === 'withdrawn') return refuse('memory_withdrawn');
  switch (action.type) {
    case 'memory.update':
      return accept({ type: 'memory.updated', version: state.version + 1, content: action.content });
    case 'memory.publish':
      return state.visibility === 'public' ? refuse('no_effect') : accept({ type: 'memory.published' });
    case 'memory.unpublish':
      return state.visibility === 'private' ? refuse('no_effect') : accept({ type: 'memory.unpublished' });
    case 'memory.withdraw':
      return accept({ type: 'memory.withdrawn' });
  }
};

/** Whether this agent may learn that the Memory exists: its author always, others while it is public (V-14). */
const knows = (state: MemoryState, agent: AgentId): state is Existing => {
  if (state.status === 'absent') return false;
  return agent === state.author || (state.status === 'valid' && state.visibility === 'public');
};

/** Memory: content with one author, in immutable versions (§5). */
export const memoryKind: Kind<MemoryState, MemoryAction, MemoryEffect> = {
  name: 'memory',
  initial: { status: 'absent' },
  evolve,
  decide,
  due: () => [],
  deactivate: () => [],
  ties: () => [],
  pieces: (state) => (state.status === 'absent' ? new Map() : new Map([['core', state]])),
  fromPieces: (pieces) => (pieces.get('core') as MemoryState | undefined) ?? { status: 'absent' },
};
