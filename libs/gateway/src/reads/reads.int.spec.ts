import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultLimits, readCatalogue } from '@kungfu/protocol';
import { rows } from '@kungfu/read-model/testing';
import { ada, at, bob, eve, ReadDoor } from '../testing/read-door.ts';

let door: ReadDoor;
beforeAll(async () => {
  door = await ReadDoor.open();
});
afterAll(async () => {
  await door.close();
  await stopTestDatabases();
});

const thread = rows.threadId(1);
const memory = rows.memoryId(1);
beforeEach(async () => {
  const { world } = door;
  await door.reset();
  await world.thread(
    1,
    [
      [ada, 'governor'],
      [bob, 'speaker'],
    ],
    { content: await world.content({ title: 'plans' }), entries: 1, assignments: 1 },
  );
  await world.memory(1, ada, [{ title: 'T', body: 'hello' }]);
  await world.entry(thread, 1, ada, memory);
  await world.insert('response', { thread, entry: 1, agent: bob, owed_at: at(1) });
  await world.owed(
    'obligation',
    { holder: bob, obligation: 'respond', object: thread, part: 1, from_agent: ada },
    { minute: 1, off: 1 },
  );
  await world.assignment(thread, 1, { creator: ada, assignee: bob });
  await world.owed('opportunity', { agent: bob, object: thread, part: 1, from_agent: ada }, { minute: 1, off: 2 });
  await world.position(0, 10);
});

const code = async (agent: string, path: string): Promise<string> => (await door.get(agent, path)).json.code;

describe('reads', () => {
  it('tell anybody what this service is, apart from the protocol it speaks [C-4]', async () => {
    const { json } = await door.get('nobody', '/v1');
    expect(json).toMatchObject({
      protocol: { name: 'Kungfu', version: '1.0.0' },
      implementation: { version: '9.9.9' },
      profiles: ['Memory', 'Thread', 'Task', 'Full'],
      limits: defaultLimits,
    });
    expect((await door.get('nobody', '/.well-known/kungfu.json')).json).toMatchObject({
      protocol: { version: '1.0.0' },
      api: '/v1',
    });
  });

  it('tell an agent who it is, a deactivated one too [A-2]', async () => {
    await door.world.set('agent', { status: 'deactivated' }, { id: bob });
    expect((await door.get(bob, '/v1/me')).json).toMatchObject({
      agent: bob,
      state: 'deactivated',
      labels: ['a'],
      rates: { reads: { used: 7 } },
      limits: { askMax: 50 },
    });
    expect((await door.get(bob, `/v1/threads/${thread}`)).json).toMatchObject({ thread, available: [] });
  });

  it('[O-9] lead from the turn to the working set and on to the words, by references alone', async () => {
    const turn = (await door.get(bob, '/v1/turn')).json;
    expect(turn).toMatchObject({
      me: bob,
      now: at(30).toISOString(),
      cursor: null,
      items: [
        { ref: `${thread}/entries/1`, obligation: 'respond', nextStep: 'respond', from: ada, content: { title: 'T' } },
      ],
    });
    const entry = (await door.get(bob, `/v1/threads/${turn.items[0].ref}`)).json;
    expect(entry).toMatchObject({
      author: ada,
      content: { title: 'T', body: 'hello' },
      responses: [{ agent: bob, endedAt: null }],
    });
    expect(entry.available).toEqual([
      { action: 'thread.post', ref: `${thread}/entries/1` },
      { action: 'thread.handle', ref: `${thread}/entries/1` },
    ]);
    const version = await door.get(bob, `/v1/memories/${entry.memory.ref}`);
    expect(version.json).toMatchObject({ ref: `${memory}/versions/1`, content: { body: 'hello' } });
  });

  it('[O-6] show a working set: state, role, digests, duties there, and what can be done now', async () => {
    const { json } = await door.get(bob, `/v1/threads/${thread}`);
    expect(json).toMatchObject({
      thread,
      status: 'open',
      role: 'speaker',
      me: bob,
      content: { title: 'plans' },
      membership: { number: 2, grant: 1 },
      grant: null,
      members: { count: 2, items: [{ agent: ada }, { agent: bob }] },
      moreObligations: false,
      obligations: [{ ref: `${thread}/entries/1` }],
      opportunities: [{ ref: `${thread}/assignments/1` }],
      recent: [{ entry: 1, pending: 1, content: { title: 'T', body: 'hello' } }],
      live: [{ assignment: 1, status: 'open', content: { wanted: 'work 1' } }],
    });
    expect(json.available).toEqual([
      { action: 'thread.post', ref: thread },
      { action: 'thread.leave', ref: thread },
      { action: 'thread.handle', ref: `${thread}/entries/1` },
      { action: 'assignment.take', ref: `${thread}/assignments/1` },
    ]);
  });

  it('answer every read there is, without a fault', async () => {
    const task = await door.world.task(1, ada);
    const engagement = await door.world.engagement(task, 1, { agent: bob, author: ada, judge: ada });
    const paths = Object.values(readCatalogue())
      .filter(({ door: side }) => side !== 'administration')
      .map(
        ({ path, name }) =>
          path
            .replace('{thread}', thread)
            .replace('{memory}', memory)
            .replace('{task}', task)
            .replace('{engagement}', engagement)
            .replace(/\{(entry|assignment|version)\}/, '1')
            .replace('{key}', 'k') + (name === 'receipt.get' ? '?action=thread.post' : ''),
      );
    for (const agent of [ada, bob, eve]) {
      for (const path of paths)
        expect([path, [200, 404].includes((await door.get(agent, path)).status)]).toEqual([path, true]);
    }
    for (const path of paths.filter((path) => !/receipts|payload/.test(path)))
      expect([path, (await door.get(ada, path)).status]).toEqual([path, 200]);
    expect(door.logged).toEqual([]);
  });

  it('[V-14] [C-3] answer what is missing and what is unreadable with the same bytes, but for the id', async () => {
    const missing = { [thread]: rows.threadId(9), [memory]: rows.memoryId(9) };
    const paths = [
      '',
      '/members',
      '/entries',
      '/entries/1',
      '/entries/1/content',
      '/assignments',
      '/assignments/1',
      '/assignments/1/content',
      '/assignments/1/payload/content',
      '/entries?limit=1&order=newest',
    ].map((rest) => [`/v1/threads/${thread}${rest}`, `/v1/threads/${missing[thread]}${rest}`] as const);
    const memories = ['', '/content', '/versions', '/versions/1', '/versions/1/content'].map(
      (rest) => [`/v1/memories/${memory}${rest}`, `/v1/memories/${missing[memory]}${rest}`] as const,
    );
    for (const [unreadable, absent] of [...paths, ...memories]) {
      const [one, other] = [await door.get(eve, unreadable), await door.get(eve, absent)];
      expect([unreadable, one.status]).toEqual([unreadable, 404]);
      expect(one.text.replaceAll(thread, '*').replaceAll(memory, '*')).toBe(
        other.text.replaceAll(missing[thread]!, '*').replaceAll(missing[memory]!, '*'),
      );
      const headers = (asked: typeof one) =>
        [...asked.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
      expect(headers(one)).toEqual(headers(other));
    }
  });

  it('[V-13] end with the membership', async () => {
    expect((await door.get(bob, `/v1/threads/${thread}/entries/1`)).status).toBe(200);
    await door.world.leave(thread, bob);
    for (const path of ['', '/entries', '/entries/1', '/members', '/assignments/1'])
      expect(await code(bob, `/v1/threads/${thread}${path}`)).toBe('not_found');
    expect((await door.get(bob, '/v1/turn')).json.items).toEqual([]);
  });

  it('refuse ids and numbers that cannot be', async () => {
    for (const path of [
      '/v1/threads/x',
      '/v1/threads/%27%3B--',
      `/v1/threads/${thread}/entries/0`,
      `/v1/threads/${thread}/entries/99999999999`,
      `/v1/memories/${memory}/versions/x`,
      `/v1/memories/${memory}/versions/2147483648`,
    ]) {
      expect([path, await code(ada, path)]).toEqual([path, 'not_found']);
    }
    expect(await code(ada, '/v1/receipts/a%20b?action=thread.post')).toBe('not_found');
    expect(door.logged).toEqual([]);
  });

  it('[V-12] [L3-1] hand out an agent’s own receipts in their own bytes', async () => {
    await door.world.insert('receipt', {
      binding: `${ada}|thread.post|k1`,
      agent: ada,
      action: 'thread.post',
      fingerprint: 'f',
      receipt: Buffer.from('{"receipt":"v1" }'),
      at: at(1),
    });
    expect((await door.get(ada, '/v1/receipts/k1?action=thread.post')).text).toBe('{"receipt":{"receipt":"v1" }}');
    expect([
      await code(ada, '/v1/receipts/k1?action=thread.create'),
      await code(bob, '/v1/receipts/k1?action=thread.post'),
    ]).toEqual(['not_found', 'not_found']);
    expect([await code(ada, '/v1/receipts/k1'), await code(ada, '/v1/receipts/k1?action=nonsense')]).toEqual([
      'invalid',
      'invalid',
    ]);
  });

  it('[L4-4] are bounded by a rate', async () => {
    door.over = 3;
    const asked = await door.get(ada, '/v1/turn');
    expect([asked.status, asked.json.code, asked.headers.get('retry-after')]).toEqual([429, 'rate_limited', '3']);
    expect((await door.get(ada, '/v1')).status).toBe(200);
  });

  it('tell nothing but receipts while the read model is rebuilt', async () => {
    await door.world.pool.query('update gateway.generation set fenced = true');
    try {
      expect([await code(ada, '/v1/turn'), await code(ada, `/v1/threads/${rows.threadId(9)}`)]).toEqual([
        'pending',
        'pending',
      ]);
      expect((await door.get(ada, '/v1')).status).toBe(200);
    } finally {
      await door.world.pool.query('update gateway.generation set fenced = false');
    }
  });
});

describe('pages', () => {
  beforeEach(async () => {
    for (const entry of [2, 3, 4, 5]) await door.world.entry(thread, entry, ada, memory);
  });
  const page = async (query: string, agent = ada) =>
    (await door.get(agent, `/v1/threads/${thread}/entries?${query}`)).json;
  const numbers = (json: { items: readonly { entry: number }[] }): readonly number[] =>
    json.items.map(({ entry }) => entry);

  it('[O-7] lead through the whole by cursors', async () => {
    const first = await page('limit=2');
    const second = await page(`limit=2&cursor=${first.cursor}`);
    const third = await page(`limit=9&cursor=${second.cursor}`);
    expect([numbers(first), numbers(second), numbers(third), third.cursor]).toEqual([[1, 2], [3, 4], [5], null]);
    expect(numbers(await page('limit=3&order=newest'))).toEqual([5, 4, 3]);
    expect(await page('limit=5')).toMatchObject({ cursor: null });
    expect(numbers(await page('limit=4'))).toEqual([1, 2, 3, 4]);
  });

  it('refuse cursors of other queries and other agents, and made-up ones', async () => {
    const { cursor } = await page('limit=2');
    expect((await page(`limit=2&order=newest&cursor=${cursor}`)).code).toBe('invalid_cursor');
    expect((await page(`cursor=${cursor}`, bob)).code).toBe('invalid_cursor');
    for (const made of [
      'x',
      'eyJ9.x',
      `${cursor}x`,
      cursor.slice(0, -1),
      `.${cursor}`,
      '%00',
      encodeURIComponent('{"a":1}'),
    ])
      expect([made, (await page(`cursor=${made}`)).code]).toEqual([made, 'invalid_cursor']);
    const of = (path: string) => code(ada, `${path}?cursor=${cursor}`);
    for (const path of ['/v1/turn', '/v1/waiting', '/v1/threads', '/v1/memories', `/v1/threads/${thread}/members`])
      expect(await of(path)).toBe('invalid_cursor');
  });

  it('stay below their size however long digests are', async () => {
    const title = '\u0001'.repeat(200);
    for (let number = 10; number < 110; number += 1) {
      await door.world.memory(number, ada, [{ title, body: '\u0001'.repeat(400) }]);
      await door.world.entry(thread, number, ada, rows.memoryId(number));
    }
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const asked = await door.get(
        ada,
        `/v1/threads/${thread}/entries?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(asked.text.length).toBeLessThanOrEqual(defaultLimits.pageBytesMax);
      seen.push(...numbers(asked.json));
      cursor = asked.json.cursor;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, ...Array.from({ length: 100 }, (_, i) => i + 10)]);
  });

  it('hand out long content in pieces', async () => {
    const body = 'ß€😀'.repeat(11_000);
    await door.world.memory(2, ada, [{ body }]);
    let text = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const { json } = await door.get(ada, `/v1/memories/${rows.memoryId(2)}/content?offset=${offset}&length=30001`);
      expect(json).toMatchObject({ ref: rows.memoryId(2), bytes: 99_000 });
      text += json.content.text;
      offset = json.next;
    }
    expect(text).toBe(body);
  });
});

describe('waiting for the turn', () => {
  beforeEach(() => {
    door.clock.real = true;
  });
  const owe = async (part: number): Promise<void> => {
    await door.world.entry(thread, part, ada, memory);
    await door.world.owed(
      'obligation',
      { holder: bob, obligation: 'respond', object: thread, part, from_agent: ada },
      { minute: part, off: part + 2 },
    );
  };
  const etagOf = async (): Promise<string> => (await door.get(bob, '/v1/turn')).headers.get('etag') ?? '';

  it('answers at once with what differs from what the caller has', async () => {
    const etag = await etagOf();
    expect(await etagOf()).toBe(etag);
    expect((await door.get(bob, '/v1/turn', { 'if-none-match': etag })).status).toBe(304);
    expect((await door.get(bob, '/v1/turn?waitSeconds=50', { 'if-none-match': 'W/"other"' })).status).toBe(200);
    expect((await door.get(bob, '/v1/turn?waitSeconds=50')).status).toBe(200);
    await owe(2);
    expect((await door.get(bob, '/v1/turn?waitSeconds=50', { 'if-none-match': etag })).json.items).toHaveLength(2);
  });

  it('[O-10] is answered when something of the agent is projected, and without any notification at the next time it asks', async () => {
    const cases = [
      [2, bob],
      [3, `${ada},${bob}`],
      [4, ''],
    ] as const;
    for (const [part, payload] of cases) {
      const etag = await etagOf();
      const waiting = door.get(bob, '/v1/turn?waitSeconds=50', { 'if-none-match': etag });
      await owe(part);
      await door.world.pool.query("select pg_notify('kungfu_projected', $1)", [payload]);
      expect((await waiting).json.items).toHaveLength(part);
    }
    const etag = await etagOf();
    const waiting = door.get(bob, '/v1/turn?waitSeconds=1', { 'if-none-match': etag });
    await owe(5);
    await door.world.pool.query("select pg_notify('kungfu_projected', $1)", [ada]);
    // It may have looked only after what it was not told of: then it is answered with it at once.
    const first = await waiting;
    const answer = first.status === 304 ? await door.get(bob, '/v1/turn', { 'if-none-match': etag }) : first;
    expect(answer.json.items).toHaveLength(5);
  });

  it('ends with 304 when the time is over', async () => {
    const etag = await etagOf();
    const asked = await door.get(bob, '/v1/turn?waitSeconds=1', { 'if-none-match': etag });
    expect([asked.status, asked.headers.get('etag')]).toEqual([304, etag]);
  });
});

describe('keys', () => {
  it('are refused once they are revoked, as unknown ones are', async () => {
    expect((await door.get(ada, '/v1/me')).status).toBe(200);
    await door.world.set('agent_key', { revoked_at: at(5) }, { agent: ada });
    door.keys.forget();
    const revoked = await door.get(ada, '/v1/me');
    expect([revoked.status, revoked.text]).toEqual([401, (await door.get('unknown', '/v1/me')).text]);
  });
});
