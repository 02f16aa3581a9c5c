import { describe, expect, it } from '@jest/globals';
import { engagementNumber, taskNumber } from '../testing/index.ts';
import { availableActions, type View } from './available.ts';

const thread = 'thread_00000000000000000000000001';
const names = (view: View): readonly string[] => availableActions(view).map(({ action }) => action);
const inThread = {
  kind: 'thread',
  thread,
  status: 'open',
  role: 'governor',
  governors: 2,
  members: 3,
  grantLive: true,
} as const;
const assignment = {
  kind: 'assignment',
  thread,
  assignment: 2,
  status: 'open',
  creates: false,
  does: false,
  judges: false,
  deliverBy: null,
  judgeBy: null,
  now: 1_000,
} as const;

describe('the actions available now', () => {
  it('[T-10] follow the role', () => {
    expect(names(inThread)).toEqual([
      'thread.post',
      'thread.grant',
      'thread.revoke-grant',
      'thread.set-role',
      'thread.remove',
      'thread.close',
      'thread.leave',
    ]);
    expect(names({ ...inThread, role: 'speaker' })).toEqual(['thread.post', 'thread.leave']);
    expect(names({ ...inThread, role: 'observer' })).toEqual(['thread.leave']);
  });
  it('[T-13] keep the last governor', () => {
    expect(names({ ...inThread, governors: 1 })).not.toContain('thread.leave');
    expect(names({ ...inThread, governors: 1, role: 'speaker' })).toContain('thread.leave');
  });
  it('[T-60] leave a closed thread to be left', () => {
    expect(names({ ...inThread, status: 'closed', governors: 1 })).toEqual(['thread.leave']);
  });
  it('[T-31] [T-32] end responses', () => {
    const entry = {
      kind: 'entry',
      thread,
      entry: 7,
      status: 'open',
      role: 'speaker',
      owed: true,
      posted: false,
      pending: 1,
    } as const;
    expect(availableActions(entry)).toEqual([
      { action: 'thread.post', ref: `${thread}/entries/7` },
      { action: 'thread.handle', ref: `${thread}/entries/7` },
    ]);
    expect(names({ ...entry, role: 'observer', owed: false, posted: true })).toEqual(['thread.retract']);
    expect(names({ ...entry, owed: false, posted: true, pending: 0 })).toEqual(['thread.post']);
  });
  it('[T-43] [T-46] [T-47] follow an assignment', () => {
    expect(names({ ...assignment, does: true })).toEqual(['assignment.take']);
    expect(names({ ...assignment, does: true, status: 'taken', deliverBy: 1_001 })).toEqual([
      'assignment.deliver',
      'assignment.drop',
    ]);
    expect(names({ ...assignment, creates: true })).toEqual(['assignment.void']);
    expect(names({ ...assignment, judges: true, status: 'delivered', judgeBy: 1_001 })).toEqual([
      'assignment.adopt',
      'assignment.reject',
    ]);
    expect(names({ ...assignment, creates: true, status: 'delivered', judgeBy: 1_001 })).toEqual([]);
    for (const status of ['adopted', 'rejected', 'undecided', 'dropped', 'timed-out', 'voided']) {
      expect(names({ ...assignment, creates: true, does: true, judges: true, status })).toEqual([]);
    }
  });
  it('[L4-3] end at the deadline', () => {
    expect(names({ ...assignment, does: true, creates: true, status: 'taken', deliverBy: 1_000 })).toEqual([]);
    expect(names({ ...assignment, judges: true, status: 'delivered', judgeBy: 1_000 })).toEqual([]);
  });
  it('[M-2] [M-3] are the author’s, until withdrawal', () => {
    const memory = {
      kind: 'memory',
      memory: 'memory_00000000000000000000000001',
      author: true,
      status: 'valid',
      visibility: 'private',
    } as const;
    expect(names(memory)).toEqual(['memory.update', 'memory.publish', 'memory.withdraw']);
    expect(names({ ...memory, visibility: 'public' })).toEqual([
      'memory.update',
      'memory.unpublish',
      'memory.withdraw',
    ]);
    expect(names({ ...memory, author: false, visibility: 'public' })).toEqual([]);
    expect(names({ ...memory, status: 'withdrawn' })).toEqual([]);
  });

  const task = {
    kind: 'task',
    task: taskNumber(1),
    author: false,
    paused: false,
    mayTake: true,
    engaged: false,
    takeable: true,
  } as const;
  it('[K-5] [K-18] of a Task are its author’s to revise, pause and resume', () => {
    expect(availableActions({ ...task, author: true, mayTake: false })).toEqual([
      { action: 'task.revise', ref: task.task },
      { action: 'task.pause', ref: task.task },
    ]);
    expect(names({ ...task, author: true, mayTake: false, paused: true })).toEqual(['task.revise', 'task.resume']);
  });
  it('[K-7] [K-9] [K-15] [K-18] of a Task are to take it, once, while it can be taken', () => {
    expect(availableActions(task)).toEqual([{ action: 'task.take', ref: task.task }]);
    for (const not of [{ paused: true }, { mayTake: false }, { engaged: true }, { takeable: false }])
      expect(names({ ...task, ...not })).toEqual([]);
  });

  const engagement = {
    kind: 'engagement',
    task: taskNumber(1),
    engagement: engagementNumber(2),
    status: 'taken',
    does: false,
    judges: false,
    limitReached: false,
    deliverBy: 2_000,
    judgeBy: null,
    now: 1_999,
  } as const;
  const waiting = { ...engagement, status: 'delivered', deliverBy: null, judgeBy: 2_000 } as const;
  it('[K-10] [K-11] follow an engagement', () => {
    const ref = `${engagement.task}/engagements/${engagement.engagement}`;
    expect(availableActions({ ...engagement, does: true })).toEqual([
      { action: 'engagement.deliver', ref },
      { action: 'engagement.drop', ref },
    ]);
    expect(availableActions({ ...waiting, judges: true })).toEqual([
      { action: 'engagement.adopt', ref },
      { action: 'engagement.reject', ref },
    ]);
    expect(names({ ...engagement, does: true, deliverBy: null })).toEqual(['engagement.deliver', 'engagement.drop']);
    expect(names({ ...waiting, judges: true, judgeBy: null })).toEqual(['engagement.adopt', 'engagement.reject']);
    for (const view of [engagement, waiting, { ...engagement, judges: true }, { ...waiting, does: true }] as const)
      expect(names(view)).toEqual([]);
    for (const status of ['adopted', 'rejected', 'undecided', 'dropped', 'timed-out'])
      expect(names({ ...engagement, does: true, judges: true, status, judgeBy: 2_000 })).toEqual([]);
  });
  it('[K-15] leave rejecting when the adoptions are used up', () => {
    expect(names({ ...waiting, judges: true, limitReached: true })).toEqual(['engagement.reject']);
  });
  it('[L4-3] of an engagement end at the deadline', () => {
    expect(names({ ...engagement, does: true, now: 2_000 })).toEqual([]);
    expect(names({ ...waiting, judges: true, now: 2_000 })).toEqual([]);
  });
});
