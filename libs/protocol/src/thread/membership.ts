import { nextOf } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import type { ThreadAction } from './actions.ts';
import type { ThreadEffect } from './effects.ts';
import { closing, endMembership, endResponses } from './ending.ts';
import { governors, maySpeak } from './questions.ts';
import { currentMember, type Existing, type Grant, type Member, type Open, type ThreadState } from './state.ts';

type Of<T extends ThreadAction['type']> = Extract<ThreadAction, { type: T }>;

/** Creates a thread, optionally with a first grant (T-1, L2-2). */
export const create = (
  state: ThreadState,
  { content, grant: first }: Of<'thread.create'>,
  { agent }: Context,
): Decision<ThreadEffect> => {
  if (state.status !== 'absent') return refuse('wrong_state');
  const creator = agent as AgentId;
  return accept(
    { type: 'thread.created', creator, ...(content === undefined ? {} : { content }) },
    ...(first === undefined ? [] : [{ type: 'grant.issued', grant: 1, ...first, by: creator } as const]),
  );
};

/** Joins by the live grant; every other secret is refused alike (T-5, T-7). A member already: nothing new (T-6, L2-4). */
export const join = (
  state: ThreadState,
  { hash }: Of<'thread.join'>,
  { agent, limits }: Context,
): Decision<ThreadEffect> => {
  const live = state.status === 'open' ? state.core.grant : undefined;
  if (state.status !== 'open' || live?.hash !== hash) return refuse('grant_invalid');
  const member = currentMember(state, agent as AgentId);
  if (member !== undefined) return rejoined(member);
  if (state.current.size >= limits.membersMax) return refuse('capacity_members');
  return accept(joined(state, agent as AgentId, live));
};

const rejoined = ({ membership, role }: Member): Decision<never> => ({
  kind: 'accepted',
  effects: [],
  existing: { type: 'membership', membership, role },
});

const joined = ({ memberships }: Open, agent: AgentId, { grant, role }: Grant): ThreadEffect => ({
  type: 'member.joined',
  membership: nextOf(memberships),
  agent,
  role,
  grant,
});

/** What only a governor may do in an open thread: permission, then state (T-10). */
const governing = (
  thread: Existing,
  { role }: Member,
  act: (thread: Open) => Decision<ThreadEffect>,
): Decision<ThreadEffect> => {
  if (role !== 'governor') return refuse('not_permitted');
  return thread.status === 'closed' ? refuse('thread_closed') : act(thread);
};

/** Issues a grant; it voids the one before (T-2, T-3). */
export const grant = (
  thread: Existing,
  member: Member,
  { role, hash }: Of<'thread.grant'>,
): Decision<ThreadEffect> =>
  governing(thread, member, ({ core: { grant: old, grants } }) =>
    accept(
      ...(old === undefined ? [] : [{ type: 'grant.voided', grant: old.grant, how: 'superseded' } as const]),
      { type: 'grant.issued', grant: grants + 1, role, hash, by: member.agent },
    ),
  );

/** Voids the live grant alone (T-3). */
export const revokeGrant = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  governing(thread, member, ({ core: { grant: live } }) =>
    live === undefined ? refuse('no_effect') : accept({ type: 'grant.voided', grant: live.grant, how: 'revoked' }),
  );

/** Leaves, a closed thread too (T-11). */
export const leave = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  thread.status === 'open' && isLastGovernor(thread, member)
    ? refuse('last_governor')
    : accept(...endMembership(thread, member, 'left'));

/** An open thread always has a governor (T-13). */
const isLastGovernor = (thread: Open, { role }: Member): boolean => role === 'governor' && governors(thread) === 1;

/** Closes the thread for ever (T-60). */
export const close = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  governing(thread, member, (open) => accept(...closing(open, 'governor')));

/** Removes another member; the grant stays (T-12). That member is never the last governor: the acting one is another. */
export const remove = (
  thread: Existing,
  member: Member,
  action: Of<'thread.remove'>,
  context: Context,
): Decision<ThreadEffect> =>
  governing(thread, member, (open) => {
    const target = named(open, action.member, context);
    if (target === undefined || target === member) return refuse('invalid_target');
    return accept(...endMembership(open, target, 'removed'));
  });

/** Changes a role; a demotion to observer ends the member's pending responses (T-12, T-14). */
export const setRole = (
  thread: Existing,
  member: Member,
  action: Of<'thread.set-role'>,
  context: Context,
): Decision<ThreadEffect> =>
  governing(thread, member, (open) => {
    const target = named(open, action.member, context);
    if (target === undefined) return refuse('invalid_target');
    if (target.role === action.role) return refuse('no_effect');
    if (isLastGovernor(open, target)) return refuse('last_governor');
    const { membership, agent } = target;
    const muted = maySpeak({ ...target, role: action.role }) ? [] : endResponses(target, 'demoted');
    return accept(...muted, { type: 'member.role-set', membership, agent, role: action.role });
  });

/** The member that an action names; nobody who is being deactivated. */
const named = (thread: Open, agent: AgentId, { inactive }: Context): Member | undefined =>
  inactive(agent) ? undefined : currentMember(thread, agent);
