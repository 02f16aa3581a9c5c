import { z } from 'zod';
import { ackStatus, akepEventId, akepToken } from '../inbox/effects.ts';
import { subscriptionId } from '../ids.ts';
import { type AkepLimits, defaultAkepLimits } from '../limits.ts';
import type { RefusalCode } from '../refusals.ts';
import { akepTexts } from './akep-texts.ts';
import { characters, partNumber } from './fields.ts';
import type { ActionDefinition } from './types.ts';

/** Parts that a path of AKEP names; all are fields of the input. The object is the caller's own inbox (S-4). */
export type AkepPart = 'subscription' | 'event' | 'task' | 'resume';

/** As an action of Kungfu, behind a door of its own, so that neither tools nor documents nor client of Kungfu change (B-3). */
export type AkepActionDefinition<N extends AkepActionName = AkepActionName> = Omit<
  ActionDefinition,
  'name' | 'kind' | 'door' | 'object' | 'parts'
> & {
  readonly name: N;
  readonly kind: 'akep.inbox';
  readonly door: 'akep';
  readonly parts: readonly AkepPart[];
};

/** What stands in AKEP's schemas, which are served and used to validate it (E-9); here it is taken as it comes. */
const document = z.looseObject({});
const subscription = { subscription: subscriptionId };
const event = { event: akepEventId };
/** An id that a producer or an agent has given. */
const outsideId = characters(256);
const producer = { producer_id: characters(128, 3) };
const scalar = z.union([characters(256), z.number(), z.boolean()]);

/** What each action takes, in AKEP's own spelling: the body together with the parts that the path names. */
export const akepInputs = (limits: AkepLimits) => ({
  'akep.subscribe': document,
  'akep.revise-subscription': z.looseObject(subscription),
  'akep.unsubscribe': z.strictObject(subscription),
  'akep.issue-secret': z.strictObject({ ...subscription, ...producer, key_id: akepToken.optional() }),
  'akep.rotate-secret': z.strictObject({
    ...subscription,
    ...producer,
    key_id: akepToken.optional(),
    overlap_seconds: z.int().min(0).max(limits.akepOverlapSecondsMax).optional(),
  }),
  'akep.retire-secret': z.strictObject({ ...subscription, ...producer, key_id: akepToken }),
  /** From this event on, itself included; without one, from the oldest that is kept. */
  'akep.resend': z.strictObject({ ...subscription, event_id: akepEventId.optional() }),
  'akep.enable-endpoint': z.strictObject(subscription),
  'akep.receive': document,
  'akep.ack': z.strictObject({ ...event, status: ackStatus }),
  'akep.wait': z.strictObject({
    task: outsideId,
    event_types: z.array(characters(128, 3)).max(limits.akepWaitTermsMax).optional(),
    /** Each a key of the subject and its value: `{ "thread_id": "thread_456" }`. */
    subjects: z
      .array(z.record(characters(64), scalar).refine((named) => Object.keys(named).length === 1))
      .max(limits.akepWaitTermsMax)
      .optional(),
    interrupt_ids: z.array(outsideId).max(limits.akepWaitTermsMax).optional(),
    /** A cursor as pages hand it out: events after it count. */
    after: z.string().min(1).max(1_000).optional(),
  }),
  'akep.claim': z.strictObject({
    resume: partNumber.optional(),
    task_id: outsideId.optional(),
    lease_seconds: z.int().min(limits.akepLeaseSecondsMin).max(limits.akepLeaseSecondsMax).optional(),
  }),
  'akep.complete': z.strictObject({ resume: partNumber, lease: partNumber }),
});

type Schemas = ReturnType<typeof akepInputs>;
export type AkepActionName = keyof Schemas;
/** The input of each action by its name, as it has passed its schema. */
export type AkepActionInputs = { readonly [K in AkepActionName]: Readonly<z.infer<Schemas[K]>> };

export const akepActionNames = Object.keys(akepInputs(defaultAkepLimits)) as readonly AkepActionName[];
export const isAkepActionName = (name: string): name is AkepActionName =>
  (akepActionNames as readonly string[]).includes(name);

type Row = {
  readonly route: `${ActionDefinition['method']} ${string}`;
  readonly refusals: readonly RefusalCode[];
  readonly sets?: readonly string[];
  readonly secret?: true;
  readonly destructive?: true;
};

const subscriptions = '/akep/subscriptions';
const one = `${subscriptions}/{subscription}`;

const rows: { readonly [N in AkepActionName]: Row } = {
  'akep.subscribe': { route: `POST ${subscriptions}`, refusals: ['wrong_state'] },
  'akep.revise-subscription': { route: `PUT ${one}`, refusals: ['not_found'] },
  'akep.unsubscribe': { route: `DELETE ${one}`, refusals: ['not_found'], destructive: true },
  'akep.issue-secret': { route: `POST ${one}/secrets`, refusals: ['not_found', 'wrong_state'], secret: true },
  'akep.rotate-secret': { route: `POST ${one}/secrets/rotate`, refusals: ['not_found', 'wrong_state'], secret: true },
  'akep.retire-secret': { route: `POST ${one}/secrets/retire`, refusals: ['not_found'], destructive: true },
  'akep.resend': {
    route: `POST ${one}/resend`,
    refusals: ['not_found', 'wrong_state', 'invalid_target', 'no_effect'],
  },
  'akep.enable-endpoint': { route: `POST ${one}/enable`, refusals: ['not_found', 'wrong_state', 'no_effect'] },
  'akep.receive': {
    route: 'POST /akep/events',
    refusals: ['not_found', 'no_effect', 'invalid_target', 'changed', 'overloaded'],
  },
  'akep.ack': { route: 'POST /akep/events/{event}/ack', refusals: ['not_found', 'no_effect', 'wrong_state'] },
  'akep.wait': {
    route: 'PUT /akep/tasks/{task}/wait',
    refusals: ['not_found', 'no_effect', 'invalid_target', 'wrong_state'],
    sets: ['/event_types', '/subjects', '/interrupt_ids'],
  },
  'akep.claim': {
    route: 'POST /akep/resumes/claim',
    refusals: ['not_found', 'not_pending', 'wrong_state', 'invalid_target'],
  },
  'akep.complete': {
    route: 'POST /akep/resumes/{resume}/complete',
    refusals: ['not_found', 'wrong_state', 'changed'],
  },
};

/** Actions that services alone take in an agent's name; no route leads to them. What each can be refused for. */
export const akepServiceActions = {
  'akep.notify': {
    who: 'The bridge, for the agent.',
    refusals: ['not_found', 'no_effect', 'invalid_target', 'changed', 'overloaded'],
  },
  'akep.disable-endpoint': {
    who: 'The notifier, for the agent.',
    refusals: ['not_found', 'wrong_state', 'no_effect'],
  },
  'akep.delivered': {
    who: 'The notifier, for the agent.',
    refusals: ['not_found', 'wrong_state', 'invalid_target', 'changed'],
  },
} as const satisfies Record<string, { readonly who: string; readonly refusals: readonly RefusalCode[] }>;

export type AkepCatalogue = { readonly [N in AkepActionName]: AkepActionDefinition<N> };

/** Every action of AKEP that comes by a route, with inputs bounded by these limits; apart from `actionCatalogue`. */
export const akepCatalogue = (limits: AkepLimits = defaultAkepLimits): AkepCatalogue => {
  const inputs = akepInputs(limits);
  const all = akepActionNames.map((name) => [name, define(name, inputs[name])] as const);
  return Object.fromEntries(all) as unknown as AkepCatalogue;
};

const define = (name: AkepActionName, input: z.ZodObject): AkepActionDefinition => {
  const { route, refusals, sets = [], secret = false, destructive = false } = rows[name];
  const [method, path] = route.split(' ') as [ActionDefinition['method'], string];
  return {
    name,
    kind: 'akep.inbox',
    door: 'akep',
    method,
    path,
    input,
    sets,
    secret,
    refusals,
    parts: [...path.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1] as AkepPart),
    ...akepTexts[name],
    annotations: { readOnly: false, destructive, idempotent: true, openWorld: false },
  };
};
