import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ada, agentId, at, bob, engagementId, eve, memoryId, Rows } from '../testing/rows.ts';
import {
  engagementPayload,
  type EngagementStatus,
  engagementsPage,
  engagementWhole,
  runningEngagements,
} from './engagements.ts';
import { snapshot } from './reader.ts';
import { engagementOutput, labelsOf, mayKnowTask, notActive, takeTarget } from './stamps.ts';

let world: Rows;
let task: string;
const judge = agentId(4);
const people = { agent: bob, author: ada, judge };
beforeAll(async () => {
  world = await Rows.create();
});
beforeEach(async () => {
  await world.clear();
  for (const agent of [ada, bob, eve, judge]) await world.agent(agent);
  task = await world.task(1, ada, { contract: { judge } });
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

const bytesMax = 100_000;
const whole = (engagement: string, agent: string, of = task) =>
  snapshot(world.pool, (reader) => engagementWhole(reader, { task: of, engagement, agent, bytesMax }));
const page = (agent: string, status?: EngagementStatus, after = 0, limit = 9) =>
  engagementsPage(world.pool, { task, agent, after, status, limit });
const payload = (engagement: string, agent: string) => engagementPayload(world.pool, { task, engagement, agent });
/** An engagement that has been adopted, with a payload and a Memory of Bob’s. */
const adopted = async (more = {}): Promise<string> =>
  world.engagement(task, 1, people, {
    status: 'adopted',
    delivered_at: at(5),
    judge_by: at(6),
    ended_at: at(6),
    ended_how: 'judge',
    payload: await world.content({ payload: { answer: 42 } }),
    payload_bytes: 13,
    memories: JSON.stringify([{ id: await world.memory(3, bob, [{ title: 'Report', body: 'b' }]), version: 1 }]),
    ...more,
  });

describe('an engagement', () => {
  it('[V-10] [V-14] is for author, engaged agent and judge; for others there is none', async () => {
    const engagement = await world.engagement(task, 1, people, { redoes: engagementId(77) });
    const expected = {
      item: {
        ref: `${task}/engagements/${engagement}`,
        engagement,
        task,
        agent: bob,
        author: ada,
        judge,
        version: `${task}/versions/1`,
        redoes: `${task}/engagements/${engagementId(77)}`,
        status: 'taken',
        takenAt: at(1).toISOString(),
        deliverBy: at(31).toISOString(),
        deliveredAt: null,
        judgeBy: null,
        endedAt: null,
        endedBy: null,
        content: { wanted: 'version 1' },
      },
      limitReached: false,
      inputs: [],
      delivery: null,
      judgment: null,
    };
    for (const agent of [ada, bob, judge]) {
      expect(await whole(engagement, agent)).toMatchObject(expected);
      expect((await page(agent)).items).toMatchObject([expected.item]);
    }
    expect(await whole(engagement, eve)).toBeUndefined();
    expect((await page(eve)).items).toEqual([]);
    expect(await payload(engagement, eve)).toBeUndefined();
    expect(await whole(engagementId(9), ada)).toBeUndefined();
    // One of another Task is none of this one.
    expect(await whole(engagement, ada, await world.task(2, ada))).toBeUndefined();
  });

  it('[V-9] [K-8] shows the inputs that it binds with their titles, after their withdrawal too', async () => {
    const input = await world.memory(1, ada, [{ title: 'Old' }, { title: 'New' }], { status: 'withdrawn' });
    const engagement = await world.engagement(task, 1, people, {
      inputs: JSON.stringify([{ id: input, version: 1 }]),
      status: 'dropped',
      ended_at: at(9),
      ended_how: 'dropped',
    });
    for (const agent of [bob, judge])
      expect(await whole(engagement, agent)).toMatchObject({
        inputs: [{ ref: `${input}/versions/1`, memory: input, version: 1, content: { title: 'Old' } }],
        item: { status: 'dropped', endedBy: 'dropped' },
        judgment: null,
      });
  });

  it('[K-10] [V-16] shows what was delivered, and where its payload goes on', async () => {
    const engagement = await adopted();
    await world.set('memory', { status: 'withdrawn' }, { author: bob });
    for (const agent of [ada, bob, judge])
      expect(await whole(engagement, agent)).toMatchObject({
        item: { status: 'adopted', endedBy: 'judge' },
        delivery: {
          at: at(5).toISOString(),
          payloadBytes: 13,
          memories: [{ memory: memoryId(3), version: 1, content: { title: 'Report' } }],
          content: { payload: { answer: 42 } },
        },
        judgment: { at: at(6).toISOString(), how: 'adopted' },
      });
    expect(await payload(engagement, judge)).toMatchObject({ text: '{"answer":42}' });
    expect(await payload(await world.engagement(task, 2, { ...people, agent: eve }), judge)).toBeUndefined();
  });

  it('[K-11] [K-12] shows how it was judged, and the reason of a rejection', async () => {
    const reason = await world.content({ reason: 'Too short.' });
    const engagement = await adopted({ status: 'rejected', reason });
    expect(await whole(engagement, bob)).toMatchObject({
      judgment: { how: 'rejected', content: { reason: 'Too short.' } },
    });
    await world.set('engagement', { status: 'undecided', reason: null, ended_how: 'deadline' }, { task });
    expect(await whole(engagement, bob)).toMatchObject({
      item: { endedBy: 'deadline' },
      judgment: { how: 'undecided', at: at(6).toISOString() },
    });
  });

  it('[K-5] shows the words of the version that it binds, whatever was revised since', async () => {
    const engagement = await world.engagement(task, 1, people);
    await world.contract(task, 2, ada);
    await world.set('task', { version: 2 }, { id: task });
    expect(await whole(engagement, bob)).toMatchObject({
      item: { version: `${task}/versions/1`, content: { wanted: 'version 1' } },
    });
  });

  it.each([
    ['parties', false, false],
    ['audience', true, false],
    ['anyone', true, true],
  ] as const)(
    '[V-11] adopted its delivery is for whom the bound version declares: %s',
    async (readers, toEve, toEx) => {
      const engagement = await adopted();
      await world.set('contract', { adopted_readers: readers, eligibility: ['a'] }, { task });
      const ex = agentId(8);
      await world.agent(ex);
      await world.set('agent', { labels: [] }, { id: ex });
      for (const [agent, may] of [
        [eve, toEve],
        [ex, toEx],
      ] as const) {
        const seen = await whole(engagement, agent);
        if (!may) {
          expect([seen, (await page(agent)).items, await payload(engagement, agent)]).toEqual([
            undefined,
            [],
            undefined,
          ]);
          continue;
        }
        const item = {
          ref: `${task}/engagements/${engagement}`,
          engagement,
          task,
          version: `${task}/versions/1`,
          status: 'adopted',
        };
        // Nothing of who did it, when, or how it was judged.
        expect(seen).toEqual({ adopted: item, delivery: expect.objectContaining({ payloadBytes: 13 }) });
        expect((await page(agent)).items).toEqual([item]);
        expect(await payload(engagement, agent)).toMatchObject({ text: '{"answer":42}' });
      }
      // What is not adopted is for the parties alone.
      await world.set('engagement', { status: 'rejected' }, { task });
      expect(await whole(engagement, eve)).toBeUndefined();
    },
  );

  it('[V-11] [K-5] a later version declares nothing for it', async () => {
    const engagement = await adopted();
    await world.contract(task, 2, ada, { adopted_readers: 'anyone' });
    await world.set('task', { version: 2 }, { id: task });
    expect(await whole(engagement, eve)).toBeUndefined();
  });

  it('[K-15] tells when the limit of its own version is reached by all adoptions of the Task', async () => {
    await world.set('contract', { max_adoptions: 1 }, { task });
    await world.engagement(task, 1, people);
    await world.contract(task, 2, ada);
    await world.set('task', { version: 2 }, { id: task });
    const running = async () =>
      (await runningEngagements(world.pool, { task, agent: judge, limit: 9 })).map(({ limitReached }) => limitReached);
    expect(await running()).toEqual([false]);
    await world.set('task', { adoptions: 1 }, { id: task });
    expect(await running()).toEqual([true]);
  });
});

describe('lists of engagements', () => {
  it('[O-7] are paged in their order; `status` chooses; running ones are those of a party that have not ended', async () => {
    const [one, two, three] = [
      await world.engagement(task, 1, people, { status: 'dropped', ended_at: at(9) }),
      await world.engagement(task, 2, people),
      await world.engagement(task, 3, { ...people, agent: eve }, { status: 'delivered', judge_by: at(33) }),
    ];
    const refs = async (...args: Parameters<typeof page>) => {
      const { items, next } = await page(...args);
      return [items.map(({ engagement }) => engagement), next];
    };
    expect(await refs(ada)).toEqual([[one, two, three], null]);
    expect(await refs(ada, undefined, 0, 2)).toEqual([[one, two], 2]);
    expect(await refs(ada, undefined, 2, 2)).toEqual([[three], null]);
    expect(await refs(judge, 'taken')).toEqual([[two], null]);
    expect(await refs(bob)).toEqual([[one, two], null]);
    const running = async (agent: string) =>
      (await runningEngagements(world.pool, { task, agent, limit: 9 })).map(({ item }) => item.engagement);
    expect(await Promise.all([ada, bob, eve, judge, agentId(8)].map(running))).toEqual([
      [two, three],
      [two],
      [three],
      [two, three],
      [],
    ]);
  });
});

describe('what gateways stamp', () => {
  const schema = { type: 'object', required: ['answer'] };
  const structured = async () => ({
    structured: true,
    content: await world.content({ wanted: 'w', criteria: 'c', outputSchema: schema }),
  });

  it('[K-5] the output structure of the version that an engagement binds', async () => {
    const engagement = await world.engagement(task, 1, people);
    await world.contract(task, 2, ada, await structured());
    await world.set('task', { version: 2 }, { id: task });
    expect(await engagementOutput(world.pool, task, engagement)).toBe('free');
    await world.set('engagement', { version: 2 }, { task });
    expect(await engagementOutput(world.pool, task, engagement)).toEqual({ schema });
    expect(await engagementOutput(world.pool, task, engagementId(9))).toBe('unknown');
  });

  it('[K-8] [K-9] what taking is weighed by: the version of now, or the one bound by an open engagement', async () => {
    await world.contract(task, 2, ada, await structured());
    const version = async (agent: string) => (await takeTarget(world.pool, task, agent))?.version;
    await world.engagement(task, 1, people);
    await world.set('task', { version: 2 }, { id: task });
    expect(await takeTarget(world.pool, task, eve)).toEqual({ author: ada, version: 2, output: { schema } });
    expect(await takeTarget(world.pool, task, bob)).toEqual({ author: ada, version: 1, output: 'free' });
    await world.set('engagement', { ended_at: at(9), status: 'dropped' }, { task });
    expect(await version(bob)).toBe(2);
    expect(await takeTarget(world.pool, engagementId(1), bob)).toBeUndefined();
  });

  it('[K-3] [K-4] [A-7] labels, and who is no active agent', async () => {
    await world.set('agent', { labels: ['x', 'y'] }, { id: bob });
    expect(await labelsOf(world.pool, bob)).toEqual(['x', 'y']);
    expect(await labelsOf(world.pool, agentId(99))).toEqual([]);
    await world.set('agent', { status: 'deactivating' }, { id: eve });
    expect((await notActive(world.pool, [ada, eve, agentId(99)])).toSorted()).toEqual([eve, agentId(99)]);
    expect(await notActive(world.pool, [])).toEqual([]);
  });

  it('[K-16] [V-14] whether an agent may know a Task', async () => {
    const restricted = await world.task(2, ada, { named: [bob] });
    const known = (id: string) =>
      Promise.all([ada, bob, eve, judge].map((agent) => mayKnowTask(world.pool, id, agent)));
    expect(await known(task)).toEqual([true, true, true, true]);
    expect(await known(restricted)).toEqual([true, true, false, false]);
    await world.engagement(restricted, 1, { ...people, judge: eve });
    expect(await known(restricted)).toEqual([true, true, true, false]);
    expect(await mayKnowTask(world.pool, 'task_none', ada)).toBe(false);
  });
});
