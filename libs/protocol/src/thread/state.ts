import { append, type Chunks, countOf, nth, replace } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import type { Role, ThreadEffect } from './effects.ts';

/** A current member. `pending` are the entries it owes a response to, in the order in which they arose. */
export type Member = {
  readonly membership: number;
  readonly agent: AgentId;
  readonly role: Role;
  readonly pending: readonly number[];
};

type Contract = {
  readonly assignment: number;
  readonly entry: number;
  readonly creator: AgentId;
  readonly assignee: AgentId;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
};
/** An assignment that has not ended. Times are log time in milliseconds. */
export type Live = Contract &
  (
    | { readonly status: 'untaken' }
    | { readonly status: 'taken'; readonly deliverBy: number }
    /** `judge` is absent once the right to judge is forfeited (T-15). */
    | { readonly status: 'delivered'; readonly judgeBy: number; readonly judge?: AgentId }
  );

/** What is still to be known of an assignment that has ended: whose it was, and whether a deadline ended it. */
export type Ended = {
  readonly creator: AgentId;
  readonly assignee: AgentId;
  readonly byDeadline: boolean;
  /** The right to judge was forfeited before (T-15, T-16). */
  readonly forfeited?: true;
};

export type Existing = {
  readonly status: 'open' | 'closed';
  readonly members: ReadonlyMap<AgentId, Member>;
  /** Agent of each membership there has ever been. */
  readonly memberships: Chunks<AgentId>;
  /** The live grant, if there is one (T-3). */
  readonly grant?: { readonly grant: number; readonly role: Role; readonly hash: string };
  readonly grants: number;
  /** Membership under which each entry was posted. */
  readonly entries: Chunks<number>;
  /** Null while it is live. */
  readonly assignments: Chunks<Ended | null>;
  readonly live: ReadonlyMap<number, Live>;
  readonly openResponses: number;
};
export type ThreadState = { readonly status: 'absent' } | Existing;

export const evolve = (state: ThreadState, effect: ThreadEffect): ThreadState => {
  if (effect.type === 'thread.created') return created(effect.creator);
  const thread = existing(state);
  switch (effect.type) {
    case 'grant.issued':
      return { ...thread, grants: effect.grant, grant: { grant: effect.grant, role: effect.role, hash: effect.hash } };
    case 'grant.voided':
      return withoutGrant(thread);
    case 'member.joined':
      return joined(thread, effect);
    case 'member.role-set':
      return withMember(thread, { ...memberOf(thread, effect.agent), role: effect.role });
    case 'membership.ended':
      return withoutMember(thread, effect.agent);
    case 'entry.posted':
      return { ...thread, entries: append(thread.entries, effect.membership) };
    case 'memory.created':
      return thread;
    case 'response.owed':
      return owed(thread, effect.agent, effect.entry);
    case 'response.ended':
      return answered(thread, effect.agent, effect.entry);
    case 'assignment.created':
      return { ...thread, assignments: append(thread.assignments, null), live: with_(thread.live, untaken(effect)) };
    case 'assignment.taken':
      return {
        ...thread,
        live: with_(thread.live, {
          ...contract(thread, effect.assignment),
          status: 'taken',
          deliverBy: effect.deliverBy,
        }),
      };
    case 'assignment.delivered':
      return {
        ...thread,
        live: with_(thread.live, {
          ...contract(thread, effect.assignment),
          status: 'delivered',
          judgeBy: effect.judgeBy,
          judge: effect.judge,
        }),
      };
    case 'assignment.adopted':
      return ended(thread, effect.assignment, false);
    case 'assignment.rejected':
      return ended(thread, effect.assignment, false);
    case 'assignment.dropped':
      return ended(thread, effect.assignment, false);
    case 'assignment.voided':
      return ended(thread, effect.assignment, false);
    case 'assignment.timed-out':
      return ended(thread, effect.assignment, true);
    case 'assignment.undecided':
      return ended(thread, effect.assignment, true);
    case 'judgment.forfeited':
      return forfeited(thread, effect.assignment);
    case 'thread.closed':
      return { ...withoutGrant(thread), status: 'closed' };
  }
};

const created = (creator: AgentId): Existing => ({
  status: 'open',
  members: new Map([[creator, { membership: 1, agent: creator, role: 'governor', pending: [] }]]),
  memberships: [[creator]],
  grants: 0,
  entries: [],
  assignments: [],
  live: new Map(),
  openResponses: 0,
});

const existing = (state: ThreadState): Existing => {
  if (state.status === 'absent') throw new Error('a fact on a thread that is absent');
  return state;
};

const memberOf = (thread: Existing, agent: AgentId): Member => {
  const member = thread.members.get(agent);
  if (member === undefined) throw new Error(`a fact on ${agent}, which is no member`);
  return member;
};

const withMember = (thread: Existing, member: Member): Existing => ({
  ...thread,
  members: new Map(thread.members).set(member.agent, member),
});

type Joined = Extract<ThreadEffect, { type: 'member.joined' }>;
const joined = (thread: Existing, { agent, membership, role }: Joined): Existing => ({
  ...withMember(thread, { membership, agent, role, pending: [] }),
  memberships: append(thread.memberships, agent),
});

const withoutMember = (thread: Existing, agent: AgentId): Existing => {
  const members = new Map(thread.members);
  members.delete(agent);
  return { ...thread, members };
};

const withoutGrant = ({ grant: _, ...thread }: Existing): Existing => thread;

const owed = (thread: Existing, agent: AgentId, entry: number): Existing => {
  const member = memberOf(thread, agent);
  return {
    ...withMember(thread, { ...member, pending: [...member.pending, entry] }),
    openResponses: thread.openResponses + 1,
  };
};

const answered = (thread: Existing, agent: AgentId, entry: number): Existing => {
  const member = memberOf(thread, agent);
  if (!member.pending.includes(entry)) throw new Error(`a response of ${agent} to entry ${entry} ends twice`);
  return {
    ...withMember(thread, { ...member, pending: member.pending.filter((e) => e !== entry) }),
    openResponses: thread.openResponses - 1,
  };
};

type Created = Extract<ThreadEffect, { type: 'assignment.created' }>;
const untaken = ({ assignment, entry, creator, assignee, deliverySeconds, judgmentSeconds }: Created): Live => ({
  status: 'untaken',
  assignment,
  entry,
  creator,
  assignee,
  deliverySeconds,
  judgmentSeconds,
});

const with_ = (live: ReadonlyMap<number, Live>, assignment: Live): ReadonlyMap<number, Live> =>
  new Map(live).set(assignment.assignment, assignment);

const contract = (thread: Existing, n: number): Contract => {
  const { assignment, entry, creator, assignee, deliverySeconds, judgmentSeconds } = liveOf(thread, n);
  return { assignment, entry, creator, assignee, deliverySeconds, judgmentSeconds };
};

const liveOf = (thread: Existing, n: number): Live => {
  const live = thread.live.get(n);
  if (live === undefined) throw new Error(`a fact on assignment ${n}, which is not live`);
  return live;
};

const ended = (thread: Existing, n: number, byDeadline: boolean): Existing => {
  const one = liveOf(thread, n);
  const { creator, assignee } = one;
  const live = new Map(thread.live);
  live.delete(n);
  const over: Ended = { creator, assignee, byDeadline, ...(isForfeited(one) ? { forfeited: true } : {}) };
  return { ...thread, live, assignments: replace(thread.assignments, n, over) };
};

const forfeited = (thread: Existing, n: number): Existing => {
  const live = liveOf(thread, n);
  if (live.status !== 'delivered') throw new Error(`the judgment of assignment ${n} is forfeited before delivery`);
  const { judge: _, ...rest } = live;
  return { ...thread, live: with_(thread.live, rest) };
};

// Questions about the state that deciders ask.

/** Nobody judges it any more, nor ever will, its creator back in the thread included (T-15, T-16). */
export const isForfeited = (one: Live | Ended): boolean =>
  'status' in one ? one.status === 'delivered' && one.judge === undefined : one.forfeited === true;

export const maySpeak = (member: Member | undefined): boolean => member !== undefined && member.role !== 'observer';
export const governors = (thread: Existing): number =>
  [...thread.members.values()].filter(({ role }) => role === 'governor').length;
export const entryExists = (thread: Existing, entry: number): boolean => entry <= countOf(thread.entries);
export const membershipOfEntry = (thread: Existing, entry: number): number => nth(thread.entries, entry)!;
export const authorOf = (thread: Existing, entry: number): AgentId =>
  nth(thread.memberships, membershipOfEntry(thread, entry))!;
export const nextOf = <T>(chunks: Chunks<T>): number => countOf(chunks) + 1;

// The state in pieces for a store.

type Core = Omit<Existing, 'members' | 'live' | 'memberships' | 'entries' | 'assignments'> & {
  readonly members: readonly Member[];
  readonly live: readonly Live[];
};
const lists = ['memberships', 'entries', 'assignments'] as const;

export const pieces = (state: ThreadState): ReadonlyMap<string, unknown> => {
  if (state.status === 'absent') return new Map();
  const { members, live, memberships, entries, assignments, ...rest } = state;
  const core: Core = { ...rest, members: [...members.values()], live: [...live.values()] };
  const all = new Map<string, unknown>([['core', core]]);
  for (const list of lists) state[list].forEach((chunk, i) => void all.set(`${list}.${i}`, chunk));
  return all;
};

export const fromPieces = (all: ReadonlyMap<string, unknown>): ThreadState => {
  const core = all.get('core') as Core | undefined;
  if (core === undefined) return { status: 'absent' };
  const list = <T>(name: string): Chunks<T> => {
    const chunks: (readonly T[])[] = [];
    for (let i = 0; all.has(`${name}.${i}`); i++) chunks.push(all.get(`${name}.${i}`) as readonly T[]);
    return chunks;
  };
  return {
    ...core,
    members: new Map(core.members.map((m) => [m.agent, m])),
    live: new Map(core.live.map((a) => [a.assignment, a])),
    memberships: list('memberships'),
    entries: list('entries'),
    assignments: list('assignments'),
  };
};
