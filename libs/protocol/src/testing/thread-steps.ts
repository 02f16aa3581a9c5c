import fc from 'fast-check';
import { countOf } from '../chunks.ts';
import type { AgentId } from '../ids.ts';
import type { Context, DecisionLimits, Decision } from '../kernel.ts';
import { defaultLimits } from '../limits.ts';
import type { Delivery, ThreadAction } from '../thread/actions.ts';
import { threadKind } from '../thread/decide.ts';
import type { Role, ThreadEffect } from '../thread/effects.ts';
import { maySpeak, type ThreadState } from '../thread/state.ts';
import {
  ada,
  bob,
  contentNumber,
  cyd,
  dan,
  eve,
  hashNumber,
  memoryNumber,
  taskNumber,
  threadNumber,
} from './fixtures.ts';
import { begin } from './spec-for.ts';

/**
 * One thing that happens to a thread; `afterMs` is the log time since the step before. A step that fits is turned, when it is
 * played, to one of the agents and parts that it can concern then (`fitted`): so that lives get far.
 */
export type ThreadStep =
  | {
      readonly kind: 'act';
      readonly afterMs: number;
      readonly agent: AgentId;
      readonly action: ThreadAction;
      readonly fits?: true;
    }
  | { readonly kind: 'deactivate' | 'activate'; readonly afterMs: number; readonly agent: AgentId };

/** What a step came to: the facts that it caused, each with the states around it. */
export type Played = {
  readonly step: ThreadStep;
  readonly at: number;
  /** The state that the action was decided on, after due deadlines. */
  readonly before: ThreadState;
  readonly after: ThreadState;
  /** The facts of the deadlines that fired first, then that of the step itself, if any. */
  readonly facts: readonly (readonly ThreadEffect[])[];
  readonly fired: readonly { readonly dueAt: number }[];
  readonly decision?: Decision<ThreadEffect>;
  readonly inactive: ReadonlySet<string>;
  readonly context: Context;
};

const agents = [ada, bob, cyd, dan, eve] as const;
const someone = fc.constantFrom(...agents);
/** Small numbers, so that steps meet; now and then one that does not exist. */
const few = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
const entry = few(6);
const assignment = few(4);
const role = fc.constantFrom<Role>('observer', 'speaker', 'speaker', 'governor');
const hash = few(3).map(hashNumber);
const content = few(9).map(contentNumber);
/** The field, or now and then no field. */
const maybe = <K extends string, T>(
  key: K,
  arb: fc.Arbitrary<T>,
  nothingOneIn = 2,
): fc.Arbitrary<{ readonly [P in K]?: T }> =>
  fc
    .option(arb, { freq: nothingOneIn })
    .map((value) => (value === null ? {} : { [key]: value }) as { readonly [P in K]?: T });

const memory = fc.oneof(
  {
    weight: 4,
    arbitrary: few(9).map((n) => ({ kind: 'born', id: memoryNumber(n), content: contentNumber(n) }) as const),
  },
  {
    weight: 4,
    arbitrary: few(9).map((n) => ({ kind: 'reference', pin: { id: memoryNumber(n), version: 1 } }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('invalid_target', 'memory_withdrawn')
      .map((code) => ({ kind: 'unusable', code }) as const),
  },
);
const assign = fc
  .tuple(someone, maybe('redoes', assignment), few(300), few(300))
  .map(([to, redoes, deliverySeconds, judgmentSeconds]) => ({
    to,
    content: contentNumber(1),
    structured: false,
    deliverySeconds,
    judgmentSeconds,
    ...redoes,
  }));
const delivery = fc.oneof<fc.MaybeWeightedArbitrary<Delivery>[]>(
  { weight: 5, arbitrary: fc.constant({ content: contentNumber(2), memories: [] }) },
  { weight: 1, arbitrary: fc.constant({ memories: [{ id: memoryNumber(1), version: 2 }] }) },
  {
    weight: 1,
    arbitrary: fc.constant({ content: contentNumber(2), memories: [], unusable: 'schema_mismatch' as const }),
  },
);

/** Mostly none; else a Task that the author may know, or now and then one that it may not (K-16). */
const reference = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ task: taskNumber(1) }) },
  { weight: 1, arbitrary: fc.constant({ task: taskNumber(1), unusableTask: true as const }) },
);

const post: fc.Arbitrary<ThreadAction> = fc
  .tuple(
    memory,
    maybe('replyTo', entry),
    maybe('ask', fc.array(someone, { maxLength: 2 })),
    maybe('assign', assign),
    reference,
  )
  .map(([pinned, ...rest]) => Object.assign({ type: 'thread.post' as const, memory: pinned }, ...rest) as ThreadAction);

const onAssignment = (type: 'assignment.drop' | 'assignment.void' | 'assignment.adopt'): fc.Arbitrary<ThreadAction> =>
  assignment.map((n) => ({ type, assignment: n }));

/** Any action on a thread but its creation. */
export const threadAction: fc.Arbitrary<ThreadAction> = fc.oneof(
  { weight: 8, arbitrary: post },
  { weight: 5, arbitrary: hash.map((secret): ThreadAction => ({ type: 'thread.join', hash: secret })) },
  {
    weight: 1,
    arbitrary: fc.tuple(role, hash).map(([r, h]): ThreadAction => ({ type: 'thread.grant', role: r, hash: h })),
  },
  { weight: 1, arbitrary: fc.constant<ThreadAction>({ type: 'thread.revoke-grant' }) },
  { weight: 1, arbitrary: fc.constant<ThreadAction>({ type: 'thread.leave' }) },
  { weight: 1, arbitrary: someone.map((member): ThreadAction => ({ type: 'thread.remove', member })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(someone, role)
      .map(([member, r]): ThreadAction => ({ type: 'thread.set-role', member, role: r })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(entry, maybe('note', content))
      .map(([n, note]): ThreadAction => ({ type: 'thread.handle', entry: n, ...note })),
  },
  { weight: 1, arbitrary: entry.map((n): ThreadAction => ({ type: 'thread.retract', entry: n })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(assignment, maybe('delivery', delivery))
      .map(([n, d]): ThreadAction => ({ type: 'assignment.take', assignment: n, ...d }) as ThreadAction),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(assignment, delivery)
      .map(([n, d]): ThreadAction => ({ type: 'assignment.deliver', assignment: n, delivery: d })),
  },
  { weight: 1, arbitrary: onAssignment('assignment.drop') },
  { weight: 1, arbitrary: onAssignment('assignment.void') },
  { weight: 2, arbitrary: onAssignment('assignment.adopt') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(assignment, content)
      .map(([n, c]): ThreadAction => ({ type: 'assignment.reject', assignment: n, content: c })),
  },
);
const closing: fc.Arbitrary<ThreadAction> = fc.constant({ type: 'thread.close' });

const afterMs = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
);

const act = (action: fc.Arbitrary<ThreadAction>): fc.Arbitrary<ThreadStep> =>
  fc.tuple(afterMs, someone, action, fc.integer({ min: 1, max: 4 })).map(([after, agent, chosen, fits]) => ({
    kind: 'act',
    afterMs: after,
    agent,
    action: chosen,
    ...(fits > 1 ? { fits: true } : {}),
  }));
const account = (kind: 'deactivate' | 'activate'): fc.Arbitrary<ThreadStep> =>
  fc.record({ kind: fc.constant(kind), afterMs, agent: someone });

const creation: ThreadStep = {
  kind: 'act',
  afterMs: 0,
  agent: ada,
  action: { type: 'thread.create', grant: { role: 'speaker', hash: hashNumber(1) } },
};
const admission = [bob, cyd].map(
  (agent): ThreadStep => ({ kind: 'act', afterMs: 1, agent, action: { type: 'thread.join', hash: hashNumber(1) } }),
);

/** A thread of Ada's with Bob and Cyd, and up to `stepsMax` random steps of five agents in it. */
export const threadSteps = (stepsMax = 60): fc.Arbitrary<readonly ThreadStep[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 60, arbitrary: act(threadAction) },
        { weight: 1, arbitrary: act(closing) },
        { weight: 1, arbitrary: account('deactivate') },
        { weight: 3, arbitrary: account('activate') },
      ),
      { minLength: 1, maxLength: stepsMax, size: 'max' },
    )
    .map((steps) => [creation, ...admission, ...steps]);

/** Plays steps as an owner does: due deadlines first, each a fact of its own, then the step (engine.md §3, L4-3). */
export const playThread = (steps: readonly ThreadStep[], limits: Partial<DecisionLimits> = {}): readonly Played[] => {
  const played: Played[] = [];
  const inactive = new Set<string>();
  let state = threadKind.initial;
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
  start: ThreadState,
  asked: ThreadStep,
  at: number,
  inactive: Set<string>,
  limits: DecisionLimits,
): Played => {
  const fold = (state: ThreadState, effects: readonly ThreadEffect[]): ThreadState =>
    effects.reduce<ThreadState>((folded, effect) => threadKind.evolve(folded, effect, at), state);
  const fired = threadKind.due(start, at);
  const before = fired.reduce<ThreadState>((folded, { effects }) => fold(folded, effects), start);
  const step = fitted(asked, before);
  if (step.kind === 'deactivate') inactive.add(step.agent);
  if (step.kind === 'activate') inactive.delete(step.agent);
  const now = new Set(inactive);
  const context: Context = {
    object: threadNumber(1),
    agent: step.agent,
    at,
    inactive: (agent) => now.has(agent),
    limits,
  };
  const decision = step.kind === 'act' ? threadKind.decide(before, step.action, context) : undefined;
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
  step: ThreadStep,
  state: ThreadState,
  at: number,
  decision: Decision<ThreadEffect> | undefined,
): readonly ThreadEffect[] => {
  if (step.kind === 'deactivate') return threadKind.deactivate(state, step.agent, at);
  return decision?.kind === 'accepted' ? decision.effects : [];
};

type Existing = Exclude<ThreadState, { status: 'absent' }>;

const fitted = (step: ThreadStep, state: ThreadState): ThreadStep => {
  if (step.kind !== 'act' || step.fits === undefined || state.status === 'absent') return step;
  const { action } = step;
  switch (action.type) {
    case 'thread.grant':
    case 'thread.revoke-grant':
    case 'thread.remove':
    case 'thread.set-role':
    case 'thread.close':
      return by(
        step,
        first(state, ({ role }) => role === 'governor'),
      );
    case 'thread.post':
      return posting(step, action, state);
    case 'thread.handle':
    case 'thread.retract':
      return onPending(step, action, state);
    case 'assignment.take':
      return onLive(step, action, state, 'untaken', 'assignee');
    case 'assignment.deliver':
    case 'assignment.drop':
      return onLive(step, action, state, 'taken', 'assignee');
    case 'assignment.void':
      return onLive(step, action, state, action.assignment % 2 === 0 ? 'untaken' : 'taken', 'creator');
    case 'assignment.adopt':
    case 'assignment.reject':
      return onLive(step, action, state, 'delivered', 'creator');
    case 'thread.leave':
      return by(step, judgeOf(state));
    case 'thread.create':
    case 'thread.join':
      return step;
  }
};

type Act = Extract<ThreadStep, { kind: 'act' }>;
type Member = Existing['members'] extends ReadonlyMap<AgentId, infer M> ? M : never;
const by = (step: Act, agent: AgentId | undefined): ThreadStep => ({ ...step, agent: agent ?? step.agent });
const first = (state: Existing, fits: (member: Member) => boolean): AgentId | undefined =>
  [...state.members.values()].find(fits)?.agent;

/** An agent that still has to judge: its leaving forfeits that (T-15). */
const judgeOf = ({ live }: Existing): AgentId | undefined =>
  [...live.values()].flatMap((one) => (one.status === 'delivered' ? (one.judge ?? []) : [])).at(-1);

/** By one who may speak, asking and assigning to others who may, replying to an entry that there is; redoing nothing. */
const posting = (step: Act, action: Extract<ThreadAction, { type: 'thread.post' }>, state: Existing): ThreadStep => {
  const speakers = [...state.members.values()].filter(maySpeak).map(({ agent }) => agent);
  const author = speakers.find((agent) => agent >= step.agent) ?? speakers[0] ?? step.agent;
  const { ask, assign, replyTo, ...rest } = action;
  const entries = countOf(state.entries);
  return {
    ...step,
    agent: author,
    action: {
      ...rest,
      ...(replyTo === undefined || entries === 0 ? {} : { replyTo: 1 + (replyTo % entries) }),
      ...(ask === undefined ? {} : { ask: ask.filter((agent) => agent !== author && speakers.includes(agent)) }),
      ...(assign === undefined ? {} : { assign: assignedTo(assign, speakers) }),
    },
  };
};

type Assigned = NonNullable<Extract<ThreadAction, { type: 'thread.post' }>['assign']>;
const assignedTo = ({ redoes: _, ...assign }: Assigned, speakers: readonly AgentId[]): Assigned => ({
  ...assign,
  to: speakers.find((agent) => agent > assign.to) ?? speakers[0] ?? assign.to,
});

const onPending = (
  step: Act,
  action: Extract<ThreadAction, { entry: number }>,
  { members, entries, memberships }: Existing,
): ThreadStep => {
  const owing = [...members.values()].filter(({ pending }) => pending.length > 0);
  const member = owing[action.entry % owing.length];
  if (member === undefined) return step;
  const entry = member.pending[0]!;
  const author = memberships.flat()[entries.flat()[entry - 1]! - 1]!;
  return { ...step, agent: action.type === 'thread.handle' ? member.agent : author, action: { ...action, entry } };
};

const onLive = (
  step: Act,
  action: Extract<ThreadAction, { assignment: number }>,
  { live }: Existing,
  status: 'untaken' | 'taken' | 'delivered',
  party: 'assignee' | 'creator',
): ThreadStep => {
  const found = [...live.values()].filter((one) => one.status === status);
  const chosen = found[action.assignment % found.length];
  return chosen === undefined
    ? step
    : { ...step, agent: chosen[party], action: { ...action, assignment: chosen.assignment } };
};
