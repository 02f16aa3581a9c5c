import { deepEqual, equal } from 'node:assert/strict';
import type { Agent, Done } from '../client.ts';
import { refusedAs } from '../client.ts';
import { type Case, shows } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { words } from '../scene.ts';

const askedBy = ({ receipt }: Done): readonly string[] => receipt.begun.map(({ agent }: { agent: string }) => agent);

/** Three who may speak, in a thread of the first. */
const three = async (s: Scene): Promise<readonly [Agent, Agent, Agent, string]> => {
  const [ada, bob, cyd] = await s.three();
  return [ada, bob, cyd, (await s.thread(ada, [bob, cyd])).thread];
};

export const responseCases: readonly Case[] = [
  shows('T-20 T-21', 'entries rise in number, with an author and one pinned version', async (s) => {
    const [ada, bob, , thread] = await three(s);
    const [one, two] = [await s.post(ada, thread), await s.post(bob, thread)];
    deepEqual([one.receipt.entry, two.receipt.entry], [1, 2]);
    const entry = await ada.read(`/v1/threads/${thread}/entries/2`);
    deepEqual([entry.author, entry.memory.version], [bob.id, 1]);
  }),
  shows(
    'T-22 T-23',
    'a reply names an entry there is, and ask names members who may speak, never oneself',
    async (s) => {
      const [ada, bob, , thread] = await three(s);
      const route = `/v1/threads/${thread}/entries`;
      await ada.refused('invalid_target', route, { ...words, replyTo: 9 });
      const stranger = await s.agent();
      for (const ask of [[ada.id], [stranger.id]]) await ada.refused('invalid_target', route, { ...words, ask });
      deepEqual(askedBy(await s.post(ada, thread, { ask: [bob.id, bob.id] })), [bob.id]);
    },
  ),
  shows('T-24', 'a stated ask decides, an empty one means nobody', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    deepEqual(askedBy(await s.post(ada, thread, { ask: [] })), []);
    deepEqual(askedBy(await s.post(bob, thread, { replyTo: 1, ask: [] })), []);
  }),
  shows('T-25', 'a reply to another’s entry asks its author, or nobody if that one can no longer speak', async (s) => {
    const [ada, bob, cyd, thread] = await three(s);
    await s.post(bob, thread, { ask: [] });
    deepEqual(askedBy(await s.post(cyd, thread, { replyTo: 1 })), [bob.id]);
    await ada.act(`PUT /v1/threads/${thread}/members/${bob.id}`, { role: 'observer' });
    deepEqual(askedBy(await s.post(cyd, thread, { replyTo: 1 })), []);
  }),
  shows('T-26 T-27', 'with exactly two who may speak the other one is asked, else nobody', async (s) => {
    const [ada, bob, cyd, thread] = await three(s);
    deepEqual(askedBy(await s.post(ada, thread)), []);
    await cyd.act(`/v1/threads/${thread}/leave`);
    deepEqual(askedBy(await s.post(ada, thread)), [bob.id]);
    deepEqual(askedBy(await s.post(ada, thread, { replyTo: 1 })), [bob.id]);
  }),
  shows('T-28', 'later joins and promotions add no responder', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread, secret } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    await cyd.act('/v1/join', { secret });
    deepEqual(await s.turn(cyd), []);
  }),
  shows('T-29 T-30', 'replying ends one’s own pending response; without one it is allowed too', async (s) => {
    const [ada, bob, cyd, thread] = await three(s);
    await s.post(ada, thread, { ask: [bob.id] });
    const { receipt } = await s.post(bob, thread, { replyTo: 1, ask: [] });
    deepEqual(
      receipt.ended.map(({ how }: { how: string }) => how),
      ['reply'],
    );
    deepEqual((await s.post(cyd, thread, { replyTo: 1, ask: [] })).receipt.ended, []);
    deepEqual(await s.turn(bob), []);
  }),
  shows('T-31 V-6', 'handle ends a response, with a note that author and responder alone read', async (s) => {
    const [ada, bob, cyd, thread] = await three(s);
    await s.post(ada, thread, { ask: [bob.id] });
    const route = `/v1/threads/${thread}/entries/1/handle`;
    await bob.refused('invalid', route, { content: { note: 'two\nlines' } });
    await bob.act(route, { content: { note: 'a note' } });
    await bob.refused('not_pending', route);
    for (const [reader, sees] of [
      [ada, true],
      [bob, true],
      [cyd, false],
    ] as const)
      equal((await reader.get(`/v1/threads/${thread}/entries/1`)).text.includes('a note'), sees);
  }),
  shows('T-32', 'the author retracts, while its membership lasts, and undoes nothing given', async (s) => {
    const [ada, bob, cyd, thread] = await three(s);
    await s.post(bob, thread, { ask: [ada.id, cyd.id] });
    await s.post(ada, thread, { replyTo: 1, ask: [] });
    await cyd.refused('not_permitted', `/v1/threads/${thread}/entries/1/retract`);
    const { receipt } = await bob.act(`/v1/threads/${thread}/entries/1/retract`);
    deepEqual(
      receipt.ended.map(({ agent, how }: { agent: string; how: string }) => [agent, how]),
      [[cyd.id, 'retracted']],
    );
    equal((await ada.read(`/v1/threads/${thread}/entries/2`)).replyTo, `${thread}/entries/1`);
  }),
  shows('T-33', 'reading ends nothing', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    await bob.read(`/v1/threads/${thread}/entries/1`);
    equal((await s.turn(bob)).length, 1);
  }),
  shows('T-34', 'entries are neither edited nor deleted', async (s) => {
    const ada = await s.agent();
    const { thread } = await s.thread(ada);
    await s.post(ada, thread);
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      refusedAs('method_not_allowed', await ada.send(method, `/v1/threads/${thread}/entries/1`));
  }),
];
