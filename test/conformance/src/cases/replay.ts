import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Case, shows } from '../runner.ts';
import { contract, delivery, words } from '../scene.ts';

export const replayCases: readonly Case[] = [
  shows(
    'L3-1 L3-3',
    'the same request under its key gets the same receipt, also after the object has changed',
    async (s) => {
      const [ada, bob] = await s.two();
      const key = randomUUID();
      const { thread } = await s.thread(ada, [bob]);
      const route = `/v1/threads/${thread}/entries`;
      const first = await ada.act(route, words, key);
      await s.post(bob, thread, { replyTo: 1 });
      await ada.act(`/v1/threads/${thread}/close`);
      const again = await ada.act(route, words, key);
      deepEqual([again.receiptText, again.replayed, first.replayed], [first.receiptText, true, false]);
      ok(!first.receiptText.includes('Words.'), 'a receipt holds no content');
    },
  ),
  shows('L3-2', 'another request, or another object, under a key that succeeded is refused', async (s) => {
    const ada = await s.agent();
    const [one, other] = [await s.memory(ada), await s.memory(ada)];
    const key = randomUUID();
    await ada.act(`/v1/memories/${one}/publish`, {}, key);
    await ada.refused('idempotency_conflict', `/v1/memories/${other}/publish`, {}, key);
    equal((await ada.read(`/v1/memories/${other}`)).visibility, 'private');
    const task = randomUUID();
    await ada.act('/v1/tasks', contract, task);
    await ada.refused('idempotency_conflict', '/v1/tasks', { ...contract, maxAdoptions: 1 }, task);
  }),
  shows('L3-4 T-4', 'a secret is told once; the replay carries its fingerprint', async (s) => {
    const ada = await s.agent();
    const key = randomUUID();
    const first = await ada.act('/v1/threads', { grant: {} }, key);
    const again = await ada.act('/v1/threads', { grant: {} }, key);
    ok(first.secret !== undefined && again.secret === undefined);
    equal(again.receipt.secretFingerprint, first.receipt.secretFingerprint);
    ok(!(await ada.get(`/v1/threads/${first.receipt.object}`)).text.includes(String(first.secret)));
  }),
  shows('L3-5', 'a refused attempt leaves no receipt: the same request may succeed later', async (s) => {
    const ada = await s.agent();
    const memory = await s.memory(ada);
    const key = randomUUID();
    await ada.refused('no_effect', `/v1/memories/${memory}/unpublish`, {}, key);
    await ada.act(`/v1/memories/${memory}/publish`);
    equal((await ada.act(`/v1/memories/${memory}/unpublish`, {}, key)).replayed, false);
  }),
  shows('L3-6', 'a replay is answered when the agent is deactivated and the object closed', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const key = randomUUID();
    const first = await bob.act(`/v1/threads/${thread}/entries`, words, key);
    await ada.act(`/v1/threads/${thread}/close`);
    await s.deactivate(bob);
    equal((await bob.act(`/v1/threads/${thread}/entries`, words, key)).receiptText, first.receiptText);
    await bob.refused('agent_inactive', '/v1/memories', words);
  }),
  shows('L3-7', 'identical requests in parallel have one effect and equal receipts', async (s) => {
    const [ada, bob] = await s.two();
    const task = await s.task(ada);
    const key = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 6 }, () => bob.act(`/v1/tasks/${task}/engagements`, delivery, key)),
    );
    equal(new Set(all.map(({ receiptText }) => receiptText)).size, 1);
    equal((await ada.read(`/v1/tasks/${task}/engagements`)).items.length, 1);
  }),
  shows('L3-8', 'absent differs from empty, and the order of a set does not matter', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread } = await s.thread(ada, [bob, cyd]);
    const route = `/v1/threads/${thread}/entries`;
    const [sets, empty] = [randomUUID(), randomUUID()];
    const first = await ada.act(route, { ...words, ask: [bob.id, cyd.id] }, sets);
    equal((await ada.act(route, { ...words, ask: [cyd.id, bob.id, bob.id] }, sets)).receiptText, first.receiptText);
    await ada.act(route, words, empty);
    await ada.refused('idempotency_conflict', route, { ...words, ask: [] }, empty);
  }),
  shows('V-12', 'receipts are read by their own agent alone', async (s) => {
    const [ada, bob] = await s.two();
    const key = randomUUID();
    const { receiptText } = await ada.act('/v1/memories', words, key);
    equal((await ada.get(`/v1/receipts/${key}?action=memory.create`)).text, `{"receipt":${receiptText}}`);
    equal((await bob.get(`/v1/receipts/${key}?action=memory.create`)).status, 404);
  }),
];
