import type { Random } from '@kungfu/log-port';
import {
  type ActionInput,
  type ActionInputs,
  type ActionName,
  type AgentId,
  type Delivery,
  type Genesis,
  type Limits,
  ordinalMax,
  parseReference,
  type Pin,
  type ShapeError,
  type WalkPartition,
} from '@kungfu/protocol';
import { derivedId, newSecret, sha256, type WrittenContent, writeContent } from './identity.ts';
import type { SchemaChecker } from './output-schema.ts';
import type { References } from './tables.ts';

export type Payload = ActionInput['payload'];

/** An action ready to be appended: structure, what was written, and what only the caller may hear. */
export type Prepared = {
  readonly payload: Payload;
  readonly content: readonly WrittenContent[];
  /** Agents that the action names, to be looked up. */
  readonly names: readonly string[];
  readonly secret?: { readonly secret: string; readonly hash: string };
  /** Places of the caller's own request, told if the owner refuses for what the gateway stamped. */
  readonly errors?: readonly ShapeError[];
};

export type PrepareContext = {
  readonly agent: string;
  readonly object: string;
  readonly binding: string;
  readonly random: Random;
  readonly references: References;
  readonly schemas: SchemaChecker;
  readonly limits: Limits;
  /** All partitions that an account walk has to pass. */
  readonly walkPartitions: readonly WalkPartition[];
};

type Preparers = {
  readonly [N in ActionName]: (input: ActionInputs[N], context: PrepareContext) => Promise<Prepared> | Prepared;
};

/** Turns public input into an action: ids and hashes derived, contents set apart, references resolved and stamped. Refuses nothing. */
export const prepare = <N extends ActionName>(
  action: N,
  input: ActionInputs[N],
  context: PrepareContext,
): Promise<Prepared> => Promise.resolve(preparers[action](input, context));

const structure = (payload: Payload, names: readonly string[] = []): Prepared => ({ payload, content: [], names });

const preparers: Preparers = {
  'memory.create': ({ content }, c) => written('memory.create', content, c),
  'memory.update': async ({ content }, c) => {
    const { payload, ...rest } = written('memory.update', content, c);
    return { ...rest, payload: { ...payload, ...(await born(c)) } as Payload };
  },
  'memory.publish': async (_, c) => structure({ type: 'memory.publish', ...(await born(c)) }),
  'memory.unpublish': async (_, c) => structure({ type: 'memory.unpublish', ...(await born(c)) }),
  'memory.withdraw': async (_, c) => structure({ type: 'memory.withdraw', ...(await born(c)) }),
  'thread.create': ({ content, grant }, c) => {
    const title = content === undefined ? undefined : writeContent(content, c.random);
    const secret = grant === undefined ? undefined : newSecret('kfg', c.random);
    return {
      payload: {
        type: 'thread.create',
        ...(title === undefined ? {} : { content: title.ref }),
        ...(secret === undefined ? {} : { grant: { role: grant?.role ?? 'speaker', hash: secret.hash } }),
      },
      content: title === undefined ? [] : [title],
      names: [],
      ...(secret === undefined ? {} : { secret }),
    };
  },
  'thread.grant': ({ role = 'speaker' }, c) => {
    const secret = newSecret('kfg', c.random);
    return { ...structure({ type: 'thread.grant', role, hash: secret.hash }), secret };
  },
  'thread.revoke-grant': () => structure({ type: 'thread.revoke-grant' }),
  'thread.join': ({ secret }) => structure({ type: 'thread.join', hash: sha256(secret) }),
  'thread.leave': () => structure({ type: 'thread.leave' }),
  'thread.close': () => structure({ type: 'thread.close' }),
  'thread.remove': ({ member }) => structure({ type: 'thread.remove', member: member as AgentId }),
  'thread.set-role': ({ member, role }) =>
    structure({ type: 'thread.set-role', member: member as AgentId, role }, [member]),
  'thread.post': (input, c) => post(input, c),
  'thread.handle': ({ entry, content }, { random }) => {
    const note = content === undefined ? undefined : writeContent(content, random);
    return {
      payload: { type: 'thread.handle', entry, ...(note === undefined ? {} : { note: note.ref }) },
      content: note === undefined ? [] : [note],
      names: [],
    };
  },
  'thread.retract': ({ entry }) => structure({ type: 'thread.retract', entry }),
  'assignment.take': async ({ assignment, delivery }, c) => {
    if (delivery === undefined) return structure({ type: 'assignment.take', assignment });
    const { stamped, ...rest } = await deliver(assignment, delivery, c);
    return { ...rest, names: [], payload: { type: 'assignment.take', assignment, delivery: stamped } };
  },
  'assignment.deliver': async ({ assignment, delivery }, c) => {
    const { stamped, ...rest } = await deliver(assignment, delivery, c);
    return { ...rest, names: [], payload: { type: 'assignment.deliver', assignment, delivery: stamped } };
  },
  'assignment.drop': ({ assignment }) => structure({ type: 'assignment.drop', assignment }),
  'assignment.void': ({ assignment }) => structure({ type: 'assignment.void', assignment }),
  'assignment.adopt': ({ assignment }) => structure({ type: 'assignment.adopt', assignment }),
  'assignment.reject': ({ assignment, content }, { random }) => {
    const reason = writeContent(content, random);
    return { payload: { type: 'assignment.reject', assignment, content: reason.ref }, content: [reason], names: [] };
  },
  'agent.create': ({ labels = [] }, c) => {
    const secret = newSecret('kfk', c.random);
    return {
      ...structure({ type: 'agent.create', labels: [...labels], key: derivedId('key', c.binding), hash: secret.hash }),
      secret,
    };
  },
  'agent.issue-key': (_, c) => {
    const secret = newSecret('kfk', c.random);
    return { ...structure({ type: 'agent.issue-key', key: derivedId('key', c.binding), hash: secret.hash }), secret };
  },
  'agent.revoke-key': ({ key }) => structure({ type: 'agent.revoke-key', key }),
  'agent.set-labels': ({ labels }) => structure({ type: 'agent.set-labels', labels: [...labels] }),
  'agent.deactivate': (_, { walkPartitions }) =>
    structure({ type: 'agent.deactivate', partitions: [...walkPartitions] }),
  'agent.activate': (_, { walkPartitions }) => structure({ type: 'agent.activate', partitions: [...walkPartitions] }),
};

const written = (type: 'memory.create' | 'memory.update', content: object, { random }: PrepareContext): Prepared => {
  const body = writeContent({ ...content }, random);
  return { payload: { type, content: body.ref }, content: [body], names: [] };
};

/** The genesis of a Memory that only the thread it was born in knows yet (engine.md §8). */
const born = async ({ references, object }: PrepareContext): Promise<{ genesis?: Genesis }> => {
  const genesis = (await references.memory(object))?.genesis as Genesis | undefined;
  return genesis === undefined ? {} : { genesis };
};

type PostInput = ActionInputs['thread.post'];
type PostPayload = Extract<Payload, { type: 'thread.post' }>;

const post = async ({ content, memory, replyTo, ask, assign }: PostInput, c: PrepareContext): Promise<Prepared> => {
  const body = content === undefined ? undefined : writeContent({ ...content }, c.random);
  const contract = assign === undefined ? undefined : writeContent({ ...assign.content }, c.random);
  const posted: PostPayload['memory'] =
    body === undefined
      ? await referenced(memory!, c)
      : { kind: 'born', id: derivedId('memory', c.binding), content: body.ref };
  const payload: PostPayload = {
    type: 'thread.post',
    memory: posted,
    ...(replyTo === undefined ? {} : { replyTo: ordinalOf(replyTo) }),
    ...(ask === undefined ? {} : { ask: [...new Set(ask)].sort() as AgentId[] }),
    ...(assign === undefined
      ? {}
      : {
          assign: {
            to: assign.to as AgentId,
            content: contract!.ref,
            structured: assign.content.outputSchema !== undefined,
            deliverySeconds: assign.deliverySeconds ?? c.limits.deadlineSecondsDefault,
            judgmentSeconds: assign.judgmentSeconds ?? c.limits.deadlineSecondsDefault,
            ...(assign.redoes === undefined ? {} : { redoes: ordinalOf(assign.redoes) }),
          },
        }),
  };
  const names = [...(ask ?? []), ...(assign === undefined ? [] : [assign.to])];
  return { payload, content: [body, contract].filter((part) => part !== undefined), names };
};

/** What is still a reference names a part of another thread: a number that no thread has, for the owner to refuse. */
const ordinalOf = (part: number | string): number => (typeof part === 'number' ? part : ordinalMax);

/** Resolves a Memory to be pinned: one's own at any version while valid, another's while public and at its current one (M-10). */
const referenced = async (text: string, { agent, references }: PrepareContext): Promise<PostPayload['memory']> => {
  const invalid = { kind: 'unusable', code: 'invalid_target' } as const;
  const reference = parseReference(text);
  if (reference?.kind !== 'memory' && reference?.kind !== 'version') return invalid;
  const asked = reference.kind === 'version' ? reference.version : undefined;
  const memory = await references.memory(reference.memory, asked);
  if (memory === undefined) return invalid;
  const mine = memory.author === agent;
  if (!mine && (memory.status !== 'valid' || memory.visibility !== 'public')) return invalid;
  if (memory.status === 'withdrawn') return { kind: 'unusable', code: 'memory_withdrawn' };
  const fits = asked === undefined || (mine ? memory.hasVersion : asked === memory.current);
  return fits ? { kind: 'reference', pin: { id: reference.memory, version: asked ?? memory.current } } : invalid;
};

type DeliveryInput = ActionInputs['assignment.deliver']['delivery'];
type Delivered = {
  readonly stamped: Delivery;
  readonly content: readonly WrittenContent[];
  readonly errors?: readonly ShapeError[];
};

/** A payload is checked against the output structure, Memories have to be the taker's own (T-44). */
const deliver = async (
  assignment: number,
  { content, memories = [] }: DeliveryInput,
  c: PrepareContext,
): Promise<Delivered> => {
  const payload = content === undefined ? undefined : writeContent({ ...content }, c.random);
  const errors = await missed(assignment, content, c);
  const pins: Pin[] = [];
  let unusable: Delivery['unusable'] = errors.length > 0 ? 'schema_mismatch' : undefined;
  for (const text of memories) {
    const found = await referenced(text, c);
    if (found.kind === 'reference' && (await c.references.memory(found.pin.id))?.author === c.agent)
      pins.push(found.pin);
    else unusable ??= found.kind === 'unusable' ? found.code : 'invalid_target';
  }
  return {
    stamped: {
      memories: pins,
      ...(payload === undefined ? {} : { content: payload.ref }),
      ...(unusable === undefined ? {} : { unusable }),
    },
    content: payload === undefined ? [] : [payload],
    ...(errors.length === 0 ? {} : { errors }),
  };
};

/** Without a payload a structured assignment is missed too. */
const missed = async (
  assignment: number,
  content: { readonly payload?: unknown } | undefined,
  { references, schemas, object }: PrepareContext,
): Promise<readonly ShapeError[]> => {
  const structured = await references.outputSchema(object, assignment);
  if (structured === undefined) return [];
  if (content === undefined)
    return [{ pointer: '/delivery/content', keyword: 'required', detail: 'This assignment asks for a payload.' }];
  return schemas.misses(structured.schema, content.payload, '/delivery/content/payload');
};
