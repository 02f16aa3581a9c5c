import {
  type ActionInputs,
  type ActionName,
  type AgentId,
  type Audience,
  type EngagementId,
  parseReference,
  type Pin,
  type TaskAction,
} from '@kungfu/protocol';
import { derivedId, type WrittenContent, writeContent } from './identity.ts';
import { delivered, ownPins } from './prepare-delivery.ts';
import { type PrepareContext, type Prepared, referenced, structure } from './preparing.ts';

type TaskActionName = Extract<ActionName, `task.${string}` | `engagement.${string}`>;
type TaskPreparers = {
  readonly [N in TaskActionName]: (input: ActionInputs[N], context: PrepareContext) => Promise<Prepared> | Prepared;
};

/** Turns what is asked of Tasks into actions; see `prepare`. */
export const taskPreparers: TaskPreparers = {
  'task.create': async ({ audience, ...contract }, c) => {
    const { terms, content } = await contractOf(contract, c);
    const whom = audienceOf(audience);
    const named = whom.kind === 'open' ? [] : whom.agents;
    return { payload: { type: 'task.create', audience: whom, ...terms }, content, names: [terms.judge, ...named] };
  },
  'task.revise': async (contract, c) => {
    const { terms, content } = await contractOf(contract, c);
    return { payload: { type: 'task.revise', ...terms }, content, names: [terms.judge] };
  },
  'task.pause': () => structure({ type: 'task.pause' }),
  'task.resume': () => structure({ type: 'task.resume' }),
  'task.take': (input, c) => take(input, c),
  'engagement.deliver': async ({ engagement, delivery }, c) => {
    const output = await c.references.engagementOutput(c.object, engagement);
    const { stamped, ...rest } = await delivered(delivery, output, c);
    return { ...rest, names: [], payload: { type: 'engagement.deliver', engagement, delivery: stamped } };
  },
  'engagement.drop': ({ engagement }) => structure({ type: 'engagement.drop', engagement }),
  'engagement.adopt': ({ engagement }) => structure({ type: 'engagement.adopt', engagement }),
  'engagement.reject': ({ engagement, content }, { random }) => {
    const reason = writeContent(content, random);
    return { payload: { type: 'engagement.reject', engagement, content: reason.ref }, content: [reason], names: [] };
  },
};

const sorted = <T extends string>(set: readonly string[]): T[] => [...new Set(set)].sort() as T[];

const audienceOf = (audience: ActionInputs['task.create']['audience']): Audience =>
  typeof audience === 'object'
    ? { kind: 'restricted', agents: sorted<AgentId>(audience.restricted) }
    : { kind: 'open' };

type Terms = Omit<Extract<TaskAction, { type: 'task.revise' }>, 'type'>;

/** A contract with its defaults filled in and its references resolved (K-1, K-2). */
const contractOf = async (
  input: ActionInputs['task.revise'],
  c: PrepareContext,
): Promise<{ readonly terms: Terms; readonly content: readonly WrittenContent[] }> => {
  const words = writeContent({ ...input.content }, c.random);
  const required = await ownPins(input.requiredInputs ?? [], c);
  const informative = await pinsOf(input.informative ?? [], c);
  const unusable = required.unusable ?? informative.unusable;
  const terms: Terms = {
    content: words.ref,
    structured: input.content.outputSchema !== undefined,
    requiredInputs: required.pins,
    informative: informative.pins,
    deliverySeconds: input.deliverySeconds ?? c.limits.deadlineSecondsDefault,
    judgmentSeconds: input.judgmentSeconds ?? c.limits.deadlineSecondsDefault,
    withoutJudgment: input.withoutJudgment ?? 'undecided',
    judge: (input.judge ?? c.agent) as AgentId,
    eligibility: sorted(input.eligibility ?? []),
    ...(input.maxAdoptions === undefined ? {} : { maxAdoptions: input.maxAdoptions }),
    adoptedReaders: input.adoptedReaders ?? 'parties',
    ...(unusable === undefined ? {} : { unusable }),
  };
  return { terms, content: [words] };
};

type Pins = { readonly pins: Pin[]; readonly unusable?: 'invalid_target' | 'memory_withdrawn' };

/** Other material: own or public Memories (M-10). */
const pinsOf = async (memories: readonly string[], c: PrepareContext): Promise<Pins> => {
  const found = await Promise.all(memories.map((text) => referenced(text, c)));
  const pins = found.flatMap((one) => (one.kind === 'reference' ? [one.pin] : []));
  const wrong = found.find((one) => one.kind === 'unusable');
  return wrong === undefined ? { pins } : { pins, unusable: wrong.code };
};

/** The labels of the agent, the version that counts, and whether the author is active go with it (K-4, K-7, K-8). */
const take = async ({ version, redoes, delivery }: ActionInputs['task.take'], c: PrepareContext): Promise<Prepared> => {
  const [target, labels] = await Promise.all([
    c.references.takeTarget(c.object, c.agent),
    c.references.labels(c.agent),
  ]);
  const names = target === undefined ? [] : [target.author];
  const payload = {
    type: 'task.take' as const,
    engagement: derivedId('engagement', c.binding),
    labels: [...labels],
    ...(redoes === undefined ? {} : { redoes: engagementNamed(redoes) }),
  };
  if (delivery === undefined)
    return { payload: { ...payload, ...(version === undefined ? {} : { version }) }, content: [], names };
  // A payload that was made for another version than it would be checked against is for none.
  const fits = target !== undefined && (version === undefined || version === target.version);
  const { stamped, ...rest } = await delivered(delivery, fits ? target.output : 'unknown', c);
  const checked = version ?? target?.version;
  return {
    ...rest,
    names,
    payload: { ...payload, ...(checked === undefined ? {} : { version: checked }), delivery: stamped },
  };
};

/** An engagement of another Task is none of this one: the owner does not find it. */
const engagementNamed = (text: string): EngagementId => {
  const reference = parseReference(text);
  if (reference?.kind !== 'engagement') throw new Error('a reference that passed its shape names no engagement');
  return reference.engagement;
};
