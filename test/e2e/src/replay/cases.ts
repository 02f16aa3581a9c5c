import type { ActionInputs, ActionName } from '@kungfu/protocol';
import type { Client, On } from '../index.ts';
import { contract, type Hall, idOf } from './hall.ts';

/** A request that is about to succeed for the first time. */
export type Ready<N extends ActionName> = {
  readonly client: Client;
  readonly on: On;
  readonly input: ActionInputs[N];
  /** Something else to ask for under the same key: another object, or other input. */
  readonly other: { readonly on: On; readonly input: ActionInputs[N] };
  /** Changes the object afterwards. */
  readonly change: () => Promise<unknown>;
};

/** One case an action: the compiler asks for it when the catalogue grows. */
export type Cases = { readonly [N in ActionName]: (hall: Hall) => Promise<Ready<N>> };

const delivery = { content: { payload: { done: true } } };
const otherDelivery = { content: { payload: { done: false } } };
const words = { content: { body: 'b' } };
const otherWords = { content: { body: 'c' } };

const close = (hall: Hall, thread: string) => () => hall.ada.client.act('thread.close', thread, {});
const withdraw = (hall: Hall, memory: string) => () => hall.ada.client.act('memory.withdraw', memory, {});
const revise = (hall: Hall, task: string) => () => hall.ada.client.act('task.revise', task, contract);

export const cases: Cases = {
  'memory.create': async (hall) => {
    const client = hall.ada.client;
    return {
      client,
      on: undefined,
      input: words,
      other: { on: undefined, input: otherWords },
      change: () => hall.memory(),
    };
  },
  'memory.update': (hall) => onMemory(hall, words, otherWords),
  'memory.publish': (hall) => onMemory(hall, {}, undefined),
  'memory.unpublish': async (hall) => {
    const ready = await onMemory<'memory.unpublish'>(hall, {}, undefined);
    await hall.ada.client.act('memory.publish', ready.on!, {});
    return ready;
  },
  'memory.withdraw': async (hall) => ({
    ...(await onMemory<'memory.withdraw'>(hall, {}, undefined)),
    change: () => hall.memory(),
  }),
  'thread.create': async (hall) => ({
    client: hall.ada.client,
    on: undefined,
    input: { grant: {} },
    other: { on: undefined, input: { grant: { role: 'observer' } } },
    change: () => hall.thread(),
  }),
  'thread.grant': async (hall) => byGovernor(hall, (await hall.thread()).thread, {}, { role: 'observer' }),
  'thread.revoke-grant': async (hall) => byGovernor(hall, (await hall.thread()).thread, {}, undefined),
  'thread.join': async (hall) => {
    const { thread, secret } = await hall.thread();
    return {
      client: hall.bob.client,
      on: undefined,
      input: { secret },
      other: { on: undefined, input: { secret: 'kfg_another' } },
      change: close(hall, thread),
    };
  },
  'thread.leave': async (hall) => {
    const thread = await hall.shared();
    return {
      client: hall.bob.client,
      on: thread,
      input: {},
      other: { on: await hall.shared(), input: {} },
      change: close(hall, thread),
    };
  },
  'thread.close': async (hall) => ({
    ...(await byGovernor<'thread.close'>(hall, await hall.shared(), {}, undefined)),
    change: () => hall.thread(),
  }),
  'thread.remove': async (hall) =>
    byGovernor(hall, await hall.shared(), { member: idOf(hall.bob) }, { member: idOf(hall.ada) }),
  'thread.set-role': async (hall) =>
    byGovernor(
      hall,
      await hall.shared(),
      { member: idOf(hall.bob), role: 'observer' },
      { member: idOf(hall.bob), role: 'governor' },
    ),
  'thread.post': async (hall) => byGovernor(hall, await hall.shared(), words, { ...words, ask: [] }),
  'thread.handle': async (hall) => {
    const thread = await hall.asked();
    const note = { content: { note: 'n' } };
    return {
      client: hall.bob.client,
      on: thread,
      input: { entry: 1 },
      other: { on: thread, input: { entry: 1, ...note } },
      change: close(hall, thread),
    };
  },
  'thread.retract': async (hall) => byGovernor(hall, await hall.asked(), { entry: 1 }, { entry: 2 }),
  'assignment.take': async (hall) =>
    byTaker(hall, await hall.assigned(), { assignment: 1 }, { assignment: 1, delivery }),
  'assignment.deliver': async (hall) =>
    byTaker(hall, await hall.taken(), { assignment: 1, delivery }, { assignment: 1, delivery: otherDelivery }),
  'assignment.drop': async (hall) => byTaker(hall, await hall.taken(), { assignment: 1 }, { assignment: 2 }),
  'assignment.void': async (hall) => byGovernor(hall, await hall.assigned(), { assignment: 1 }, { assignment: 2 }),
  'assignment.adopt': async (hall) => byGovernor(hall, await hall.delivered(), { assignment: 1 }, { assignment: 2 }),
  'assignment.reject': async (hall) =>
    byGovernor(
      hall,
      await hall.delivered(),
      { assignment: 1, content: { reason: 'r' } },
      { assignment: 1, content: { reason: 's' } },
    ),
  'task.create': async (hall) => ({
    client: hall.ada.client,
    on: undefined,
    input: contract,
    other: { on: undefined, input: { ...contract, maxAdoptions: 1 } },
    change: () => hall.task(),
  }),
  'task.revise': async (hall) => byAuthor(hall, await hall.task(), contract, { ...contract, maxAdoptions: 1 }),
  'task.pause': async (hall) => byAuthor(hall, await hall.task(), {}, undefined),
  'task.resume': async (hall) => {
    const task = await hall.task();
    await hall.ada.client.act('task.pause', task, {});
    return byAuthor(hall, task, {}, undefined);
  },
  'task.take': async (hall) => {
    const task = await hall.task();
    return {
      client: hall.bob.client,
      on: task,
      input: {},
      other: { on: task, input: { version: 1 } },
      change: revise(hall, task),
    };
  },
  'engagement.deliver': async (hall) => {
    const { task, engagement } = await hall.engaged();
    return {
      client: hall.bob.client,
      on: task,
      input: { engagement, delivery },
      other: { on: task, input: { engagement, delivery: otherDelivery } },
      change: revise(hall, task),
    };
  },
  'engagement.drop': async (hall) => {
    const { task, engagement } = await hall.engaged();
    const other = await hall.engaged();
    return {
      client: hall.bob.client,
      on: task,
      input: { engagement },
      other: { on: other.task, input: { engagement: other.engagement } },
      change: revise(hall, task),
    };
  },
  'engagement.adopt': async (hall) => {
    const { task, engagement } = await hall.judgeable();
    const other = await hall.judgeable();
    return {
      ...byAuthor<'engagement.adopt'>(hall, task, { engagement }, undefined),
      other: { on: other.task, input: { engagement: other.engagement } },
    };
  },
  'engagement.reject': async (hall) => {
    const { task, engagement } = await hall.judgeable();
    const because = (reason: string) => ({ engagement, content: { reason } });
    return byAuthor(hall, task, because('r'), because('s'));
  },
  'agent.create': async (hall) => ({
    client: hall.system.administration,
    on: undefined,
    input: { labels: ['x'] },
    other: { on: undefined, input: { labels: ['y'] } },
    change: () => hall.agent(),
  }),
  'agent.issue-key': (hall) => onAgent(hall, {}, undefined),
  'agent.revoke-key': async (hall) => {
    const { client, on, other, change } = await onAgent<'agent.issue-key'>(hall, {}, undefined);
    const key = (await client.act('agent.issue-key', on!, {})).receipt.key as `key_${string}`;
    return { client, on, input: { key }, other: { on: other.on, input: { key } }, change };
  },
  'agent.set-labels': (hall) => onAgent(hall, { labels: ['x', 'y'] }, { labels: ['x'] }),
  'agent.deactivate': async (hall) => {
    const ready = await onAgent<'agent.deactivate'>(hall, {}, undefined);
    return { ...ready, change: () => ready.client.settled('agent.activate', ready.on!, {}) };
  },
  'agent.activate': async (hall) => {
    const ready = await onAgent<'agent.activate'>(hall, {}, undefined);
    await ready.client.settled('agent.deactivate', ready.on!, {});
    return { ...ready, change: () => ready.client.settled('agent.deactivate', ready.on!, {}) };
  },
};

/** Ada on a Memory of hers; the other request is the other input, or the same on another Memory. */
const onMemory = async <N extends ActionName>(
  hall: Hall,
  input: ActionInputs[N],
  other: ActionInputs[N] | undefined,
): Promise<Ready<N>> => {
  const memory = await hall.memory();
  return {
    client: hall.ada.client,
    on: memory,
    input,
    other: other === undefined ? { on: await hall.memory(), input } : { on: memory, input: other },
    change: withdraw(hall, memory),
  };
};

/** Ada on a thread of hers, which is closed afterwards. */
const byGovernor = async <N extends ActionName>(
  hall: Hall,
  thread: string,
  input: ActionInputs[N],
  other: ActionInputs[N] | undefined,
): Promise<Ready<N>> => ({
  client: hall.ada.client,
  on: thread,
  input,
  other: other === undefined ? { on: await hall.shared(), input } : { on: thread, input: other },
  change: close(hall, thread),
});

const byTaker = async <N extends ActionName>(
  hall: Hall,
  thread: string,
  input: ActionInputs[N],
  other: ActionInputs[N],
): Promise<Ready<N>> => ({
  client: hall.bob.client,
  on: thread,
  input,
  other: { on: thread, input: other },
  change: close(hall, thread),
});

/** Ada on a Task of hers, which is revised afterwards. */
const byAuthor = <N extends ActionName>(
  hall: Hall,
  task: string,
  input: ActionInputs[N],
  other: ActionInputs[N] | undefined,
): Ready<N> => ({
  client: hall.ada.client,
  on: task,
  input,
  other: other === undefined ? { on: 'task_00000000000000000000000001', input } : { on: task, input: other },
  change: revise(hall, task),
});

/** The administration on an agent made for this case. */
const onAgent = async <N extends ActionName>(
  hall: Hall,
  input: ActionInputs[N],
  other: ActionInputs[N] | undefined,
): Promise<Ready<N>> => {
  const agent = await hall.agent();
  const client = hall.system.administration;
  return {
    client,
    on: agent.id,
    input,
    other: other === undefined ? { on: (await hall.agent()).id, input } : { on: agent.id, input: other },
    change: () => client.act('agent.set-labels', agent.id, { labels: ['changed'] }),
  };
};
