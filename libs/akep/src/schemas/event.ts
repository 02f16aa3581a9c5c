import { eventTerms, type JsonSchema, type ResumePolicy, resumePolicy } from '@kungfu/protocol';

/** The event types that AKEP itself names (E-7). */
export const coreEventTypes = [
  'knowledge.acquired',
  'tool.completed',
  'tool.failed',
  'human.review_required',
  'human.approved',
  'human.rejected',
  'file.updated',
  'memory.changed',
  'message.received',
] as const;

/** What a source may be (E-3). */
export const sourceTypes = [
  'publisher',
  'tool',
  'agent',
  'human',
  'system',
  'webhook',
  'queue',
  'sensor',
  'other',
] as const;

/** The keys of a subject of which one has to be there (E-4). */
export const subjectKeys = ['task_id', 'thread_id', 'agent_id', 'user_id', 'artifact_id'] as const;
export type SubjectKey = (typeof subjectKeys)[number];

export type Scalar = string | number | boolean | null;

/** An event as a producer sends it, once it has passed its schema (E-1 to E-7). Fields that are not listed may stand beside. */
export type AkepEvent = {
  readonly spec: string;
  readonly event_id: string;
  readonly event_type: string;
  /** RFC 3339. */
  readonly occurred_at: string;
  readonly source: {
    readonly producer_id: string;
    readonly name: string;
    readonly type: (typeof sourceTypes)[number];
    readonly source_event_id?: string;
  };
  readonly subject: { readonly [K in SubjectKey]?: string } & { readonly [name: string]: Scalar };
  readonly knowledge: {
    readonly kind: (typeof knowledgeKinds)[number];
    readonly content_type: string;
    readonly summary: string;
    readonly uri?: string;
    readonly confidence?: number;
    /** RFC 3339. */
    readonly expires_at?: string;
    readonly content?: unknown;
    /** `algo:value`. */
    readonly hash?: string;
  };
  readonly routing: {
    readonly resume_policy: ResumePolicy;
    readonly priority?: 'low' | 'normal' | 'high' | 'urgent';
    readonly interrupt_id?: string;
    readonly causation_id?: string;
    readonly sequence?: number;
  };
  readonly links?: { readonly [name: string]: string };
  readonly extensions?: { readonly [name: string]: unknown };
};

export const knowledgeKinds = eventTerms.knowledge.options;
const priorities = eventTerms.priority.unwrap().options;

/** Names that belong to AKEP: what begins with one of them is a core type or nothing. */
const coreNames = [...new Set(coreEventTypes.map((type) => type.split('.')[0]!))];
const literally = (text: string): string => text.replaceAll('.', '\\.');
const extension = `(?!(?:${coreNames.join('|')})\\.)[a-z0-9][a-z0-9_-]*(?:\\.[a-z0-9][a-z0-9_-]*)+`;

/** A core type, or an extension under a name of the vendor's own (E-2). */
export const eventType: JsonSchema = {
  type: 'string',
  minLength: 3,
  maxLength: 128,
  pattern: `^(?:${coreEventTypes.map(literally).join('|')}|${extension})$`,
};

export const specVersion: JsonSchema = { type: 'string', pattern: '^akep\\.v1(?:\\.(?:0|[1-9][0-9]{0,8}))?$' };
export const producerId: JsonSchema = { type: 'string', minLength: 3, maxLength: 128 };
export const sourceName: JsonSchema = { type: 'string', minLength: 1, maxLength: 80 };
/** An identifier of somebody else's. */
const identifier: JsonSchema = { type: 'string', minLength: 1, maxLength: 256 };
const uri: JsonSchema = { type: 'string', format: 'uri', maxLength: 2_048 };
const instant: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$',
};
const scalar: JsonSchema = { type: ['string', 'number', 'boolean', 'null'], maxLength: 4_096 };
const mediaPart = '[A-Za-z0-9!#$&^_.+-]{1,127}';

/**
 * The schema of an event: what validation uses and what is served (E-9). Only the top level is closed (E-1); that no command
 * hides in what is open is looked after in command-words.ts (E-8).
 */
export const eventSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: '/akep/schemas/event.json',
  title: 'AKEP event',
  description: 'New external knowledge is available for a subject. It never says: do this.',
  type: 'object',
  required: ['spec', 'event_id', 'event_type', 'occurred_at', 'source', 'subject', 'knowledge', 'routing'],
  additionalProperties: false,
  properties: {
    spec: specVersion,
    event_id: { type: 'string', pattern: '^[A-Za-z0-9_:-]{8,128}$' },
    event_type: eventType,
    occurred_at: instant,
    source: {
      type: 'object',
      required: ['producer_id', 'name', 'type'],
      properties: {
        producer_id: producerId,
        name: sourceName,
        type: { enum: sourceTypes },
        source_event_id: { type: 'string', maxLength: 256 },
      },
    },
    subject: {
      type: 'object',
      maxProperties: 64,
      anyOf: subjectKeys.map((key) => ({ required: [key] })),
      properties: Object.fromEntries(subjectKeys.map((key) => [key, identifier])),
      additionalProperties: scalar,
    },
    knowledge: {
      type: 'object',
      required: ['kind', 'content_type', 'summary'],
      properties: {
        kind: { enum: knowledgeKinds },
        content_type: { type: 'string', maxLength: 255, pattern: `^${mediaPart}/${mediaPart}(?: *;.*)?$` },
        summary: { type: 'string', minLength: 1, maxLength: 4_000 },
        uri,
        confidence: { type: 'number', minimum: 0, maximum: 1 },
        expires_at: instant,
        content: true,
        hash: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}:[A-Za-z0-9+/=_-]{1,256}$' },
      },
    },
    routing: {
      type: 'object',
      required: ['resume_policy'],
      properties: {
        resume_policy: { enum: resumePolicy.options },
        priority: { enum: priorities },
        interrupt_id: identifier,
        causation_id: identifier,
        sequence: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
    },
    links: { type: 'object', maxProperties: 64, additionalProperties: uri },
    extensions: { type: 'object', maxProperties: 64 },
  },
};
