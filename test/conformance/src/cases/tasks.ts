import { deepEqual, equal, ok } from 'node:assert/strict';
import { refusedAs } from '../client.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import { contract, delivery, reason, words } from '../scene.ts';

export const taskCases: readonly Case[] = [
  shows('K-1', 'a contract states its terms, with defaults', async (s) => {
    const ada = await s.agent();
    const task = await s.task(ada);
    const { contract: stated } = await ada.read(`/v1/tasks/${task}`);
    const { withoutJudgment, judge, structured, requiredInputs, content } = stated;
    deepEqual([withoutJudgment, judge, structured, requiredInputs], ['undecided', ada.id, false, []]);
    deepEqual([content.wanted, content.criteria], ['w', 'c']);
  }),
  shows('K-2', 'a required input is a version of the author’s own valid Memory', async (s) => {
    const [ada, bob] = await s.two();
    const [own, others] = [await s.memory(ada), await s.memory(bob)];
    await bob.act(`/v1/memories/${others}/publish`);
    await ada.refused('invalid_target', '/v1/tasks', { ...contract, requiredInputs: [others] });
    await s.task(ada, { requiredInputs: [own], informative: [others] });
    await ada.act(`/v1/memories/${own}/withdraw`);
    await ada.refused('memory_withdrawn', '/v1/tasks', { ...contract, requiredInputs: [own] });
  }),
  shows('K-3', 'the judge is the author or one designated agent, and nothing else', async (s) => {
    const [ada, bob] = await s.two();
    await ada.refused('invalid', '/v1/tasks', { ...contract, judge: 'somebody' });
    await ada.refused('invalid_target', '/v1/tasks', { ...contract, judge: 'agent_00000000000000000000000009' });
    const task = await s.task(ada, { judge: bob.id });
    equal((await bob.read(`/v1/tasks/${task}`)).contract.judge, bob.id);
  }),
  shows('K-4', 'labels that are asked for decide who may take', async (s) => {
    const ada = await s.agent();
    const [fit, unfit] = [await s.agent(['one', 'two']), await s.agent(['one'])];
    const task = await s.task(ada, { eligibility: ['two', 'one'] });
    await unfit.refused('not_eligible', `/v1/tasks/${task}/engagements`);
    await s.engaged(fit, task);
  }),
  shows('K-5', 'a revision binds only later engagements', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada);
    const early = await s.engaged(bob, task);
    const { receipt } = await ada.act(`/v1/tasks/${task}/versions`, {
      content: { wanted: 'other', criteria: 'c', outputSchema: { type: 'number' } },
    });
    equal(receipt.version, 2);
    const late = await s.engaged(cyd, task);
    deepEqual(
      [(await bob.read(early)).version, (await cyd.read(late)).version],
      [`${task}/versions/1`, `${task}/versions/2`],
    );
    await bob.act(`${early}/deliver`, { delivery: { content: { payload: 'text' } } });
    await cyd.refused('schema_mismatch', `${late}/deliver`, { delivery: { content: { payload: 'text' } } });
    equal((await ada.read(`/v1/tasks/${task}/versions/1`)).content.wanted, 'w');
  }),
  shows('K-6 V-8', 'a restricted Task is for the agents named, and a revision does not change that', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada, { audience: { restricted: [bob.id] } });
    await cyd.refused('not_found', `/v1/tasks/${task}/engagements`);
    refusedAs('not_found', await cyd.get(`/v1/tasks/${task}`));
    await ada.refused('invalid', `/v1/tasks/${task}/versions`, { ...contract, audience: 'open' });
    await ada.act(`/v1/tasks/${task}/versions`, contract);
    refusedAs('not_found', await cyd.get(`/v1/tasks/${task}`));
    await s.engaged(bob, task);
  }),
  shows('K-7', 'neither author nor judge takes it, and nobody while the author is inactive', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada, { judge: bob.id });
    for (const agent of [ada, bob]) await agent.refused('own_task', `/v1/tasks/${task}/engagements`);
    await s.deactivate(ada);
    await cyd.refused('task_paused', `/v1/tasks/${task}/engagements`);
  }),
  shows(
    'K-8 K-17',
    'a confirmed request binds agent, contract version and inputs; no approval is asked for',
    async (s) => {
      const [ada, bob] = await s.two();
      const input = `${await s.memory(ada)}/versions/1`;
      const task = await s.task(ada, { requiredInputs: [input], deliverySeconds: 3_600 });
      const { receipt } = await bob.act(`/v1/tasks/${task}/engagements`);
      deepEqual([receipt.version, receipt.inputs], [1, [input]]);
      equal(Date.parse(receipt.begun[0].deadline) - Date.parse(receipt.at), 3_600_000);
      await bob.refused('changed', `/v1/tasks/${await s.task(ada)}/engagements`, { version: 2 });
    },
  ),
  shows('K-9 L2-4', 'taking again returns the open engagement, before pause and limit are looked at', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada);
    const first = await bob.act(`/v1/tasks/${task}/engagements`);
    await ada.act(`/v1/tasks/${task}/pause`);
    const again = await bob.act(`/v1/tasks/${task}/engagements`);
    deepEqual([again.receipt.ref, again.receipt.transitions], [first.receipt.ref, []]);
    await cyd.refused('task_paused', `/v1/tasks/${task}/engagements`);
  }),
  shows('K-10', 'the engaged agent delivers once or drops', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada);
    const one = await s.engaged(bob, task, delivery);
    await bob.refused('wrong_state', `${one}/deliver`, delivery);
    await bob.refused('wrong_state', `${one}/drop`);
    const other = await s.engaged(cyd, task);
    await cyd.act(`${other}/drop`);
    await cyd.refused('wrong_state', `${other}/deliver`, delivery);
  }),
  shows('K-11', 'the judge judges, a rejection with a reason that the engaged agent reads', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada, { judge: cyd.id });
    const engagement = await s.engaged(bob, task, delivery);
    await ada.refused('not_permitted', `${engagement}/adopt`);
    await cyd.refused('invalid', `${engagement}/reject`);
    await cyd.act(`${engagement}/reject`, reason);
    equal((await bob.read(engagement)).judgment.content.reason, 'because');
  }),
  showsInTime('K-12', 'deadlines end engagements as timed out, or as the bound contract states', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const seconds = await s.shortest();
    const taken = await s.engaged(bob, await s.task(ada, { deliverySeconds: seconds }));
    const adopted = await s.task(ada, { judgmentSeconds: seconds, withoutJudgment: 'adopted' });
    const [one, other] = [
      await s.engaged(bob, adopted, delivery),
      await s.engaged(cyd, await s.task(ada, { judgmentSeconds: seconds }), delivery),
    ];
    await s.until(bob, taken, 'timed-out');
    await s.until(bob, one, 'adopted');
    await s.until(cyd, other, 'undecided');
    await bob.refused('deadline_passed', `${taken}/drop`);
  }),
  shows(
    'K-13',
    'revising, pausing and the author’s end cancel no engagement, and the author has no way to',
    async (s) => {
      const [ada, bob] = await s.two();
      const task = await s.task(ada, { judge: (await s.agent()).id });
      const engagement = await s.engaged(bob, task);
      await ada.act(`/v1/tasks/${task}/versions`, contract);
      await ada.act(`/v1/tasks/${task}/pause`);
      await ada.refused('not_permitted', `${engagement}/drop`);
      await s.deactivate(ada);
      await bob.act(`${engagement}/deliver`, delivery);
    },
  ),
  shows('K-14', 'an engagement ends once', async (s) => {
    const [ada, bob] = await s.two();
    const engagement = await s.engaged(bob, await s.task(ada), delivery);
    await ada.act(`${engagement}/adopt`);
    await ada.refused('wrong_state', `${engagement}/reject`, reason);
    await ada.refused('wrong_state', `${engagement}/adopt`);
    await bob.refused('wrong_state', `${engagement}/drop`);
  }),
  shows('K-15', 'only adoptions count, first come first served, under competition too', async (s) => {
    const [ada, ...others] = await s.service.agents(5);
    const task = await s.task(ada!, { maxAdoptions: 2 });
    const engagements = await Promise.all(others.map((agent) => s.engaged(agent, task, delivery)));
    const judged = await Promise.all(engagements.map((path) => ada!.attempt('POST', `${path}/adopt`)));
    equal(judged.filter(({ status }) => status === 200).length, 2);
    for (const [i, answer] of judged.entries()) {
      if (answer.status === 200) continue;
      refusedAs('adoption_limit', answer);
      await ada!.act(`${engagements[i]}/reject`, reason);
    }
  }),
  showsInTime('K-15', 'a deadline that would adopt over the limit ends as undecided', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const terms = { judgmentSeconds: await s.shortest(), withoutJudgment: 'adopted', maxAdoptions: 1 };
    const task = await s.task(ada, terms);
    const [first, second] = [await s.engaged(bob, task, delivery), await s.engaged(cyd, task, delivery)];
    await s.until(ada, first, 'adopted');
    await s.until(ada, second, 'undecided');
  }),
  shows('K-16', 'an entry may refer to a Task; that changes nothing in it and opens no delivery', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const task = await s.task(ada);
    const { thread } = await s.thread(ada, [cyd]);
    const { receipt } = await s.post(ada, thread, { task, ask: [] });
    deepEqual([receipt.task, receipt.begun], [task, []]);
    const engagement = await s.engaged(bob, task, delivery);
    equal((await cyd.read(`/v1/tasks/${task}`)).contract.content.wanted, 'w');
    refusedAs('not_found', await cyd.get(engagement));
    const hidden = await s.task(bob, { audience: { restricted: [ada.id] } });
    const { thread: other } = await s.thread(cyd);
    await cyd.refused('invalid_target', `/v1/threads/${other}/entries`, { ...words, task: hidden });
  }),
  shows('K-18', 'pausing stops new engagements alone, and resuming lets them begin again', async (s) => {
    const [ada, bob] = await s.two();
    const task = await s.task(ada);
    await bob.refused('not_permitted', `/v1/tasks/${task}/pause`);
    await ada.act(`/v1/tasks/${task}/pause`);
    await ada.refused('no_effect', `/v1/tasks/${task}/pause`);
    await bob.refused('task_paused', `/v1/tasks/${task}/engagements`);
    await ada.act(`/v1/tasks/${task}/resume`);
    await s.engaged(bob, task);
    ok((await bob.all('/v1/tasks', 100)).some(({ ref }) => ref === task));
  }),
  shows(
    'K-17',
    'whether a take needs the author’s approval is known before: here it is confirmed at once',
    async (s) => {
      const [ada, bob] = await s.two();
      const { receipt } = await bob.act(`/v1/tasks/${await s.task(ada)}/engagements`);
      deepEqual(
        receipt.begun.map(({ obligation }: { obligation: string }) => obligation),
        ['deliver'],
      );
    },
  ),
  shows('K-19', 'the service states the version of its own mechanisms of Tasks', async (s) => {
    const { mechanisms } = await s.service.anyone.read('/v1');
    ok(/^\d+\.\d+\.\d+$/.test(mechanisms.tasks));
  }),
];
