import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import type { Agent, Caller } from '../client.ts';
import { operationsOf } from '../operations.ts';
import { type Case, shows } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { contract, delivery, missing, reason, words } from '../scene.ts';

/** An action that succeeds when it is sent now. */
type Ready = {
  readonly by: Caller;
  readonly route: string;
  readonly body?: object;
  /** Another body of the right shape. */
  readonly other?: object;
};

const others = { content: { body: 'Other words.' } };

const withMemory = async (s: Scene): Promise<readonly [Agent, string]> => {
  const ada = await s.agent();
  return [ada, `/v1/memories/${await s.memory(ada)}`];
};
const withThread = async (s: Scene): Promise<readonly [ada: Agent, bob: Agent, route: string, thread: string]> => {
  const [ada, bob] = await s.two();
  const { thread } = await s.thread(ada, [bob]);
  return [ada, bob, `/v1/threads/${thread}`, thread];
};
/** An assignment of the first to the second. */
const withAssignment = async (s: Scene, take?: object): Promise<readonly [ada: Agent, bob: Agent, route: string]> => {
  const [ada, bob, , thread] = await withThread(s);
  const route = await s.assigned(ada, bob, thread);
  if (take !== undefined) await bob.act(`${route}/take`, take);
  return [ada, bob, route];
};
const withTask = async (s: Scene): Promise<readonly [ada: Agent, bob: Agent, route: string]> => {
  const [ada, bob] = await s.two();
  return [ada, bob, `/v1/tasks/${await s.task(ada)}`];
};
/** The second is engaged in a Task of the first. */
const withEngagement = async (s: Scene, take = {}): Promise<readonly [ada: Agent, bob: Agent, route: string]> => {
  const [ada, bob] = await s.two();
  return [ada, bob, await s.engaged(bob, await s.task(ada), take)];
};
const withAccount = async (s: Scene): Promise<readonly [Caller, string, Agent]> => {
  const ada = await s.agent();
  return [s.service.administration, `/admin/v1/agents/${ada.id}`, ada];
};

const memoryActions: Readonly<Record<string, (s: Scene) => Promise<Ready>>> = {
  'memory.create': async (s) => ({ by: await s.agent(), route: '/v1/memories', body: words, other: others }),
  'memory.update': async (s) => {
    const [by, route] = await withMemory(s);
    return { by, route: `${route}/versions`, body: words, other: others };
  },
  'memory.publish': async (s) => {
    const [by, route] = await withMemory(s);
    return { by, route: `${route}/publish` };
  },
  'memory.unpublish': async (s) => {
    const [by, route] = await withMemory(s);
    await by.act(`${route}/publish`);
    return { by, route: `${route}/unpublish` };
  },
  'memory.withdraw': async (s) => {
    const [by, route] = await withMemory(s);
    return { by, route: `${route}/withdraw` };
  },
};

const threadActions: Readonly<Record<string, (s: Scene) => Promise<Ready>>> = {
  'thread.create': async (s) => ({
    by: await s.agent(),
    route: '/v1/threads',
    body: { content: { title: 't' }, grant: {} },
    other: { content: { title: 't' } },
  }),
  'thread.grant': async (s) => {
    const [by, , route] = await withThread(s);
    return { by, route: `${route}/grant`, body: { role: 'observer' }, other: { role: 'governor' } };
  },
  'thread.revoke-grant': async (s) => {
    const [by, , route] = await withThread(s);
    return { by, route: `DELETE ${route}/grant` };
  },
  'thread.join': async (s) => {
    const [ada, by] = await s.two();
    const [{ secret }, { secret: other }] = [await s.thread(ada), await s.thread(ada)];
    return { by, route: '/v1/join', body: { secret }, other: { secret: other } };
  },
  'thread.leave': async (s) => {
    const [, by, route] = await withThread(s);
    return { by, route: `${route}/leave` };
  },
  'thread.close': async (s) => {
    const [by, , route] = await withThread(s);
    return { by, route: `${route}/close` };
  },
  'thread.remove': async (s) => {
    const [by, { id }, route] = await withThread(s);
    return { by, route: `DELETE ${route}/members/${id}` };
  },
  'thread.set-role': async (s) => {
    const [by, { id }, route] = await withThread(s);
    return { by, route: `PUT ${route}/members/${id}`, body: { role: 'observer' }, other: { role: 'governor' } };
  },
  'thread.post': async (s) => {
    const [by, bob, route] = await withThread(s);
    const body = { ...words, ask: [bob.id], assign: { to: bob.id, ...contract } };
    return { by, route: `${route}/entries`, body, other: { ...body, ask: [] } };
  },
  'thread.handle': async (s) => {
    const [ada, by, route, thread] = await withThread(s);
    await s.post(ada, thread);
    return { by, route: `${route}/entries/1/handle`, other: { content: { note: 'n' } } };
  },
  'thread.retract': async (s) => {
    const [by, , route, thread] = await withThread(s);
    await s.post(by, thread);
    return { by, route: `${route}/entries/1/retract` };
  },
};

const assignmentActions: Readonly<Record<string, (s: Scene) => Promise<Ready>>> = {
  'assignment.take': async (s) => {
    const [, by, route] = await withAssignment(s);
    return { by, route: `${route}/take`, other: delivery };
  },
  'assignment.deliver': async (s) => {
    const [, by, route] = await withAssignment(s, {});
    return { by, route: `${route}/deliver`, body: delivery, other: { delivery: { content: { payload: 2 } } } };
  },
  'assignment.drop': async (s) => {
    const [, by, route] = await withAssignment(s, {});
    return { by, route: `${route}/drop` };
  },
  'assignment.void': async (s) => {
    const [by, , route] = await withAssignment(s);
    return { by, route: `${route}/void` };
  },
  'assignment.adopt': async (s) => {
    const [by, , route] = await withAssignment(s, delivery);
    return { by, route: `${route}/adopt` };
  },
  'assignment.reject': async (s) => {
    const [by, , route] = await withAssignment(s, delivery);
    return { by, route: `${route}/reject`, body: reason, other: { content: { reason: 'another' } } };
  },
};

const taskActions: Readonly<Record<string, (s: Scene) => Promise<Ready>>> = {
  'task.create': async (s) => ({
    by: await s.agent(),
    route: '/v1/tasks',
    body: contract,
    other: { ...contract, eligibility: [] },
  }),
  'task.revise': async (s) => {
    const [by, , route] = await withTask(s);
    return { by, route: `${route}/versions`, body: contract, other: { ...contract, withoutJudgment: 'adopted' } };
  },
  'task.pause': async (s) => {
    const [by, , route] = await withTask(s);
    return { by, route: `${route}/pause` };
  },
  'task.resume': async (s) => {
    const [by, , route] = await withTask(s);
    await by.act(`${route}/pause`);
    return { by, route: `${route}/resume` };
  },
  'task.take': async (s) => {
    const [, by, route] = await withTask(s);
    return { by, route: `${route}/engagements`, other: delivery };
  },
  'engagement.deliver': async (s) => {
    const [, by, route] = await withEngagement(s);
    return { by, route: `${route}/deliver`, body: delivery, other: { delivery: { content: { payload: 2 } } } };
  },
  'engagement.drop': async (s) => {
    const [, by, route] = await withEngagement(s);
    return { by, route: `${route}/drop` };
  },
  'engagement.adopt': async (s) => {
    const [by, , route] = await withEngagement(s, delivery);
    return { by, route: `${route}/adopt` };
  },
  'engagement.reject': async (s) => {
    const [by, , route] = await withEngagement(s, delivery);
    return { by, route: `${route}/reject`, body: reason, other: { content: { reason: 'another' } } };
  },
};

const accountActions: Readonly<Record<string, (s: Scene) => Promise<Ready>>> = {
  'agent.create': async (s) => ({
    by: s.service.administration,
    route: '/admin/v1/agents',
    body: { labels: ['one', 'two'] },
    other: { labels: ['one'] },
  }),
  'agent.issue-key': async (s) => {
    const [by, route] = await withAccount(s);
    return { by, route: `${route}/keys` };
  },
  'agent.revoke-key': async (s) => {
    const [by, route] = await withAccount(s);
    const { receipt } = await by.act(`${route}/keys`);
    return { by, route: `DELETE ${route}/keys/${receipt.key}` };
  },
  'agent.set-labels': async (s) => {
    const [by, route] = await withAccount(s);
    return { by, route: `PUT ${route}/labels`, body: { labels: ['one'] }, other: { labels: ['two'] } };
  },
  'agent.deactivate': async (s) => {
    const [by, route] = await withAccount(s);
    return { by, route: `${route}/deactivate` };
  },
  'agent.activate': async (s) => {
    const [by, route, ada] = await withAccount(s);
    await s.deactivate(ada);
    return { by, route: `${route}/activate` };
  },
};

const ready = { ...memoryActions, ...threadActions, ...assignmentActions, ...taskActions, ...accountActions };

/** The object that a route acts on. */
const objectIn = /(memory|thread|task|agent)_[0-9a-z]{26}/;

/** Requests that are not the same: with another body, on another object. */
const differing = ({ route, body = {}, other }: Ready): readonly (readonly [route: string, body: object])[] => {
  const [id, kind] = objectIn.exec(route) ?? [];
  return [
    ...(other === undefined ? [] : [[route, other] as const]),
    ...(id === undefined ? [] : [[route.replace(id, missing[kind as keyof typeof missing]), body] as const]),
  ];
};

const fingerprintOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const replays = async (action: string, one: Ready): Promise<void> => {
  const { by, route, body = {} } = one;
  const key = randomUUID();
  const first = await by.act(route, body, key);
  deepEqual([first.receipt.action, first.replayed], [action, false]);
  const again = await by.act(route, body, `"${key}"`);
  deepEqual([again.receiptText, again.replayed, again.secret], [first.receiptText, true, undefined]);
  if (first.secret !== undefined) {
    equal(first.receipt.secretFingerprint, fingerprintOf(first.secret));
    ok(!first.receiptText.includes(first.secret), 'the receipt holds the secret');
  }
  const different = differing(one);
  ok(different.length > 0);
  for (const [otherRoute, otherBody] of different) await by.refused('idempotency_conflict', otherRoute, otherBody, key);
  equal((await by.act(route, body, key)).receiptText, first.receiptText);
  if (!route.includes('/admin/'))
    deepEqual((await by.read(`/v1/receipts/${key}?action=${action}`)).receipt, first.receipt);
};

export const everyActionCases: readonly Case[] = [
  ...Object.entries(ready).map(([action, make]) =>
    shows(
      'L3-1 L3-2 L3-3 L3-4',
      `${action}: its replay is its receipt without a secret, and another request under its key is refused`,
      async (s) => replays(action, await make(s)),
    ),
  ),
  shows('L3-1', 'every action that the service offers is one of these', async (s) => {
    const offered = (await operationsOf(s.service)).filter(({ method }) => method !== 'GET').map(({ id }) => id);
    deepEqual([...offered].sort(), Object.keys(ready).sort());
  }),
];
