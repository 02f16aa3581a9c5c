import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assignmentsPage, assignmentText, assignmentWhole, liveAssignments } from './assignments.ts';
import { entriesPage, entriesStart, entryText, entryWhole } from './entries.ts';
import { ada, at, bob, eve, Rows } from '../testing/rows.ts';
import { membersPage, threadsPage, threadState } from './threads.ts';

let world: Rows;
let thread: string;
beforeAll(async () => {
  world = await Rows.create();
});
beforeEach(async () => {
  await world.clear();
  thread = await world.thread(
    1,
    [
      [ada, 'governor'],
      [bob, 'speaker'],
    ],
    { content: await world.content({ title: 'plans' }) },
  );
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

const bytesMax = 100_000;

describe('a thread', () => {
  it('[V-3] [V-13] is for its current members', async () => {
    expect(await threadState(world.pool, thread, bob)).toMatchObject({
      item: { thread, role: 'speaker', status: 'open', content: { title: 'plans' } },
      membership: { number: 2, grant: 1 },
      governors: 1,
      members: 2,
      grant: null,
    });
    expect(await threadState(world.pool, thread, eve)).toBeUndefined();
    expect(await threadState(world.pool, 'thread_none', ada)).toBeUndefined();
    await world.leave(thread, bob);
    expect(await threadState(world.pool, thread, bob)).toBeUndefined();
    expect(await threadState(world.pool, thread, ada)).toMatchObject({ members: 1 });
    expect((await membersPage(world.pool, { thread, agent: bob, after: 0, limit: 9 })).items).toEqual([]);
    expect((await entriesPage(world.pool, { thread, agent: bob, after: 0, limit: 9, order: 'oldest' })).items).toEqual(
      [],
    );
    expect(
      (await assignmentsPage(world.pool, { thread, agent: bob, after: 0, limit: 9, status: undefined })).items,
    ).toEqual([]);
  });

  it('[V-3] shows the live admission without its hash', async () => {
    await world.insert('thread_grant', {
      thread,
      number: 1,
      role: 'speaker',
      hash: 'old',
      live: false,
      issued_by: ada,
      issued_at: at(1),
    });
    await world.insert('thread_grant', {
      thread,
      number: 2,
      role: 'observer',
      hash: 'h4sh',
      live: true,
      issued_by: ada,
      issued_at: at(2),
    });
    const state = await threadState(world.pool, thread, bob);
    expect(state?.grant).toEqual({ number: 2, role: 'observer', by: ada, issuedAt: at(2).toISOString() });
    expect(JSON.stringify(state)).not.toContain('h4sh');
  });

  it('lists the threads of a member in pages', async () => {
    await world.thread(2, [[bob, 'governor']], { status: 'closed' });
    await world.thread(3, [[ada, 'governor']]);
    await world.thread(4, [[bob, 'governor']]);
    const all = (after: string, limit: number, status?: 'open' | 'closed') =>
      threadsPage(world.pool, { agent: bob, after, limit, status });
    const first = await all('', 2);
    expect(first.items.map(({ thread: id }) => id.at(-1))).toEqual(['1', '2']);
    expect(first.items[1]).toMatchObject({ content: {} });
    const second = await all(first.next ?? '', 2);
    expect([second.items.map(({ thread: id }) => id.at(-1)), second.next]).toEqual([['4'], null]);
    expect((await all('', 3)).next).toBeNull();
    expect((await all('', 9, 'closed')).items.map(({ thread: id }) => id.at(-1))).toEqual(['2']);
  });

  it('[T-17] says through which admission a member came, and when', async () => {
    expect((await membersPage(world.pool, { thread, agent: ada, after: 0, limit: 9 })).items).toEqual([
      {
        ref: `${thread}/members/${ada}`,
        agent: ada,
        role: 'governor',
        membership: 1,
        grant: null,
        joinedAt: at(0).toISOString(),
      },
      {
        ref: `${thread}/members/${bob}`,
        agent: bob,
        role: 'speaker',
        membership: 2,
        grant: 1,
        joinedAt: at(1).toISOString(),
      },
    ]);
  });
});

describe('entries', () => {
  const whole = (entry: number, agent: string) => entryWhole(world.pool, { thread, entry, agent, bytesMax });

  it('come as digests, in either order', async () => {
    const memory = await world.memory(1, ada, [{ body: `${'long '.repeat(100)}` }]);
    for (const entry of [1, 2, 3]) await world.entry(thread, entry, ada, memory, entry === 3 ? { reply_to: 1 } : {});
    const oldest = await entriesPage(world.pool, {
      thread,
      agent: bob,
      after: entriesStart.oldest,
      limit: 2,
      order: 'oldest',
    });
    expect([oldest.items.map(({ entry }) => entry), oldest.next]).toEqual([[1, 2], 2]);
    const newest = await entriesPage(world.pool, {
      thread,
      agent: bob,
      after: entriesStart.newest,
      limit: 3,
      order: 'newest',
    });
    expect([newest.items.map(({ entry }) => entry), newest.next]).toEqual([[3, 2, 1], null]);
    expect(newest.items[0]).toMatchObject({
      ref: `${thread}/entries/3`,
      author: ada,
      replyTo: `${thread}/entries/1`,
      memory: { ref: `${memory}/versions/1`, memory, version: 1 },
      assignment: null,
      pending: 0,
      truncated: true,
    });
    expect(newest.items[0]?.content).toEqual({ body: 'long '.repeat(56) });
  });

  it('show title and beginning of a body that is far too long to be read for a digest', async () => {
    const body = 'ü"\\\n'.repeat(30_000);
    await world.entry(thread, 1, ada, await world.memory(1, ada, [{ title: 'before', body }]));
    await world.entry(thread, 2, ada, await world.memory(2, ada, [{ body, title: 'after "it"' }]));
    const { items } = await entriesPage(world.pool, { thread, agent: bob, after: 0, limit: 9, order: 'oldest' });
    expect(items.map((item) => item.content)).toEqual([
      { title: 'before', body: body.slice(0, 280) },
      { title: 'after "it"', body: body.slice(0, 280) },
    ]);
    expect(await entryText(world.pool, { thread, entry: 2, agent: bob })).toEqual({ text: body });
    const { item } = (await entryWhole(world.pool, { thread, entry: 1, agent: bob, bytesMax: 1_000 }))!;
    expect(item).toMatchObject({ truncated: true, content: { title: 'before' } });
    expect(Buffer.byteLength(JSON.stringify(item.content))).toBeLessThan(1_100);
  });

  it('[V-4] [M-8] [M-9] show one’s own pin always, another’s only while valid and public', async () => {
    const own = await world.memory(1, ada, [{ body: 'own' }, { body: 'newer' }], { status: 'withdrawn' });
    const others = await world.memory(2, eve, [{ body: 'eve’s' }], { visibility: 'public' });
    await world.entry(thread, 1, ada, own);
    await world.entry(thread, 2, ada, others);
    expect((await whole(1, bob))?.item).toMatchObject({ content: { body: 'own' } });
    expect((await whole(2, bob))?.item).toMatchObject({ content: { body: 'eve’s' } });
    for (const change of [{ visibility: 'private' }, { visibility: 'public', status: 'withdrawn' }]) {
      await world.set('memory', change, { id: others });
      expect((await whole(2, ada))?.item).toMatchObject({ content: null, readable: false });
      expect(await entryText(world.pool, { thread, entry: 2, agent: ada })).toEqual({
        missing: { content: null, readable: false },
      });
    }
  });

  it('say when words were erased', async () => {
    await world.entry(thread, 1, ada, await world.memory(1, ada, [{ body: 'gone' }]));
    await world.pool.query('update read.content set value = null');
    expect((await whole(1, bob))?.item).toMatchObject({ content: null, erased: true });
    expect((await whole(1, bob))?.item).not.toHaveProperty('readable');
  });

  it('[M-1] show a Memory that was born in the entry and never touched since', async () => {
    const memory = await world.memory(1, ada, [{ body: 'born' }], {
      status: null,
      visibility: null,
      current_version: null,
      created_at: null,
    });
    await world.entry(thread, 1, ada, memory);
    expect((await whole(1, bob))?.item).toMatchObject({ content: { body: 'born' } });
  });

  it('[V-6] show a note to the author of the entry and the responder alone', async () => {
    await world.insert('membership', { thread, membership: 3, agent: eve, role: 'governor', joined_at: at(3) });
    await world.entry(thread, 1, ada, await world.memory(1, ada, [{ body: 'b' }]));
    await world.insert('response', {
      thread,
      entry: 1,
      agent: bob,
      owed_at: at(1),
      ended_at: at(2),
      how: 'handled',
      note: await world.content({ note: 'on it' }),
    });
    const noteOf = async (agent: string) => (await whole(1, agent))?.responses[0];
    expect(await noteOf(ada)).toEqual({
      agent: bob,
      owedAt: at(1).toISOString(),
      endedAt: at(2).toISOString(),
      how: 'handled',
      content: { note: 'on it' },
    });
    expect(await noteOf(bob)).toMatchObject({ content: { note: 'on it' } });
    expect(await noteOf(eve)).toEqual({
      agent: bob,
      owedAt: at(1).toISOString(),
      endedAt: at(2).toISOString(),
      how: 'handled',
    });
  });

  it('[V-14] are the same for strangers whether they exist or not', async () => {
    await world.entry(thread, 1, ada, await world.memory(1, ada, [{ body: 'b' }]));
    expect([await whole(1, eve), await whole(2, ada), await whole(2, eve)]).toEqual([undefined, undefined, undefined]);
    expect(await entryText(world.pool, { thread, entry: 1, agent: eve })).toBeUndefined();
  });
});

describe('assignments', () => {
  const people = { creator: ada, assignee: bob };

  it('come as digests, by status, and the live ones of an agent', async () => {
    await world.assignment(thread, 1, people);
    await world.assignment(thread, 2, people, { status: 'adopted', redoes: 1 });
    await world.assignment(
      thread,
      3,
      { creator: bob, assignee: bob },
      { status: 'taken', taken_at: at(2), deliver_by: at(3) },
    );
    const all = await assignmentsPage(world.pool, { thread, agent: bob, after: 0, limit: 2, status: undefined });
    expect([all.items.map(({ assignment }) => assignment), all.next]).toEqual([[1, 2], 2]);
    expect(all.items[1]).toMatchObject({
      ref: `${thread}/assignments/2`,
      redoes: `${thread}/assignments/1`,
      content: { wanted: 'work 2' },
    });
    expect(
      (await assignmentsPage(world.pool, { thread, agent: bob, after: 0, limit: 9, status: 'taken' })).items.map(
        ({ assignment }) => assignment,
      ),
    ).toEqual([3]);
    expect((await liveAssignments(world.pool, thread, ada, 9)).map(({ assignment }) => assignment)).toEqual([1]);
    expect((await liveAssignments(world.pool, thread, bob, 9)).map(({ assignment }) => assignment)).toEqual([1, 3]);
  });

  it('[V-5] show what was delivered, in full, and the judgment', async () => {
    const memory = await world.memory(1, bob, [{ title: 'my notes', body: 'n' }], { status: 'withdrawn' });
    const foreign = await world.memory(2, eve, [{ title: 'eve’s', body: 'n' }], { visibility: 'public' });
    await world.assignment(thread, 1, people, {
      status: 'rejected',
      delivered_at: at(4),
      judge_by: at(9),
      judge: ada,
      payload: await world.content({ payload: { n: [1, null] } }),
      payload_bytes: 16,
      memories: JSON.stringify([
        { id: memory, version: 1 },
        { id: foreign, version: 1 },
      ]),
      ended_at: at(5),
      ended_how: 'rejected',
      reason: await world.content({ reason: 'too short' }),
    });
    expect(await assignmentWhole(world.pool, { thread, assignment: 1, agent: ada, bytesMax })).toMatchObject({
      item: { status: 'rejected', content: { wanted: 'work 1', criteria: 'done' } },
      delivery: {
        at: at(4).toISOString(),
        payloadBytes: 16,
        content: { payload: { n: [1, null] } },
        memories: [
          { ref: `${memory}/versions/1`, content: { title: 'my notes' } },
          { content: null, readable: false },
        ],
      },
      judgment: { how: 'rejected', at: at(5).toISOString(), content: { reason: 'too short' } },
    });
    expect(await assignmentText(world.pool, { thread, assignment: 1, agent: ada, part: 'payload' })).toEqual({
      text: '{"n":[1,null]}',
    });
    expect(await assignmentText(world.pool, { thread, assignment: 1, agent: eve, part: 'payload' })).toBeUndefined();
    expect(await assignmentWhole(world.pool, { thread, assignment: 1, agent: eve, bytesMax })).toBeUndefined();
  });

  it('say how large a payload is that does not fit', async () => {
    const payload = ['x'.repeat(200_000)];
    await world.assignment(thread, 1, people, {
      status: 'delivered',
      delivered_at: at(4),
      judge_by: at(9),
      judge: ada,
      payload: await world.content({ payload }),
      payload_bytes: 200_004,
    });
    const whole = await assignmentWhole(world.pool, { thread, assignment: 1, agent: bob, bytesMax });
    expect(whole?.delivery).toMatchObject({ payloadBytes: 200_004, content: {}, truncated: true });
    expect(whole?.judgment).toBeNull();
  });
});
