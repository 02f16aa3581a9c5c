import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { snapshot } from './reader.ts';
import { ada, agentId, at, bob, engagementId, eve, now, Rows } from '../testing/rows.ts';
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

describe('Tasks in the turn', () => {
  const judge = agentId(4);
  const people = { agent: bob, author: ada, judge };
  let task: string;
  beforeEach(async () => {
    for (const agent of [ada, bob, eve, judge]) await world.agent(agent);
    task = await world.task(1, ada, { contract: { judge } });
    await world.position(0, 100);
    await world.position(0, 100, 'task');
  });
  /** The duty of engagement `part`, as the projector begins it. */
  const owe = (
    part: number,
    obligation: 'deliver' | 'judge',
    place: { minute: number; off?: number; partition?: number },
  ) =>
    world.owed(
      'obligation',
      {
        ...(obligation === 'deliver' ? { holder: bob, from_agent: ada } : { holder: judge, from_agent: bob }),
        obligation,
        object: task,
        part,
        ref: `${task}/engagements/${engagementId(part)}`,
        kind: 'task',
        deadline: at(31),
      },
      place,
    );
  const engaged = async (part: number, place: { minute: number; off?: number; partition?: number }, more = {}) => {
    await world.engagement(task, part, people, { id: engagementId(part), ...more });
    await owe(part, 'deliver', place);
  };
  const short = (items: readonly { ref: string }[]) => items.map(({ ref }) => ref.split('/').slice(1).join('/'));

  it('[O-2] [O-4] stand among those in threads, in the order in which each arose', async () => {
    await respond(1, { minute: 3 });
    await engaged(1, { minute: 2 });
    await respond(2, { minute: 1 });
    const { items, next } = await page('turn', bob, 10);
    expect(short(items)).toEqual(['entries/2', `engagements/${engagementId(1)}`, 'entries/1']);
    expect(items[1]).toEqual({
      ref: `${task}/engagements/${engagementId(1)}`,
      obligation: 'deliver',
      nextStep: 'deliver',
      task,
      arisenAt: at(2).toISOString(),
      deadline: at(31).toISOString(),
      secondsLeft: 60,
      from: ada,
      content: { title: 'version 1' },
    });
    expect(next).toBeNull();
  });

  it('[K-5] with the words of the bound version, for a judge that the Task names no more too', async () => {
    await engaged(1, { minute: 2 }, { status: 'delivered', delivered_at: at(3), judge_by: at(31) });
    await owe(1, 'judge', { minute: 3 });
    await world.contract(task, 2, ada);
    await world.set('task', { version: 2, audience: 'restricted' }, { id: task });
    expect((await page('turn', judge, 10)).items).toMatchObject([
      { obligation: 'judge', nextStep: 'judge', from: bob, content: { title: 'version 1' } },
    ]);
  });

  it('[O-11] leave it at their deadline, before that is recorded', async () => {
    await engaged(1, { minute: 2 });
    const deadline = at(31).getTime();
    for (const [list, agent] of [
      ['turn', bob],
      ['waiting', ada],
    ] as const) {
      expect((await page(list, agent, 10, null, deadline - 1)).items).toHaveLength(1);
      expect((await page(list, agent, 10, null, deadline)).items).toEqual([]);
    }
  });

  it('wait with their author until delivered, then with the engaged agent [O-4]', async () => {
    await engaged(1, { minute: 2 });
    expect((await page('waiting', ada, 10)).items).toMatchObject([
      { ref: `${task}/engagements/${engagementId(1)}`, holder: bob, obligation: 'deliver', nextStep: 'wait', task },
    ]);
    expect((await page('waiting', bob, 10)).items).toEqual([]);
    await world.set('obligation', { ended_at: at(3) }, { object: task });
    await owe(1, 'judge', { minute: 3 });
    expect((await page('waiting', bob, 10)).items).toMatchObject([
      { holder: judge, obligation: 'judge', nextStep: 'wait' },
    ]);
    for (const agent of [ada, judge]) expect((await page('waiting', agent, 10)).items).toEqual([]);
  });

  it('[O-3] are omitted and repeated by no traversal while others act, in partitions of both kinds', async () => {
    await world.position(1, 0, 'task');
    for (const part of [2, 6]) await respond(part, { minute: part, off: part });
    for (const part of [4, 5]) await engaged(part, { minute: part, off: part }, { ended_at: at(1) });
    for (const limit of [1, 2, 3, 4]) {
      expect(await whole(limit)).toEqual(['entries/2', engagement(4), engagement(5), 'entries/6']);
    }
    const seen = await whole(2, async (step) => {
      if (step > 0) return;
      await engaged(1, { minute: 1, partition: 1, off: 0 }, { ended_at: at(1) });
      await world.position(1, 1, 'task');
      await world.set('obligation', { ended_at: at(20) }, { object: task, part: 5 });
      await respond(7, { minute: 7, off: 100 });
      await world.position(0, 101);
      await engaged(8, { minute: 8, off: 100 }, { ended_at: at(1) });
      await world.position(0, 101, 'task');
    });
    expect(seen).toEqual(['entries/2', engagement(4), 'entries/6', engagement(1), 'entries/7', engagement(8)]);
  });
  const engagement = (n: number) => `engagements/${engagementId(n)}`;
  const whole = async (limit: number, between: (step: number) => Promise<void> = async () => {}) => {
    const seen: string[] = [];
    let from: Traversal | null | undefined;
    for (let step = 0; from !== null; step += 1) {
      const { items, next } = await page('turn', bob, limit, from);
      seen.push(...short(items));
      from = next;
      if (next !== null) await between(step);
    }
    return seen;
  };
});

describe('restricted Tasks as opportunities', () => {
  const judge = agentId(4);
  beforeEach(async () => {
    for (const agent of [ada, bob, eve, judge]) await world.agent(agent);
    await world.position(0, 100, 'task');
  });
  const offered = async (contract = {}, more = {}): Promise<string> =>
    world.task(1, ada, { named: [bob], contract: { judge, ...contract }, ...more });
  /** The next step of what Bob is offered; undefined if nothing is. */
  const step = async (time = now): Promise<string | undefined> =>
    (await page('opportunities', bob, 10, null, time)).items[0]?.nextStep;
  const ended = (status: string) => ({ status, ended_at: at(9), delivered_at: at(8), judge_by: at(31) });
  const take = (task: string, number: number, more = {}) =>
    world.engagement(task, number, { agent: bob, author: ada, judge }, more);

  it('[O-5] are listed for the agents that they name, in one read, with the words of the contract', async () => {
    const task = await offered();
    await world.task(2, ada);
    await world.task(3, ada, { named: [eve] });
    expect((await page('opportunities', bob, 10)).items).toEqual([
      {
        ref: task,
        nextStep: 'deliver',
        task,
        arisenAt: at(1).toISOString(),
        deadline: null,
        secondsLeft: null,
        from: ada,
        content: { title: 'version 1' },
      },
    ]);
    expect((await page('turn', bob, 10)).items).toEqual([]);
    for (const agent of [ada, judge]) expect((await page('opportunities', agent, 10)).items).toEqual([]);
  });

  it('[O-5] stand among assignments', async () => {
    await world.position(0, 100);
    const task = await offered();
    await world.assignment(thread, 1, { creator: ada, assignee: bob });
    await world.owed('opportunity', { agent: bob, object: thread, part: 1, from_agent: ada }, { minute: 0 });
    expect((await page('opportunities', bob, 10)).items.map(({ ref }) => ref)).toEqual([
      `${thread}/assignments/1`,
      task,
    ]);
  });

  it('[O-5] [O-13] paused: wait', async () => {
    await offered({}, { paused: true });
    expect(await step()).toBe('wait');
  });

  it.each(['deactivated', 'deactivating', 'activating'])('[K-7] author %s: wait', async (status) => {
    await offered();
    await world.set('agent', { status }, { id: ada });
    expect(await step()).toBe('wait');
  });

  it('[O-5] [K-4] of which the agent misses a label are not listed', async () => {
    await offered({ eligibility: ['a', 'x'] });
    expect(await step()).toBeUndefined();
    await world.set('agent', { labels: ['x', 'a'] }, { id: bob });
    expect(await step()).toBe('deliver');
  });

  it('[O-5] [K-7] that the agent is to judge are not listed', async () => {
    const task = await offered({ judge: bob });
    expect(await step()).toBeUndefined();
    await world.set('contract', { judge }, { task });
    await world.engagement(task, 1, { agent: eve, author: ada, judge: bob });
    expect(await step()).toBeUndefined();
    await world.set('engagement', ended('rejected'), { task });
    expect(await step()).toBe('deliver');
  });

  it('[K-9] [O-11] with an open engagement are not listed, until its deadline', async () => {
    const task = await offered();
    await take(task, 1);
    expect(await step()).toBeUndefined();
    const deadline = at(31).getTime();
    expect([await step(deadline - 1), await step(deadline)]).toEqual([undefined, 'revise']);
    await world.set('engagement', { status: 'delivered', judge_by: at(33) }, { task });
    expect([await step(deadline), await step(at(33).getTime())]).toEqual([undefined, 'revise']);
  });

  it.each([
    ['rejected', 'revise'],
    ['undecided', 'revise'],
    ['dropped', 'revise'],
    ['timed-out', 'revise'],
    ['adopted', 'done'],
  ])('[O-13] after %s: %s, by the last engagement', async (status, next) => {
    const task = await offered();
    await take(task, 1, ended(status === 'adopted' ? 'rejected' : 'adopted'));
    await take(task, 2, ended(status));
    await world.engagement(task, 3, { agent: eve, author: ada, judge }, ended('adopted'));
    expect(await step()).toBe(next);
    await world.set('task', { paused: true }, { id: task });
    expect(await step()).toBe('wait');
  });

  it('[K-15] of which the limit is reached are not listed', async () => {
    const task = await offered({ max_adoptions: 2 }, { adoptions: 1 });
    expect(await step()).toBe('deliver');
    await world.set('task', { adoptions: 2 }, { id: task });
    expect(await step()).toBeUndefined();
  });

  it('[K-5] follow the contract of now', async () => {
    const task = await offered({ eligibility: ['x'] });
    await world.contract(task, 2, ada);
    await world.set('task', { version: 2 }, { id: task });
    expect((await page('opportunities', bob, 10)).items).toMatchObject([{ task, content: { title: 'version 2' } }]);
  });

  it('[O-6] the working set asks for those of one object alone', async () => {
    const task = await offered();
    await world.task(2, ada, { named: [bob] });
    const of = (object: string) =>
      snapshot(world.pool, (reader) => dutyPage(reader, 'opportunities', { agent: bob, now, limit: 9, object }));
    expect((await of(task)).items).toMatchObject([{ ref: task }]);
    expect((await of(thread)).items).toEqual([]);
  });
});
