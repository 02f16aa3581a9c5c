import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actionCatalogue, commonRefusals } from '../catalogue/index.ts';
import {
  agentNumber,
  type PlayedOnTask,
  playTask,
  taskAction,
  TaskLedger,
  type TaskObligation,
  taskSteps,
} from '../testing/index.ts';
import { taskKind } from './decide.ts';
import { type TaskEffect, taskEffect } from './effects.ts';
import type { TaskState } from './state.ts';

const runs = { numRuns: 100 };
const far = Number.MAX_SAFE_INTEGER;

/** Checks every step of random lives of a Task; the ledger is that of the facts up to and with the step. */
const everyStep = (check: (played: PlayedOnTask, ledger: TaskLedger) => void): void =>
  fc.assert(
    fc.property(taskSteps(), (steps) => {
      const ledger = new TaskLedger();
      for (const played of playTask(steps)) {
        for (const effect of played.facts.flat()) ledger.fold(effect);
        check(played, ledger);
      }
    }),
    runs,
  );

/** Checks the end of random lives. */
const everyEnd = (check: (last: PlayedOnTask, ledger: TaskLedger, all: readonly PlayedOnTask[]) => void): void =>
  fc.assert(
    fc.property(taskSteps(), (steps) => {
      const all = playTask(steps);
      const ledger = new TaskLedger();
      for (const effect of all.flatMap(({ facts }) => facts.flat())) ledger.fold(effect);
      check(all.at(-1)!, ledger, all);
    }),
    runs,
  );

const existing = (state: TaskState): Extract<TaskState, { status: 'open' }> => {
  if (state.status !== 'open') throw new Error(`the Task is ${state.status}`);
  return state;
};
const folded = (state: TaskState, effects: readonly TaskEffect[], at: number): TaskState =>
  effects.reduce<TaskState>((now, effect) => taskKind.evolve(now, effect, at), state);

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return value;
};

describe('any life of a Task', () => {
  it('reaches every effect and every refusal there is, so that the properties below say something', () => {
    const lives = fc.sample(taskSteps(), { seed: 7, numRuns: 300 }).map((steps) => playTask(steps));
    const effects = new Set(lives.flat().flatMap(({ facts }) => facts.flat().map(({ type }) => type)));
    expect([...effects].sort()).toEqual(taskEffect.options.map((option) => option.shape.type.value).sort());
    const codes = new Set(
      lives.flat().flatMap(({ decision }) => (decision?.kind === 'refused' ? [decision.code] : [])),
    );
    for (const code of [
      'agent_inactive',
      'not_found',
      'not_permitted',
      'own_task',
      'not_eligible',
      'task_paused',
      'adoption_limit',
      'no_effect',
      'deadline_passed',
      'wrong_state',
      'invalid_target',
      'schema_mismatch',
      'memory_withdrawn',
      'changed',
    ] as const)
      expect(codes).toContain(code);
    const byDeadline = lives
      .flat()
      .flatMap(({ facts }) => facts.flat())
      .filter((effect) => effect.type === 'engagement.adopted' && effect.by === 'deadline');
    expect(byDeadline.length).toBeGreaterThan(0);
    expect(lives.flat().some(({ decision }) => decision?.kind === 'accepted' && decision.existing !== undefined)).toBe(
      true,
    );
  });

  it('[L5-2] [K-9] [K-14] ends every obligation and every engagement at most once, one open an agent', () =>
    everyStep(({ after }, { open, engaged }) => {
      const live = [...existing(after).live.values()];
      const duties = live.map(
        ({ engagement, status, agent, judge }): TaskObligation =>
          status === 'taken'
            ? { duty: 'deliver', of: engagement, agent }
            : { duty: 'judge', of: engagement, agent: judge },
      );
      const order = (a: TaskObligation, b: TaskObligation): number => (a.of < b.of ? -1 : 1);
      expect([...open].sort(order)).toEqual(duties.sort(order));
      expect(new Set(live.map(({ agent }) => agent)).size).toBe(live.length);
      expect(engaged.size).toBe(live.length);
    }));

  it('[K-14] ends as many engagements as it has begun and holds no more', () =>
    everyStep(({ after }, { ended, engaged }) => {
      const all = existing(after).engagements.flat();
      expect(all.length).toBe(ended + engaged.size);
      expect(all.filter((one) => one !== null).length).toBe(ended);
    }));

  it('[K-15] adopts never more often than the bound version allows, by all adoptions of the Task, and no less', () =>
    everyEnd((_, __, all) => {
      const bounds = new Map<string, number>();
      let now = far;
      let adoptions = 0;
      for (const { facts, step, decision } of all) {
        for (const effect of facts.flat()) {
          if (effect.type === 'contract.stated') now = effect.maxAdoptions ?? far;
          if (effect.type === 'engagement.confirmed') bounds.set(effect.engagement, now);
          if (effect.type !== 'engagement.adopted') continue;
          adoptions += 1;
          expect(effect.adoptions).toBe(adoptions);
          expect(adoptions).toBeLessThanOrEqual(bounds.get(effect.engagement)!);
        }
        if (step.kind !== 'act' || decision?.kind !== 'refused' || decision.code !== 'adoption_limit') continue;
        const bound = step.action.type === 'engagement.adopt' ? bounds.get(step.action.engagement)! : now;
        expect(adoptions).toBeGreaterThanOrEqual(bound);
      }
    }));

  it('[K-8] binds the version of now with its judge, its inputs and its deadline', () =>
    everyStep(({ before, facts, at }) => {
      for (const effect of facts.flat()) {
        if (effect.type !== 'engagement.confirmed') continue;
        const { terms, author } = existing(before);
        expect(effect).toMatchObject({
          author,
          judge: terms.judge,
          version: terms.version,
          inputs: terms.requiredInputs,
          deliverBy: at + terms.deliverySeconds * 1_000,
        });
      }
    }));

  it('[K-5] [K-13] changes nothing of an engagement by revising, pausing or a deactivation', () =>
    everyStep(({ step, before, after }) => {
      const quiet =
        step.kind !== 'act' || ['task.revise', 'task.pause', 'task.resume'].includes(step.action.type as string);
      if (!quiet || before.status !== 'open') return;
      expect(existing(after).live).toBe(before.live);
      expect(existing(after).engagements).toBe(before.engagements);
    }));

  it('[K-6] keeps author and audience for ever', () =>
    everyEnd(({ after }, _, [first]) => {
      const { author, audience } = existing(first!.after);
      expect(existing(after)).toMatchObject({ author, audience });
    }));

  it('[K-7] [A-1] engages neither author nor judge, and nobody while the author or the agent is inactive', () =>
    everyStep(({ facts, fired, inactive, before }) => {
      for (const effect of facts.slice(fired.length).flat()) {
        if (effect.type !== 'engagement.confirmed') continue;
        expect([effect.author, effect.judge]).not.toContain(effect.agent);
        expect(inactive.has(effect.author) || inactive.has(effect.agent)).toBe(false);
        expect(existing(before).paused).toBe(false);
      }
    }));

  it('[L4-1] gives every open obligation an exit that needs nobody else', () =>
    everyEnd(({ after, context }, { open }) => {
      for (const { duty, of, agent } of open) {
        const engagement = of as `engagement_${string}`;
        const action =
          duty === 'deliver'
            ? ({ type: 'engagement.drop', engagement } as const)
            : ({
                type: 'engagement.reject',
                engagement,
                content: { id: 'content_1', bytes: 1, sha256: '' },
              } as const);
        const asked = { ...context, agent, inactive: () => false };
        expect(taskKind.decide(after, action, asked)).toMatchObject({ kind: 'accepted' });
      }
    }));

  it('[L4-2] [K-12] ends every delivery and judgment at its deadline at the latest', () =>
    everyEnd(({ after }, ledger) => {
      for (const effect of taskKind.due(after, far).flatMap(({ effects }) => effects)) ledger.fold(effect);
      expect(ledger.open).toEqual([]);
    }));

  it('[L4-3] [K-15] fires deadlines when they are due and not before, in the order of due time, each once', () =>
    everyStep(({ at, fired, after, before }) => {
      expect(fired.map(({ dueAt }) => dueAt)).toEqual(fired.map(({ dueAt }) => dueAt).sort((a, b) => a - b));
      expect(fired.every(({ dueAt }) => dueAt <= at)).toBe(true);
      expect(taskKind.due(before, at)).toEqual([]);
      const to = taskKind.due(after, far).map(({ dueAt }) => dueAt);
      expect(to).toEqual([...to].sort((a, b) => a - b));
      expect(to.every((dueAt) => dueAt > at)).toBe(true);
    }));

  it('[L1-1] folds to the same state from its facts', () =>
    everyEnd(({ after }, _, all) => {
      const effects = all.flatMap(({ at, facts }) => facts.flat().map((effect) => [effect, at] as const));
      expect(
        effects.reduce<TaskState>((state, [effect, at]) => taskKind.evolve(state, effect, at), taskKind.initial),
      ).toEqual(after);
    }));

  it('[L1-1] survives its store: the pieces give the state back, also as text, the order of its engagements too', () =>
    everyEnd(({ after }) => {
      const pieces = taskKind.pieces(after);
      expect(taskKind.fromPieces(structuredClone(pieces))).toEqual(after);
      const restored = taskKind.fromPieces(new Map(JSON.parse(JSON.stringify([...pieces])) as [string, unknown][]));
      expect(restored).toEqual(after);
      expect([...existing(restored).live.keys()]).toEqual([...existing(after).live.keys()]);
      const numbers = [...existing(after).live.values()].map(({ number }) => number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }));

  it('[L2-1] [L1-2] is never changed in place: deciding and folding work on a frozen state', () =>
    everyStep(({ before, context, step, facts, fired, at }) => {
      frozen(before);
      if (step.kind === 'act') taskKind.decide(before, frozen(step.action), context);
      facts
        .slice(fired.length)
        .flat()
        .reduce<TaskState>((state, effect) => frozen(taskKind.evolve(state, effect, at)), before);
    }));

  const catalogue = actionCatalogue();
  it('[L2-3] [L3-5] changes nothing when it refuses, and refuses only what the catalogue lists', () =>
    everyStep(({ step, decision, before, after }) => {
      if (step.kind !== 'act' || decision?.kind !== 'refused') return;
      expect(after).toBe(before);
      expect([...catalogue[step.action.type].refusals, ...commonRefusals]).toContain(decision.code);
    }));

  it('[L2-4] accepts nothing without an effect but taking again', () =>
    everyStep(({ step, decision, before }) => {
      if (step.kind !== 'act' || decision?.kind !== 'accepted' || decision.effects.length > 0) return;
      expect(step.action.type).toBe('task.take');
      const open = [...existing(before).live.values()].find(({ agent }) => agent === step.agent)!;
      expect(decision.existing).toEqual({ type: 'engagement', engagement: open.engagement, number: open.number });
    }));

  it('[L2-2] takes and delivers as it would one after the other, on an engagement that was there already too', () =>
    everyStep(({ step, decision, before, context, at }) => {
      if (step.kind !== 'act' || step.action.type !== 'task.take' || step.action.delivery === undefined) return;
      const { delivery, ...bare } = step.action;
      const first = taskKind.decide(before, bare, context);
      if (first.kind === 'refused') return expect(decision).toEqual(first);
      const engagement = first.existing?.type === 'engagement' ? first.existing.engagement : bare.engagement;
      const between = folded(before, first.effects, at);
      const bound = existing(between).live.get(engagement)!;
      const second = taskKind.decide(between, { type: 'engagement.deliver', engagement, delivery }, context);
      // What was checked against another version than the one bound is for none.
      if (first.existing !== undefined && bound.status === 'taken' && bare.version !== bound.version)
        return expect(decision).toEqual({ kind: 'refused', code: 'changed' });
      if (second.kind === 'refused') return expect(decision).toEqual(second);
      expect(decision).toEqual({ kind: 'accepted', effects: [...first.effects, ...second.effects] });
    }));

  it('[V-14] answers a stranger on a restricted Task, and anyone on another’s engagement, as if there were none', () =>
    fc.assert(
      fc.property(taskSteps(), taskAction, (steps, action) => {
        const { after, context } = playTask(steps).at(-1)!;
        const stranger = { ...context, agent: agentNumber(99) };
        const hidden = existing(after).audience.kind === 'restricted' || action.type.startsWith('engagement.');
        if (hidden) expect(taskKind.decide(after, action, stranger)).toEqual({ kind: 'refused', code: 'not_found' });
        expect(taskKind.decide(taskKind.initial, action, stranger)).toEqual({ kind: 'refused', code: 'not_found' });
      }),
      runs,
    ));

  it('[L4-4] stays within its capacity', () =>
    fc.assert(
      fc.property(taskSteps(), (steps) => {
        for (const { after, before, decision } of playTask(steps, { openEngagementsMax: 2 })) {
          expect(existing(after).live.size).toBeLessThanOrEqual(2);
          if (decision?.kind === 'refused' && decision.code === 'capacity_engagements')
            expect(existing(before).live.size).toBe(2);
        }
      }),
      runs,
    ));
});
