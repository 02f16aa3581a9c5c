import { accept, type Decision, refuse } from '../kernel.ts';
import type { ThreadAction } from './actions.ts';
import type { ThreadEffect } from './effects.ts';
import { entryExists, members, membershipOfEntry } from './questions.ts';
import type { Existing, Member } from './state.ts';

type Of<T extends ThreadAction['type']> = Extract<ThreadAction, { type: T }>;

/** Ends one's own pending response without an entry (T-31). */
export const handle = (
  thread: Existing,
  member: Member,
  { entry, note }: Of<'thread.handle'>,
): Decision<ThreadEffect> => {
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
export const retract = (
  thread: Existing,
  member: Member,
  { entry }: Of<'thread.retract'>,
): Decision<ThreadEffect> => {
  if (!entryExists(thread, entry)) return refuse('not_found');
  if (membershipOfEntry(thread, entry) !== member.membership) return refuse('not_permitted');
  if (thread.status === 'closed') return refuse('thread_closed');
  const owing = members(thread).filter(({ pending }) => pending.includes(entry));
  if (owing.length === 0) return refuse('not_pending');
  return accept(...owing.map(({ agent }) => ({ type: 'response.ended', entry, agent, how: 'retracted' }) as const));
};
