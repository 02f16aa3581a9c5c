import { describe, expect, it } from '@jest/globals';
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
});
