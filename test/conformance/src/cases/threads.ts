import { deepEqual, equal } from 'node:assert/strict';
import { refusedAs } from '../client.ts';
import { type Case, shows } from '../runner.ts';
import { delivery, words } from '../scene.ts';

export const threadCases: readonly Case[] = [
  shows('T-1', 'whoever creates a thread governs it, and it is open', async (s) => {
    const ada = await s.agent();
    const { thread } = await s.thread(ada);
    const found = await ada.read(`/v1/threads/${thread}`);
    deepEqual([found.status, found.role], ['open', 'governor']);
  }),
  shows('T-2 T-5 T-17', 'a grant binds a role, speaker by default, and a membership records it', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread, secret } = await s.thread(ada, [], 'observer');
    equal((await bob.act('/v1/join', { secret })).receipt.role, 'observer');
    const granted = await ada.act(`/v1/threads/${thread}/grant`);
    equal((await cyd.act('/v1/join', { secret: granted.secret })).receipt.role, 'speaker');
    await bob.refused('not_permitted', `/v1/threads/${thread}/grant`);
    const { items } = await ada.read(`/v1/threads/${thread}/members`);
    deepEqual(
      items.map(({ agent, grant }: { agent: string; grant: number | null }) => [agent, grant]),
      [
        [ada.id, null],
        [bob.id, 1],
        [cyd.id, 2],
      ],
    );
  }),
  shows('T-3 T-7', 'one grant lives: superseded, voided, closed and unknown ones are refused alike', async (s) => {
    const [ada, bob] = await s.two();
    const { thread, secret: first } = await s.thread(ada);
    const second = (await ada.act(`/v1/threads/${thread}/grant`)).secret;
    const unknown = await bob.refused('grant_invalid', '/v1/join', { secret: 'kfg_unknown' });
    const told = async (secret: string | undefined) =>
      equal((await bob.refused('grant_invalid', '/v1/join', { secret })).text, unknown.text);
    await told(first);
    await ada.act(`DELETE /v1/threads/${thread}/grant`);
    await told(second);
    const third = (await ada.act(`/v1/threads/${thread}/grant`)).secret;
    await ada.act(`/v1/threads/${thread}/close`);
    await told(third);
  }),
  shows('T-6', 'joining again returns the membership with its role', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const { secret } = await ada.act(`/v1/threads/${thread}/grant`, { role: 'governor' });
    const { receipt } = await bob.act('/v1/join', { secret });
    deepEqual(receipt.existing, { type: 'membership', membership: 2, role: 'speaker' });
  }),
  shows('T-10', 'governors govern, speakers speak, observers read', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob], 'observer');
    await bob.refused('not_permitted', `/v1/threads/${thread}/entries`, words);
    for (const route of ['grant', 'close']) await bob.refused('not_permitted', `/v1/threads/${thread}/${route}`);
    equal((await bob.read(`/v1/threads/${thread}`)).role, 'observer');
    await ada.act(`PUT /v1/threads/${thread}/members/${bob.id}`, { role: 'speaker' });
    await s.post(bob, thread);
    await bob.refused('not_permitted', `DELETE /v1/threads/${thread}/members/${ada.id}`);
  }),
  shows('T-11 T-13', 'a member may leave, a closed thread too; the last governor of an open one stays', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await ada.refused('last_governor', `/v1/threads/${thread}/leave`);
    await ada.refused('last_governor', `PUT /v1/threads/${thread}/members/${ada.id}`, { role: 'speaker' });
    await bob.act(`/v1/threads/${thread}/leave`);
    await ada.act(`/v1/threads/${thread}/close`);
    await ada.act(`/v1/threads/${thread}/leave`);
    refusedAs('not_found', await ada.get(`/v1/threads/${thread}`));
  }),
  shows('T-12', 'a governor removes others and changes roles; the grant stays', async (s) => {
    const [ada, bob] = await s.two();
    const { thread, secret } = await s.thread(ada, [bob]);
    await ada.refused('invalid_target', `DELETE /v1/threads/${thread}/members/${ada.id}`);
    await ada.act(`DELETE /v1/threads/${thread}/members/${bob.id}`);
    refusedAs('not_found', await bob.get(`/v1/threads/${thread}`));
    await bob.act('/v1/join', { secret });
  }),
  shows('T-14 T-18', 'demotion ends pending responses and leaves assignments running', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`);
    await s.post(ada, thread, { ask: [bob.id] });
    const { receipt } = await ada.act(`PUT /v1/threads/${thread}/members/${bob.id}`, { role: 'observer' });
    deepEqual(
      receipt.ended.map(({ how }: { how: string }) => how),
      ['demoted'],
    );
    await bob.act(`${path}/deliver`, delivery);
    await ada.act(`${path}/adopt`);
  }),
  shows(
    'T-15 T-16',
    'leaving voids what was taken or created, forfeits judgments, and rejoining revives nothing',
    async (s) => {
      const [ada, bob, cyd] = await s.three();
      const { thread, secret } = await s.thread(ada, [bob, cyd]);
      await s.post(ada, thread, { ask: [bob.id] });
      const [taken, created, judged] = [
        await s.assigned(ada, bob, thread),
        await s.assigned(bob, cyd, thread),
        await s.assigned(bob, cyd, thread),
      ];
      await bob.act(`${taken}/take`);
      await cyd.act(`${judged}/take`, delivery);
      await bob.act(`/v1/threads/${thread}/leave`);
      deepEqual(
        [(await ada.read(taken)).status, (await ada.read(created)).status, (await ada.read(judged)).status],
        ['voided', 'voided', 'delivered'],
      );
      deepEqual(await s.turn(bob), []);
      await bob.act('/v1/join', { secret });
      deepEqual(await s.turn(bob), []);
      await bob.refused('not_permitted', `${judged}/adopt`);
    },
  ),
  shows(
    'T-60',
    'closing ends responses, voids the undelivered and the admission; the delivered stays judgeable',
    async (s) => {
      const [ada, bob, cyd] = await s.three();
      const { thread, secret } = await s.thread(ada, [bob]);
      await s.post(ada, thread, { ask: [bob.id] });
      const [open, delivered] = [await s.assigned(ada, bob, thread), await s.assigned(ada, bob, thread)];
      await bob.act(`${delivered}/take`, delivery);
      await ada.act(`/v1/threads/${thread}/close`);
      deepEqual(await s.turn(bob), []);
      equal((await ada.read(open)).status, 'voided');
      await cyd.refused('grant_invalid', '/v1/join', { secret });
      await ada.act(`${delivered}/adopt`);
      equal((await bob.read(`/v1/threads/${thread}`)).status, 'closed');
    },
  ),
  shows('T-61 T-22', 'a closed thread stays closed, and replies do not cross threads', async (s) => {
    const ada = await s.agent();
    const [one, other] = [(await s.thread(ada)).thread, (await s.thread(ada)).thread];
    const { receipt } = await s.post(ada, one);
    await ada.refused('invalid_target', `/v1/threads/${other}/entries`, { ...words, replyTo: `${one}/entries/1` });
    await ada.act(`/v1/threads/${one}/close`);
    await ada.refused('thread_closed', `/v1/threads/${one}/entries`, words);
    equal((await s.post(ada, other, { memory: receipt.memory })).receipt.memory, receipt.memory);
  }),
];
