import fc from 'fast-check';
import { countOf } from '../chunks.ts';
import type { AgentId, SubscriptionId } from '../ids.ts';
import type { InboxAction } from '../inbox/actions.ts';
import { inboxKind } from '../inbox/decide.ts';
import type { InboxEffect } from '../inbox/effects.ts';
import type { Existing, InboxState } from '../inbox/state.ts';
import type { Context, Decision, DecisionLimits } from '../kernel.ts';
import { defaultLimits } from '../limits.ts';
import { ada, bob, contentNumber, hashNumber, subscriptionNumber } from './fixtures.ts';
import { begin } from './spec-for.ts';

/**
 * One thing that happens to Ada's inbox; `afterMs` is the log time since the step before. A step that fits is turned, when it
 * is played, to one of the subscriptions, secrets, events and resumes that there are then: so that lives get far.
 */
export type InboxStep =
  | {
      readonly kind: 'act';
      readonly afterMs: number;
      readonly agent: AgentId;
      readonly action: InboxAction;
      readonly fits?: true;
    }
  | { readonly kind: 'deactivate' | 'activate'; readonly afterMs: number };

/** What a step came to: the facts that it caused, and the states around them. */
export type PlayedOnInbox = {
  readonly step: InboxStep;
  readonly at: number;
  /** The state that the action was decided on, after due deadlines. */
  readonly before: InboxState;
  readonly after: InboxState;
  /** The facts of the deadlines that fired first, then that of the step itself, if any. */
  readonly facts: readonly (readonly InboxEffect[])[];
  readonly fired: readonly { readonly dueAt: number }[];
  readonly decision?: Decision<InboxEffect>;
  readonly context: Context;
};

const few = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
const subscription = few(4).map(subscriptionNumber);
const on = { subscription };
const secret = { producer: fc.constantFrom('prod_1', 'prod_2'), key: few(4).map((n) => `key-${n}`) };
const task = few(3).map((n) => `task_${n}`);
const eventType = fc.constantFrom('tool.completed', 'human.approved', 'file.updated');
const subject = few(4).map((n) => `thread_id:${n}`);
const interrupt = few(2).map((n) => `interrupt_${n}`);
const policy = fc.constantFrom(
  'never' as const,
  'append_only' as const,
  'resume_if_waiting' as const,
  'resume_if_waiting' as const,
  'resume_immediately' as const,
);
const perhaps = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Without the fields that are undefined. */
const present = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;

const terms = {
  content: few(9).map(contentNumber),
  eventTypes: fc.uniqueArray(eventType),
  delivery: fc.constantFrom('webhook' as const, 'queue' as const, 'relay' as const),
  ackRequired: fc.boolean(),
  retentionSeconds: fc.constantFrom(86_400, 604_800, 1_209_600),
  resumePolicies: fc.subarray(['append_only' as const, 'resume_if_waiting' as const, 'resume_immediately' as const], {
    minLength: 1,
  }),
  payloadBytesMax: fc.constant(1_048_576),
};
const newSecret = { ...on, ...secret, content: few(9).map(contentNumber), hash: few(9).map(hashNumber) };
const eventNumber = few(40);
const told = {
  event: eventNumber.map((n) => `event_${n}`),
  eventType,
  knowledge: fc.constant('tool_result' as const),
  hash: few(2).map(hashNumber),
  advised: policy,
  task: perhaps(task),
  subjects: fc.uniqueArray(subject, { maxLength: 2 }),
  interrupt: perhaps(interrupt),
  matched: fc.array(fc.record({ ...on, revision: few(2) }), { maxLength: 2 }),
  order: perhaps(fc.record({ subject, number: fc.nat({ max: 9 }) })),
};

/** An action of this type with such fields. */
const of = <T extends InboxAction['type']>(
  type: T,
  fields: { readonly [K in keyof Omit<Extract<InboxAction, { type: T }>, 'type'>]?: fc.Arbitrary<unknown> },
): fc.Arbitrary<InboxAction> =>
  fc
    .record(fields as Record<string, fc.Arbitrary<unknown>>)
    .map((made) => present({ type, ...made }) as unknown as InboxAction);

/** Any action on an inbox. */
export const inboxActions: fc.Arbitrary<InboxAction> = fc.oneof(
  { weight: 2, arbitrary: of('akep.subscribe', { ...on, ...terms }) },
  { weight: 1, arbitrary: of('akep.revise-subscription', { ...on, ...terms }) },
  { weight: 1, arbitrary: of('akep.unsubscribe', on) },
  { weight: 2, arbitrary: of('akep.issue-secret', newSecret) },
  { weight: 1, arbitrary: of('akep.rotate-secret', { ...newSecret, overlapSeconds: fc.constantFrom(0, 60, 86_400) }) },
  { weight: 1, arbitrary: of('akep.retire-secret', { ...on, ...secret }) },
  { weight: 1, arbitrary: of('akep.resend', { ...on, after: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: of('akep.enable-endpoint', on) },
  { weight: 16, arbitrary: of('akep.receive', { ...told, ...secret, content: few(9).map(contentNumber) }) },
  {
    weight: 4,
    arbitrary: of('akep.notify', {
      ...told,
      notice: fc.constant({ what: 'entry-posted' as const, ref: 'thread_1/entries/1', occurredAt: begin }),
    }),
  },
  {
    weight: 5,
    arbitrary: of('akep.ack', {
      event: told.event,
      status: fc.constantFrom('stored' as const, 'applied' as const, 'rejected' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: of('akep.wait', {
      task,
      eventTypes: fc.uniqueArray(eventType, { maxLength: 1 }),
      subjects: fc.uniqueArray(subject, { maxLength: 2 }),
      interrupts: fc.uniqueArray(interrupt, { maxLength: 1 }),
      after: perhaps(fc.nat({ max: 20 })),
    }),
  },
  {
    weight: 5,
    arbitrary: of('akep.claim', {
      resume: perhaps(few(9)),
      task: perhaps(task),
      leaseSeconds: fc.constantFrom(60, 3_600),
    }),
  },
  { weight: 4, arbitrary: of('akep.complete', { resume: few(9), lease: few(2) }) },
  {
    weight: 1,
    arbitrary: of('akep.disable-endpoint', { ...on, how: fc.constant('failing' as const), failures: few(9) }),
  },
  { weight: 3, arbitrary: of('akep.delivered', { ...on, from: fc.nat({ max: 5 }), upTo: few(9) }) },
);

const afterMs = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0, 1, 1_000, 60_000) },
  { weight: 2, arbitrary: fc.constantFrom(3_600_000, 86_400_000) },
  { weight: 1, arbitrary: fc.constantFrom(604_800_000, 950_400_000) },
);
const act: fc.Arbitrary<InboxStep> = fc
  .tuple(afterMs, inboxActions, few(5), few(40))
  .map(([after, action, fits, stranger]) => ({
    kind: 'act',
    afterMs: after,
    agent: stranger === 1 ? bob : ada,
    action,
    ...(fits > 1 ? { fits: true } : {}),
  }));
const account = (kind: 'deactivate' | 'activate'): fc.Arbitrary<InboxStep> =>
  fc.record({ kind: fc.constant(kind), afterMs });
const start: fc.Arbitrary<readonly InboxStep[]> = fc
  .tuple(of('akep.subscribe', { ...on, ...terms }), of('akep.issue-secret', newSecret))
  .map((actions) => actions.map((action) => ({ kind: 'act', afterMs: 0, agent: ada, action, fits: true })));

/** An inbox of Ada's with a subscription and a secret, and up to `stepsMax` random steps on it. */
export const inboxSteps = (stepsMax = 80): fc.Arbitrary<readonly InboxStep[]> =>
  fc
    .tuple(
      start,
      fc.array(
        fc.oneof(
          { weight: 60, arbitrary: act },
          { weight: 1, arbitrary: account('deactivate') },
          { weight: 3, arbitrary: account('activate') },
        ),
        { minLength: 1, maxLength: stepsMax, size: 'max' },
      ),
    )
    .map(([first, steps]) => [...first, ...steps]);

/** Plays steps as an owner does: due deadlines first, each a fact of its own, then the step (engine.md §3, L4-3). */
export const playInbox = (
  steps: readonly InboxStep[],
  limits: Partial<DecisionLimits> = {},
): readonly PlayedOnInbox[] => {
  const played: PlayedOnInbox[] = [];
  let inactive = false;
  let state = inboxKind.initial;
  let at = begin;
  for (const step of steps) {
    at += step.afterMs;
    if (step.kind !== 'act') inactive = step.kind === 'deactivate';
    const result = playStep(state, step, at, inactive, { ...defaultLimits, ...limits });
    played.push(result);
    state = result.after;
  }
  return played;
};

const playStep = (
  from: InboxState,
  asked: InboxStep,
  at: number,
  inactive: boolean,
  limits: DecisionLimits,
): PlayedOnInbox => {
  const fold = (state: InboxState, effects: readonly InboxEffect[]): InboxState =>
    effects.reduce<InboxState>((folded, effect) => inboxKind.evolve(folded, effect, at), state);
  const fired = inboxKind.due(from, at);
  const before = fired.reduce<InboxState>((folded, { effects }) => fold(folded, effects), from);
  const step = fitted(asked, before);
  const agent = step.kind === 'act' ? step.agent : ada;
  const context: Context = { object: ada, agent, at, inactive: () => inactive, limits };
  const decision = step.kind === 'act' ? inboxKind.decide(before, step.action, context) : undefined;
  const own = decision?.kind === 'accepted' ? decision.effects : [];
  return {
    step,
    at,
    before,
    after: fold(before, own),
    fired,
    context,
    facts: [...fired.map(({ effects }) => effects), ...(own.length > 0 ? [own] : [])],
    ...(decision === undefined ? {} : { decision }),
  };
};

const fitted = (step: InboxStep, state: InboxState): InboxStep => {
  if (step.kind !== 'act' || step.fits === undefined || state.status === 'absent') return step;
  return { ...step, action: fittedTo(state, step.action) };
};

const fittedTo = (inbox: Existing, action: InboxAction): InboxAction => {
  switch (action.type) {
    case 'akep.receive':
      return { ...action, ...fresh(inbox, action), ...liveSecret(inbox, action) };
    case 'akep.notify':
      return { ...action, ...fresh(inbox, action) };
    case 'akep.ack':
      return { ...action, event: some(inbox.events.flat(), action.event)?.id ?? action.event };
    case 'akep.complete':
      return { ...action, ...heldResume(inbox, action) };
    case 'akep.delivered':
      return { ...action, ...pushed(inbox, action) };
    case 'akep.retire-secret':
      return { ...action, ...liveSecret(inbox, action), ...known(inbox, action) };
    case 'akep.rotate-secret':
      return { ...action, producer: liveSecret(inbox, action).producer, ...known(inbox, action) };
    case 'akep.revise-subscription':
    case 'akep.unsubscribe':
    case 'akep.issue-secret':
    case 'akep.resend':
    case 'akep.enable-endpoint':
    case 'akep.disable-endpoint':
      return { ...action, ...known(inbox, action) };
    case 'akep.subscribe':
    case 'akep.wait':
    case 'akep.claim':
      return action;
  }
};

/** One of these, chosen by a text. */
const some = <T>(all: readonly T[], by: string): T | undefined =>
  all[[...by].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % all.length];

type OnSubscription = { readonly subscription: SubscriptionId };
const idsOf = ({ subscriptions }: Existing): readonly SubscriptionId[] =>
  Object.keys(subscriptions) as SubscriptionId[];
const known = (inbox: Existing, { subscription: asked }: OnSubscription): OnSubscription => ({
  subscription: some(idsOf(inbox), asked) ?? asked,
});

type Come = Extract<InboxAction, { type: 'akep.receive' | 'akep.notify' }>;
/** An event that has not come yet, matched as the subscriptions are now. */
const fresh = (inbox: Existing, { event, matched }: Come): Pick<Come, 'event' | 'matched'> => {
  const wanted = matched.length === 0 ? idsOf(inbox).slice(0, 1) : matched.map((one) => known(inbox, one).subscription);
  const stamped = [...new Set(wanted)].flatMap((id) => {
    const now = inbox.subscriptions[id];
    return now === undefined ? [] : [{ subscription: id, revision: now.revision }];
  });
  return { event: `${event}-${countOf(inbox.events) + 1}`, matched: stamped };
};

type NamedSecret = { readonly producer: string; readonly key: string };
const liveSecret = ({ secrets }: Existing, asked: NamedSecret): NamedSecret => {
  const { producer, key } = some(secrets, asked.key) ?? asked;
  return { producer, key };
};

type Held = { readonly resume: number; readonly lease: number };
const heldResume = ({ resumes }: Existing, { resume, lease }: Held): Held => {
  const all = resumes.flat().map((one, i) => ({ ...one, resume: i + 1 }));
  const held = some(
    all.filter(({ status }) => status === 'leased'),
    String(resume),
  );
  return held?.status === 'leased' ? { resume: held.resume, lease: held.lease } : { resume, lease };
};

type Pushed = OnSubscription & { readonly from: number; readonly upTo: number };
const pushed = (inbox: Existing, asked: Pushed): Pushed => {
  const { subscription: id } = known(inbox, asked);
  const now = inbox.subscriptions[id];
  const position = now === undefined || now.delivery === 'relay' ? asked.from : now.position;
  return { subscription: id, from: position, upTo: Math.min(position + 1 + (asked.upTo % 3), countOf(inbox.events)) };
};
