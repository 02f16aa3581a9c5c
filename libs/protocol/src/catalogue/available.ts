import { assignmentRef, engagementRef, entryRef } from './references.ts';
import type { Hint } from './results.ts';

/** What the rules need to know to say what an agent can do with an object now. Times in milliseconds. */
export type View =
  | {
      readonly kind: 'thread';
      readonly thread: string;
      readonly status: 'open' | 'closed';
      readonly role: 'observer' | 'speaker' | 'governor';
      readonly governors: number;
      readonly members: number;
      readonly grantLive: boolean;
    }
  | {
      readonly kind: 'entry';
      readonly thread: string;
      readonly entry: number;
      readonly status: 'open' | 'closed';
      readonly role: 'observer' | 'speaker' | 'governor';
      /** The agent owes a response to it. */
      readonly owed: boolean;
      /** The agent posted it under the membership that it has now (T-32). */
      readonly posted: boolean;
      readonly pending: number;
    }
  | {
      readonly kind: 'assignment';
      readonly thread: string;
      readonly assignment: number;
      readonly status: string;
      readonly creates: boolean;
      readonly does: boolean;
      /** The right to judge stands (T-15). */
      readonly judges: boolean;
      readonly deliverBy: number | null;
      readonly judgeBy: number | null;
      readonly now: number;
    }
  | {
      readonly kind: 'memory';
      readonly memory: string;
      readonly author: boolean;
      readonly status: 'valid' | 'withdrawn';
      readonly visibility: 'private' | 'public';
    }
  | {
      readonly kind: 'task';
      readonly task: string;
      readonly author: boolean;
      readonly paused: boolean;
      /** In the audience with every label asked for, neither author nor judge (K-4, K-6, K-7). */
      readonly mayTake: boolean;
      /** Its engagement that is open, if it has one (K-9). */
      readonly engaged: boolean;
      /** The author is active and the limit of adoptions is not reached. */
      readonly takeable: boolean;
    }
  | {
      readonly kind: 'engagement';
      readonly task: string;
      readonly engagement: string;
      readonly status: string;
      readonly does: boolean;
      readonly judges: boolean;
      readonly limitReached: boolean;
      readonly deliverBy: number | null;
      readonly judgeBy: number | null;
      readonly now: number;
    };

/**
 * The actions available now to an active member or author (O-6). It promises nothing: the owner decides, on the state it
 * has when the action arrives. A deactivated agent has none: ask only for active ones.
 */
export const availableActions = (view: View): readonly Hint[] => {
  switch (view.kind) {
    case 'thread':
      return inThread(view);
    case 'entry':
      return onEntry(view);
    case 'assignment':
      return onAssignment(view);
    case 'memory':
      return onMemory(view);
    case 'task':
      return onTask(view);
    case 'engagement':
      return onEngagement(view);
  }
};

type Of<K extends View['kind']> = Extract<View, { kind: K }>;

const inThread = ({ thread, status, role, governors, members, grantLive }: Of<'thread'>): readonly Hint[] => {
  const open = status === 'open';
  const governs = open && role === 'governor';
  return listed(thread, [
    ['thread.post', open && role !== 'observer'],
    ['thread.grant', governs],
    ['thread.revoke-grant', governs && grantLive],
    ['thread.set-role', governs && members > 1],
    ['thread.remove', governs && members > 1],
    ['thread.close', governs],
    // The last governor of an open thread stays (T-13).
    ['thread.leave', !(governs && governors === 1)],
  ]);
};

const onEntry = ({ thread, entry, status, role, owed, posted, pending }: Of<'entry'>): readonly Hint[] =>
  listed(entryRef(thread, entry), [
    ['thread.post', status === 'open' && role !== 'observer'],
    ['thread.handle', owed],
    ['thread.retract', posted && pending > 0],
  ]);

const onAssignment = (view: Of<'assignment'>): readonly Hint[] => {
  const { status, creates, does, judges, deliverBy, judgeBy, now } = view;
  const running = status === 'taken' && (deliverBy === null || now < deliverBy);
  const judgeable = status === 'delivered' && judges && (judgeBy === null || now < judgeBy);
  return listed(assignmentRef(view.thread, view.assignment), [
    ['assignment.take', does && status === 'open'],
    ['assignment.deliver', does && running],
    ['assignment.drop', does && running],
    ['assignment.void', creates && (status === 'open' || running)],
    ['assignment.adopt', judgeable],
    ['assignment.reject', judgeable],
  ]);
};

const onMemory = ({ memory, author, status, visibility }: Of<'memory'>): readonly Hint[] => {
  const may = author && status === 'valid';
  return listed(memory, [
    ['memory.update', may],
    ['memory.publish', may && visibility === 'private'],
    ['memory.unpublish', may && visibility === 'public'],
    ['memory.withdraw', may],
  ]);
};

const onTask = ({ task, author, paused, mayTake, engaged, takeable }: Of<'task'>): readonly Hint[] =>
  listed(task, [
    ['task.revise', author],
    ['task.pause', author && !paused],
    ['task.resume', author && paused],
    ['task.take', mayTake && !engaged && !paused && takeable],
  ]);

const onEngagement = (view: Of<'engagement'>): readonly Hint[] => {
  const { status, does, judges, limitReached, deliverBy, judgeBy, now } = view;
  const running = does && status === 'taken' && (deliverBy === null || now < deliverBy);
  const judgeable = judges && status === 'delivered' && (judgeBy === null || now < judgeBy);
  return listed(engagementRef(view.task, view.engagement), [
    ['engagement.deliver', running],
    ['engagement.drop', running],
    ['engagement.adopt', judgeable && !limitReached],
    ['engagement.reject', judgeable],
  ]);
};

const listed = (ref: string, all: readonly (readonly [Hint['action'], boolean])[]): readonly Hint[] =>
  all.flatMap(([action, available]) => (available ? [{ action, ref }] : []));
