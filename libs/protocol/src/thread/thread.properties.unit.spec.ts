import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actionCatalogue, commonRefusals } from '../catalogue/index.ts';
import {
  agentNumber,
  contentNumber,
  Ledger,
  type Obligation,
  type Played,
  playThread,
  threadAction,
  type ThreadStep,
  threadSteps,
} from '../testing/index.ts';
import type { ThreadAction } from './actions.ts';
import { threadKind } from './decide.ts';
import { type ThreadEffect, threadEffect } from './effects.ts';
import type { ThreadState } from './state.ts';

const runs = { numRuns: 100 };
const far = Number.MAX_SAFE_INTEGER;

/** Checks every step of random lives of a thread; the ledger is that of the facts up to and with the step. */
const everyStep = (check: (played: Played, ledger: Ledger) => void): void =>
  fc.assert(
    fc.property(threadSteps(), (steps) => {
      const ledger = new Ledger();
      for (const played of playThread(steps)) {
        for (const effect of played.facts.flat()) ledger.fold(effect);
        check(played, ledger);
      }
    }),
    runs,
  );

/** Checks the end of random lives. */
const everyEnd = (check: (last: Played, ledger: Ledger, all: readonly Played[]) => void): void =>
  fc.assert(
    fc.property(threadSteps(), (steps) => {
      const all = playThread(steps);
      const ledger = new Ledger();
      for (const effect of all.flatMap(({ facts }) => facts.flat())) ledger.fold(effect);
      check(all.at(-1)!, ledger, all);
    }),
    runs,
  );

const existing = (state: ThreadState): Exclude<ThreadState, { status: 'absent' }> => {
  if (state.status === 'absent') throw new Error('the thread is absent');
  return state;
};
const pendingOf = (state: ThreadState): readonly Obligation[] =>
  [...existing(state).members.values()].flatMap(({ agent, pending }) =>
    pending.map((of) => ({ duty: 'respond' as const, of, agent })),
  );

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return value;
};

describe('any life of a thread', () => {
  it('reaches every effect and every refusal there is, so that the properties below say something', () => {
    const lives = fc.sample(threadSteps(), { seed: 7, numRuns: 300 }).map((steps) => playThread(steps));
    const effects = new Set(lives.flat().flatMap(({ facts }) => facts.flat().map(({ type }) => type)));
    expect([...effects].sort()).toEqual(threadEffect.options.map((option) => option.shape.type.value).sort());
    const codes = new Set(
      lives.flat().flatMap(({ decision }) => (decision?.kind === 'refused' ? [decision.code] : [])),
    );
    for (const code of [
      'agent_inactive',
      'not_found',
      'grant_invalid',
      'not_permitted',
      'thread_closed',
      'last_governor',
      'no_effect',
      'not_pending',
      'deadline_passed',
      'wrong_state',
      'invalid_target',
      'schema_mismatch',
      'memory_withdrawn',
    ] as const)
      expect(codes).toContain(code);
  });

  it('[L5-2] [T-48] [T-50] ends every obligation and every assignment at most once', () => everyStep(() => undefined));

  it('[O-1] [L1-1] keeps exactly the open responses that its facts tell', () =>
    everyStep(({ after }, { open }) => {
      const owed = open.filter(({ duty }) => duty === 'respond');
      const order = (a: Obligation, b: Obligation): number => a.of - b.of || (a.agent < b.agent ? -1 : 1);
      expect([...pendingOf(after)].sort(order)).toEqual([...owed].sort(order));
      expect(existing(after).openResponses).toBe(owed.length);
    }));

  it('[T-13] always has a governor while it is open', () =>
    everyStep((_, { closed, roles }) => expect(closed || [...roles.values()].includes('governor')).toBe(true)));

  it('[T-60] leaves nothing to respond to or to deliver once it is closed, nor a grant', () =>
    everyStep(({ after }, { closed, open }) => {
      if (!closed) return;
      expect(open.filter(({ duty }) => duty !== 'judge')).toEqual([]);
      expect(after).not.toHaveProperty('grant');
    }));

  it('[T-61] is never opened again', () =>
    everyStep(({ after }, { closed }) => expect(existing(after).status).toBe(closed ? 'closed' : 'open')));

  it('[T-15] leaves nothing on a membership that has ended', () =>
    everyStep((_, { open, roles }) => expect(open.filter(({ agent }) => !roles.has(agent))).toEqual([])));

  it('[T-14] owes no response of an observer', () =>
    everyStep((_, { open, roles }) =>
      expect(open.filter(({ duty, agent }) => duty === 'respond' && roles.get(agent) === 'observer')).toEqual([]),
    ));

  it('[A-4] [A-7] leaves no membership and no obligation on a deactivated agent', () =>
    everyStep(({ inactive }, { open, roles }) => {
      expect([...roles.keys()].filter((agent) => inactive.has(agent))).toEqual([]);
      expect(open.filter(({ agent }) => inactive.has(agent))).toEqual([]);
    }));

  it('[L4-1] gives every open obligation an exit that needs nobody else', () =>
    everyEnd(({ after, context }, { open }) => {
      for (const { duty, of, agent } of open) {
        const exit = {
          respond: { type: 'thread.handle', entry: of },
          deliver: { type: 'assignment.drop', assignment: of },
          judge: { type: 'assignment.adopt', assignment: of },
        } as const;
        expect(threadKind.decide(after, exit[duty], { ...context, agent })).toMatchObject({ kind: 'accepted' });
      }
    }));

  it('[L4-2] [T-49] ends every delivery and judgment at its deadline at the latest', () =>
    everyEnd(({ after }, ledger) => {
      for (const effect of threadKind.due(after, far).flatMap(({ effects }) => effects)) ledger.fold(effect);
      expect(ledger.open.filter(({ duty }) => duty !== 'respond')).toEqual([]);
    }));

  it('[L4-3] [K-15] fires deadlines when they are due and not before, in the order of due time, each once', () =>
    everyStep(({ at, fired, after, before }) => {
      expect(fired.map(({ dueAt }) => dueAt)).toEqual(fired.map(({ dueAt }) => dueAt).sort((a, b) => a - b));
      expect(fired.every(({ dueAt }) => dueAt <= at)).toBe(true);
      expect(threadKind.due(before, at)).toEqual([]);
      const to = threadKind.due(after, far).map(({ dueAt }) => dueAt);
      expect(to).toEqual([...to].sort((a, b) => a - b));
      expect(to.every((dueAt) => dueAt > at)).toBe(true);
    }));

  it('[L1-1] folds to the same state from its facts', () =>
    everyEnd(({ after }, _, all) => {
      const effects = all.flatMap(({ at, facts }) => facts.flat().map((effect) => [effect, at] as const));
      expect(
        effects.reduce<ThreadState>((state, [effect, at]) => threadKind.evolve(state, effect, at), threadKind.initial),
      ).toEqual(after);
    }));

  it('[L1-1] survives its store: the pieces give the state back, also as text', () =>
    everyEnd(({ after }) => {
      const pieces = threadKind.pieces(after);
      expect(threadKind.fromPieces(structuredClone(pieces))).toEqual(after);
      expect(threadKind.fromPieces(new Map(JSON.parse(JSON.stringify([...pieces])) as [string, unknown][]))).toEqual(
        after,
      );
    }));

  it('writes the chunks that have changed and no others', () =>
    everyStep(({ before, after }) => {
      const old = threadKind.pieces(before);
      for (const [name, piece] of threadKind.pieces(after))
        if (name !== 'core' && old.has(name) && JSON.stringify(old.get(name)) === JSON.stringify(piece))
          expect(old.get(name)).toBe(piece);
    }));

  it('[L2-1] [L1-2] is never changed in place: deciding and folding work on a frozen state', () =>
    everyStep(({ before, context, step, facts, fired, at }) => {
      frozen(before);
      if (step.kind === 'act') threadKind.decide(before, frozen(step.action), context);
      facts
        .slice(fired.length)
        .flat()
        .reduce<ThreadState>((state, effect) => frozen(threadKind.evolve(state, effect, at)), before);
    }));

  const catalogue = actionCatalogue();
  it('[L2-3] [L3-5] changes nothing when it refuses, and refuses only what the catalogue lists', () =>
    everyStep(({ step, decision, before, after }) => {
      if (step.kind !== 'act' || decision?.kind !== 'refused') return;
      expect(after).toBe(before);
      expect([...catalogue[step.action.type].refusals, ...commonRefusals]).toContain(decision.code);
    }));

  it('[L2-4] accepts nothing without an effect but joining again', () =>
    everyStep(({ step, decision, before, context }) => {
      if (step.kind !== 'act' || decision?.kind !== 'accepted' || decision.effects.length > 0) return;
      expect(step.action.type).toBe('thread.join');
      const { membership, role } = existing(before).members.get(step.agent)!;
      expect(decision.existing).toEqual({ type: 'membership', membership, role });
      expect(context.agent).toBe(step.agent);
    }));

  it('[L2-2] takes and delivers as it would one after the other', () =>
    everyStep(({ step, decision, before, context, at }) => {
      if (step.kind !== 'act' || step.action.type !== 'assignment.take' || step.action.delivery === undefined) return;
      const { assignment, delivery } = step.action;
      const first = threadKind.decide(before, { type: 'assignment.take', assignment }, context);
      if (first.kind === 'refused') return expect(decision).toEqual(first);
      const between = first.effects.reduce<ThreadState>(
        (state, effect) => threadKind.evolve(state, effect, at),
        before,
      );
      const second = threadKind.decide(between, { type: 'assignment.deliver', assignment, delivery }, context);
      if (second.kind === 'refused') return expect(decision).toEqual(second);
      expect(decision).toEqual({ kind: 'accepted', effects: [...first.effects, ...second.effects] });
    }));

  it('[K-16] does with a reference to a Task what it does without, the reference apart; one it may not know is refused last', () =>
    everyStep(({ step, decision, before, context }) => {
      if (step.kind !== 'act' || step.action.type !== 'thread.post' || step.action.task === undefined) return;
      const { task, unusableTask, ...plain } = step.action;
      const without = threadKind.decide(before, plain, context);
      if (without.kind === 'refused') return expect(decision).toEqual(without);
      if (unusableTask) return expect(decision).toEqual({ kind: 'refused', code: 'invalid_target' });
      const effects = without.effects.map((effect) => (effect.type === 'entry.posted' ? { ...effect, task } : effect));
      expect(decision).toEqual({ kind: 'accepted', effects });
    }));

  it('[V-14] answers a stranger as if there were no thread', () =>
    fc.assert(
      fc.property(threadSteps(), threadAction, (steps, action) => {
        const { after, context } = playThread(steps).at(-1)!;
        const stranger = { ...context, agent: agentNumber(99) };
        if (action.type === 'thread.join') return;
        expect(threadKind.decide(after, action, stranger)).toEqual({ kind: 'refused', code: 'not_found' });
        expect(threadKind.decide(threadKind.initial, action, stranger)).toEqual({ kind: 'refused', code: 'not_found' });
      }),
      runs,
    ));

  it('[T-28] keeps responders as they were when others join or are promoted', () =>
    everyStep(({ step, facts, fired }) => {
      if (step.kind === 'act' && step.action.type === 'thread.post') return;
      expect(
        facts
          .slice(fired.length)
          .flat()
          .filter(({ type }) => type === 'response.owed'),
      ).toEqual([]);
    }));

  it('[L4-4] stays within its capacities', () => {
    const limits = { membersMax: 3, openResponsesMax: 2, liveAssignmentsMax: 2 };
    fc.assert(
      fc.property(threadSteps(), (steps) => {
        for (const { after } of playThread(steps, limits)) {
          const { members, openResponses, live } = existing(after);
          expect(members.size).toBeLessThanOrEqual(3);
          expect(openResponses).toBeLessThanOrEqual(2);
          expect(live.size).toBeLessThanOrEqual(2);
        }
      }),
      runs,
    );
  });

  it('[T-24] [T-27] asks exactly as the rules in their order say', () =>
    everyStep(({ step, decision, before }) => {
      if (step.kind !== 'act' || step.action.type !== 'thread.post' || decision?.kind !== 'accepted') return;
      const owed = decision.effects.flatMap((effect) => (effect.type === 'response.owed' ? [effect.agent] : []));
      expect(owed).toEqual(respondersByTheBook(before, step, step.action));
    }));
});

type Post = Extract<ThreadAction, { type: 'thread.post' }>;

/** §6.3 again, written apart from the decider: the four rules in their order. */
const respondersByTheBook = (
  state: ThreadState,
  { agent: author }: ThreadStep,
  { ask, replyTo }: Post,
): readonly string[] => {
  const { members, memberships, entries } = existing(state);
  const speakers = [...members.values()]
    .filter(({ role }) => role === 'speaker' || role === 'governor')
    .map(({ agent }) => agent);
  if (ask !== undefined) return [...new Set(ask)];
  if (replyTo !== undefined) {
    const repliedTo = memberships.flat()[entries.flat()[replyTo - 1]! - 1]!;
    if (repliedTo !== author) return speakers.includes(repliedTo) ? [repliedTo] : [];
  }
  return speakers.length === 2 ? speakers.filter((agent) => agent !== author) : [];
};

describe('a fact that cannot be', () => {
  const [creator, other] = [agentNumber(1), agentNumber(2)];
  const fold = (...effects: readonly ThreadEffect[]): ThreadState =>
    effects.reduce<ThreadState>((state, effect) => threadKind.evolve(state, effect, 0), threadKind.initial);
  const created: ThreadEffect = { type: 'thread.created', creator };
  const assigned: ThreadEffect = {
    type: 'assignment.created',
    assignment: 1,
    entry: 1,
    creator,
    assignee: creator,
    content: contentNumber(1),
    structured: false,
    deliverySeconds: 60,
    judgmentSeconds: 60,
  };

  it('[L5-2] stops the fold: on an absent thread, a stranger, a response or an assignment that is over', () => {
    expect(() => fold({ type: 'thread.closed', how: 'governor' })).toThrow('a fact on a thread that is absent');
    expect(() => fold(created, { type: 'member.role-set', membership: 2, agent: other, role: 'speaker' })).toThrow(
      `a fact on ${other}, which is no member`,
    );
    expect(() => fold(created, { type: 'response.owed', entry: 1, agent: other })).toThrow(
      `a fact on ${other}, which is no member`,
    );
    expect(() => fold(created, { type: 'response.ended', entry: 1, agent: creator, how: 'reply' })).toThrow(
      `a response of ${creator} to entry 1 ends twice`,
    );
    expect(() => fold(created, { type: 'assignment.adopted', assignment: 1 })).toThrow(
      'a fact on assignment 1, which is not live',
    );
    expect(() =>
      fold(
        created,
        assigned,
        { type: 'assignment.dropped', assignment: 1 },
        { type: 'assignment.dropped', assignment: 1 },
      ),
    ).toThrow('not live');
    expect(() => fold(created, assigned, { type: 'judgment.forfeited', assignment: 1, agent: creator })).toThrow(
      'the judgment of assignment 1 is forfeited before delivery',
    );
  });

  it('[A-4] ties agents to the thread when they become members, so that the account walk finds it', () => {
    expect(threadKind.ties(created)).toEqual([creator]);
    expect(threadKind.ties({ type: 'member.joined', membership: 2, agent: other, role: 'speaker', grant: 1 })).toEqual([
      other,
    ]);
    expect(threadKind.ties(assigned)).toEqual([]);
  });
});
