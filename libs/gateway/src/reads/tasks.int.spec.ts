import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rows } from '@kungfu/read-model/testing';
import { hashOf } from '../auth/bearer.ts';
import { ada, at, bob, eve, ReadDoor } from '../testing/read-door.ts';

let door: ReadDoor;
beforeAll(async () => {
  door = await ReadDoor.open();
});
afterAll(async () => {
  await door.close();
  await stopTestDatabases();
});

const task = rows.taskId(1);
let engagement: string;
/** Ada’s restricted Task: Bob is engaged, Eve judges. */
beforeEach(async () => {
  await door.reset();
  const { world } = door;
  await world.task(1, ada, { named: [bob], contract: { judge: eve, max_adoptions: 1 } });
  engagement = await world.engagement(task, 1, { agent: bob, author: ada, judge: eve });
  await world.owed(
    'obligation',
    {
      holder: bob,
      obligation: 'deliver',
      object: task,
      part: 1,
      ref: `${task}/engagements/${engagement}`,
      from_agent: ada,
      kind: 'task',
      deadline: at(31),
    },
    { minute: 2, off: 5 },
  );
  await world.position(0, 10, 'task');
});

const stranger = 'stranger';
const get = async (agent: string, path: string) => (await door.get(agent, path)).json;
const code = async (agent: string, path: string): Promise<string> => (await get(agent, path)).code;
/** What the working set says can be done now, without the references. */
const available = async (agent: string, path = `/v1/tasks/${task}`): Promise<readonly string[]> =>
  (await get(agent, path)).available.map(({ action }: { action: string }) => action);
const set = (change: object) => door.world.set('engagement', { ...change }, { task });

describe('the working set of a Task', () => {
  it('[O-6] shows state, role, contract, duties and engagements, and what the engaged agent can do now', async () => {
    expect(await get(bob, `/v1/tasks/${task}`)).toMatchObject({
      now: at(30).toISOString(),
      me: bob,
      ref: task,
      task,
      author: ada,
      status: 'open',
      audience: 'restricted',
      roles: ['named', 'engaged'],
      version: `${task}/versions/1`,
      contract: { version: 1, judge: eve, maxAdoptions: 1, content: { wanted: 'version 1', criteria: 'done' } },
      obligations: [
        { ref: `${task}/engagements/${engagement}`, obligation: 'deliver', nextStep: 'deliver', secondsLeft: 60 },
      ],
      moreObligations: false,
      opportunities: [],
      engagements: [{ engagement, status: 'taken', agent: bob }],
      available: [
        { action: 'engagement.deliver', ref: `${task}/engagements/${engagement}` },
        { action: 'engagement.drop', ref: `${task}/engagements/${engagement}` },
      ],
    });
  });

  it('[O-6] [V-10] names and adoptions are for the author alone', async () => {
    expect(await get(ada, `/v1/tasks/${task}`)).toMatchObject({ roles: ['author'], named: [bob], adoptions: 0 });
    for (const agent of [bob, eve]) {
      const body = await get(agent, `/v1/tasks/${task}`);
      expect([body.named, body.adoptions]).toEqual([undefined, undefined]);
    }
  });

  it('[O-6] [K-13] the author revises, pauses and resumes; it ends no engagement', async () => {
    expect(await available(ada)).toEqual(['task.revise', 'task.pause']);
    await door.world.set('task', { paused: true }, { id: task });
    expect(await available(ada)).toEqual(['task.revise', 'task.resume']);
  });

  it('[O-6] [K-11] [K-15] the judge judges what is delivered, and adopts nothing over the limit', async () => {
    expect(await available(eve)).toEqual([]);
    await set({ status: 'delivered', delivered_at: at(3), judge_by: at(31) });
    expect(await available(eve)).toEqual(['engagement.adopt', 'engagement.reject']);
    expect(await available(eve, `/v1/tasks/${task}/engagements/${engagement}`)).toEqual([
      'engagement.adopt',
      'engagement.reject',
    ]);
    expect(await available(bob)).toEqual([]);
    await door.world.set('task', { adoptions: 1 }, { id: task });
    expect(await available(eve)).toEqual(['engagement.reject']);
  });

  it('[O-6] [O-11] nothing can be done with an engagement from its deadline on', async () => {
    door.clock.ms = at(31).getTime();
    try {
      // Redoing is open again, as the owner would decide it.
      expect(await available(bob)).toEqual(['task.take']);
      expect(await available(bob, `/v1/tasks/${task}/engagements/${engagement}`)).toEqual([]);
      expect((await get(bob, `/v1/tasks/${task}`)).obligations).toEqual([]);
    } finally {
      door.clock.ms = rows.now;
    }
  });

  it('[O-6] [O-5] a named agent without an engagement takes it, unless it is paused, at its limit, or its author gone', async () => {
    await set({ status: 'dropped', ended_at: at(9), ended_how: 'dropped' });
    expect(await get(bob, `/v1/tasks/${task}`)).toMatchObject({
      engagements: [],
      opportunities: [{ ref: task, nextStep: 'revise' }],
    });
    const step = async () => (await get(bob, `/v1/tasks/${task}`)).opportunities[0]?.nextStep;
    const { world } = door;
    expect(await available(bob)).toEqual(['task.take']);
    await world.set('task', { paused: true }, { id: task });
    expect([await available(bob), await step()]).toEqual([[], 'wait']);
    await world.set('task', { paused: false, adoptions: 1 }, { id: task });
    expect([await available(bob), await step()]).toEqual([[], undefined]);
    await world.set('task', { adoptions: 0 }, { id: task });
    await world.set('agent', { status: 'deactivated' }, { id: ada });
    expect([await available(bob), await step()]).toEqual([[], 'wait']);
  });

  it('[O-6] a stranger may take an open Task, and finds no restricted one', async () => {
    const open = await door.world.task(2, ada, { contract: { eligibility: ['a'] } });
    expect(await available(bob, `/v1/tasks/${open}`)).toEqual(['task.take']);
    await door.world.set('agent', { labels: [] }, { id: bob });
    expect(await available(bob, `/v1/tasks/${open}`)).toEqual([]);
    const other = await door.world.task(3, ada, { named: [eve] });
    expect(await code(bob, `/v1/tasks/${other}`)).toBe('not_found');
  });

  it('[A-1] [A-2] a deactivated agent reads it and can do nothing', async () => {
    await door.world.set('agent', { status: 'deactivated' }, { id: bob });
    expect(await get(bob, `/v1/tasks/${task}`)).toMatchObject({ task, available: [], engagements: [{ engagement }] });
    expect(await available(bob, `/v1/tasks/${task}/engagements/${engagement}`)).toEqual([]);
  });
});

describe('Tasks through the door', () => {
  it('[O-9] lead from the turn to the engagement and its contract, by references alone', async () => {
    const [duty] = (await get(bob, '/v1/turn')).items;
    expect(duty).toMatchObject({ nextStep: 'deliver', task });
    const about = await get(bob, `/v1/tasks/${duty.ref}`);
    expect(about).toMatchObject({ engagement, version: `${task}/versions/1`, delivery: null, judgment: null });
    expect(await get(bob, `/v1/tasks/${about.version}`)).toMatchObject({
      content: { wanted: 'version 1', criteria: 'done' },
    });
    expect((await get(bob, `/v1/tasks/${about.version}/content`)).content.text).toBe(
      '{"wanted":"version 1","criteria":"done"}',
    );
  });

  it('[V-7] [V-8] contract versions, in pages', async () => {
    for (const version of [2, 3]) await door.world.contract(task, version, ada);
    const numbers = async (query: string) => {
      const { items, cursor } = await get(bob, `/v1/tasks/${task}/versions?${query}`);
      return [items.map(({ version }: { version: number }) => version), cursor] as const;
    };
    const [first, cursor] = await numbers('limit=2');
    expect([first, await numbers(`limit=2&cursor=${cursor}`)]).toEqual([
      [1, 2],
      [[3], null],
    ]);
    expect(await code(bob, `/v1/tasks/${task}/versions/4`)).toBe('not_found');
    expect(await code(bob, `/v1/tasks/${task}/versions/x`)).toBe('not_found');
  });

  it('[V-10] [V-11] engagements: parties see all of theirs; an adopted delivery is for whom the contract declares', async () => {
    const path = `/v1/tasks/${task}/engagements`;
    expect((await get(ada, path)).items).toMatchObject([{ engagement, status: 'taken' }]);
    expect((await get(ada, `${path}?status=adopted`)).items).toEqual([]);
    await set({
      status: 'adopted',
      delivered_at: at(3),
      judge_by: at(31),
      ended_at: at(4),
      ended_how: 'judge',
      payload: await door.world.content({ payload: { answer: 42 } }),
      payload_bytes: 13,
    });
    const other = rows.agentId(5);
    await door.world.agent(other);
    await door.world.insert('task_audience', { task, agent: other });
    await door.world.insert('agent_key', {
      id: 'key_5',
      agent: other,
      hash: hashOf(`secret-of-${other}`),
      issued_at: at(0),
    });
    expect((await get(other, path)).items).toEqual([]);
    expect(await code(other, `${path}/${engagement}`)).toBe('not_found');
    expect(await code(other, `${path}/${engagement}/payload/content`)).toBe('not_found');
    await door.world.set('contract', { adopted_readers: 'audience' }, { task });
    expect(await get(other, `${path}/${engagement}`)).toEqual({
      ref: `${task}/engagements/${engagement}`,
      engagement,
      task,
      version: `${task}/versions/1`,
      status: 'adopted',
      delivery: expect.objectContaining({ content: { payload: { answer: 42 } } }),
      available: [],
    });
    expect((await get(other, `${path}/${engagement}/payload/content`)).content.text).toBe('{"answer":42}');
  });

  it('lists: open ones for anyone; `mine`, `eligible` and `status` choose', async () => {
    await door.world.task(2, ada);
    await door.world.task(3, eve, { paused: true });
    await door.world.task(4, bob);
    await door.world.task(5, ada, { contract: { eligibility: ['x'] } });
    const list = async (agent: string, query: string) =>
      (await get(agent, `/v1/tasks?${query}`)).items.map((item: { task: string }) => Number(item.task.slice(-2)));
    expect(await list(bob, '')).toEqual([2, 3, 4, 5]);
    expect(await list(bob, 'status=paused')).toEqual([3]);
    expect(await list(bob, 'eligible=true')).toEqual([2]);
    expect(await list(bob, 'mine=true')).toEqual([1, 4]);
    expect(await list(eve, 'mine=true')).toEqual([1, 3]);
    expect(await list(eve, 'mine=true&status=open')).toEqual([1]);
    // Without an engagement that is open, a named agent can take it.
    expect(await list(bob, 'mine=true&eligible=true')).toEqual([]);
    await set({ status: 'dropped', ended_at: at(9) });
    expect(await list(bob, 'mine=true&eligible=true')).toEqual([1]);
    expect(await code(bob, '/v1/tasks?status=gone')).toBe('invalid');
  });

  it('[V-14] [C-3] answer what is missing and what is unreadable with the same bytes, but for the id', async () => {
    const hidden = await door.world.task(2, ada, { named: [eve] });
    const there = await door.world.engagement(hidden, 1, { agent: eve, author: ada, judge: ada });
    const missing = rows.taskId(9);
    for (const rest of [
      '',
      '/versions',
      '/versions/1',
      '/versions/1/content',
      '/engagements',
      '/engagements?status=taken',
      `/engagements/${there}`,
      `/engagements/${there}/payload/content`,
    ]) {
      const [one, other] = [
        await door.get(bob, `/v1/tasks/${hidden}${rest}`),
        await door.get(bob, `/v1/tasks/${missing}${rest}`),
      ];
      expect([rest, one.status]).toEqual([rest, 404]);
      expect(one.text.replaceAll(hidden, '*')).toBe(other.text.replaceAll(missing, '*'));
    }
    // One's own Task has no engagement of another's.
    expect(await code(bob, `/v1/tasks/${task}/engagements/${there}`)).toBe('not_found');
    expect((await door.get(stranger, `/v1/tasks/${task}`)).status).toBe(401);
  });

  it('[V-9] input versions that an engagement binds are read by the engaged agent and the judge', async () => {
    const input = await door.world.memory(1, ada, [{ body: 'secret input' }, { body: 'newer' }]);
    await set({ inputs: JSON.stringify([{ id: input, version: 1 }]) });
    for (const agent of [bob, eve]) {
      expect(await get(agent, `/v1/memories/${input}/versions/1`)).toMatchObject({ content: { body: 'secret input' } });
      expect(await code(agent, `/v1/memories/${input}/versions/2`)).toBe('not_found');
    }
  });
});
