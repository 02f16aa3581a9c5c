import { describe, expect, it } from '@jest/globals';
import { Kungfu, KungfuAdministration, type KungfuOptions, NoAnswer, Refused, StrangeAnswer } from './index.ts';
import { done, fakeFetch, noSleep, type Reply, receipt, refused, type Spoken, url } from './testing/fake-fetch.ts';

const thread = 'thread_01h00000000000000000000000';
const task = 'task_01h00000000000000000000000';
const engagement = 'engagement_01h00000000000000000000000';
const memory = 'memory_01h00000000000000000000000';
const member = 'agent_01h00000000000000000000000';

const world = (replies: readonly Reply[], options: Partial<KungfuOptions> = {}) => {
  const { fetch, seen } = fakeFetch(replies);
  const { sleep, slept } = noSleep();
  const kungfu = new Kungfu({ url: `${url}/`, key: 'kfk_secret', fetch, sleep, ...options });
  return { kungfu, seen, slept, keys: () => seen.map(({ headers }) => headers['idempotency-key']) };
};
const words = { content: { body: 'Hello.' } };

describe('an action', () => {
  it('[L3-1] is sent to its route under a key of its own, and its receipt comes back', async () => {
    const { kungfu, seen } = world([
      done('thread.post', `${thread}/entries/1`, { hints: [{ action: 'thread.post', ref: thread }] }),
    ]);
    const result = await kungfu.thread.post(thread, words);
    expect(seen).toEqual([
      {
        method: 'POST',
        path: `/v1/threads/${thread}/entries`,
        headers: {
          authorization: 'Bearer kfk_secret',
          'content-type': 'application/json',
          'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
        body: words,
      },
    ]);
    expect(result).toEqual({
      ok: true,
      key: seen[0]!.headers['idempotency-key'],
      receipt: receipt('thread.post', `${thread}/entries/1`),
      hints: [{ action: 'thread.post', ref: thread }],
      replayed: false,
    });
  });

  it('[L3-1] [L3-4] tells a secret and a replay', async () => {
    const { kungfu } = world([
      done('thread.create', thread, { secret: 'kfg_1' }),
      { ...done('thread.create', thread), headers: { 'Idempotent-Replayed': 'true' } },
    ]);
    expect(await kungfu.thread.create()).toMatchObject({ ok: true, secret: 'kfg_1', replayed: false });
    const again = await kungfu.thread.create();
    expect(again).toMatchObject({ ok: true, replayed: true });
    expect(again).not.toHaveProperty('secret');
  });

  it.each([`${thread}/entries/7`, { thread, entry: 7 }])('takes a reference, or an id and a number: %j', async (on) => {
    const { kungfu, seen } = world([done('thread.handle', `${thread}/entries/7`)]);
    await kungfu.thread.handle(on, { content: { note: 'Seen.' } });
    expect(seen[0]).toMatchObject({
      path: `/v1/threads/${thread}/entries/7/handle`,
      body: { content: { note: 'Seen.' } },
    });
  });

  it('takes references to members, assignments and engagements, and posts in the thread of an entry', async () => {
    const { kungfu, seen } = world(Array(5).fill(done('thread.post', thread)));
    await kungfu.thread.setRole(`${thread}/members/${member}`, { role: 'governor' });
    await kungfu.thread.remove({ thread, member });
    await kungfu.assignment.take(`${thread}/assignments/2`);
    await kungfu.engagement.adopt(`${task}/engagements/${engagement}`);
    await kungfu.thread.post(`${thread}/entries/7`, { ...words, replyTo: `${thread}/entries/7` });
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', `/v1/threads/${thread}/members/${member}`, { role: 'governor' }],
      ['DELETE', `/v1/threads/${thread}/members/${member}`, undefined],
      ['POST', `/v1/threads/${thread}/assignments/2/take`, {}],
      ['POST', `/v1/tasks/${task}/engagements/${engagement}/adopt`, undefined],
      ['POST', `/v1/threads/${thread}/entries`, { ...words, replyTo: `${thread}/entries/7` }],
    ]);
  });

  it.each([memory, `${thread}/assignments/7`, thread, '', `${thread}/entries/`, `${thread}/entries`])(
    'is not sent for a reference to something else: %j',
    async (reference) => {
      const { kungfu, seen } = world([]);
      await expect(kungfu.thread.handle(reference)).rejects.toThrow(TypeError);
      expect(seen).toEqual([]);
    },
  );

  it('does not let an id lead out of its path', async () => {
    const { kungfu, seen } = world([done('thread.leave', thread)]);
    await expect(kungfu.thread.leave({ thread: '../admin' })).rejects.toThrow(TypeError);
    await kungfu.thread.leave({ thread: 'a?b#c' });
    expect(seen[0]!.path).toBe('/v1/threads/a%3Fb%23c/leave');
  });
});

describe('a refusal', () => {
  it('[L2-3] is a result, told by its code', async () => {
    const { kungfu, seen } = world([refused(409, 'thread_closed', 'stop')]);
    const result = await kungfu.thread.post(thread, words);
    expect(result).toMatchObject({ ok: false, key: seen[0]!.headers['idempotency-key'] });
    if (result.ok) throw new Error('refused');
    const { refusal } = result;
    // The union is closed: the next step follows from the code.
    const step: 'stop' | undefined = refusal.code === 'thread_closed' ? refusal.nextStep : undefined;
    expect(step).toBe('stop');
  });

  it.each([
    ['pending', 'retry', 503],
    ['expired', 'retry', 503],
    ['interrupted', 'retry', 503],
    ['overloaded', 'wait', 503],
    ['rate_limited', 'wait', 429],
  ] as const)('[L4-4] %s is sent again under the same key, after retryAfter', async (code, nextStep, status) => {
    const { kungfu, slept, keys, seen } = world([
      refused(status, code, nextStep, 3),
      refused(status, code, nextStep, 1),
      done('thread.post', `${thread}/entries/1`),
    ]);
    expect(await kungfu.thread.post(thread, words)).toMatchObject({ ok: true, key: keys()[0] });
    expect(slept).toEqual([3_000, 1_000]);
    expect(new Set(keys()).size).toBe(1);
    expect(seen.map(({ body }) => body)).toEqual([words, words, words]);
  });

  it.each([
    ['changed', 'retry', 409],
    ['invalid', 'retry', 422],
    ['idempotency_conflict', 'retry', 422],
    ['task_paused', 'wait', 409],
    ['capacity_members', 'wait', 409],
    ['adoption_limit', 'judge', 409],
    ['no_effect', 'done', 409],
    ['failed', 'stop', 500],
  ] as const)('[L2-3] %s is not sent again by itself', async (code, nextStep, status) => {
    const { kungfu, slept, seen } = world([refused(status, code, nextStep)]);
    expect(await kungfu.thread.post(thread, words)).toMatchObject({ ok: false, refusal: { code, nextStep } });
    expect([seen.length, slept]).toEqual([1, []]);
  });

  it('that passes is handed out when the attempts are used up', async () => {
    const { kungfu, seen, slept } = world(Array(3).fill(refused(503, 'pending', 'retry', 1)), { attemptsMax: 3 });
    expect(await kungfu.thread.post(thread, words)).toMatchObject({ ok: false, refusal: { code: 'pending' } });
    expect([seen.length, slept.length]).toEqual([3, 2]);
  });

  it('that asks for a longer pause than the caller has is handed out at once', async () => {
    const { kungfu, slept } = world([refused(429, 'rate_limited', 'wait', 61)]);
    const result = await kungfu.thread.join({ secret: 'kfg_1' });
    expect(result).toMatchObject({ ok: false, refusal: { retryAfter: 61 } });
    expect(slept).toEqual([]);
  });
});

describe('a connection that breaks', () => {
  it('[L3-1] is no reason for another key: the same request is sent again, with growing pauses', async () => {
    const { kungfu, keys, slept } = world([
      'broken',
      'broken',
      { status: 502, body: '<html>' },
      done('memory.create', memory),
    ]);
    expect(await kungfu.memory.create(words)).toMatchObject({ ok: true });
    expect(new Set(keys()).size).toBe(1);
    for (const [index, ms] of slept.entries()) {
      expect(ms).toBeGreaterThanOrEqual(125 * 2 ** index);
      expect(ms).toBeLessThanOrEqual(250 * 2 ** index);
    }
    expect(slept).toHaveLength(3);
  });

  it('[L3-1] for good throws NoAnswer with the key under which to go on', async () => {
    const { kungfu, keys } = world(Array(4).fill('broken'), { attemptsMax: 4 });
    const failure = await kungfu.memory.create(words).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NoAnswer);
    expect(failure).toMatchObject({ attempts: 4, key: keys()[0], request: `POST ${url}/v1/memories` });
    expect(new Set(keys()).size).toBe(1);
  });

  it('does not stop a read', async () => {
    const { kungfu, seen } = world(['broken', { status: 200, body: { agent: 'agent_1' } }]);
    expect(await kungfu.me()).toEqual({ ok: true, found: { agent: 'agent_1' } });
    expect(seen.map(({ headers }) => headers)).toEqual(Array(2).fill({ authorization: 'Bearer kfk_secret' }));
  });

  it('is what an attempt without an answer comes to', async () => {
    const { kungfu } = world(['never', done('memory.create', memory)], { attemptSecondsMax: 0.01 });
    expect(await kungfu.memory.create(words)).toMatchObject({ ok: true });
  });

  it.each([
    { status: 404, body: '<html>no such page</html>' },
    { status: 200, body: '<html>sign in</html>' },
    { status: 200, body: { welcome: true } },
    { status: 400, body: { code: 'bad' } },
  ])('is another thing than an answer of somebody else: $status', async (reply) => {
    const { kungfu, seen } = world([reply]);
    await expect(kungfu.memory.create(words)).rejects.toThrow(StrangeAnswer);
    expect(seen).toHaveLength(1);
  });
});

describe('an address', () => {
  it('may end with a slash and have a path, and is a URL', async () => {
    const { fetch, seen } = fakeFetch([{ status: 200, body: {} }]);
    await new Kungfu({ url: `${url}/kungfu/`, key: 'k', fetch }).me();
    expect(seen[0]!.path).toBe('/kungfu/v1/me');
    expect(() => new Kungfu({ url: 'kungfu', key: 'k' })).toThrow('Invalid URL');
  });
});

describe('a signal', () => {
  it('ends a call before it is sent', async () => {
    const { kungfu, seen } = world([]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(kungfu.memory.create(words, { signal })).rejects.toThrow('enough');
    expect(seen).toEqual([]);
  });

  it('ends an attempt', async () => {
    const over = new AbortController();
    const { kungfu, seen } = world(['never']);
    const call = kungfu.memory.create(words, { signal: over.signal });
    const failed = expect(call).rejects.toThrow('enough');
    over.abort(new Error('enough'));
    await failed;
    expect(seen.length).toBeLessThanOrEqual(1);
  });

  it('ends a pause', async () => {
    const over = new AbortController();
    const { fetch, seen } = fakeFetch([refused(503, 'pending', 'retry', 30)]);
    // The sleep of the world: what ends it is the signal.
    const kungfu = new Kungfu({ url, key: 'k', fetch });
    const call = kungfu.memory.create(words, { signal: over.signal });
    const failed = expect(call).rejects.toThrow('enough');
    setImmediate(() => over.abort(new Error('enough')));
    await failed;
    expect(seen).toHaveLength(1);
  });
});

describe('keys', () => {
  it('[L3-1] can be the caller’s own', async () => {
    const { kungfu, keys } = world([done('memory.create', memory)]);
    expect(await kungfu.memory.create(words, { key: 'report-7' })).toMatchObject({ key: 'report-7' });
    expect(keys()).toEqual(['report-7']);
  });

  it('[L3-1] differ for equal requests when nothing keeps them', async () => {
    const { kungfu, keys } = world([done('memory.create', memory), done('memory.create', memory)]);
    await kungfu.memory.create(words);
    await kungfu.memory.create(words);
    expect(new Set(keys()).size).toBe(2);
  });

  it('[L3-1] are kept before the first attempt until the outcome is known, over the end of the program', async () => {
    const store = new Map<string, string>();
    const first = world(['broken'], { attemptsMax: 1, keys: store });
    await expect(first.kungfu.memory.create(words)).rejects.toThrow(NoAnswer);
    expect([...store.values()]).toEqual(first.keys());
    expect([...store.keys()].join()).not.toContain('Hello');

    const second = world([done('memory.create', memory)], { keys: store });
    expect(await second.kungfu.memory.create(words)).toMatchObject({ ok: true });
    expect(second.keys()).toEqual(first.keys());
    expect(store.size).toBe(0);
  });

  it('[L3-1] are kept under the name of the intent, and while a refusal passes', async () => {
    const store = new Map<string, string>();
    const { kungfu, keys } = world([refused(503, 'expired', 'retry', 1)], { attemptsMax: 1, keys: store });
    expect(await kungfu.memory.create(words, { intent: 'report of today' })).toMatchObject({ ok: false });
    expect([...store]).toEqual([['report of today', keys()[0]]]);
  });

  it('[L3-1] are given up after a refusal for good, but not where something else was done under them', async () => {
    const store = new Map([['b', 'key-b']]);
    const { kungfu } = world([refused(422, 'invalid', 'retry'), refused(422, 'idempotency_conflict', 'retry')], {
      keys: store,
    });
    await kungfu.memory.create(words, { intent: 'a' });
    await kungfu.memory.create(words, { intent: 'b' });
    expect([...store]).toEqual([['b', 'key-b']]);
  });
});

const page = (items: readonly unknown[], cursor: string | null): Spoken => ({
  status: 200,
  body: { now: 'now', me: 'agent_1', items, cursor },
});

describe('a list', () => {
  it('[O-7] goes through every page, with its query', async () => {
    const { kungfu, seen } = world([
      page([{ ref: 'a' }, { ref: 'b' }], 'c 1'),
      page([], 'c2'),
      page([{ ref: 'c' }], null),
    ]);
    const refs: string[] = [];
    for await (const item of kungfu.thread.entries(thread, { order: 'newest', limit: 2 })) refs.push(item.ref);
    expect(refs).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ path }) => path)).toEqual([
      `/v1/threads/${thread}/entries?order=newest&limit=2`,
      `/v1/threads/${thread}/entries?order=newest&limit=2&cursor=c+1`,
      `/v1/threads/${thread}/entries?order=newest&limit=2&cursor=c2`,
    ]);
  });

  it('[O-7] reads no further than it is asked', async () => {
    const { kungfu, seen } = world([page([{ ref: 'a' }, { ref: 'b' }], 'c1')]);
    for await (const item of kungfu.turn()) if (item.ref === 'b') break;
    expect(seen).toHaveLength(1);
  });

  it('[L2-3] gives one page, or its refusal, as a result; iterating throws it', async () => {
    const { kungfu } = world([
      page([], null),
      refused(400, 'invalid_cursor', 'retry'),
      refused(404, 'not_found', 'stop'),
    ]);
    expect(await kungfu.turn().page()).toEqual({
      ok: true,
      found: { now: 'now', me: 'agent_1', items: [], cursor: null },
    });
    expect(await kungfu.turn().page('old')).toMatchObject({ ok: false, refusal: { code: 'invalid_cursor' } });
    const iterated = kungfu.thread.members(thread)[Symbol.asyncIterator]().next();
    await expect(iterated).rejects.toThrow(Refused);
  });

  it('leaves out of the query what is not asked for', async () => {
    const { kungfu, seen } = world([page([], null)]);
    await kungfu.tasks({ mine: true, status: 'open' }).page();
    expect(seen[0]!.path).toBe('/v1/tasks?mine=true&status=open');
  });
});

describe('what a reference refers to', () => {
  it.each([
    [thread, `/v1/threads/${thread}`],
    [`${thread}/entries/7`, `/v1/threads/${thread}/entries/7`],
    [`${thread}/assignments/2`, `/v1/threads/${thread}/assignments/2`],
    [memory, `/v1/memories/${memory}`],
    [`${memory}/versions/4`, `/v1/memories/${memory}/versions/4`],
    [task, `/v1/tasks/${task}`],
    [`${task}/versions/1`, `/v1/tasks/${task}/versions/1`],
    [`${task}/engagements/${engagement}`, `/v1/tasks/${task}/engagements/${engagement}`],
  ])('%s is opened', async (reference, path) => {
    const { kungfu, seen } = world([{ status: 200, body: { ref: reference } }]);
    expect(await kungfu.open(reference)).toEqual({ ok: true, found: { ref: reference } });
    expect(seen[0]).toMatchObject({ method: 'GET', path });
  });

  it.each(['nothing', '', `${thread}/members/${member}`, `${thread}/entries/7/content`, member])(
    'is not guessed: %j',
    (reference) => {
      const { kungfu } = world([]);
      expect(() => kungfu.open(reference)).toThrow(TypeError);
    },
  );

  it('has a type', async () => {
    const { kungfu } = world([{ status: 200, body: { entry: 7 } }]);
    const entry = await kungfu.open(`${thread}/entries/7` as `thread_${string}/entries/${number}`);
    expect(entry.ok && entry.found.entry).toBe(7);
  });
});

describe('a long text', () => {
  const piece = (offset: number, next: number | null, text: string): Reply => ({
    status: 200,
    body: { ref: 'r', offset, bytes: 6, next, content: { text } },
  });

  it.each([
    [`${thread}/entries/7`, undefined, `/v1/threads/${thread}/entries/7/content`],
    [`${thread}/assignments/2`, undefined, `/v1/threads/${thread}/assignments/2/content`],
    [`${thread}/assignments/2`, 'payload', `/v1/threads/${thread}/assignments/2/payload/content`],
    [memory, undefined, `/v1/memories/${memory}/content`],
    [`${memory}/versions/4`, 'content', `/v1/memories/${memory}/versions/4/content`],
    [`${task}/versions/1`, undefined, `/v1/tasks/${task}/versions/1/content`],
    [`${task}/engagements/${engagement}`, undefined, `/v1/tasks/${task}/engagements/${engagement}/payload/content`],
  ] as const)('[O-7] of %s (%s) is read in pieces', async (reference, part, path) => {
    const { kungfu, seen } = world([piece(0, 3, 'abc'), piece(3, null, 'def')]);
    const text = kungfu.content(reference, { length: 3, ...(part === undefined ? {} : { part }) });
    expect(await text.text()).toEqual({ ok: true, found: 'abcdef' });
    expect(seen.map((request) => request.path)).toEqual([`${path}?offset=0&length=3`, `${path}?offset=3&length=3`]);
  });

  it('[O-7] can be taken piece by piece', async () => {
    const { kungfu } = world([piece(0, 3, 'abc'), piece(3, null, 'def')]);
    const texts: (string | undefined)[] = [];
    for await (const { content } of kungfu.content(memory)) texts.push(content?.text);
    expect(texts).toEqual(['abc', 'def']);
  });

  it('may be unreadable, erased, or refused', async () => {
    const missing = (more: object): Reply => ({ status: 200, body: { ref: 'r', content: null, ...more } });
    const { kungfu } = world([
      missing({ readable: false }),
      missing({ erased: true }),
      refused(404, 'not_found', 'stop'),
      refused(404, 'not_found', 'stop'),
    ]);
    expect(await kungfu.content(memory).text()).toEqual({ ok: true, found: null });
    for await (const one of kungfu.content(memory)) expect(one).toEqual({ ref: 'r', content: null, erased: true });
    expect(await kungfu.content(memory).text()).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
    await expect(kungfu.content(memory)[Symbol.asyncIterator]().next()).rejects.toThrow(Refused);
  });

  it('is not looked for where there is none', () => {
    const { kungfu } = world([]);
    expect(() => kungfu.content(thread)).toThrow(TypeError);
    expect(() => kungfu.content(memory, { part: 'payload' })).toThrow(TypeError);
  });
});

describe('waiting for the turn', () => {
  const tagged = (items: readonly unknown[], etag: string): Reply => ({
    ...page(items, null),
    headers: { etag },
  });

  it('ends at once when there is something', async () => {
    const { kungfu, seen } = world([tagged([{ ref: 'a' }], 'W/"1"')]);
    expect(await kungfu.waitForTurn()).toMatchObject({ ok: true, found: { items: [{ ref: 'a' }], etag: 'W/"1"' } });
    expect(seen.map(({ path }) => path)).toEqual(['/v1/turn']);
  });

  it('goes on while nothing is new, with the tag it has', async () => {
    const { kungfu, seen } = world([
      tagged([], 'W/"0"'),
      { status: 304 },
      'broken',
      tagged([], 'W/"1"'),
      tagged([{ ref: 'a' }], 'W/"2"'),
    ]);
    const turn = await kungfu.waitForTurn({ waitSeconds: 20 });
    expect(turn).toMatchObject({ ok: true, found: { items: [{ ref: 'a' }], etag: 'W/"2"' } });
    expect(seen.map(({ path, headers }) => [path, headers['if-none-match']])).toEqual([
      ['/v1/turn', undefined],
      ['/v1/turn?waitSeconds=20', 'W/"0"'],
      ['/v1/turn?waitSeconds=20', 'W/"0"'],
      ['/v1/turn?waitSeconds=20', 'W/"0"'],
      ['/v1/turn?waitSeconds=20', 'W/"1"'],
    ]);
  });

  it('begins at the turn that the caller has', async () => {
    const { kungfu, seen } = world([{ status: 304 }, tagged([{ ref: 'b' }], 'W/"2"')]);
    await kungfu.waitForTurn({ since: 'W/"1"' });
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual(['W/"1"', 'W/"1"']);
    expect(seen[0]!.path).toBe('/v1/turn?waitSeconds=50');
  });

  it('ends with its signal', async () => {
    const over = new AbortController();
    const { kungfu } = world([tagged([], 'W/"0"'), 'never']);
    const failed = expect(kungfu.waitForTurn({ signal: over.signal })).rejects.toThrow('enough');
    setImmediate(() => over.abort(new Error('enough')));
    await failed;
  });

  it('[L2-3] is refused as a result', async () => {
    const { kungfu } = world([refused(401, 'unauthenticated', 'stop')]);
    expect(await kungfu.waitForTurn()).toMatchObject({ ok: false, refusal: { code: 'unauthenticated' } });
  });

  it('needs tags', async () => {
    const { kungfu } = world([page([], null)]);
    await expect(kungfu.waitForTurn()).rejects.toThrow(StrangeAnswer);
  });

  it('goes for opportunities too', async () => {
    const { kungfu, seen } = world([tagged([{ ref: 'a' }], 'W/"1"')]);
    expect(await kungfu.waitForOpportunities({ limit: 1 })).toMatchObject({ ok: true });
    expect(seen[0]!.path).toBe('/v1/opportunities?limit=1');
  });
});

describe('the administration', () => {
  it('acts and reads with its token', async () => {
    const { fetch, seen } = fakeFetch([
      done('agent.create', member, { secret: 'kfk_1' }),
      done('agent.revoke-key', member),
      { status: 200, body: { agent: member, keys: [] } },
      page([{ ref: member }], null),
    ]);
    const administration = new KungfuAdministration({ url, token: 'token', fetch });
    expect(await administration.agent.create({ labels: ['writer'] })).toMatchObject({ ok: true, secret: 'kfk_1' });
    await administration.agent.revokeKey({ agent: member, key: 'key_1' });
    expect(await administration.agent.get(member)).toMatchObject({ ok: true });
    for await (const { ref } of administration.agents({ status: 'active' })) expect(ref).toBe(member);
    expect(seen.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/admin/v1/agents'],
      ['DELETE', `/admin/v1/agents/${member}/keys/key_1`],
      ['GET', `/admin/v1/agents/${member}`],
      ['GET', '/admin/v1/agents?status=active'],
    ]);
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(Array(4).fill('Bearer token'));
  });
});
