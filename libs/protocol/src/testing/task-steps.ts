import fc from 'fast-check';
import type { AgentId, EngagementId } from '../ids.ts';
import type { Context, Decision, DecisionLimits } from '../kernel.ts';
import { defaultLimits } from '../limits.ts';
import type { EngagementDelivery, TaskAction } from '../task/actions.ts';
import { taskKind } from '../task/decide.ts';
import type { Audience, TaskEffect } from '../task/effects.ts';
import type { Live, TaskState } from '../task/state.ts';
import { ada, bob, contentNumber, cyd, dan, engagementNumber, eve, memoryNumber, taskNumber } from './fixtures.ts';
import { begin } from './spec-for.ts';

/**
 * One thing that happens to a Task; `afterMs` is the log time since the step before. A step that fits is turned, when it is
 * played, to one of the agents and engagements that it can concern then: so that lives get far.
 */
export type TaskStep =
  | {
      readonly kind: 'act';
      readonly afterMs: number;
      readonly agent: AgentId;
      readonly action: TaskAction;
      readonly fits?: true;
    }
  | { readonly kind: 'deactivate' | 'activate'; readonly afterMs: number; readonly agent: AgentId };

/** What a step came to: the facts that it caused, and the states around them. */
export type PlayedOnTask = {
  readonly step: TaskStep;
  readonly at: number;
  /** The state that the action was decided on, after due deadlines. */
  readonly before: TaskState;
  readonly after: TaskState;
  /** The facts of the deadlines that fired first, then that of the step itself, if any. */
  readonly facts: readonly (readonly TaskEffect[])[];
  readonly fired: readonly { readonly dueAt: number }[];
  readonly decision?: Decision<TaskEffect>;
  readonly inactive: ReadonlySet<string>;
  readonly context: Context;
};

const someone = fc.constantFrom(ada, bob, cyd, dan, eve);
const few = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
/** The id of an engagement to be: a step's take has one of its own when it is played. */
const engagement = few(12).map(engagementNumber);
const labels = fc.subarray(['a', 'b']);
const perhaps = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Without the fields that are undefined. */
const present = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;

const contract = fc
  .record({
    deliverySeconds: few(300),
    judgmentSeconds: few(300),
    withoutJudgment: fc.constantFrom('adopted' as const, 'undecided' as const),
    judge: fc.constantFrom(ada, ada, dan, eve),
    eligibility: fc.constantFrom<string[]>([], [], ['a']),
    maxAdoptions: fc.option(few(3), { nil: undefined, freq: 4 }),
    adoptedReaders: fc.constantFrom('parties' as const, 'audience' as const, 'anyone' as const),
    unusable: fc.constantFrom(undefined, undefined, undefined, undefined, 'memory_withdrawn' as const),
  })
  .map((terms) => ({
    content: contentNumber(1),
    structured: false,
    requiredInputs: [{ id: memoryNumber(1), version: 1 }],
    informative: [],
    ...present(terms),
  }));
const audience = fc.constantFrom<Audience[]>(
  { kind: 'open' },
  { kind: 'open' },
  { kind: 'restricted', agents: [bob, cyd] },
);

const delivery = fc.oneof<fc.MaybeWeightedArbitrary<EngagementDelivery>[]>(
  { weight: 5, arbitrary: fc.constant({ content: contentNumber(2), memories: [] }) },
  { weight: 1, arbitrary: fc.constant({ memories: [{ id: memoryNumber(1), version: 2 }] }) },
  { weight: 1, arbitrary: fc.constant({ memories: [], unusable: 'schema_mismatch' as const }) },
);
const take = fc
  .record({
    engagement,
    labels,
    version: perhaps(few(2)),
    redoes: fc.option(engagement, { nil: undefined, freq: 4 }),
    delivery: perhaps(delivery),
  })
  .map((fields): TaskAction => ({ type: 'task.take', ...present(fields) }) as TaskAction);

/** Any action on a Task but its creation. */
export const taskAction: fc.Arbitrary<TaskAction> = fc.oneof(
  { weight: 12, arbitrary: take },
  { weight: 3, arbitrary: contract.map((terms): TaskAction => ({ type: 'task.revise', ...terms })) },
  { weight: 1, arbitrary: fc.constant<TaskAction>({ type: 'task.pause' }) },
  { weight: 2, arbitrary: fc.constant<TaskAction>({ type: 'task.resume' }) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(engagement, delivery)
      .map(([id, handedIn]): TaskAction => ({ type: 'engagement.deliver', engagement: id, delivery: handedIn })),
  },
  { weight: 1, arbitrary: engagement.map((id): TaskAction => ({ type: 'engagement.drop', engagement: id })) },
  { weight: 4, arbitrary: engagement.map((id): TaskAction => ({ type: 'engagement.adopt', engagement: id })) },
  {
    weight: 1,
    arbitrary: engagement.map(
      (id): TaskAction => ({ type: 'engagement.reject', engagement: id, content: contentNumber(3) }),
    ),
  },
);

/** Whole seconds, as deadlines are, so that steps fall on them, and deadlines on one another. */
const afterMs = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }) },
  )
  .map((seconds) => seconds * 1_000);
const act: fc.Arbitrary<TaskStep> = fc
  .tuple(afterMs, someone, taskAction, few(4))
  .map(([after, agent, action, fits]) => ({
    kind: 'act',
    afterMs: after,
    agent,
    action,
    ...(fits > 1 ? { fits: true } : {}),
  }));
const account = (kind: 'deactivate' | 'activate'): fc.Arbitrary<TaskStep> =>
  fc.record({ kind: fc.constant(kind), afterMs, agent: someone });

const creation: fc.Arbitrary<TaskStep> = fc.tuple(contract, audience).map(([{ unusable: _, ...terms }, named]) => ({
  kind: 'act',
  afterMs: 0,
  agent: ada,
  action: {
    type: 'task.create',
    audience: named,
    ...terms,
    ...(named.kind === 'restricted' ? { adoptedReaders: 'parties' } : {}),
  },
}));

/** A Task of Ada's, and up to `stepsMax` random steps of five agents on it. */
export const taskSteps = (stepsMax = 60): fc.Arbitrary<readonly TaskStep[]> =>
  fc
    .tuple(
      creation,
      fc.array(
        fc.oneof(
          { weight: 40, arbitrary: act },
          { weight: 1, arbitrary: account('deactivate') },
          { weight: 3, arbitrary: account('activate') },
        ),
        { minLength: 1, maxLength: stepsMax, size: 'max' },
      ),
    )
    .map(([first, steps]) => [first, ...steps]);

/** Plays steps as an owner does: due deadlines first, each a fact of its own, then the step (engine.md §3, L4-3). */
export const playTask = (steps: readonly TaskStep[], limits: Partial<DecisionLimits> = {}): readonly PlayedOnTask[] => {
  const played: PlayedOnTask[] = [];
  const inactive = new Set<string>();
  let state = taskKind.initial;
  let at = begin;
  for (const step of steps) {
    at += step.afterMs;
    const result = playStep(state, step, at, inactive, { ...defaultLimits, ...limits });
    played.push(result);
    state = result.after;
  }
  return played;
};

const playStep = (
  start: TaskState,
  asked: TaskStep,
  at: number,
  inactive: Set<string>,
  limits: DecisionLimits,
): PlayedOnTask => {
  const fold = (state: TaskState, effects: readonly TaskEffect[]): TaskState =>
    effects.reduce<TaskState>((folded, effect) => taskKind.evolve(folded, effect, at), state);
  const fired = taskKind.due(start, at);
  const before = fired.reduce<TaskState>((folded, { effects }) => fold(folded, effects), start);
  const step = fitted(asked, before);
  if (step.kind === 'deactivate') inactive.add(step.agent);
  if (step.kind === 'activate') inactive.delete(step.agent);
  const now = new Set(inactive);
  const context: Context = {
    object: taskNumber(1),
    agent: step.agent,
    at,
    inactive: (agent) => now.has(agent),
    limits,
  };
  const decision = step.kind === 'act' ? taskKind.decide(before, step.action, context) : undefined;
  const own = effectsOf(step, before, at, decision);
  return {
    step,
    at,
    before,
    after: fold(before, own),
    fired,
    inactive: now,
    context,
    facts: [...fired.map(({ effects }) => effects), ...(own.length > 0 ? [own] : [])],
    ...(decision === undefined ? {} : { decision }),
  };
};

const effectsOf = (
  step: TaskStep,
  state: TaskState,
  at: number,
  decision: Decision<TaskEffect> | undefined,
): readonly TaskEffect[] => {
  if (step.kind === 'deactivate') return taskKind.deactivate(state, step.agent, at);
  return decision?.kind === 'accepted' ? decision.effects : [];
};

type Existing = Extract<TaskState, { status: 'open' }>;
type Act = Extract<TaskStep, { kind: 'act' }>;

const fitted = (step: TaskStep, state: TaskState): TaskStep => {
  if (step.kind !== 'act' || state.status !== 'open') return step;
  const { action } = step;
  if (action.type === 'task.take') return taking(step, action, state);
  if (step.fits === undefined) return step;
  switch (action.type) {
    case 'task.create':
      return step;
    case 'task.revise':
    case 'task.pause':
    case 'task.resume':
      return { ...step, agent: state.author };
    case 'engagement.deliver':
    case 'engagement.drop':
      return onLive(step, action, state, 'taken');
    case 'engagement.adopt':
    case 'engagement.reject':
      return onLive(step, action, state, 'delivered');
  }
};

/** Every take brings an id of its own; one that fits goes by the version of now, with labels, and redoes what it can. */
const taking = (step: Act, action: Extract<TaskAction, { type: 'task.take' }>, state: Existing): TaskStep => {
  const ended = state.engagements.flat();
  const own = { ...action, engagement: engagementNumber(ended.length + 1) };
  if (step.fits === undefined) return { ...step, action: own };
  const { redoes, version, ...rest } = own;
  const earlier = ended.find((one) => one !== null && one.agent === step.agent);
  return {
    ...step,
    action: {
      ...rest,
      labels: ['a', 'b'],
      ...(version === undefined ? {} : { version: boundBy(state, step.agent) }),
      ...(redoes === undefined || earlier === undefined || earlier === null ? {} : { redoes: earlier.engagement }),
    },
  };
};

const boundBy = ({ live, terms }: Existing, agent: AgentId): number =>
  [...live.values()].find((one) => one.agent === agent)?.version ?? terms.version;

const onLive = (
  step: Act,
  action: Extract<TaskAction, { engagement: EngagementId; type: `engagement.${string}` }>,
  { live }: Existing,
  status: Live['status'],
): TaskStep => {
  const found = [...live.values()].filter((one) => one.status === status);
  const chosen = found[Number.parseInt(action.engagement.slice(-1), 32) % found.length];
  if (chosen === undefined) return step;
  const party = status === 'taken' ? chosen.agent : chosen.judge;
  return { ...step, agent: party, action: { ...action, engagement: chosen.engagement } };
};
