import { deepEqual, equal } from 'node:assert/strict';
import { refusedAs } from '../client.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import { contract, delivery, words } from '../scene.ts';

export const accountCases: readonly Case[] = [
  shows('A-1 A-2', 'a deactivated agent reads and does not act', async (s) => {
    const ada = await s.agent();
    const memory = await s.memory(ada);
    await s.deactivate(ada);
    equal((await ada.read('/v1/me')).state, 'deactivated');
    equal((await ada.read(`/v1/memories/${memory}`)).content.body, 'b');
    await ada.refused('agent_inactive', '/v1/memories', words);
    await ada.refused('agent_inactive', `/v1/memories/${memory}/publish`);
  }),
  shows('A-3 A-4 T-15', 'deactivation ends memberships with all their effects and erases nothing', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(bob, thread, { ask: [] });
    await s.post(ada, thread, { ask: [bob.id] });
    const taken = await s.assigned(ada, bob, thread);
    await bob.act(`${taken}/take`);
    await s.deactivate(bob);
    deepEqual(await s.turn(bob), []);
    equal((await ada.read(taken)).status, 'voided');
    equal((await ada.read(`/v1/threads/${thread}/entries/1`)).author, bob.id);
    equal((await ada.read(`/v1/threads/${thread}/members`)).items.length, 1);
    refusedAs('not_found', await bob.get(`/v1/threads/${thread}`));
  }),
  showsInTime('A-5', 'a judgment that a deactivated agent owes on a Task ends as the contract states', async (s) => {
    const [ada, bob] = await s.two();
    const terms = { judgmentSeconds: await s.shortest(), withoutJudgment: 'adopted' };
    const engagement = await s.engaged(bob, await s.task(ada, terms), delivery);
    await s.deactivate(ada);
    await s.until(bob, engagement, 'adopted');
  }),
  shows('A-6', 'an open thread left without a governor closes for all members', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread } = await s.thread(ada, [bob, cyd]);
    await s.post(bob, thread, { ask: [cyd.id] });
    await s.deactivate(ada);
    equal((await bob.read(`/v1/threads/${thread}`)).status, 'closed');
    deepEqual(await s.turn(cyd), []);
    await bob.refused('thread_closed', `/v1/threads/${thread}/entries`, words);
  }),
  shows('A-7', 'whoever asks, assigns or names an agent that is being deactivated leaves nothing on it', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    let over = false;
    const asking = (async () => {
      for (let round = 0; !over && round < 100; round++) {
        const ask = round % 2 === 0 ? { ask: [bob.id] } : { ask: [], assign: { to: bob.id, ...contract } };
        await ada.attempt('POST', `/v1/threads/${thread}/entries`, { ...words, ...ask });
      }
    })();
    await s.deactivate(bob);
    over = true;
    await asking;
    deepEqual([await s.turn(bob), (await bob.read('/v1/threads?mine=true')).items], [[], []]);
    deepEqual(
      (await ada.all('/v1/waiting')).filter(({ holder }) => holder === bob.id),
      [],
    );
    await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { ...words, ask: [bob.id] });
    await ada.refused('invalid_target', '/v1/tasks', { ...contract, judge: bob.id });
    await ada.refused('invalid_target', '/v1/tasks', { ...contract, audience: { restricted: [bob.id] } });
  }),
  shows('A-8', 'activation revives nothing; an engagement that ran on may then be delivered', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    const engagement = await s.engaged(bob, await s.task(ada));
    await s.deactivate(bob);
    await s.activate(bob);
    deepEqual(
      (await s.turn(bob)).map(({ obligation }) => obligation),
      ['deliver'],
    );
    refusedAs('not_found', await bob.get(`/v1/threads/${thread}`));
    await bob.act(`${engagement}/deliver`, delivery);
    await s.service.administration.refused('no_effect', `/admin/v1/agents/${bob.id}/activate`);
  }),
];
