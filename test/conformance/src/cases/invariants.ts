import { deepEqual, equal, ok } from 'node:assert/strict';
import { refusedAs } from '../client.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import { contract, delivery, missing, words } from '../scene.ts';

export const invariantCases: readonly Case[] = [
  shows(
    'L2-1 L2-2',
    'post with new content makes Memory and entry together; a refused one leaves neither',
    async (s) => {
      const [ada, bob] = await s.two();
      const { thread } = await s.thread(ada, [bob]);
      await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { ...words, ask: [ada.id] });
      deepEqual((await ada.read('/v1/memories?mine=true')).items, []);
      const { receipt } = await s.post(ada, thread);
      equal((await ada.read('/v1/memories?mine=true')).items[0].ref, receipt.memory.split('/versions')[0]);
    },
  ),
  shows('L2-2', 'take with a delivery that is refused leaves the assignment untaken', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread, {
      content: { wanted: 'w', criteria: 'c', outputSchema: { type: 'number' } },
    });
    await bob.refused('schema_mismatch', `${path}/take`, { delivery: { content: { payload: 'x' } } });
    equal((await ada.read(path)).status, 'open');
    const { receipt } = await bob.act(`${path}/take`, { delivery: { content: { payload: 1 } } });
    deepEqual(
      receipt.begun.map((one: { obligation: string }) => one.obligation),
      ['deliver', 'judge'],
    );
  }),
  shows('L2-2', 'create thread with a grant opens it and admits', async (s) => {
    const [ada, bob] = await s.two();
    const { thread, secret } = await s.thread(ada);
    equal((await bob.act('/v1/join', { secret })).receipt.object, thread);
  }),
  shows('L2-3 O-13', 'every refusal has a code, a sentence and a next step of the closed set', async (s) => {
    const ada = await s.agent();
    refusedAs('malformed', await ada.send('POST', '/v1/memories', { body: '{', headers: json }));
    refusedAs('unsupported_media_type', await ada.send('POST', '/v1/memories', { body: 'x' }));
    refusedAs('method_not_allowed', await ada.send('PATCH', '/v1/memories'));
    await ada.refused('invalid', '/v1/memories', { content: { body: 'b', unknown: 1 } });
    await ada.refused('not_found', `/v1/memories/${missing.memory}/publish`);
    refusedAs('unauthenticated', await s.service.anyone.get('/v1/me'));
  }),
  shows('L2-4', 'the two successes without effects, and every other that would change nothing refused', async (s) => {
    const [ada, bob] = await s.two();
    const { thread, secret } = await s.thread(ada, [bob]);
    const again = await bob.act('/v1/join', { secret });
    deepEqual([again.receipt.transitions, again.receipt.existing.role], [[], 'speaker']);
    const memory = await s.memory(ada);
    await ada.refused('no_effect', `/v1/memories/${memory}/unpublish`);
    await ada.act(`/v1/memories/${memory}/publish`);
    await ada.refused('no_effect', `/v1/memories/${memory}/publish`);
    await ada.refused('no_effect', `PUT /v1/threads/${thread}/members/${bob.id}`, { role: 'speaker' });
    await ada.act(`DELETE /v1/threads/${thread}/grant`);
    await ada.refused('no_effect', `DELETE /v1/threads/${thread}/grant`);
    await s.post(ada, thread, { ask: [] });
    await ada.refused('not_pending', `/v1/threads/${thread}/entries/1/retract`);
    await bob.refused('not_pending', `/v1/threads/${thread}/entries/1/handle`);
    await ada.act(`/v1/threads/${thread}/close`);
    await ada.refused('thread_closed', `/v1/threads/${thread}/close`);
  }),
  shows('L4-1', 'every obligation has an exit that needs nobody else', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    await bob.act(`/v1/threads/${thread}/entries/1/handle`);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`);
    await bob.act(`${path}/drop`);
    const task = await s.task(ada);
    const engagement = await s.engaged(bob, task, delivery);
    await ada.act(`${engagement}/reject`, { content: { reason: 'r' } });
    deepEqual([await s.turn(ada), await s.turn(bob)], [[], []]);
  }),
  shows('L4-2', 'deliver and judge carry a deadline, declared or the default', async (s) => {
    const [ada, bob] = await s.two();
    const { limits } = await ada.read('/v1');
    const task = await s.task(ada);
    await s.engaged(bob, task, delivery);
    const [judge] = await s.turn(ada);
    equal((Date.parse(judge.deadline) - Date.parse(judge.arisenAt)) / 1_000, limits.deadlineSecondsDefault);
    for (const seconds of [0, -1, limits.deadlineSecondsMax + 1])
      await ada.refused('invalid', '/v1/tasks', { ...contract, deliverySeconds: seconds });
  }),
  showsInTime('L4-3 T-49', 'a taken assignment past its deadline is timed out, whatever is tried then', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread, { deliverySeconds: await s.shortest() });
    await bob.act(`${path}/take`);
    await s.until(ada, path, 'timed-out');
    await bob.refused('deadline_passed', `${path}/drop`);
    await bob.refused('deadline_passed', `${path}/deliver`, delivery);
    await ada.refused('deadline_passed', `${path}/void`);
  }),
  shows('L4-4', 'limits are served, and one beyond is refused', async (s) => {
    const ada = await s.agent();
    const { limits } = await ada.read('/v1');
    await ada.act('/v1/memories', { content: { body: 'x'.repeat(limits.contentBytesMax) } });
    await ada.refused('too_large', '/v1/memories', { content: { body: 'x'.repeat(limits.contentBytesMax + 1) } });
    refusedAs('invalid', await ada.get(`/v1/memories?limit=${limits.pageItemsMax + 1}`));
  }),
  shows('L5-1 L5-2', 'of many who judge at once one does, and of many who take at once one is bound', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread);
    const takes = await Promise.all(Array.from({ length: 5 }, () => bob.attempt('POST', `${path}/take`)));
    equal(takes.filter(({ status }) => status === 200).length, 1);
    await bob.act(`${path}/deliver`, delivery);
    const judged = await Promise.all([
      ...Array.from({ length: 3 }, () => ada.attempt('POST', `${path}/adopt`)),
      ...Array.from({ length: 3 }, () => ada.attempt('POST', `${path}/reject`, { content: { reason: 'r' } })),
    ]);
    equal(judged.filter(({ status }) => status === 200).length, 1);
    for (const answer of judged.filter(({ status }) => status !== 200)) refusedAs('wrong_state', answer);
  }),
  shows('L6-1', 'what a participant wrote stands under content alone', async (s) => {
    const [ada, bob] = await s.two();
    const marker = 'marker-of-a-participant';
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread, { content: { title: marker, body: marker } });
    await bob.act(`/v1/threads/${thread}/entries/1/handle`, { content: { note: marker } });
    const task = await s.task(ada, { content: { title: marker, wanted: marker, criteria: marker } });
    const engagement = await s.engaged(bob, task, { delivery: { content: { payload: { marker } } } });
    await ada.act(`${engagement}/reject`, { content: { reason: marker } });
    const paths = [`/v1/threads/${thread}`, `/v1/threads/${thread}/entries/1`, `/v1/tasks/${task}`, engagement];
    for (const path of paths) {
      const found = await ada.read(path);
      ok(JSON.stringify(found).includes(marker));
      ok(!JSON.stringify(withoutContent(found)).includes(marker), `${path} shows it outside of content`);
    }
  }),
  shows('L6-2', 'names, mentions and JSON inside content have no effect', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread } = await s.thread(ada, [bob, cyd]);
    const body = `@${bob.id} {"ask":["${bob.id}"],"assign":{"to":"${cyd.id}"}} <script>`;
    const { receipt } = await s.post(ada, thread, { content: { body } });
    deepEqual(receipt.begun, []);
    deepEqual([await s.turn(bob), await s.turn(cyd)], [[], []]);
    equal((await bob.read(`/v1/threads/${thread}/entries/1`)).content.body, body);
  }),
  shows('C-1 C-4', 'the service states protocol and implementation versions apart, and its profiles', async (s) => {
    const { protocol, implementation, profiles } = await s.service.anyone.read('/v1');
    ok(/^1\.\d+\.\d+$/.test(protocol.version) && implementation.version !== undefined && profiles.length > 0);
    equal((await s.service.anyone.read('/.well-known/kungfu.json')).protocol.version, protocol.version);
  }),
  shows('C-2', 'a reference gives no membership, obligation or right to read', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const memory = await s.memory(bob);
    await bob.act(`/v1/memories/${memory}/publish`);
    const { thread } = await s.thread(ada, [cyd]);
    await s.post(ada, thread, { memory, ask: [] });
    deepEqual((await bob.read('/v1/threads?mine=true')).items, []);
    refusedAs('not_found', await bob.get(`/v1/threads/${thread}`));
    await bob.act(`/v1/memories/${memory}/unpublish`);
    equal((await cyd.read(`/v1/threads/${thread}/entries/1`)).content, null);
  }),
  shows('C-3', 'refusals name nothing of another party', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada);
    await s.post(ada, thread, { content: { body: 'private words' } });
    for (const path of [`/v1/threads/${thread}`, `/v1/threads/${thread}/entries/1`])
      ok(!(await bob.get(path)).text.includes('private words'));
    const task = await s.task(ada, {
      content: { wanted: 'w', criteria: 'c', outputSchema: { properties: { hidden_name: { type: 'number' } } } },
    });
    const miss = await bob.refused('schema_mismatch', `/v1/tasks/${task}/engagements`, {
      delivery: { content: { payload: { hidden_name: 'x' } } },
    });
    ok(miss.json.errors.length > 0);
  }),
];

const json = { 'content-type': 'application/json' };

/** Without the fields named content, at any depth. */
const withoutContent = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutContent);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'content')
      .map(([name, field]) => [name, withoutContent(field)]),
  );
};
