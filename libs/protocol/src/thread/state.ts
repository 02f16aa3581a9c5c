import { append, type Chunks, nth, replace } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import type { Role, ThreadEffect } from './effects.ts';

/** A current member. `pending` are the entries it owes a response to, in the order in which they arose. */
export type Member = {
  readonly status: 'current';
  readonly membership: number;
  readonly agent: AgentId;
  readonly role: Role;
  readonly pending: readonly number[];
};
/** Of a membership that has ended nothing is left but whose it was (T-16). */
export type Membership = Member | { readonly status: 'ended'; readonly agent: AgentId };

type Contract = {
  readonly assignment: number;
  readonly entry: number;
  readonly creator: AgentId;
  readonly assignee: AgentId;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
};
/** An assignment that has not ended. Times are log time in milliseconds. */
export type Live =
  | (Contract & { readonly status: 'untaken' })
  | (Contract & { readonly status: 'taken'; readonly deliverBy: number })
  /** `forfeited`: the creator no longer judges it (T-15). */
  | (Contract & { readonly status: 'delivered'; readonly judgeBy: number; readonly forfeited: boolean });

/** What is still to be known of an assignment that has ended: whose it was, and what ended it. */
export type Ended = {
  readonly status: 'ended';
  readonly creator: AgentId;
  readonly assignee: AgentId;
  readonly by: 'action' | 'deadline';
  readonly forfeited: boolean;
};
export type Assignment = Live | Ended;

export type Grant = { readonly grant: number; readonly role: Role; readonly hash: string };

/** `live` are the numbers of the assignments that have not ended, rising. */
type Core = { readonly grants: number; readonly live: readonly number[]; readonly openResponses: number };
type Lists = {
  readonly memberships: Chunks<Membership>;
  /** Membership under which each entry was posted. */
  readonly entries: Chunks<number>;
  readonly assignments: Chunks<Assignment>;
  /** Membership of each current member; follows from `memberships`. */
  readonly current: ReadonlyMap<AgentId, number>;
};
/** Only an open thread can have a live grant (T-3, T-60). */
export type Open = Lists & { readonly status: 'open'; readonly core: Core & { readonly grant?: Grant } };
export type Closed = Lists & { readonly status: 'closed'; readonly core: Core };
export type Existing = Open | Closed;
export type ThreadState = { readonly status: 'absent' } | Existing;

/** Folds one effect. It copies a chunk of each list at most, however long the thread is. Throws on a fact that cannot be. */
export const evolve = (state: ThreadState, effect: ThreadEffect): ThreadState =>
  effect.type === 'thread.created' ? created(effect.creator) : evolveExisting(existing(state), effect);

/** Folds effects on a thread that exists. */
export const evolveExisting = (thread: Existing, effect: Exclude<ThreadEffect, { type: 'thread.created' }>): Existing => {
  switch (effect.type) {
    case 'grant.issued': return granted(open(thread), effect);
    case 'grant.voided': return withoutGrant(open(thread));
    case 'member.joined': return joined(thread, effect);
    case 'member.role-set': return withMember(thread, { ...memberOf(thread, effect.agent), role: effect.role });
    case 'membership.ended': return withoutMember(thread, memberOf(thread, effect.agent));
    case 'entry.posted': return { ...thread, entries: append(thread.entries, effect.entry, effect.membership) };
    case 'memory.created': return thread;
    case 'response.owed': return owed(thread, memberOf(thread, effect.agent), effect.entry);
    case 'response.ended': return answered(thread, memberOf(thread, effect.agent), effect.entry);
    case 'assignment.created': return assigned(thread, effect);
    case 'assignment.taken': return taken(thread, effect);
    case 'assignment.delivered': return delivered(thread, effect);
    case 'assignment.adopted': return ended(thread, effect.assignment, 'action');
    case 'assignment.rejected': return ended(thread, effect.assignment, 'action');
    case 'assignment.dropped': return ended(thread, effect.assignment, 'action');
    case 'assignment.voided': return ended(thread, effect.assignment, 'action');
    case 'assignment.timed-out': return ended(thread, effect.assignment, 'deadline');
    case 'assignment.undecided': return ended(thread, effect.assignment, 'deadline');
    case 'judgment.forfeited': return forfeited(thread, effect.assignment);
    case 'thread.closed': return { ...withoutGrant(open(thread)), status: 'closed' };
  }
};

type Of<T extends ThreadEffect['type']> = Extract<ThreadEffect, { type: T }>;

const created = (creator: AgentId): Open => ({
  status: 'open',
  core: { grants: 0, live: [], openResponses: 0 },
  memberships: append<Membership>([], 1, {
    status: 'current',
    membership: 1,
    agent: creator,
    role: 'governor',
    pending: [],
  }),
  entries: [],
  assignments: [],
  current: new Map([[creator, 1]]),
});

const existing = (state: ThreadState): Existing => {
  if (state.status === 'absent') throw new Error('a fact on a thread that is absent');
  return state;
};

const open = (thread: Existing): Open => {
  if (thread.status === 'closed') throw new Error('a fact that needs an open thread on a closed one');
  return thread;
};

const granted = (thread: Open, { grant, role, hash }: Of<'grant.issued'>): Open => ({
  ...thread,
  core: { ...thread.core, grants: grant, grant: { grant, role, hash } },
});

const withoutGrant = (thread: Open): Open => {
  const { grant: _, ...core } = thread.core;
  return { ...thread, core };
};

const memberOf = (thread: Existing, agent: AgentId): Member => {
  const member = currentMember(thread, agent);
  if (member === undefined) throw new Error(`a fact on ${agent}, which is no member`);
  return member;
};

const withMember = (thread: Existing, member: Member): Existing => ({
  ...thread,
  memberships: replace(thread.memberships, member.membership, member),
});

const joined = (thread: Existing, { agent, membership, role }: Of<'member.joined'>): Existing => ({
  ...thread,
  memberships: append(thread.memberships, membership, { status: 'current', membership, agent, role, pending: [] }),
  current: new Map(thread.current).set(agent, membership),
});

const withoutMember = (thread: Existing, { membership, agent }: Member): Existing => {
  const current = new Map(thread.current);
  current.delete(agent);
  return { ...thread, memberships: replace(thread.memberships, membership, { status: 'ended', agent }), current };
};

const withCore = <T extends Existing>(thread: T, core: Partial<Core>): T => ({
  ...thread,
  core: { ...thread.core, ...core },
});

const owed = (thread: Existing, member: Member, entry: number): Existing =>
  withCore(withMember(thread, { ...member, pending: [...member.pending, entry] }), {
    openResponses: thread.core.openResponses + 1,
  });

const answered = (thread: Existing, member: Member, entry: number): Existing => {
  const place = member.pending.indexOf(entry);
  if (place < 0) throw new Error(`a response of ${member.agent} to entry ${entry} that is not pending`);
  return withCore(withMember(thread, { ...member, pending: member.pending.toSpliced(place, 1) }), {
    openResponses: thread.core.openResponses - 1,
  });
};

const assigned = (thread: Existing, effect: Of<'assignment.created'>): Existing => {
  const { assignment, entry, creator, assignee, deliverySeconds, judgmentSeconds } = effect;
  const live: Live = { status: 'untaken', assignment, entry, creator, assignee, deliverySeconds, judgmentSeconds };
  return {
    ...withCore(thread, { live: [...thread.core.live, assignment] }),
    assignments: append(thread.assignments, assignment, live),
  };
};

const taken = (thread: Existing, { assignment, deliverBy }: Of<'assignment.taken'>): Existing => {
  const { status: _, ...contract } = liveAs(thread, assignment, 'untaken');
  return withAssignment(thread, assignment, { ...contract, status: 'taken', deliverBy });
};

const delivered = (thread: Existing, { assignment, judgeBy }: Of<'assignment.delivered'>): Existing => {
  const { status: _, deliverBy: __, ...contract } = liveAs(thread, assignment, 'taken');
  return withAssignment(thread, assignment, { ...contract, status: 'delivered', judgeBy, forfeited: false });
};

const forfeited = (thread: Existing, assignment: number): Existing =>
  withAssignment(thread, assignment, { ...liveAs(thread, assignment, 'delivered'), forfeited: true });

const ended = (thread: Existing, assignment: number, by: Ended['by']): Existing => {
  const live = liveAs(thread, assignment, 'untaken', 'taken', 'delivered');
  const { creator, assignee } = live;
  const lost = live.status === 'delivered' && live.forfeited;
  return withCore(
    withAssignment(thread, assignment, { status: 'ended', creator, assignee, by, forfeited: lost }),
    { live: thread.core.live.filter((other) => other !== assignment) },
  );
};

const withAssignment = (thread: Existing, n: number, assignment: Assignment): Existing => ({
  ...thread,
  assignments: replace(thread.assignments, n, assignment),
});

/** The assignment, which has to be in one of these states: every obligation and every delivery ends at most once (L5-2). */
const liveAs = <S extends Live['status']>(thread: Existing, n: number, ...statuses: readonly S[]): Extract<Live, { status: S }> => {
  const found = nth(thread.assignments, n);
  const fits = statuses.some((status) => status === found?.status);
  if (!fits) throw new Error(`a fact on assignment ${n}, which is ${found?.status ?? 'absent'}`);
  return found as Extract<Live, { status: S }>;
};

/** The agent's membership that has not ended; undefined if it has none. */
export const currentMember = (thread: Existing, agent: AgentId): Member | undefined => {
  const membership = thread.current.get(agent);
  return membership === undefined ? undefined : (nth(thread.memberships, membership) as Member);
};
