import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Agent, refusedAs } from '../client.ts';
import { type Case, shows } from '../runner.ts';
import { contract, delivery, missing } from '../scene.ts';

export const visibilityCases: readonly Case[] = [
  shows('V-3 V-13', 'members read a thread while their membership lasts, a closed one too', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(bob, thread);
    await ada.act(`/v1/threads/${thread}/close`);
    const paths = ['', '/members', '/entries', '/entries/1', '/assignments'].map(
      (part) => `/v1/threads/${thread}${part}`,
    );
    for (const path of paths) equal((await bob.get(path)).status, 200);
    await bob.act(`/v1/threads/${thread}/leave`);
    for (const path of paths) refusedAs('not_found', await bob.get(path));
    equal((await bob.read('/v1/memories?mine=true')).items.length, 1);
  }),
  shows('V-7', 'anyone reads the contract of an open Task, earlier versions too', async (s) => {
    const [ada, bob] = await s.two();
    const task = await s.task(ada);
    await ada.act(`/v1/tasks/${task}/versions`, contract);
    equal((await bob.read(`/v1/tasks/${task}/versions`)).items.length, 2);
    equal((await bob.read(`/v1/tasks/${task}/versions/1`)).content.criteria, 'c');
  }),
  shows('V-8', 'author, named agents and judge read the contract of a restricted Task', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const stranger = await s.agent();
    const task = await s.task(ada, { audience: { restricted: [bob.id] }, judge: cyd.id });
    for (const agent of [ada, bob, cyd]) equal((await agent.read(`/v1/tasks/${task}`)).contract.content.wanted, 'w');
    await s.alike(stranger, `/v1/tasks/${task}`, task, missing.task);
    await s.alike(stranger, `/v1/tasks/${task}/versions/1`, task, missing.task);
  }),
  shows(
    'V-9',
    'inputs are read by the engaged agent and the judge, after the end too; the contract refers only',
    async (s) => {
      const [ada, bob, cyd] = await s.three();
      const stranger = await s.agent();
      const input = `${await s.memory(ada, 'the input')}/versions/1`;
      const task = await s.task(ada, { requiredInputs: [input], judge: cyd.id });
      refusedAs('not_found', await bob.get(`/v1/memories/${input}`));
      ok(!(await bob.get(`/v1/tasks/${task}`)).text.includes('the input'));
      const engagement = await s.engaged(bob, task, delivery);
      await cyd.act(`${engagement}/adopt`);
      await ada.act(`/v1/memories/${input.split('/')[0]}/withdraw`);
      for (const agent of [bob, cyd]) equal((await agent.read(`/v1/memories/${input}`)).content.body, 'the input');
      refusedAs('not_found', await stranger.get(`/v1/memories/${input}`));
    },
  ),
  shows('V-10 V-14', 'engagements are known to author, engaged agent and judge alone', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const other = await s.agent();
    const task = await s.task(ada, { judge: cyd.id });
    const engagement = await s.engaged(bob, task, delivery);
    await s.engaged(other, task);
    for (const agent of [ada, bob, cyd]) equal((await agent.read(engagement)).status, 'delivered');
    const id = engagement.split('/').at(-1)!;
    await s.alike(other, engagement, id, missing.engagement);
    for (const act of ['deliver', 'drop', 'adopt']) {
      const body = act === 'deliver' ? delivery : {};
      const hidden = await other.refused('not_found', `${engagement}/${act}`, body);
      const none = await other.refused('not_found', `${engagement.replace(id, missing.engagement)}/${act}`, body);
      equal(hidden.text.replaceAll(id, missing.engagement), none.text);
    }
    equal((await other.read(`/v1/tasks/${task}/engagements`)).items.length, 1);
    equal((await ada.read(`/v1/tasks/${task}/engagements`)).items.length, 2);
  }),
  shows('V-11 V-16', 'an adopted delivery and its Memories are read by whom the bound contract declares', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const stranger = await s.agent();
    const audience = { restricted: [bob.id, cyd.id] };
    /** Who besides the parties reads delivery and Memory, before and after adoption. */
    const reads = async (terms: object, reader: Agent): Promise<readonly number[]> => {
      const memory = await s.memory(bob, 'delivered');
      const task = await s.task(ada, terms);
      const engagement = await s.engaged(bob, task, { delivery: { content: { payload: 1 }, memories: [memory] } });
      const paths = [engagement, `/v1/memories/${memory}/versions/1`];
      const statuses = async () =>
        (await Promise.all(paths.map((path) => reader.get(path)))).map(({ status }) => status);
      const before = await statuses();
      await ada.act(`${engagement}/adopt`);
      await bob.act(`/v1/memories/${memory}/versions`, { content: { body: 'later' } });
      await bob.act(`/v1/memories/${memory}/withdraw`);
      equal((await ada.read(paths[1]!)).content.body, 'delivered');
      return [...before, ...(await statuses())];
    };
    const [nothing, adopted] = [
      [404, 404, 404, 404],
      [404, 404, 200, 200],
    ];
    deepEqual(await reads({}, stranger), nothing);
    deepEqual(await reads({ audience, adoptedReaders: 'parties' }, cyd), nothing);
    deepEqual(await reads({ audience, adoptedReaders: 'audience' }, cyd), adopted);
    deepEqual(await reads({ audience, adoptedReaders: 'audience' }, stranger), nothing);
    deepEqual(await reads({ adoptedReaders: 'anyone' }, stranger), adopted);
    await ada.refused('invalid', '/v1/tasks', { ...contract, audience, adoptedReaders: 'anyone' });
  }),
  shows('V-14', 'what may not be known answers like what does not exist, in every read and action', async (s) => {
    const [ada, bob] = await s.two();
    const memory = await s.memory(ada);
    const { thread } = await s.thread(ada);
    await s.post(ada, thread);
    for (const part of ['', '/versions', '/versions/1', '/content'])
      await s.alike(bob, `/v1/memories/${memory}${part}`, memory, missing.memory);
    for (const part of ['', '/members', '/entries', '/entries/1', '/assignments', '/assignments/1'])
      await s.alike(bob, `/v1/threads/${thread}${part}`, thread, missing.thread);
    for (const act of ['leave', 'close', 'grant', 'entries/1/handle', 'entries/1/retract', 'assignments/1/take']) {
      const hidden = await bob.refused('not_found', `/v1/threads/${thread}/${act}`);
      const none = await bob.refused('not_found', `/v1/threads/${missing.thread}/${act}`);
      equal(hidden.text.replaceAll(thread, missing.thread), none.text);
    }
    const { thread: own } = await s.thread(bob);
    const route = `/v1/threads/${own}/entries`;
    const [hidden, none] = [
      await bob.refused('invalid_target', route, { memory }),
      await bob.refused('invalid_target', route, { memory: missing.memory }),
    ];
    equal(hidden.text, none.text);
  }),
];
