import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actionCatalogue, actionNames, defaultLimits, refusals } from '@kungfu/protocol';
import { type Asked, ada, receiptBytes, TestDoor, thread } from '../testing/test-door.ts';
import { openDoor } from './door.ts';

const test = new TestDoor();
beforeAll(() => test.open());
afterAll(() => test.door.close());
beforeEach(() => {
  test.requests.length = 0;
  test.calls.length = 0;
  test.logged.length = 0;
  test.outcome = async () => ({ kind: 'done', receipt: receiptBytes, replayed: false });
  test.answer = async () => ({ kind: 'found', body: { ok: true } });
});

const entries = `/v1/threads/${thread}/entries`;
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Asked> =>
  test.ask('POST', entries, { body, headers });
const hello = JSON.stringify({ content: { body: 'hello' } });

/** A path with each of its characters percent-encoded in turn, and all of them at once. */
const encodings = (path: string): readonly string[] => {
  const encoded = [...path].map((letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    ...encoded.map((letter, at) => path.slice(0, at) + letter + path.slice(at + 1)).slice(1),
    `/${encoded
      .map((letter, at) => (path[at] === '/' ? '/' : letter))
      .join('')
      .slice(1)}`,
  ];
};

/** Every refusal has this form and nothing more. */
const expectProblem = (asked: Asked, code: keyof typeof refusals, instance: string): void => {
  const { status, title, detail, nextStep } = refusals[code];
  expect(asked.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(asked.headers.get('cache-control')).toBe('no-store');
  expect(asked.status).toBe(status);
  expect(asked.json).toMatchObject({
    type: `urn:kungfu:refusal:${code}`,
    title,
    status,
    detail,
    instance,
    code,
    nextStep,
  });
};

describe('an action over HTTP', () => {
  it('reaches the pipeline in public terms', async () => {
    const asked = await post(hello, { 'idempotency-key': 'k1' });
    expect(test.requests).toEqual([
      { agent: ada, action: 'thread.post', key: 'k1', object: thread, body: { content: { body: 'hello' } } },
    ]);
    expect([asked.status, asked.headers.get('idempotency-key'), asked.headers.get('idempotent-replayed')]).toEqual([
      200,
      'k1',
      null,
    ]);
    expect(asked.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('has a route for every action', async () => {
    const bodies: Record<string, object> = {
      'memory.create': { content: { body: 'B' } },
      'memory.update': { content: { body: 'B' } },
      'thread.join': { secret: 's' },
      'thread.set-role': { role: 'observer' },
      'thread.post': { content: { body: 'B' } },
      'assignment.deliver': { delivery: { content: { payload: 1 } } },
      'assignment.reject': { content: { reason: 'R' } },
      'task.create': { content: { wanted: 'W', criteria: 'C' } },
      'task.revise': { content: { wanted: 'W', criteria: 'C' } },
      'engagement.deliver': { delivery: { content: { payload: 1 } } },
      'engagement.reject': { content: { reason: 'R' } },
    };
    const agents = Object.values(actionCatalogue()).filter(({ door }) => door === 'agents');
    for (const { name, method, path } of agents) {
      const url = path
        .replace('{thread}', thread)
        .replace('{memory}', 'memory_00000000000000000000000001')
        .replace('{member}', ada)
        .replace('{task}', 'task_00000000000000000000000001')
        .replace('{engagement}', 'engagement_00000000000000000000000001')
        .replace(/\{(entry|assignment)\}/, '7');
      const asked = await test.ask(method, url, { body: JSON.stringify(bodies[name] ?? {}) });
      expect([name, asked.status]).toEqual([name, 200]);
    }
    expect(test.requests.map(({ action }) => action)).toEqual(agents.map(({ name }) => name));
    expect(agents).toHaveLength(actionNames.filter((name) => !name.startsWith('agent.')).length);
    expect(test.requests.find(({ action }) => action === 'thread.handle')).toMatchObject({
      object: thread,
      body: { entry: 7 },
    });
    expect(test.requests.find(({ action }) => action === 'thread.set-role')).toMatchObject({
      object: thread,
      body: { member: ada, role: 'observer' },
    });
    expect(test.requests.find(({ action }) => action === 'thread.join')).not.toHaveProperty('object');
  });

  it('[L3-1] hands out the receipt byte for byte, with at most three hints beside it [O-8]', async () => {
    const asked = await post(hello);
    expect(asked.text.startsWith(`{"receipt":${receiptBytes.toString()},`)).toBe(true);
    expect(asked.json.hints.length).toBeLessThanOrEqual(3);
    expect(asked.json).not.toHaveProperty('secret');
  });

  it('[L3-4] hands out a secret with the first success, and says when it is a replay', async () => {
    test.outcome = async () => ({ kind: 'done', receipt: receiptBytes, replayed: false, secret: 's3cret' });
    expect((await test.ask('POST', '/v1/threads')).json.secret).toBe('s3cret');
    test.outcome = async () => ({ kind: 'done', receipt: receiptBytes, replayed: true });
    const replay = await test.ask('POST', '/v1/threads');
    expect([replay.headers.get('idempotent-replayed'), replay.json.secret]).toEqual(['true', undefined]);
  });

  it('takes a key bare or quoted, and makes one when there is none', async () => {
    await post(hello, { 'idempotency-key': '"a.b~c_d-1"' });
    const made = (await post(hello)).headers.get('idempotency-key');
    expect(test.requests.map(({ key }) => key)).toEqual(['a.b~c_d-1', made]);
    expect(made).toMatch(/^[A-Za-z0-9._~-]{1,128}$/);
    await post(hello, { 'idempotency-key': 'k'.repeat(128) });
    expect(test.requests).toHaveLength(3);
  });

  it('refuses a malformed key', async () => {
    for (const key of ['', '""', 'a b', '"a', 'a"', 'ü', 'k'.repeat(129), 'a, b', "'a'"]) {
      const asked = await post(hello, { 'idempotency-key': Buffer.from(key, 'utf8').toString('latin1') });
      expectProblem(asked, 'malformed', entries);
    }
    expect(test.requests).toEqual([]);
  });

  it('takes no body, an empty body and null fields for what they are', async () => {
    expect((await test.ask('POST', `/v1/threads/${thread}/leave`)).status).toBe(200);
    expect((await test.ask('POST', `/v1/threads/${thread}/leave`, { body: '' })).status).toBe(200);
    expect((await test.ask('DELETE', `/v1/threads/${thread}/grant`)).status).toBe(200);
    await test.ask('POST', `/v1/threads/${thread}/grant`, { body: '{"role":null}' });
    expect(test.requests.at(-1)?.body).toEqual({});
  });
});

describe('a refusal over HTTP', () => {
  it('is a problem with its fixed sentences, its next step and the time to wait', async () => {
    test.outcome = async () => ({ kind: 'refused', code: 'rate_limited', retryAfter: 12.2 });
    const asked = await post(hello, { 'idempotency-key': 'k9' });
    expectProblem(asked, 'rate_limited', entries);
    expect([asked.json.retryAfter, asked.headers.get('retry-after'), asked.headers.get('idempotency-key')]).toEqual([
      13,
      '13',
      'k9',
    ]);
    test.outcome = async () => ({ kind: 'refused', code: 'pending' });
    expect((await post(hello)).headers.get('retry-after')).toBe('1');
    test.outcome = async () => ({ kind: 'refused', code: 'last_governor' });
    expect((await post(hello)).headers.get('retry-after')).toBeNull();
  });

  it('carries pointers into the request for a schema miss', async () => {
    const errors = [
      { pointer: '/delivery/content/payload/0', keyword: 'type', detail: 'The value has the wrong type.' },
    ];
    test.outcome = async () => ({ kind: 'refused', code: 'schema_mismatch', errors });
    expect((await post(hello)).json.errors).toEqual(errors);
  });

  it('[C-3] tells nothing of a fault but an id under which it is logged', async () => {
    test.outcome = async () => Promise.reject(new Error('password=hunter2'));
    const asked = await post(hello);
    expectProblem(asked, 'failed', entries);
    expect(asked.text).not.toContain('hunter2');
    expect(test.logged).toEqual([expect.objectContaining({ failure: asked.json.failure, path: entries })]);
  });

  it('says who may ask before anything else', async () => {
    for (const authorization of ['', 'Bearer wrong', 'Basic ada-key', 'Bearer']) {
      const asked = await post('{', { authorization, 'idempotency-key': 'a b' });
      expectProblem(asked, 'unauthenticated', entries);
      expect(asked.headers.get('www-authenticate')).toMatch(/^Bearer realm="kungfu"/);
    }
    expect((await test.ask('GET', '/v1/nothing', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await test.ask('GET', '/v1', { headers: { authorization: 'Bearer wrong' } })).status).toBe(200);
  });

  it('[A-1] [V-14] [C-3] asks who it is however the letters of a path are encoded, at both doors', async () => {
    const administration = await new TestDoor().open('administration');
    try {
      for (const [door, method, path] of [
        [test, 'GET', '/v1/turn'],
        [test, 'POST', '/v1/threads'],
        [administration, 'GET', '/admin/v1/agents'],
        [administration, 'POST', '/admin/v1/agents'],
      ] as const)
        for (const sent of encodings(path)) {
          const asked = await door.ask(method, sent, { headers: { authorization: 'Bearer wrong' } });
          expect([sent, [401, 404]]).toEqual([sent, expect.arrayContaining([asked.status])]);
          expect([door.requests, door.calls]).toEqual([[], []]);
        }
      expect((await test.ask('GET', '/%761/turn')).status).toBe(200);
      expect(test.calls[0]?.agent).toBe(ada);
    } finally {
      await administration.door.close();
    }
  });

  it('refuses bodies that cannot be read', async () => {
    const bodies = [
      '{',
      '{"content":{"body":"a"},"content":{"body":"b"}}',
      '{"__proto__":{"x":1}}',
      '{"content":{"body":"\\ud800"}}',
      '{"replyTo":12345678901234567890}',
      '\ufeff{}',
    ];
    for (const body of bodies) expectProblem(await post(body), 'malformed', entries);
    expectProblem(await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'malformed', entries);
    expectProblem(await post('['.repeat(200_000)), 'malformed', entries);
    expect(test.requests).toEqual([]);
  });

  it('refuses other media types', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/problem+json',
      'multipart/form-data; boundary=x',
    ]) {
      expectProblem(await post(hello, { 'content-type': type }), 'unsupported_media_type', entries);
    }
    expectProblem(await post(hello, { 'content-encoding': 'gzip' }), 'unsupported_media_type', entries);
    expect((await post(hello, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await post(hello, { 'content-type': 'Application/JSON;charset="UTF-8"' })).status).toBe(200);
  });

  it('refuses what is too large: the request, or a text in it', async () => {
    expectProblem(
      await post(`{"content":{"body":"${'x'.repeat(defaultLimits.requestBytesMax)}"}}`),
      'too_large',
      entries,
    );
    const asked = await post(JSON.stringify({ content: { body: 'x'.repeat(defaultLimits.contentBytesMax + 1) } }));
    expectProblem(asked, 'too_large', entries);
    expect(asked.json.errors).toEqual([
      { pointer: '/content/body', keyword: 'maxLength', detail: 'The text is longer than allowed.' },
    ]);
  });

  it('refuses wrong shapes with pointers into the request', async () => {
    const places = async (body: unknown) => {
      const asked = await post(JSON.stringify(body));
      expectProblem(asked, 'invalid', entries);
      return asked.json.errors.map(
        ({ pointer, keyword }: { pointer: string; keyword: string }) => `${pointer} ${keyword}`,
      );
    };
    expect(await places([])).toEqual([' type']);
    expect(await places('text')).toEqual([' type']);
    expect(await places(null)).toEqual([' type']);
    expect(await places({})).toEqual([' oneOf']);
    expect(await places({ content: { body: 'B' }, extra: 1 })).toEqual(['/extra unknown']);
    expect(await places({ content: { body: 'B' }, ask: 'everyone' })).toEqual(['/ask type']);
    expect(test.requests).toEqual([]);
  });

  it('refuses a part in the body that the path names', async () => {
    const asked = await test.ask('POST', `${entries}/7/handle`, { body: '{"entry":8}' });
    expectProblem(asked, 'invalid', `${entries}/7/handle`);
    expect(asked.json.errors).toMatchObject([{ pointer: '/entry', keyword: 'unknown' }]);
  });

  it('[V-14] takes an id that cannot exist for one that does not', async () => {
    for (const path of [
      '/v1/threads/thread_1/leave',
      '/v1/threads/memory_00000000000000000000000001x/leave',
      '/v1/threads/%00/leave',
      `/v1/threads/${thread}%20/leave`,
      `${entries}/0/handle`,
      `${entries}/-1/handle`,
      `${entries}/1.5/handle`,
      `${entries}/99999999999999999999/handle`,
      `${entries}/2147483648/handle`,
      `${entries}/x/retract`,
    ]) {
      expectProblem(await test.ask('POST', path, { body: '{}' }), 'not_found', path);
    }
    expectProblem(
      await test.ask('DELETE', `/v1/threads/${thread}/members/bob`),
      'not_found',
      `/v1/threads/${thread}/members/bob`,
    );
    expect(test.requests).toEqual([]);
  });

  it('knows no other routes and no other methods', async () => {
    expectProblem(await test.ask('GET', '/v2'), 'not_found', '/v2');
    expectProblem(await test.ask('POST', '/v1/threads/', { body: '{}' }), 'not_found', '/v1/threads/');
    expectProblem(
      await test.ask('GET', '/admin/v1/agents', { headers: { authorization: 'Bearer ada-key' } }),
      'not_found',
      '/admin/v1/agents',
    );
    const put = await test.ask('PUT', entries, { body: hello });
    expectProblem(put, 'method_not_allowed', entries);
    expect(put.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await test.ask('PATCH', '/v1/join', { body: hello })).headers.get('allow')).toBe('POST');
    expect((await test.ask('OPTIONS', `/v1/threads/${thread}/grant`)).headers.get('allow')).toBe('DELETE, POST');
    expectProblem(await test.ask('GET', '/v1/threads/%zz'), 'malformed', '/v1/threads/%zz');
  });

  it('answers what is no HTTP in the same form', async () => {
    const raw = await new Promise<string>((resolve, reject) => {
      const socket = connect(test.door.port, '127.0.0.1', () => socket.end('nonsense\r\n\r\n'));
      let text = '';
      socket.on('data', (data) => {
        text += data.toString();
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(raw).toContain('HTTP/1.1 400 Bad Request');
    expect(raw).toContain('"code":"malformed"');
  });
});

describe('a read over HTTP', () => {
  it('reaches the reads with its query checked', async () => {
    const asked = await test.ask('GET', `/v1/threads/${thread}/entries?limit=5&order=newest`);
    expect([asked.status, asked.json, asked.headers.get('cache-control')]).toEqual([200, { ok: true }, 'no-store']);
    expect(test.calls).toMatchObject([
      { agent: ada, read: 'thread.entries', path: { thread }, query: { limit: 5, order: 'newest' } },
    ]);
  });

  it('refuses queries of another shape', async () => {
    const places = async (query: string) => {
      const asked = await test.ask('GET', `/v1/turn?${query}`);
      expectProblem(asked, 'invalid', '/v1/turn');
      return asked.json.errors.map(
        ({ pointer, keyword }: { pointer: string; keyword: string }) => `${pointer} ${keyword}`,
      );
    };
    expect(await places('limit=0')).toEqual(['/limit minimum']);
    expect(await places('limit=101')).toEqual(['/limit maximum']);
    expect(await places('limit=-1')).toEqual(['/limit format']);
    expect(await places('limit=1e1')).toEqual(['/limit format']);
    expect(await places('limit=')).toEqual(['/limit format']);
    expect(await places('limit=1&limit=2')).toEqual(['/limit type']);
    expect(await places('waitSeconds=51')).toEqual(['/waitSeconds maximum']);
    expect(await places('nonsense=1')).toEqual(['/nonsense unknown']);
    expect(await places('__proto__=1')).toEqual(['/__proto__ unknown']);
    expect(await places('cursor=')).toEqual(['/cursor minLength']);
    expect(test.calls).toEqual([]);
  });

  it('passes on what the caller has, and says when nothing is newer', async () => {
    test.answer = async ({ ifNoneMatch }) => ({ kind: 'unchanged', etag: ifNoneMatch ?? '' });
    const asked = await test.ask('GET', '/v1/turn?waitSeconds=1', { headers: { 'if-none-match': 'W/"x"' } });
    expect([asked.status, asked.headers.get('etag'), asked.text]).toEqual([304, 'W/"x"', '']);
  });

  it('answers a refusal as a problem, a fault as failed', async () => {
    test.answer = async () => ({ kind: 'refused', code: 'invalid_cursor' });
    expectProblem(await test.ask('GET', '/v1/turn?cursor=x'), 'invalid_cursor', '/v1/turn');
    test.answer = () => Promise.reject(new Error('relation does not exist'));
    const asked = await test.ask('GET', '/v1/turn');
    expectProblem(asked, 'failed', '/v1/turn');
    expect(asked.text).not.toContain('relation');
  });

  it('answers HEAD without a body', async () => {
    const asked = await test.ask('HEAD', '/v1/me');
    expect([asked.status, asked.text]).toEqual([200, '']);
  });
});

describe('a door', () => {
  it('says clearly that its port is taken', async () => {
    const second = new TestDoor();
    await second.open();
    const { port } = second.door;
    const options = {
      host: '127.0.0.1',
      port,
      routes: { actions: [], reads: [] },
      requestBytesMax: 1,
      logger: { error: () => {}, warn: () => {}, info: () => {} },
    };
    const nobody = {
      authenticate: () => Promise.reject(new Error()),
      execute: () => Promise.reject(new Error()),
      answer: () => Promise.reject(new Error()),
    };
    await expect(openDoor({ ...options, authentication: nobody, pipeline: nobody, reads: nobody })).rejects.toThrow(
      `127.0.0.1:${port} is in use`,
    );
    await second.door.close();
  });

  it('finishes what is in flight when it closes, and takes no more', async () => {
    const closing = new TestDoor();
    await closing.open();
    let finish: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => {
      closing.outcome = () =>
        new Promise((answer) => {
          finish = () => answer({ kind: 'done', receipt: receiptBytes, replayed: false });
          resolve();
        });
    });
    const asked = closing.ask('POST', entries, { body: hello });
    await reached;
    const closed = closing.door.close();
    finish?.();
    expect((await asked).status).toBe(200);
    await closed;
    await expect(closing.ask('GET', '/v1')).rejects.toThrow();
  });
});
