import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actionCatalogue } from './catalogue/index.ts';
import type { EngagementId } from './ids.ts';
import type { Context, Kind } from './kernel.ts';
import { defaultLimits } from './limits.ts';
import type { MemoryAction } from './memory/actions.ts';
import { memoryKind, type MemoryState } from './memory/memory.ts';
import type { TaskAction } from './task/actions.ts';
import { taskKind } from './task/decide.ts';
import type { TaskEffect } from './task/effects.ts';
import {
  ada,
  agentNumber,
  begin,
  bob,
  contentNumber,
  engagementNumber,
  memoryNumber,
  type PlayedOnTask,
  playTask,
  playThread,
  taskAction,
  taskSteps,
  threadAction,
  threadNumber,
  threadSteps,
} from './testing/index.ts';
import type { ThreadAction } from './thread/actions.ts';
import { threadKind } from './thread/decide.ts';
import type { ThreadEffect } from './thread/effects.ts';

/** The five of the lives, and one that no object has ever heard of. */
const agents = [1, 2, 3, 4, 5, 9].map(agentNumber);
const runs = { numRuns: 40 };

/** What is put to objects: every action of the catalogue that names one, in many forms, fit or unfit. */
const pool = { numRuns: 600, seed: 1 };
const threadActions = fc.sample(
  fc.oneof(
    { weight: 30, arbitrary: threadAction },
    { weight: 1, arbitrary: fc.constant<ThreadAction>({ type: 'thread.close' }) },
  ),
  pool,
);
const taskActions = fc.sample(taskAction, pool);
const memoryActions: readonly MemoryAction[] = [
  { type: 'memory.update', content: contentNumber(2) },
  { type: 'memory.publish' },
  { type: 'memory.unpublish' },
  { type: 'memory.withdraw' },
];
const some = <A>(actions: readonly A[]): fc.Arbitrary<readonly A[]> =>
  fc.array(fc.constantFrom(...actions), { minLength: 8, maxLength: 8 });

const compare = <S, A, E>(
  kind: Kind<S, A, E>,
  context: Context,
  [onUnknown, unknown]: readonly [A, S],
  [onMissing, missing]: readonly [A, S],
): void =>
  expect({ onUnknown, decision: kind.decide(unknown, onUnknown, context) }).toEqual({
    onUnknown,
    decision: kind.decide(missing, onMissing, context),
  });

// Who may know what, told from the facts alone: not from the state that deciders look at.

const membersOf = (facts: readonly ThreadEffect[]): ReadonlySet<string> => {
  const members = new Set<string>();
  for (const effect of facts) {
    if (effect.type === 'thread.created') members.add(effect.creator);
    if (effect.type === 'member.joined') members.add(effect.agent);
    if (effect.type === 'membership.ended') members.delete(effect.agent);
  }
  return members;
};

const liveHash = (facts: readonly ThreadEffect[]): string | undefined => {
  let hash: string | undefined;
  for (const effect of facts) {
    if (effect.type === 'grant.issued') hash = effect.hash;
    if (effect.type === 'grant.voided' || effect.type === 'thread.closed') hash = undefined;
  }
  return hash;
};

/** Readers of the contract (V-7, V-8); undefined: anyone. */
const readersOf = (facts: readonly TaskEffect[]): ReadonlySet<string> | undefined => {
  const [created] = facts;
  if (created?.type !== 'task.created' || created.audience.kind === 'open') return undefined;
  const judges = facts.flatMap((effect) => (effect.type === 'engagement.confirmed' ? [effect.judge] : []));
  const now = facts.findLast((effect) => effect.type === 'contract.stated')!;
  return new Set([created.author, ...created.audience.agents, ...judges, now.judge]);
};

/** Engagements that are none of this agent's business (V-10). */
const unknownTo = (facts: readonly TaskEffect[], agent: string): readonly EngagementId[] =>
  facts.flatMap((effect) =>
    effect.type === 'engagement.confirmed' && ![effect.author, effect.agent, effect.judge].some((one) => one === agent)
      ? [effect.engagement]
      : [],
  );

/** Plays random lives of a Task, with some actions to try in each state, and all facts so far. */
const everyTask = (
  check: (played: PlayedOnTask, facts: readonly TaskEffect[], actions: readonly TaskAction[]) => void,
) =>
  fc.assert(
    fc.property(taskSteps(30), some(taskActions), (steps, actions) => {
      const facts: TaskEffect[] = [];
      for (const played of playTask(steps)) {
        facts.push(...played.facts.flat());
        if (played.after.status === 'open') check(played, facts, actions);
      }
    }),
    runs,
  );

describe('an action on what its agent may not know', () => {
  it('[V-14] [V-3] [V-13] [C-3] is decided on a thread as if there were none, for strangers and former members, whatever it says', () =>
    fc.assert(
      fc.property(threadSteps(30), some(threadActions), (steps, actions) => {
        const facts: ThreadEffect[] = [];
        for (const { after, context, facts: more } of playThread(steps)) {
          facts.push(...more.flat());
          const members = membersOf(facts);
          for (const agent of agents.filter((one) => !members.has(one)))
            for (const action of actions) {
              // A live grant opens the thread to who has its secret (T-5).
              if (action.type === 'thread.join' && action.hash === liveHash(facts)) continue;
              compare(threadKind, { ...context, agent }, [action, after], [action, threadKind.initial]);
            }
        }
      }),
      runs,
    ));

  it('[V-14] [V-8] [C-3] is decided on a restricted Task as if there were none, whatever it says', () =>
    everyTask(({ after, context }, facts, actions) => {
      const readers = readersOf(facts);
      if (readers === undefined) return;
      for (const agent of agents.filter((one) => !readers.has(one)))
        for (const action of actions)
          compare(taskKind, { ...context, agent }, [action, after], [action, taskKind.initial]);
    }));

  it('[V-14] [V-10] [C-3] is decided on an engagement of others as on none, the Task known or not; redoing it is refused alike', () =>
    everyTask(({ after, context }, facts, actions) => {
      for (const agent of agents)
        for (const engagement of unknownTo(facts, agent))
          for (const action of actions) {
            const on = (id: EngagementId): TaskAction | undefined =>
              action.type === 'task.take'
                ? { ...action, redoes: id }
                : action.type.startsWith('engagement.')
                  ? ({ ...action, engagement: id } as TaskAction)
                  : undefined;
            const [unknown, missing] = [on(engagement), on(engagementNumber(99))];
            if (unknown === undefined || missing === undefined) continue;
            compare(taskKind, { ...context, agent }, [unknown, after], [missing, after]);
          }
    }));

  it('[V-14] [V-1] [V-2] [C-3] is decided on a Memory as if there were none, unless it is valid and public, wherever it was born', () => {
    const genesis = { author: ada, content: contentNumber(1), thread: threadNumber(1), entry: 1 };
    const context = (agent: string): Context => ({
      object: memoryNumber(1),
      agent,
      at: begin,
      inactive: () => false,
      limits: defaultLimits,
    });
    const doing = (state: MemoryState, of: MemoryAction): MemoryState => {
      const decision = memoryKind.decide(state, of, context(ada));
      return decision.kind === 'refused'
        ? state
        : decision.effects.reduce((now, effect) => memoryKind.evolve(now, effect, begin), state);
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...memoryActions), { maxLength: 6 }), fc.boolean(), (history, isBorn) => {
        const born = isBorn ? { genesis } : {};
        let state = isBorn
          ? memoryKind.initial
          : doing(memoryKind.initial, { type: 'memory.create', content: contentNumber(1) });
        for (const step of [undefined, ...history]) {
          if (step !== undefined) state = doing(state, { ...step, ...born });
          if (state.status === 'valid' && state.visibility === 'public') continue;
          for (const action of memoryActions)
            compare(memoryKind, context(bob), [{ ...action, ...born }, state], [action, memoryKind.initial]);
        }
      }),
    );
  });

  it('[V-14] can be any action of the catalogue that names an object', () => {
    const named = Object.values(actionCatalogue())
      .filter(({ door, object, name }) => door === 'agents' && (object !== undefined || name === 'thread.join'))
      .map(({ name }) => name);
    const put = [...threadActions, ...taskActions, ...memoryActions].map(({ type }) => type);
    expect([...new Set<string>(put)].sort()).toEqual([...named].sort());
  });
});
