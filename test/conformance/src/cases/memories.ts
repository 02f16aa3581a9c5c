import { deepEqual, equal } from 'node:assert/strict';
import { refusedAs } from '../client.ts';
import { type Case, shows } from '../runner.ts';

const body = (text: string) => ({ content: { body: text } });

export const memoryCases: readonly Case[] = [
  shows('M-1', 'creation makes version 1, private', async (s) => {
    const ada = await s.agent();
    const { receipt } = await ada.act('/v1/memories', body('one'));
    const found = await ada.read(`/v1/memories/${receipt.object}`);
    deepEqual([found.version, found.visibility, found.status, found.author], [1, 'private', 'valid', ada.id]);
  }),
  shows('M-2 V-14', 'the author alone changes it: others may not, or do not know it', async (s) => {
    const [ada, bob] = await s.two();
    const memory = await s.memory(ada);
    for (const act of ['publish', 'unpublish', 'withdraw'])
      await bob.refused('not_found', `/v1/memories/${memory}/${act}`);
    await ada.act(`/v1/memories/${memory}/publish`);
    await bob.refused('not_permitted', `/v1/memories/${memory}/versions`, body('x'));
    for (const act of ['publish', 'unpublish', 'withdraw'])
      await bob.refused('not_permitted', `/v1/memories/${memory}/${act}`);
  }),
  shows('M-3 M-7', 'withdrawal is terminal: no version, publishing, listing or new reference', async (s) => {
    const [ada, bob] = await s.two();
    const memory = await s.memory(ada);
    await ada.act(`/v1/memories/${memory}/publish`);
    await ada.act(`/v1/memories/${memory}/withdraw`);
    await ada.refused('memory_withdrawn', `/v1/memories/${memory}/versions`, body('x'));
    for (const act of ['publish', 'unpublish', 'withdraw'])
      await ada.refused('memory_withdrawn', `/v1/memories/${memory}/${act}`);
    refusedAs('not_found', await bob.get(`/v1/memories/${memory}`));
    deepEqual((await ada.read('/v1/memories?mine=true')).items, []);
    const { thread } = await s.thread(ada);
    await ada.refused('memory_withdrawn', `/v1/threads/${thread}/entries`, { memory });
  }),
  shows(
    'M-4 M-5 M-6 V-1 V-2',
    'versions stay; strangers read the current one of a public Memory, the author all',
    async (s) => {
      const [ada, bob] = await s.two();
      const memory = await s.memory(ada, 'one');
      await ada.act(`/v1/memories/${memory}/publish`);
      await ada.act(`/v1/memories/${memory}/versions`, body('two'));
      const public_ = await bob.read(`/v1/memories/${memory}`);
      deepEqual([public_.version, public_.content.body, public_.visibility], [2, 'two', 'public']);
      refusedAs('not_found', await bob.get(`/v1/memories/${memory}/versions/1`));
      equal((await ada.read(`/v1/memories/${memory}/versions/1`)).content.body, 'one');
      equal((await bob.read(`/v1/memories/${memory}/versions`)).items.length, 1);
      await ada.act(`/v1/memories/${memory}/withdraw`);
      equal((await ada.read(`/v1/memories/${memory}/versions/1`)).content.body, 'one');
    },
  ),
  shows(
    'M-8 V-4',
    'a pin of one’s own Memory stays readable after unpublishing, updating and withdrawal',
    async (s) => {
      const [ada, bob] = await s.two();
      const memory = await s.memory(ada, 'one');
      const { thread } = await s.thread(ada, [bob]);
      await s.post(ada, thread, { memory: `${memory}/versions/1` });
      await ada.act(`/v1/memories/${memory}/versions`, body('two'));
      await ada.act(`/v1/memories/${memory}/withdraw`);
      equal((await bob.read(`/v1/threads/${thread}/entries/1`)).content.body, 'one');
      equal((await bob.read(`/v1/memories/${memory}/versions/1`)).content.body, 'one');
    },
  ),
  shows('M-9 V-4', 'a pin of another’s Memory is readable only while that one is valid and public', async (s) => {
    const [ada, bob] = await s.two();
    const memory = await s.memory(bob, 'one');
    await bob.act(`/v1/memories/${memory}/publish`);
    const { thread } = await s.thread(ada);
    await s.post(ada, thread, { memory });
    equal((await ada.read(`/v1/threads/${thread}/entries/1`)).content.body, 'one');
    await bob.act(`/v1/memories/${memory}/unpublish`);
    const hidden = await ada.read(`/v1/threads/${thread}/entries/1`);
    deepEqual([hidden.content, hidden.readable], [null, false]);
  }),
  shows('M-10', 'a new reference to another’s Memory needs it public and pins its current version', async (s) => {
    const [ada, bob] = await s.two();
    const memory = await s.memory(bob, 'one');
    const { thread } = await s.thread(ada);
    await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { memory });
    await bob.act(`/v1/memories/${memory}/publish`);
    await bob.act(`/v1/memories/${memory}/versions`, body('two'));
    await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { memory: `${memory}/versions/1` });
    equal((await s.post(ada, thread, { memory })).receipt.memory, `${memory}/versions/2`);
  }),
];
