import type { AgentId } from '../ids.ts';
import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import { nth } from '../chunks.ts';
import type { Delivery, ThreadAction } from './actions.ts';
import type { ThreadEffect } from './effects.ts';
import { voided } from './ending.ts';
import { type Ended, type Existing, isForfeited, type Live, type Member } from './state.ts';

export type AssignmentAction = Extract<ThreadAction, { type: `assignment.${string}` }>;
type Of<T extends AssignmentAction['type']> = Extract<AssignmentAction, { type: T }>;

/** Decides on an assignment: part, permission, state, what was stamped (§6.4). Membership suffices (T-18). */
export const decideAssignment = (
  thread: Existing,
  member: Member,
  action: AssignmentAction,
  { at }: Context,
): Decision<ThreadEffect> => {
  const found = thread.live.get(action.assignment) ?? nth(thread.assignments, action.assignment);
  if (found === undefined || found === null) return refuse('not_found');
  if (!isParty(found, member.agent, action)) return refuse('not_permitted');
  if (!('status' in found)) return refuse(found.byDeadline ? 'deadline_passed' : 'wrong_state');
  return decideLive(found, member, action, at);
};

/** The taker takes, delivers and drops; the creator voids and judges, that while its right stands (T-43 … T-47, T-15). */
const isParty = (found: Live | Ended, agent: AgentId, { type }: AssignmentAction): boolean => {
  switch (type) {
    case 'assignment.take':
    case 'assignment.deliver':
    case 'assignment.drop':
      return found.assignee === agent;
    case 'assignment.void':
      return found.creator === agent;
    case 'assignment.adopt':
    case 'assignment.reject':
      return found.creator === agent && !isForfeited(found);
  }
};

const decideLive = (live: Live, member: Member, action: AssignmentAction, at: number): Decision<ThreadEffect> => {
  switch (action.type) {
    case 'assignment.take':
      return take(live, member, action, at);
    case 'assignment.deliver':
      return live.status === 'taken' ? deliver(live, action.delivery, at) : refuse('wrong_state');
    case 'assignment.drop':
      return live.status === 'taken'
        ? accept({ type: 'assignment.dropped', assignment: live.assignment })
        : refuse('wrong_state');
    case 'assignment.void':
      return live.status === 'delivered' ? refuse('wrong_state') : accept(voided(live, 'creator'));
    case 'assignment.adopt':
      return live.status === 'delivered'
        ? accept({ type: 'assignment.adopted', assignment: live.assignment })
        : refuse('wrong_state');
    case 'assignment.reject':
      return reject(live, action);
  }
};

/** Take, or take and deliver in one action, which equals the two in order (T-43, L2-2). */
const take = (live: Live, member: Member, { delivery }: Of<'assignment.take'>, at: number): Decision<ThreadEffect> => {
  if (live.status !== 'untaken') return refuse('wrong_state');
  const taken: readonly ThreadEffect[] = [
    {
      type: 'assignment.taken',
      assignment: live.assignment,
      taker: member.agent,
      deliverBy: at + live.deliverySeconds * 1_000,
    },
    ...(member.pending.includes(live.entry)
      ? [{ type: 'response.ended', entry: live.entry, agent: member.agent, how: 'taken' } as const]
      : []),
  ];
  if (delivery === undefined) return accept(...taken);
  const delivered = deliver(live, delivery, at);
  return delivered.kind === 'refused' ? delivered : accept(...taken, ...delivered.effects);
};

const deliver = (live: Live, { content, memories, unusable }: Delivery, at: number): Decision<ThreadEffect> => {
  if (unusable !== undefined) return refuse(unusable);
  return accept({
    type: 'assignment.delivered',
    assignment: live.assignment,
    memories,
    judge: live.creator,
    judgeBy: at + live.judgmentSeconds * 1_000,
    ...(content === undefined ? {} : { content }),
  });
};

const reject = (live: Live, { content }: Of<'assignment.reject'>): Decision<ThreadEffect> =>
  live.status === 'delivered'
    ? accept({ type: 'assignment.rejected', assignment: live.assignment, content })
    : refuse('wrong_state');
