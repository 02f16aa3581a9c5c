import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { snapshot } from './reader.ts';
import { ada, at, bob, eve, now, Rows } from '../testing/rows.ts';
import { type DutyList, dutyPage, type Traversal } from './turn.ts';

let world: Rows;
let thread: string;
beforeAll(async () => {
  world = await Rows.create();
});
beforeEach(async () => {
  await world.clear();
  thread = await world.thread(1, [
    [ada, 'governor'],
    [bob, 'speaker'],
  ]);
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

const page = (list: DutyList, agent: string, limit: number, from?: Traversal | null, time = now) =>
  snapshot(world.pool, (reader) => dutyPage(reader, list, { agent, now: time, limit, from: from ?? undefined }));
const respond = async (part: number, place: { minute: number; partition?: number; off?: number }, more = {}) => {
  const memory = await world.memory(part, ada, [{ title: `title ${part}`, body: 'b' }]);
  await world.entry(thread, part, ada, memory);
  await world.owed(
    'obligation',
    { holder: bob, obligation: 'respond', object: thread, part, from_agent: ada, ...more },
    place,
  );
};
const refs = (items: readonly { ref: string }[]): readonly string[] =>
  items.map(({ ref }) => ref.slice(thread.length + 1));
const traverse = async (
  limit: number,
  between: (step: number) => Promise<void> = async () => {},
): Promise<readonly string[]> => {
  const seen: string[] = [];
  let from: Traversal | null | undefined;
  for (let step = 0; from !== null; step += 1) {
    const { items, next } = await page('turn', bob, limit, from);
    seen.push(...refs(items));
    from = next;
    if (next !== null) await between(step);
  }
  return seen;
};

describe('the turn', () => {
  it('[O-2] [O-4] lists every open obligation, oldest first, with its next step', async () => {
    await world.position(0, 100);
    await respond(2, { minute: 2 });
    await respond(1, { minute: 1 });
    await world.assignment(thread, 1, { creator: ada, assignee: bob });
    await world.owed(
      'obligation',
      { holder: bob, obligation: 'deliver', object: thread, part: 1, from_agent: ada, deadline: at(31) },
      { minute: 3 },
    );
    const { items, next } = await page('turn', bob, 10);
    expect(items).toEqual([
      {
        ref: `${thread}/entries/1`,
        obligation: 'respond',
        nextStep: 'respond',
        thread,
        arisenAt: at(1).toISOString(),
        deadline: null,
        secondsLeft: null,
        from: ada,
        content: { title: 'title 1' },
      },
      {
        ref: `${thread}/entries/2`,
        obligation: 'respond',
        nextStep: 'respond',
        thread,
        arisenAt: at(2).toISOString(),
        deadline: null,
        secondsLeft: null,
        from: ada,
        content: { title: 'title 2' },
      },
      {
        ref: `${thread}/assignments/1`,
        obligation: 'deliver',
        nextStep: 'deliver',
        thread,
        arisenAt: at(3).toISOString(),
        deadline: at(31).toISOString(),
        secondsLeft: 60,
        from: ada,
        content: { title: 'work 1' },
      },
    ]);
    expect(next).toBeNull();
    expect((await page('turn', ada, 10)).items).toEqual([]);
  });

  it('[O-11] hides an obligation from its deadline on, recorded or not', async () => {
    await world.position(0, 100);
    await world.assignment(thread, 1, { creator: ada, assignee: bob });
    await world.owed(
      'obligation',
      { holder: bob, obligation: 'deliver', object: thread, part: 1, from_agent: ada, deadline: at(31) },
      { minute: 3 },
    );
    const deadline = at(31).getTime();
    expect((await page('turn', bob, 10, null, deadline - 1)).items).toHaveLength(1);
    expect((await page('turn', bob, 10, null, deadline)).items).toHaveLength(0);
  });

  it('[O-3] gives no cursor when N items fill a page of N', async () => {
    await world.position(0, 100);
    for (const part of [1, 2, 3, 4]) await respond(part, { minute: part });
    expect((await page('turn', bob, 4)).next).toBeNull();
    expect((await page('turn', bob, 3)).next).not.toBeNull();
    for (const limit of [1, 2, 3, 4, 5])
      expect(await traverse(limit)).toEqual(['entries/1', 'entries/2', 'entries/3', 'entries/4']);
  });

  it('[O-3] omits and repeats nothing while others act, however late a partition is projected', async () => {
    await world.position(0, 10);
    await world.position(1, 0);
    for (const part of [2, 4, 6]) await respond(part, { minute: part, off: part });
    const seen = await traverse(2, async (step) => {
      if (step > 0) return;
      // Older in log time than what has been shown, in a partition that was behind; and newer, in one that was not.
      await respond(1, { minute: 1, partition: 1, off: 0 });
      await world.position(1, 1);
      await respond(7, { minute: 7, off: 10 });
      await world.position(0, 11);
    });
    expect(seen).toEqual(['entries/2', 'entries/4', 'entries/6', 'entries/1', 'entries/7']);
  });

  it('[O-3] goes on where items in between have ended', async () => {
    await world.position(0, 100);
    for (const part of [1, 2, 3, 4]) await respond(part, { minute: part });
    const seen = await traverse(2, (step) =>
      step > 0
        ? Promise.resolve()
        : world
            .set('obligation', { ended_at: at(20) }, { part: 2 })
            .then(() => world.set('obligation', { ended_at: at(20) }, { part: 3 })),
    );
    expect(seen).toEqual(['entries/1', 'entries/2', 'entries/4']);
  });

  it('tells effects of one fact apart, in their order', async () => {
    await world.position(0, 100);
    for (const part of [3, 1, 2]) await respond(part, { minute: 1, off: 5 }, { eff: part });
    for (const limit of [1, 2]) expect(await traverse(limit)).toEqual(['entries/1', 'entries/2', 'entries/3']);
  });

  it('[V-4] [M-9] shows no words of another agent’s Memory that is not public any more', async () => {
    await world.position(0, 100);
    const memory = await world.memory(9, eve, [{ title: 'eve’s', body: 'b' }], { visibility: 'public' });
    await world.entry(thread, 9, ada, memory);
    await world.owed(
      'obligation',
      { holder: bob, obligation: 'respond', object: thread, part: 9, from_agent: ada },
      { minute: 1 },
    );
    expect((await page('turn', bob, 10)).items[0]).toMatchObject({ content: { title: 'eve’s' } });
    await world.set('memory', { visibility: 'private' }, { id: memory });
    expect((await page('turn', bob, 10)).items[0]).toMatchObject({ content: null, readable: false });
  });
});

describe('opportunities and what others owe', () => {
  it('[O-5] lists untaken assignments of the addressee while it is a member', async () => {
    await world.position(0, 100);
    await world.assignment(thread, 1, { creator: ada, assignee: bob });
    await world.owed('opportunity', { agent: bob, object: thread, part: 1, from_agent: ada }, { minute: 1 });
    expect((await page('opportunities', bob, 10)).items).toEqual([
      {
        ref: `${thread}/assignments/1`,
        nextStep: 'deliver',
        thread,
        arisenAt: at(1).toISOString(),
        deadline: null,
        secondsLeft: null,
        from: ada,
        content: { title: 'work 1' },
      },
    ]);
    expect((await page('opportunities', ada, 10)).items).toEqual([]);
    await world.leave(thread, bob);
    expect((await page('opportunities', bob, 10)).items).toEqual([]);
  });

  it('[V-13] lists what others owe to a member, not to a former one', async () => {
    await world.position(0, 100);
    await respond(1, { minute: 1 });
    expect((await page('waiting', ada, 10)).items).toMatchObject([
      { ref: `${thread}/entries/1`, holder: bob, nextStep: 'wait', obligation: 'respond' },
    ]);
    expect((await page('waiting', bob, 10)).items).toEqual([]);
    await world.leave(thread, ada);
    expect((await page('waiting', ada, 10)).items).toEqual([]);
  });
});
