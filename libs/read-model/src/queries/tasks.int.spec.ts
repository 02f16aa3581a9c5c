import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ada, agentId, at, bob, eve, memoryId, now, Rows, taskId } from '../testing/rows.ts';
import { snapshot } from './reader.ts';
import { contractsPage, contractText, contractWhole, tasksPage, type TasksQuery, taskState } from './tasks.ts';

let world: Rows;
beforeAll(async () => {
  world = await Rows.create();
});
const judge = agentId(4);
beforeEach(async () => {
  await world.clear();
  for (const agent of [ada, bob, eve, judge]) await world.agent(agent);
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

const bytesMax = 100_000;
const state = (task: string, agent: string, time = now) =>
  snapshot(world.pool, (reader) => taskState(reader, { task, agent, now: time, bytesMax }));
const whole = (task: string, agent: string, version: number) =>
  contractWhole(world.pool, { task, agent, version, bytesMax });
const versions = async (task: string, agent: string) =>
  (await contractsPage(world.pool, { task, agent, after: 0, limit: 9 })).items.map(({ version }) => version);
const list = async (agent: string, more: Partial<TasksQuery> = {}): Promise<readonly string[]> => {
  const query = { agent, now, after: '', limit: 20, status: undefined, mine: false, eligible: false, ...more };
  return (await tasksPage(world.pool, query)).items.map(({ task }) => task);
};

describe('a Task', () => {
  it('[K-1] [V-7] open is for anyone: the contract of now in full, and what the caller is to it', async () => {
    const task = await world.task(1, ada, {
      contract: {
        structured: true,
        required_inputs: JSON.stringify([{ id: memoryId(1), version: 2 }]),
        judge,
        max_adoptions: 3,
        adopted_readers: 'audience',
        eligibility: ['a'],
      },
      adoptions: 1,
    });
    const seen = await state(task, bob);
    expect(seen).toEqual({
      item: {
        ref: task,
        task,
        author: ada,
        status: 'open',
        audience: 'open',
        roles: [],
        version: `${task}/versions/1`,
        createdAt: at(0).toISOString(),
        deliverySeconds: 60,
        judgmentSeconds: 60,
        eligibility: ['a'],
        content: { title: 'version 1' },
      },
      contract: {
        ref: `${task}/versions/1`,
        version: 1,
        at: at(1).toISOString(),
        structured: true,
        requiredInputs: [{ ref: `${memoryId(1)}/versions/2`, memory: memoryId(1), version: 2 }],
        informative: [],
        deliverySeconds: 60,
        judgmentSeconds: 60,
        withoutJudgment: 'undecided',
        judge,
        eligibility: ['a'],
        maxAdoptions: 3,
        adoptedReaders: 'audience',
        content: { wanted: 'version 1', criteria: 'done' },
      },
      named: [],
      adoptions: 1,
      mayTake: true,
      engaged: false,
      takeable: true,
    });
    expect((await state(task, ada))?.item.roles).toEqual(['author']);
    expect((await state(task, judge))?.item.roles).toEqual(['judge']);
    expect(await state(taskId(9), ada)).toBeUndefined();
  });

  it('[V-8] [V-14] restricted is for its author, the agents that it names and the judge; for others there is none', async () => {
    const task = await world.task(1, ada, { named: [bob], contract: { judge } });
    await world.contract(task, 2, ada, { judge });
    await world.set('task', { version: 2 }, { id: task });
    expect(await state(task, eve)).toBeUndefined();
    expect(await versions(task, eve)).toEqual([]);
    expect(await whole(task, eve, 1)).toBeUndefined();
    expect(await contractText(world.pool, { task, agent: eve, version: 1 })).toBeUndefined();
    for (const [agent, roles] of [
      [ada, ['author']],
      [bob, ['named']],
      [judge, ['judge']],
    ] as const) {
      expect((await state(task, agent))?.item).toMatchObject({ roles, audience: 'restricted' });
      expect(await versions(task, agent)).toEqual([1, 2]);
      expect(await whole(task, agent, 1)).toMatchObject({ content: { wanted: 'version 1' } });
    }
    expect((await state(task, ada))?.named).toEqual([bob]);
    expect((await state(task, bob))?.named).toEqual([]);
  });

  it('[K-5] [V-8] who judges an engagement of an earlier version reads that version of a restricted Task and no other', async () => {
    const task = await world.task(1, ada, { named: [bob], contract: { judge: eve } });
    await world.contract(task, 2, ada, { required_inputs: JSON.stringify([{ id: memoryId(7), version: 1 }]) });
    await world.set('task', { version: 2 }, { id: task });
    expect(await state(task, eve)).toBeUndefined();
    await world.engagement(task, 1, { agent: bob, author: ada, judge: eve });
    expect(await versions(task, eve)).toEqual([1]);
    expect(await whole(task, eve, 2)).toBeUndefined();
    const seen = await state(task, eve);
    expect(seen).toMatchObject({
      item: { roles: ['judge'], version: `${task}/versions/1`, content: { title: 'version 1' } },
      contract: { version: 1, judge: eve, content: { wanted: 'version 1' } },
      mayTake: false,
    });
    // Nothing of the version that it may not read, its references either.
    expect(JSON.stringify(seen)).not.toContain(memoryId(7));
    expect(await list(eve, { mine: true })).toEqual([task]);
    expect(await state(task, bob)).toMatchObject({ contract: { version: 2 } });
  });

  it('[K-4] [K-6] [K-7] tells who may take it', async () => {
    const task = await world.task(1, ada, { named: [bob, eve], contract: { judge, eligibility: ['a', 'x'] } });
    const may = async () =>
      Object.fromEntries(
        await Promise.all(
          (
            [
              ['ada', ada],
              ['bob', bob],
              ['eve', eve],
              ['judge', judge],
            ] as const
          ).map(async ([name, agent]) => [name, (await state(task, agent))?.mayTake] as const),
        ),
      );
    expect(await may()).toEqual({ ada: false, bob: false, eve: false, judge: false });
    for (const agent of [ada, bob, judge]) await world.set('agent', { labels: ['x', 'z', 'a'] }, { id: agent });
    expect(await may()).toEqual({ ada: false, bob: true, eve: false, judge: false });
    // A judge of an engagement that runs does not take; afterwards it may.
    await world.engagement(task, 1, { agent: eve, author: ada, judge: bob });
    expect(await may()).toMatchObject({ bob: false });
    await world.set('engagement', { ended_at: at(9), status: 'dropped' }, { task });
    expect(await may()).toMatchObject({ bob: true });
  });

  it('[K-9] [O-11] an engagement runs until it ends or its deadline has passed', async () => {
    const task = await world.task(1, ada);
    await world.engagement(task, 1, { agent: bob, author: ada, judge: ada });
    const deadline = at(31).getTime();
    expect(await state(task, bob)).toMatchObject({ engaged: true, item: { roles: ['engaged'] } });
    expect((await state(task, bob, deadline - 1))?.engaged).toBe(true);
    expect((await state(task, bob, deadline))?.engaged).toBe(false);
    await world.set('engagement', { status: 'delivered', judge_by: at(33) }, { task });
    expect((await state(task, bob, deadline))?.engaged).toBe(true);
    await world.set('engagement', { status: 'rejected', ended_at: at(20) }, { task });
    expect(await state(task, bob)).toMatchObject({ engaged: false, item: { roles: ['engaged'] } });
    expect(await state(task, eve)).toMatchObject({ engaged: false, item: { roles: [] } });
  });

  it('[K-7] [K-15] cannot be taken while its author is inactive, or once the limit of adoptions is reached', async () => {
    const task = await world.task(1, ada, { contract: { max_adoptions: 2 }, adoptions: 1 });
    expect((await state(task, bob))?.takeable).toBe(true);
    await world.set('task', { adoptions: 2 }, { id: task });
    expect((await state(task, bob))?.takeable).toBe(false);
    await world.set('contract', { max_adoptions: null }, { task });
    expect((await state(task, bob))?.takeable).toBe(true);
    await world.set('agent', { status: 'deactivating' }, { id: ada });
    expect((await state(task, bob))?.takeable).toBe(false);
  });

  it('hands out what a contract version wants as text, and says what was erased', async () => {
    const task = await world.task(1, ada);
    expect(await contractText(world.pool, { task, agent: bob, version: 1 })).toMatchObject({
      text: '{"wanted":"version 1","criteria":"done"}',
    });
    expect(await contractText(world.pool, { task, agent: bob, version: 2 })).toBeUndefined();
    await world.pool.query('update read.content set value = null');
    expect(await whole(task, bob, 1)).toMatchObject({ version: 1, content: null, erased: true });
  });
});

describe('lists of Tasks', () => {
  it('[O-7] all that are open, in pages; `status` chooses', async () => {
    for (const n of [3, 1, 2]) await world.task(n, ada, { paused: n === 2 });
    await world.task(4, ada, { named: [bob] });
    expect(await list(bob)).toEqual([1, 2, 3].map(taskId));
    expect(await list(bob, { status: 'paused' })).toEqual([taskId(2)]);
    expect(await list(bob, { status: 'open' })).toEqual([1, 3].map(taskId));
    const query = { agent: bob, now, status: undefined, mine: false, eligible: false };
    const first = await tasksPage(world.pool, { ...query, after: '', limit: 2 });
    expect(first.next).toBe(taskId(2));
    expect(first.items[0]).toMatchObject({ status: 'open', content: { wanted: 'version 1' } });
    expect(await tasksPage(world.pool, { ...query, after: first.next!, limit: 1 })).toMatchObject({
      items: [{ task: taskId(3) }],
      next: null,
    });
  });

  it('`mine`: those in which the agent has a part, restricted ones too [V-14]', async () => {
    await world.task(1, bob);
    const named = await world.task(2, ada, { named: [bob, eve] });
    await world.task(3, ada, { contract: { judge: bob } });
    const taken = await world.task(4, ada);
    await world.engagement(taken, 1, { agent: bob, author: ada, judge: eve }, { status: 'dropped', ended_at: at(9) });
    const judged = await world.task(5, ada, { contract: { judge: bob } });
    await world.contract(judged, 2, ada);
    await world.set('task', { version: 2 }, { id: judged });
    await world.task(6, ada);
    expect(await list(bob, { mine: true })).toEqual([1, 2, 3, 4].map(taskId));
    expect(await list(eve, { mine: true })).toEqual([named, taken]);
    await world.engagement(judged, 1, { agent: eve, author: ada, judge: bob });
    expect(await list(bob, { mine: true })).toEqual([1, 2, 3, 4, 5].map(taskId));
  });

  it('`eligible`: those that the agent could take now [K-4] [K-7] [K-9] [K-15]', async () => {
    await world.task(1, ada);
    await world.task(2, bob);
    await world.task(3, ada, { contract: { judge: bob } });
    await world.task(4, ada, { contract: { eligibility: ['x'] } });
    await world.task(5, ada, { paused: true });
    await world.task(6, ada, { contract: { max_adoptions: 1 }, adoptions: 1 });
    const open = await world.task(7, ada);
    await world.engagement(open, 1, { agent: bob, author: ada, judge: ada });
    const judging = await world.task(8, ada);
    await world.engagement(judging, 1, { agent: eve, author: ada, judge: bob });
    const over = await world.task(9, ada);
    await world.engagement(over, 1, { agent: bob, author: ada, judge: ada }, { deliver_by: at(30) });
    await world.task(10, eve);
    await world.set('agent', { status: 'deactivated' }, { id: eve });
    expect(await list(bob, { eligible: true })).toEqual([1, 9].map(taskId));
    expect(await list(bob, { eligible: true, mine: true })).toEqual([over]);
    expect(await list(bob)).toHaveLength(10);
  });

  it('[K-4] every agent is eligible where no label is asked for; `eligible` says for each what taking would', async () => {
    const task = await world.task(1, ada, { contract: { eligibility: ['a'] } });
    for (const agent of [ada, bob, eve]) {
      const seen = (await state(task, agent))!;
      expect((await list(agent, { eligible: true })).includes(task)).toBe(
        seen.mayTake && !seen.engaged && seen.takeable && seen.item.status === 'open',
      );
    }
  });
});
