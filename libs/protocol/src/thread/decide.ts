import type { AgentId } from '../ids.ts';
import { accept, type Context, type Decision, type Kind, refuse } from '../kernel.ts';
import type { ThreadAction } from './actions.ts';
import { decideAssignment } from './assignment.ts';
import type { ThreadEffect } from './effects.ts';
import { closing, deactivate, due, endMembership, endResponses } from './ending.ts';
import { post } from './post.ts';
import {
  entryExists,
  evolve,
  type Existing,
  fromPieces,
  governors,
  maySpeak,
  type Member,
  membershipOfEntry,
  nextOf,
  pieces,
  type ThreadState,
} from './state.ts';

type Of<T extends ThreadAction['type']> = Extract<ThreadAction, { type: T }>;
type ByMember = Exclude<ThreadAction, { type: 'thread.create' | 'thread.join' }>;

/** Decides an action on a thread (§6). The owner has fired due deadlines before (L4-3). */
export const decide = (state: ThreadState, action: ThreadAction, context: Context): Decision<ThreadEffect> => {
  if (context.inactive(context.agent)) return refuse('agent_inactive');
  if (action.type === 'thread.create') return create(state, action, context);
  return action.type === 'thread.join' ? join(state, action, context) : byMember(state, action, context);
};

/** Only a current member may know the thread; to anyone else it is as if there were none (V-14). */
const byMember = (state: ThreadState, action: ByMember, context: Context): Decision<ThreadEffect> => {
  const member = state.status === 'absent' ? undefined : state.members.get(context.agent as AgentId);
  return state.status === 'absent' || member === undefined
    ? refuse('not_found')
    : decideFor(state, member, action, context);
};

const decideFor = (thread: Existing, member: Member, action: ByMember, context: Context): Decision<ThreadEffect> => {
  switch (action.type) {
    case 'thread.grant':
      return grant(thread, member, action);
    case 'thread.revoke-grant':
      return revokeGrant(thread, member);
    case 'thread.leave':
      return leave(thread, member);
    case 'thread.close':
      return close(thread, member);
    case 'thread.remove':
      return remove(thread, member, action);
    case 'thread.set-role':
      return setRole(thread, member, action, context);
    case 'thread.post':
      return post(thread, member, action, context);
    case 'thread.handle':
      return handle(thread, member, action);
    case 'thread.retract':
      return retract(thread, member, action);
    case 'assignment.take':
    case 'assignment.deliver':
    case 'assignment.drop':
    case 'assignment.void':
    case 'assignment.adopt':
    case 'assignment.reject':
      return decideAssignment(thread, member, action, context);
  }
};

/** Creates a thread, optionally with a first grant (T-1, L2-2). */
const create = (
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
const join = (state: ThreadState, { hash }: Of<'thread.join'>, { agent, limits }: Context): Decision<ThreadEffect> => {
  if (state.status === 'absent' || state.grant?.hash !== hash) return refuse('grant_invalid');
  const member = state.members.get(agent as AgentId);
  if (member !== undefined)
    return {
      kind: 'accepted',
      effects: [],
      existing: { type: 'membership', membership: member.membership, role: member.role },
    };
  if (state.members.size >= limits.membersMax) return refuse('capacity_members');
  const { grant: number, role } = state.grant;
  return accept({
    type: 'member.joined',
    membership: nextOf(state.memberships),
    agent: agent as AgentId,
    role,
    grant: number,
  });
};

/** Permission, then state, of what only a governor may do in an open thread (T-10); undefined if it may. */
const notGoverning = (thread: Existing, { role }: Member): Decision<never> | undefined => {
  if (role !== 'governor') return refuse('not_permitted');
  return thread.status === 'closed' ? refuse('thread_closed') : undefined;
};

/** Issues a grant; it voids the one before (T-2, T-3). */
const grant = (thread: Existing, member: Member, { role, hash }: Of<'thread.grant'>): Decision<ThreadEffect> =>
  notGoverning(thread, member) ??
  accept(
    ...(thread.grant === undefined
      ? []
      : [{ type: 'grant.voided', grant: thread.grant.grant, how: 'superseded' } as const]),
    { type: 'grant.issued', grant: thread.grants + 1, role, hash, by: member.agent },
  );

const revokeGrant = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  notGoverning(thread, member) ??
  (thread.grant === undefined
    ? refuse('no_effect')
    : accept({ type: 'grant.voided', grant: thread.grant.grant, how: 'revoked' }));

/** An open thread always has a governor (T-13); a closed one may be left by all (T-11). */
const isLastGovernor = (thread: Existing, { role }: Member): boolean =>
  thread.status === 'open' && role === 'governor' && governors(thread) === 1;

const leave = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  isLastGovernor(thread, member) ? refuse('last_governor') : accept(...endMembership(thread, member, 'left'));

const close = (thread: Existing, member: Member): Decision<ThreadEffect> =>
  notGoverning(thread, member) ?? accept(...closing(thread, 'governor'));

/** Removes another member; the grant stays (T-12). */
const remove = (thread: Existing, member: Member, action: Of<'thread.remove'>): Decision<ThreadEffect> => {
  const refused = notGoverning(thread, member);
  if (refused !== undefined) return refused;
  const target = thread.members.get(action.member);
  if (target === undefined || target === member) return refuse('invalid_target');
  return accept(...endMembership(thread, target, 'removed'));
};

/** Changes a role; a demotion to observer ends the member's pending responses (T-12, T-14). */
const setRole = (
  thread: Existing,
  member: Member,
  action: Of<'thread.set-role'>,
  { inactive }: Context,
): Decision<ThreadEffect> => {
  const refused = notGoverning(thread, member);
  if (refused !== undefined) return refused;
  const target = thread.members.get(action.member);
  if (target === undefined || inactive(target.agent)) return refuse('invalid_target');
  if (target.role === action.role) return refuse('no_effect');
  if (isLastGovernor(thread, target)) return refuse('last_governor');
  const { membership, agent } = target;
  const muted = maySpeak(target) && action.role === 'observer' ? endResponses(target, 'demoted') : [];
  return accept(...muted, { type: 'member.role-set', membership, agent, role: action.role });
};

/** Ends one's own pending response without an entry (T-31). */
const handle = (thread: Existing, member: Member, { entry, note }: Of<'thread.handle'>): Decision<ThreadEffect> => {
  if (!entryExists(thread, entry)) return refuse('not_found');
  if (thread.status === 'closed') return refuse('thread_closed');
  if (!member.pending.includes(entry)) return refuse('not_pending');
  return accept({
    type: 'response.ended',
    entry,
    agent: member.agent,
    how: 'handled',
    ...(note === undefined ? {} : { note }),
  });
};

/** Ends all pending responses to one's own entry, while the membership under which it was posted lasts (T-32). */
const retract = (thread: Existing, member: Member, { entry }: Of<'thread.retract'>): Decision<ThreadEffect> => {
  if (!entryExists(thread, entry)) return refuse('not_found');
  if (membershipOfEntry(thread, entry) !== member.membership) return refuse('not_permitted');
  if (thread.status === 'closed') return refuse('thread_closed');
  const owing = [...thread.members.values()].filter(({ pending }) => pending.includes(entry));
  if (owing.length === 0) return refuse('not_pending');
  return accept(...owing.map(({ agent }) => ({ type: 'response.ended', entry, agent, how: 'retracted' }) as const));
};

const ties = (effect: ThreadEffect): readonly string[] => {
  if (effect.type === 'thread.created') return [effect.creator];
  return effect.type === 'member.joined' ? [effect.agent] : [];
};

/** The thread: a closed, ordered, persistent space of members (§6). */
export const threadKind: Kind<ThreadState, ThreadAction, ThreadEffect> = {
  name: 'thread',
  initial: { status: 'absent' },
  evolve,
  decide,
  due: (state, at) => (state.status === 'absent' ? [] : due(state, at)),
  deactivate: (state, agent) => (state.status === 'absent' ? [] : deactivate(state, agent as AgentId)),
  ties,
  pieces,
  fromPieces,
};
