import { akepDelivery, type JsonSchema, type ResumePolicy, resumePolicy } from '@kungfu/protocol';
import { eventType, producerId, type Scalar, sourceName, specVersion } from './event.ts';

/** What a filter asks of the value at its path: to be equal, or to be one of these (S-2). */
export type FilterTerm = Exclude<Scalar, null> | readonly Exclude<Scalar, null>[];
export type Filters = { readonly [path: string]: FilterTerm };

/** A subscription as an agent declares it, once it has passed its schema (S-1). */
export type Subscription = {
  readonly spec: string;
  /** The subscriber's own name for where its events go. */
  readonly sink: string;
  readonly event_types: readonly string[];
  readonly filters: Filters;
  readonly delivery: {
    readonly ack_required?: boolean;
    readonly replay_retention_seconds?: number;
  } & ({ readonly type: 'webhook'; readonly url: string } | { readonly type: 'relay' | 'queue'; readonly url?: never });
  /** A list that is absent accepts every producer whose secret verifies; what is listed fails closed (W-7). */
  readonly security: {
    readonly accepted_source_names?: readonly string[];
    readonly accepted_producer_ids?: readonly string[];
    readonly signature_key_ids?: readonly string[];
  };
  readonly capabilities: {
    readonly resume_policies: readonly ResumePolicy[];
    readonly max_payload_bytes?: number;
  };
};

/** The bounds of filters. */
export const filterBounds = { filtersMax: 32, stepsMax: 8, stepCharactersMax: 64, membersMax: 100 } as const;

const daySeconds = 86_400;
const roots =
  'spec|event_id|event_type|occurred_at|(?:source|subject|knowledge|routing|links|extensions)(?:\\.[^.]{1,64}){1,7}';
const term: JsonSchema = { type: ['string', 'number', 'boolean'], maxLength: 1_024 };
const listOf = (items: JsonSchema, maxItems = 100): JsonSchema => ({
  type: 'array',
  minItems: 1,
  maxItems,
  uniqueItems: true,
  items,
});

/** The schema of a subscription, closed at every level: what is mistyped is refused, not passed over (S-1, E-9). */
export const subscriptionSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: '/akep/schemas/subscription.json',
  title: 'AKEP subscription',
  type: 'object',
  required: ['spec', 'sink', 'event_types', 'filters', 'delivery', 'security', 'capabilities'],
  additionalProperties: false,
  properties: {
    spec: specVersion,
    sink: { type: 'string', minLength: 1, maxLength: 256 },
    event_types: listOf(eventType),
    filters: {
      description:
        'Dotted paths into an event. A scalar: equal. An array: one of these. All have to hold; a path that is not there does not.',
      type: 'object',
      maxProperties: filterBounds.filtersMax,
      propertyNames: { pattern: `^(?:${roots})$` },
      additionalProperties: {
        if: { type: 'array' },
        then: listOf(term, filterBounds.membersMax),
        else: term,
      },
    },
    delivery: {
      type: 'object',
      required: ['type'],
      additionalProperties: false,
      properties: {
        type: { enum: akepDelivery.options },
        url: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2_048 },
        ack_required: { type: 'boolean' },
        replay_retention_seconds: { type: 'integer', minimum: daySeconds, maximum: 30 * daySeconds },
      },
      if: { properties: { type: { const: 'webhook' } } },
      then: { required: ['url'] },
      else: { properties: { url: false } },
    },
    security: {
      type: 'object',
      additionalProperties: false,
      properties: {
        accepted_source_names: listOf(sourceName),
        accepted_producer_ids: listOf(producerId),
        signature_key_ids: listOf({ type: 'string', minLength: 1, maxLength: 128 }),
      },
    },
    capabilities: {
      type: 'object',
      required: ['resume_policies'],
      additionalProperties: false,
      properties: {
        resume_policies: listOf({ enum: resumePolicy.options }),
        max_payload_bytes: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    },
  },
};
