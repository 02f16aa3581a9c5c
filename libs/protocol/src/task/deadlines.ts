import type { Fired } from '../kernel.ts';
import type { TaskEffect } from './effects.ts';
import { type Existing, limitReached, type Live } from './state.ts';

/** The deadlines due at log time, in the order of due time, then of the engagements (K-12, K-15). */
export const due = (task: Existing, at: number): readonly Fired<TaskEffect>[] => {
  const passed = [...task.live.values()].filter((live) => dueAt(live) <= at).sort(inOrder);
  let { adoptions } = task;
  return passed.map((live) => {
    const effect = ending(live, adoptions);
    if (effect.type === 'engagement.adopted') adoptions = effect.adoptions;
    return { dueAt: dueAt(live), effects: [effect] };
  });
};

const dueAt = (live: Live): number => (live.status === 'taken' ? live.deliverBy : live.judgeBy);
const inOrder = (a: Live, b: Live): number => dueAt(a) - dueAt(b) || a.number - b.number;

/** As the bound contract states; over the adoption limit as undecided (K-12, K-15). */
const ending = (live: Live, adoptions: number): TaskEffect => {
  const { engagement, number, status, withoutJudgment } = live;
  if (status === 'taken') return { type: 'engagement.timed-out', engagement, number };
  return withoutJudgment === 'undecided' || limitReached(adoptions, live)
    ? { type: 'engagement.undecided', engagement, number }
    : { type: 'engagement.adopted', engagement, number, by: 'deadline', adoptions: adoptions + 1 };
};
