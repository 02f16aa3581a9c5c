import {
  type ActionInputs,
  type ActionName,
  type AgentId,
  type Genesis,
  ordinalMax,
  type TaskId,
} from '@kungfu/protocol';
import { derivedId, newSecret, sha256, writeContent } from './identity.ts';
import { delivered } from './prepare-delivery.ts';
import { taskPreparers } from './prepare-task.ts';
import { type Payload, type PrepareContext, type Prepared, referenced, structure } from './preparing.ts';

export type { Payload, PrepareContext, Prepared } from './preparing.ts';

type Preparers = {
  readonly [N in ActionName]: (input: ActionInputs[N], context: PrepareContext) => Promise<Prepared> | Prepared;
};

/** Turns public input into an action: ids and hashes derived, contents set apart, references resolved and stamped. Refuses nothing. */
export const prepare = <N extends ActionName>(
  action: N,
  input: ActionInputs[N],
  context: PrepareContext,
): Promise<Prepared> => Promise.resolve(preparers[action](input, context));

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
    const { stamped, ...rest } = await delivered(
      delivery,
      await c.references.assignmentOutput(c.object, assignment),
      c,
    );
    return { ...rest, names: [], payload: { type: 'assignment.take', assignment, delivery: stamped } };
  },
  'assignment.deliver': async ({ assignment, delivery }, c) => {
    const { stamped, ...rest } = await delivered(
      delivery,
      await c.references.assignmentOutput(c.object, assignment),
      c,
    );
    return { ...rest, names: [], payload: { type: 'assignment.deliver', assignment, delivery: stamped } };
  },
  'assignment.drop': ({ assignment }) => structure({ type: 'assignment.drop', assignment }),
  'assignment.void': ({ assignment }) => structure({ type: 'assignment.void', assignment }),
  'assignment.adopt': ({ assignment }) => structure({ type: 'assignment.adopt', assignment }),
  'assignment.reject': ({ assignment, content }, { random }) => {
    const reason = writeContent(content, random);
    return { payload: { type: 'assignment.reject', assignment, content: reason.ref }, content: [reason], names: [] };
  },
  ...taskPreparers,
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

const post = async (
  { content, memory, replyTo, ask, assign, task }: PostInput,
  c: PrepareContext,
): Promise<Prepared> => {
  const body = content === undefined ? undefined : writeContent({ ...content }, c.random);
  const contract = assign === undefined ? undefined : writeContent({ ...assign.content }, c.random);
  const posted: PostPayload['memory'] =
    body === undefined
      ? await pinned(memory!, c)
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
  const referred = task === undefined ? {} : await taskReferred(task as TaskId, c);
  return {
    payload: { ...payload, ...referred },
    content: [body, contract].filter((part) => part !== undefined),
    names,
  };
};

/** What is still a reference names a part of another thread: a number that no thread has, for the owner to refuse. */
const ordinalOf = (part: number | string): number => (typeof part === 'number' ? part : ordinalMax);

const pinned = async (memory: string, c: PrepareContext): Promise<PostPayload['memory']> => {
  const found = await referenced(memory, c);
  return found.kind === 'reference' ? { kind: 'reference', pin: found.pin } : found;
};

/** A Task that the author may not know is like none (K-16, V-14). */
const taskReferred = async (
  task: TaskId,
  { references, agent }: PrepareContext,
): Promise<Pick<PostPayload, 'task' | 'unusableTask'>> =>
  (await references.mayKnowTask(task, agent)) ? { task } : { task, unusableTask: true };
