import {
  type AnyEffect,
  accept,
  type ActionInput,
  type Input,
  type Kind,
  type MemoryAction,
  type MemoryEffect,
  refuse,
} from '@kungfu/protocol';
import { erase } from '../partition-state.ts';

export type ToyState = { readonly versions: number; readonly dueAt?: number; readonly ended: number };

/**
 * A kind made for the owner's specs, spelled with Memory's words: create and update count versions, publish starts a deadline
 * of one second, unpublish is a decision that throws, withdraw is always refused.
 */
const toy: Kind<ToyState, MemoryAction, MemoryEffect> = {
  name: 'memory',
  initial: { versions: 0, ended: 0 },
  evolve: (state, effect, at) => {
    switch (effect.type) {
      case 'memory.created':
        return { ...state, versions: 1 };
      case 'memory.updated':
        return { ...state, versions: effect.version };
      case 'memory.published':
        return { ...state, dueAt: at + 1_000 };
      case 'memory.unpublished':
      case 'memory.born':
        return state;
      case 'memory.withdrawn':
        return { versions: state.versions, ended: state.ended + 1 };
    }
  },
  decide: (state, action, { agent, object, inactive }) => {
    if (inactive(agent)) return refuse('agent_inactive');
    switch (action.type) {
      case 'memory.create':
        return state.versions > 0
          ? refuse('wrong_state')
          : accept({
              type: 'memory.created',
              memory: object as `memory_${string}`,
              author: agent as `agent_${string}`,
              content: action.content,
            });
      case 'memory.update':
        return accept({ type: 'memory.updated', version: state.versions + 1, content: action.content });
      case 'memory.publish':
        return accept({ type: 'memory.published' });
      case 'memory.unpublish':
        throw new Error('a bug in a decision');
      case 'memory.withdraw':
        return refuse('wrong_state');
    }
  },
  due: (state, at) =>
    state.dueAt !== undefined && state.dueAt <= at
      ? [{ dueAt: state.dueAt, effects: [{ type: 'memory.withdrawn' }] }]
      : [],
  deactivate: (state) => (state.versions > 0 ? [{ type: 'memory.unpublished' }] : []),
  ties: (effect) => (effect.type === 'memory.created' ? [effect.author] : []),
  pieces: (state) => new Map<string, unknown>([['core', state]]),
  fromPieces: (pieces) => pieces.get('core') as ToyState,
};
export const toyKind = erase(toy);

const suffix = (n: number): string => String(n).padStart(26, '0');
export const agentOf = (n: number): `agent_${string}` => `agent_${suffix(n)}`;
export const memoryOf = (n: number): `memory_${string}` => `memory_${suffix(n)}`;
const hex = (n: number): string => n.toString(16).padStart(64, '0');
export const content = { id: `content_${suffix(1)}` as const, bytes: 3, sha256: hex(7) };

type Overrides = Partial<Omit<ActionInput, 'kind' | 'payload'>>;

/** The n-th action: by default of agent 1 on memory 1, under its own key, far from expiry. */
export const toyAction = (n: number, type: MemoryAction['type'], overrides: Overrides = {}): Input => ({
  kind: 'action',
  id: `action_${suffix(n)}`,
  attempt: 1,
  object: memoryOf(1),
  agent: agentOf(1),
  binding: hex(n),
  fingerprint: `v1:${hex(n)}`,
  notAfter: 9_000_000_000_000,
  generation: 0,
  payload: type === 'memory.create' || type === 'memory.update' ? { type, content } : { type },
  ...overrides,
});

export const effectsOf = (facts: readonly { readonly effects: readonly AnyEffect[] }[]): readonly string[] =>
  facts.flatMap(({ effects }) => effects.map(({ type }) => type));
