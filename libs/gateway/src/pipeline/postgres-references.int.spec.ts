import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rows } from '@kungfu/read-model/testing';
import { PostgresReferences } from './postgres-references.ts';

const { ada, at, bob, eve } = rows;
let world: rows.Rows;
let references: PostgresReferences;
beforeAll(async () => {
  world = await rows.Rows.create();
  references = new PostgresReferences(world.pool);
});
beforeEach(async () => {
  await world.clear();
  for (const agent of [ada, bob]) await world.agent(agent);
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

describe('what a gateway looks up of other objects', () => {
  it('[A-7] [K-3] who is no active agent, for each of those who ask at once', async () => {
    await world.agent(eve, 'deactivating');
    const nobody = rows.agentId(9);
    expect(
      await Promise.all([
        references.inactive([ada, eve]),
        references.inactive([nobody, bob, nobody]),
        references.inactive([]),
        references.inactive([ada]),
      ]),
    ).toEqual([[eve], [nobody, nobody], [], []]);
  });

  it('[M-10] a Memory: whose it is, its state and versions', async () => {
    const memory = await world.memory(1, ada, [{ body: 'a' }, { body: 'b' }], { visibility: 'public' });
    const expected = { author: ada, status: 'valid', visibility: 'public', current: 2 };
    expect(await references.memory(memory, 2)).toEqual({ ...expected, hasVersion: true });
    expect(await references.memory(memory, 3)).toEqual({ ...expected, hasVersion: false });
    expect(await references.memory(memory)).toEqual({ ...expected, hasVersion: false });
    expect(await references.memory(rows.memoryId(9))).toBeUndefined();
  });

  it('[L2-2] a Memory that only the thread it was born in knows: valid, private, with its genesis', async () => {
    const born = { status: null, visibility: null, current_version: null, revision: 0 };
    const thread = await world.thread(1, [[ada, 'governor']]);
    const memory = await world.memory(1, ada, [{ body: 'a' }], { ...born, born_thread: thread, born_entry: 4 });
    expect(await references.memory(memory, 1)).toEqual({
      author: ada,
      status: 'valid',
      visibility: 'private',
      current: 1,
      hasVersion: true,
      genesis: {
        author: ada,
        content: { id: expect.stringMatching(/^content_/), bytes: 1, sha256: 'x' },
        thread,
        entry: 4,
      },
    });
    await world.set('memory', { status: 'valid' }, { id: memory });
    expect(await references.memory(memory, 1)).not.toHaveProperty('genesis');
  });

  it('[T-5] [T-7] the thread of a live grant', async () => {
    const thread = await world.thread(1, [[ada, 'governor']]);
    const grant = { thread, number: 1, role: 'speaker', hash: 'h', live: true, issued_by: ada, issued_at: at(1) };
    await world.insert('thread_grant', grant);
    expect([await references.threadOfGrant('h'), await references.threadOfGrant('other')]).toEqual([thread, undefined]);
    await world.set('thread_grant', { live: false }, { thread });
    expect(await references.threadOfGrant('h')).toBeUndefined();
  });

  it('[T-44] [K-5] [K-8] what a delivery has to meet, and what taking a Task is weighed by', async () => {
    const schema = { type: 'object' };
    const content = await world.content({ wanted: 'w', criteria: 'c', outputSchema: schema });
    const thread = await world.thread(1, [[ada, 'governor']]);
    await world.assignment(thread, 1, { creator: ada, assignee: bob }, { structured: true, content });
    await world.assignment(thread, 2, { creator: ada, assignee: bob });
    expect(await Promise.all([1, 2, 3].map((assignment) => references.assignmentOutput(thread, assignment)))).toEqual([
      { schema },
      'free',
      'unknown',
    ]);
    const task = await world.task(1, ada, { contract: { structured: true, content } });
    const engagement = await world.engagement(task, 1, { agent: bob, author: ada, judge: ada });
    expect(await references.engagementOutput(task, engagement)).toEqual({ schema });
    expect(await references.takeTarget(task, bob)).toEqual({ author: ada, version: 1, output: { schema } });
    expect(await references.takeTarget(rows.taskId(9), bob)).toBeUndefined();
  });

  it('[K-4] [K-16] the labels of an agent, and whether it may know a Task', async () => {
    const task = await world.task(1, ada, { named: [bob] });
    expect(await references.labels(bob)).toEqual(['a']);
    expect([await references.mayKnowTask(task, bob), await references.mayKnowTask(task, eve)]).toEqual([true, false]);
  });
});
