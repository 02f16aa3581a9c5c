import type { AgentId } from '../ids.ts';
import type { Fired } from '../kernel.ts';
import type { ResponseEnding, ThreadEffect } from './effects.ts';
import { evolve, type Existing, governors, type Live, type Member } from './state.ts';

/** What ends with a membership, in the same fact (T-15). */
export const endMembership = (
  thread: Existing,
  member: Member,
  how: 'left' | 'removed' | 'deactivated',
): readonly ThreadEffect[] => [
  ...endResponses(member, how),
  ...[...thread.live.values()].flatMap((live) => endedBy(live, member.agent)),
  { type: 'membership.ended', membership: member.membership, agent: member.agent, how },
];

/** All pending responses of a member end. */
export const endResponses = ({ agent, pending }: Member, how: ResponseEnding): readonly ThreadEffect[] =>
  pending.map((entry) => ({ type: 'response.ended', entry, agent, how }));

const endedBy = (live: Live, leaver: AgentId): readonly ThreadEffect[] => {
  switch (live.status) {
    case 'untaken':
      return live.creator === leaver ? [voided(live, 'creator-gone')] : [];
    case 'taken':
      if (live.assignee === leaver) return [voided(live, 'taker-gone')];
      return live.creator === leaver ? [voided(live, 'creator-gone')] : [];
    case 'delivered':
      return live.judge === leaver ? [{ type: 'judgment.forfeited', assignment: live.assignment, agent: leaver }] : [];
  }
};

type Voided = Extract<ThreadEffect, { type: 'assignment.voided' }>;
export const voided = (live: Live, how: Voided['how']): Voided => ({
  type: 'assignment.voided',
  assignment: live.assignment,
  how,
  ...(live.status === 'taken' ? { taker: live.assignee } : {}),
});

/** What closing does, in one fact (T-60). */
export const closing = (thread: Existing, how: 'governor' | 'no-governor'): readonly ThreadEffect[] => [
  ...[...thread.members.values()].flatMap((member) => endResponses(member, 'closed')),
  ...[...thread.live.values()].filter(({ status }) => status !== 'delivered').map((live) => voided(live, 'closed')),
  ...(thread.grant === undefined ? [] : [{ type: 'grant.voided', grant: thread.grant.grant, how: 'closed' } as const]),
  { type: 'thread.closed', how },
];

/** The deactivation of an agent: its membership ends, and a thread left without a governor closes for all. */
export const deactivate = (thread: Existing, agent: AgentId): readonly ThreadEffect[] => {
  const member = thread.members.get(agent);
  if (member === undefined) return [];
  const gone = endMembership(thread, member, 'deactivated');
  const after = gone.reduce<ReturnType<typeof evolve>>(evolve, thread) as Existing;
  return after.status === 'open' && governors(after) === 0 ? [...gone, ...closing(after, 'no-governor')] : gone;
};

/** The deadlines due at log time, in the order of due time, then number (T-49). */
export const due = (thread: Existing, at: number): readonly Fired<ThreadEffect>[] =>
  [...thread.live.values()]
    .flatMap((live) => deadlineOf(live) ?? [])
    .filter(({ dueAt }) => dueAt <= at)
    .sort((a, b) => a.dueAt - b.dueAt || a.assignment - b.assignment)
    .map(({ dueAt, effect }) => ({ dueAt, effects: [effect] }));

type Deadline = { readonly dueAt: number; readonly assignment: number; readonly effect: ThreadEffect };

const deadlineOf = (live: Live): Deadline | undefined => {
  const { assignment } = live;
  switch (live.status) {
    case 'untaken':
      return undefined;
    case 'taken':
      return { dueAt: live.deliverBy, assignment, effect: { type: 'assignment.timed-out', assignment } };
    case 'delivered':
      return { dueAt: live.judgeBy, assignment, effect: { type: 'assignment.undecided', assignment } };
  }
};
