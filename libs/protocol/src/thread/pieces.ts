import type { Chunks } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import type { Closed, Membership, Open, ThreadState } from './state.ts';

const lists = ['memberships', 'entries', 'assignments'] as const;

/** The state as pieces for a store: the core under the name of its status, and each chunk of each list. */
export const pieces = (state: ThreadState): ReadonlyMap<string, unknown> => {
  const all = new Map<string, unknown>();
  if (state.status === 'absent') return all;
  all.set(state.status, state.core);
  for (const list of lists) state[list].forEach((chunk, i) => all.set(`${list}.${i}`, chunk));
  return all;
};

/** The state of which these are the pieces. */
export const fromPieces = (all: ReadonlyMap<string, unknown>): ThreadState => {
  const memberships = listOf<Membership>(all, 'memberships');
  const shared = {
    memberships,
    entries: listOf<number>(all, 'entries'),
    assignments: listOf<Open['assignments'][number][number]>(all, 'assignments'),
    current: currentOf(memberships),
  };
  if (all.has('open')) return { status: 'open', core: all.get('open') as Open['core'], ...shared };
  if (all.has('closed')) return { status: 'closed', core: all.get('closed') as Closed['core'], ...shared };
  return { status: 'absent' };
};

const listOf = <T>(all: ReadonlyMap<string, unknown>, list: (typeof lists)[number]): Chunks<T> => {
  const chunks: (readonly T[])[] = [];
  while (all.has(`${list}.${chunks.length}`)) chunks.push(all.get(`${list}.${chunks.length}`) as readonly T[]);
  return chunks;
};

const currentOf = (memberships: Chunks<Membership>): ReadonlyMap<AgentId, number> =>
  new Map(memberships.flat().flatMap((m) => (m.status === 'current' ? [[m.agent, m.membership] as const] : [])));
