import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ada, at, bob, now, Rows, threadId } from '../testing/rows.ts';
import { type DutyPage, dutyPage, type Traversal } from './turn.ts';

describe('opportunities that ask for different labels', () => {
  let world: Rows;
  beforeAll(async () => {
    world = await Rows.create();
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await stopTestDatabases();
  });
  beforeEach(async () => {
    await world.clear();
    for (const agent of [ada, bob]) await world.agent(agent);
    await world.set('agent', { labels: ['a', 'b'] }, { id: bob });
    for (const kind of ['thread', 'task'] as const) await world.position(0, 1_000, kind);
  });

  const page = (limit: number, from?: Traversal, object?: string): Promise<DutyPage> =>
    dutyPage(world.pool, 'opportunities', {
      agent: bob,
      now,
      limit,
      from,
      ...(object === undefined ? {} : { object }),
    });
  const offer = async (number: number, eligibility: readonly string[]): Promise<string> => {
    const task = await world.task(number, ada, { named: [bob], contract: { judge: ada, eligibility } });
    await world.set('opportunity', { at: at(number) }, { object: task });
    return task;
  };

  it('[O-5] come in the order in which they arose, page by page, whatever they ask for', async () => {
    const thread = await world.thread(1, [
      [ada, 'governor'],
      [bob, 'speaker'],
    ]);
    await world.assignment(thread, 1, { creator: ada, assignee: bob });
    await world.owed('opportunity', { agent: bob, object: thread, part: 1, from_agent: ada }, { minute: 4 });
    const asked = [['b'], [], ['b', 'a'], ['c'], ['a'], [], ['a', 'c'], ['b'], ['a', 'b']];
    const tasks: string[] = [];
    for (const [i, labels] of asked.entries()) tasks.push(await offer(i + 1, labels));
    const takeable = tasks.filter((_, i) => !asked[i]!.includes('c'));
    const expected = [...takeable.slice(0, 3), `${threadId(1)}/assignments/1`, ...takeable.slice(3)];
    for (const limit of [1, 2, 3, 100]) {
      const seen: string[] = [];
      let next: Traversal | null | undefined;
      do {
        const found = await page(limit, next ?? undefined);
        expect(found.items.length).toBeLessThanOrEqual(limit);
        seen.push(...found.items.map(({ ref }) => ref));
        next = found.next;
      } while (next !== null);
      expect(seen).toEqual(expected);
    }
    expect((await page(10, undefined, tasks[2])).items.map(({ ref }) => ref)).toEqual([tasks[2]]);
    expect((await page(10, undefined, tasks[3])).items).toEqual([]);
  });

  it('[K-4] [O-5] are there as soon as the agent has the label, and gone without it', async () => {
    const task = await offer(1, ['c']);
    expect((await page(10)).items).toEqual([]);
    await world.set('agent', { labels: ['c'] }, { id: bob });
    expect((await page(10)).items.map(({ ref }) => ref)).toEqual([task]);
    await world.set('agent', { labels: [] }, { id: bob });
    expect((await page(10)).items).toEqual([]);
  });
});
