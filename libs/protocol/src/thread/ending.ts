import type { AgentId } from '../ids.ts';
import type { Fired } from '../kernel.ts';
import type { ResponseEnding, ThreadEffect } from './effects.ts';
import { governors, liveAssignments, members } from './questions.ts';
import { currentMember, evolveExisting, type Existing, type Live, type Member, type Open } from './state.ts';

/** Every effect but the first of a thread: what can happen to one that exists. */
type Ending = Exclude<ThreadEffect, { type: 'thread.created' }>;

/** What ends with a membership, in the same fact (T-15). */
export const endMembership = (thread: Existing, member: Member, how: 'left' | 'removed' | 'deactivated'): readonly Ending[] => [
  ...endResponses(member, how),
  ...liveAssignments(thread).flatMap((live) => endedBy(live, member.agent)),
  { type: 'membership.ended', membership: member.membership, agent: member.agent, how },
];

/** All pending responses of a member end. */
export const endResponses = ({ agent, pending }: Member, how: ResponseEnding): readonly Ending[] =>
  pending.map((entry) => ({ type: 'response.ended', entry, agent, how }));

const endedBy = (live: Live, leaver: AgentId): readonly Ending[] => {
  switch (live.status) {
    case 'untaken':
      return live.creator === leaver ? [voided(live, 'creator-gone')] : [];
    case 'taken':
      if (live.assignee === leaver) return [voided(live, 'taker-gone')];
      return live.creator === leaver ? [voided(live, 'creator-gone')] : [];
    case 'delivered':
      return live.creator === leaver && !live.forfeited ? [{ type: 'judgment.forfeited', assignment: live.assignment, agent: leaver }] : [];
  }
};

type Voided = Extract<ThreadEffect, { type: 'assignment.voided' }>;
export const voided = (live: Live, how: Voided['how']): Voided => ({
  type: 'assignment.voided', assignment: live.assignment, how, ...(live.status === 'taken' ? { taker: live.assignee } : {}),
});

/** What closing does, in one fact (T-60). */
export const closing = (thread: Open, how: 'governor' | 'no-governor'): readonly Ending[] => [
  ...members(thread).flatMap((member) => endResponses(member, 'closed')),
  ...liveAssignments(thread)
    .filter(({ status }) => status !== 'delivered')
    .map((live) => voided(live, 'closed')),
  ...(thread.core.grant === undefined ? [] : [{ type: 'grant.voided', grant: thread.core.grant.grant, how: 'closed' } as const]),
  { type: 'thread.closed', how },
];

/** The deactivation of an agent: its membership ends, and a thread left without a governor closes for all. */
export const deactivate = (thread: Existing, agent: AgentId): readonly ThreadEffect[] => {
  const member = currentMember(thread, agent);
  if (member === undefined) return [];
  const gone = endMembership(thread, member, 'deactivated');
  const after = gone.reduce<Existing>((state, effect) => evolveExisting(state, effect), thread);
  return after.status === 'open' && governors(after) === 0 ? [...gone, ...closing(after, 'no-governor')] : gone;
};

/** The deadlines due at log time, in the order of due time, then number (T-49). */
export const due = (thread: Existing, at: number): readonly Fired<ThreadEffect>[] =>
  liveAssignments(thread)
    .filter((live) => dueAt(live) <= at)
    .sort((a, b) => dueAt(a) - dueAt(b) || a.assignment - b.assignment)
    .map((live) => ({ dueAt: dueAt(live), effects: [passed(live)] }));

/** When its deadline is due; before it is taken, none runs (T-42). */
const dueAt = (live: Live): number => {
  switch (live.status) {
    case 'untaken':
      return Number.POSITIVE_INFINITY;
    case 'taken':
      return live.deliverBy;
    case 'delivered':
      return live.judgeBy;
  }
};

const passed = ({ assignment, status }: Live): ThreadEffect => ({
  type: status === 'delivered' ? 'assignment.undecided' : 'assignment.timed-out',
  assignment,
});
