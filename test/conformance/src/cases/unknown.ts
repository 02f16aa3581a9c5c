import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Agent, Answer } from '../client.ts';
import { filled, type Operation, operationsOf } from '../operations.ts';
import { type Case, shows } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { contract, delivery, missing, reason, words } from '../scene.ts';

/** Bodies of the right shape; actions that are not here need none. */
const bodies: Readonly<Record<string, object>> = {
  'memory.update': words,
  'thread.set-role': { role: 'observer' },
  'thread.post': words,
  'assignment.deliver': delivery,
  'assignment.reject': reason,
  'task.revise': contract,
  'engagement.deliver': delivery,
  'engagement.reject': reason,
};

type Values = Readonly<Record<string, string | number>>;

/** Every route of the agents' door on an object. */
const routesOn = async (s: Scene, part: RegExp): Promise<readonly Operation[]> =>
  (await operationsOf(s.service)).filter(({ path }) => path.startsWith('/v1/') && part.test(path));

const send = (agent: Agent, one: Operation, values: Values): Promise<Answer> =>
  one.method === 'GET'
    ? agent.get(filled(one, values))
    : agent.attempt(one.method, filled(one, values), bodies[one.id] ?? {});

/** That each route answers the same, to the byte but for the id, where an object is hidden and where there is none. */
const allAlike = async (agent: Agent, routes: readonly Operation[], hidden: Values, none: Values): Promise<void> => {
  ok(routes.length > 0);
  for (const one of routes) {
    const [found, absent] = [await send(agent, one, hidden), await send(agent, one, none)];
    deepEqual([found.status, found.json?.code], [404, 'not_found'], `${one.id}: ${found.text}`);
    const changed = Object.keys(hidden).filter((part) => hidden[part] !== none[part]);
    const text = changed.reduce((said, part) => said.replaceAll(String(hidden[part]), String(none[part])), found.text);
    equal(text, absent.text, one.id);
    deepEqual([found.status, ...found.headers.keys()], [absent.status, ...absent.headers.keys()], one.id);
  }
};

const parts = { entry: 1, assignment: 1, version: 1, member: missing.agent, engagement: missing.engagement };

/** Those who have something, and a stranger to it. */
const house = async (s: Scene) => {
  const [ada, bob, cyd] = await s.three();
  const { thread } = await s.thread(ada, [bob]);
  const path = await s.assigned(ada, bob, thread);
  await bob.act(`${path}/take`, delivery);
  const memory = await s.memory(ada);
  const task = await s.task(ada, { audience: { restricted: [bob.id] } });
  const engagement = (await s.engaged(bob, task, delivery)).split('/').at(-1)!;
  return { ada, bob, cyd, hidden: { ...parts, thread, memory, task, engagement } };
};

export const unknownCases: readonly Case[] = [
  shows('V-14 C-3', 'every route on an object that is hidden answers as if there were none', async (s) => {
    const { cyd, hidden } = await house(s);
    const { memory, thread, task } = missing;
    await allAlike(cyd, await routesOn(s, /\{(memory|thread|task)\}/), hidden, { ...hidden, memory, thread, task });
  }),
  shows('V-13 V-14', 'to a former member every route on the thread answers as if there were none', async (s) => {
    const { bob, hidden } = await house(s);
    await bob.act(`/v1/threads/${hidden.thread}/leave`);
    const none = { ...hidden, thread: missing.thread };
    await allAlike(bob, await routesOn(s, /\{thread\}/), hidden, none);
  }),
  shows('V-14 K-9', 'another agent’s engagement on an open Task is to every route as none', async (s) => {
    const { ada, bob, cyd } = await house(s);
    const task = await s.task(ada);
    const engagement = (await s.engaged(bob, task, delivery)).split('/').at(-1)!;
    await s.engaged(cyd, task);
    const hidden = { ...parts, task, engagement };
    const none = { ...hidden, engagement: missing.engagement };
    await allAlike(cyd, await routesOn(s, /\{engagement\}/), hidden, none);
  }),
  shows('V-14 C-3', 'a reference in a request to what is hidden is refused as one to nothing', async (s) => {
    const { cyd, hidden } = await house(s);
    const { thread } = await s.thread(cyd);
    const own = await s.task(await s.agent());
    const engagement = await s.engaged(cyd, own);
    const entries = `/v1/threads/${thread}/entries`;
    const referring: readonly (readonly [route: string, body: (to: typeof missing) => object])[] = [
      [entries, ({ memory }) => ({ memory })],
      [entries, ({ memory }) => ({ memory: `${memory}/versions/1` })],
      [entries, ({ task }) => ({ ...words, task })],
      ['/v1/tasks', ({ memory }) => ({ ...contract, requiredInputs: [memory] })],
      ['/v1/tasks', ({ memory }) => ({ ...contract, informative: [memory] })],
      [`${engagement}/deliver`, ({ memory }) => ({ delivery: { memories: [memory] } })],
    ];
    for (const [route, body] of referring) {
      const to = await cyd.refused('invalid_target', route, body({ ...missing, ...hidden }));
      equal(to.text, (await cyd.refused('invalid_target', route, body(missing))).text, route);
    }
  }),
  shows('V-15', 'whoever is removed while reading never sees what was written after', async (s) => {
    const [ada, bob] = await s.two();
    const { thread, secret } = await s.thread(ada);
    const paths = [`/v1/threads/${thread}`, `/v1/threads/${thread}/entries?order=newest&limit=5`];
    for (let round = 0; round < 5; round++) {
      await bob.act('/v1/join', { secret });
      let over = false;
      const reading = (async () => {
        const seen: string[] = [];
        while (!over) seen.push((await bob.get(paths[seen.length % 2]!)).text);
        return seen;
      })();
      await ada.act(`DELETE /v1/threads/${thread}/members/${bob.id}`);
      await s.post(ada, thread, { content: { body: `after removal ${round}` } });
      over = true;
      for (const text of await reading) ok(!text.includes(`after removal ${round}`), text);
    }
  }),
];
