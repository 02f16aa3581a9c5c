import { countOf, nth } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import type { Existing, Live, Member } from './state.ts';

// What deciders ask about a thread.

export const maySpeak = (member: Member | undefined): boolean => member !== undefined && member.role !== 'observer';

/** The current members, in the order in which they joined. */
export const members = (thread: Existing): readonly Member[] =>
  [...thread.current.values()].map((membership) => nth(thread.memberships, membership) as Member);

export const governors = (thread: Existing): number =>
  members(thread).filter(({ role }) => role === 'governor').length;

export const entryExists = (thread: Existing, entry: number): boolean => entry <= countOf(thread.entries);

/** The membership under which an entry was posted, which has to exist. */
export const membershipOfEntry = (thread: Existing, entry: number): number => nth(thread.entries, entry)!;

export const authorOf = (thread: Existing, entry: number): AgentId =>
  nth(thread.memberships, membershipOfEntry(thread, entry))!.agent;

/** The assignments that have not ended, in the order of their numbers. */
export const liveAssignments = (thread: Existing): readonly Live[] =>
  thread.core.live.map((assignment) => nth(thread.assignments, assignment) as Live);
