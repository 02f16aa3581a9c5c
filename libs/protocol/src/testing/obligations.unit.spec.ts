import { describe, expect, it } from '@jest/globals';
import type { TaskEffect } from '../task/effects.ts';
import { ada, bob, contentNumber, cyd, engagementNumber } from './fixtures.ts';
import { TaskLedger } from './obligations.ts';

const on = (n: number) => ({ engagement: engagementNumber(n), number: n });
const confirmed = (n: number, agent = bob, number = n): TaskEffect => ({
  type: 'engagement.confirmed',
  ...on(n),
  number,
  agent,
  author: ada,
  judge: ada,
  version: 1,
  inputs: [],
  deliverBy: 1,
});
const delivered = (n: number, agent = bob): TaskEffect => ({
  type: 'engagement.delivered',
  ...on(n),
  agent,
  memories: [],
  content: contentNumber(1),
  judge: ada,
  judgeBy: 2,
});
const adopted = (n: number, adoptions: number): TaskEffect => ({
  type: 'engagement.adopted',
  ...on(n),
  by: 'judge',
  adoptions,
});
const over = (n: number, type: 'undecided' | 'dropped' | 'timed-out'): TaskEffect => ({
  type: `engagement.${type}`,
  ...on(n),
});
const rejected = (n: number): TaskEffect => ({ type: 'engagement.rejected', ...on(n), content: contentNumber(2) });
const after = (...effects: readonly TaskEffect[]): TaskLedger => {
  const ledger = new TaskLedger();
  for (const effect of effects) ledger.fold(effect);
  return ledger;
};

describe('the ledger of a Task', () => {
  it('[O-1] moves the duty from deliver to judge to none', () => {
    const of = engagementNumber(1);
    expect(after(confirmed(1)).open).toEqual([{ duty: 'deliver', of, agent: bob }]);
    expect(after(confirmed(1), delivered(1)).open).toEqual([{ duty: 'judge', of, agent: ada }]);
    for (const end of [adopted(1, 1), rejected(1), over(1, 'undecided')])
      expect(after(confirmed(1), delivered(1), end)).toMatchObject({ open: [], ended: 1 });
    for (const type of ['dropped', 'timed-out'] as const)
      expect(after(confirmed(1), over(1, type), confirmed(2))).toMatchObject({ ended: 1 });
    expect(after(confirmed(1), delivered(1), adopted(1, 1)).adoptions).toBe(1);
    expect([...after(confirmed(1), confirmed(2, cyd)).engaged.values()]).toEqual([bob, cyd]);
  });
  it('[L5-2] [K-9] [K-14] [K-15] stops at a fact that cannot be', () => {
    for (const [effects, reason] of [
      [[delivered(1)], 'ends without being open'],
      [[confirmed(1), delivered(1), delivered(1)], 'ends without being open'],
      [[confirmed(1), adopted(1, 1)], 'ends without being open'],
      [[confirmed(1), delivered(1), over(1, 'dropped')], 'ends without being open'],
      [[confirmed(1), over(1, 'dropped'), over(1, 'dropped')], 'ends without being open'],
      [[confirmed(1), delivered(1), rejected(1), over(1, 'undecided')], 'ends without being open'],
      [[confirmed(1), confirmed(1, cyd, 2)], 'begins twice'],
      [[confirmed(1), over(1, 'dropped'), confirmed(1, cyd, 2)], 'begins twice'],
      [[confirmed(1), confirmed(2)], 'has two open engagements'],
      [[confirmed(1), confirmed(3, cyd)], 'engagement 3 is out of order'],
      [[confirmed(1), delivered(1), adopted(1, 2)], 'adoption 2 is out of order'],
    ] as const)
      expect(() => after(...effects)).toThrow(reason);
  });
});
