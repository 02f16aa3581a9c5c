import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '@kungfu/protocol';
import { type Answer, type Client, makeAgent, type System, startStandalone, type TestAgent } from './index.ts';
import { malformed, misshapen } from './requests/bad-bodies.ts';
import { oddPaths, onMemory, onThread, readsOf } from './requests/missing.ts';
import { expectRefused } from './requests/refused.ts';
import { Dice } from './storm/dice.ts';
import { loggedErrors } from './truth/output.ts';

const startMsMax = 120_000;
const jsonType = { 'content-type': 'application/json' };
/** Ids of the right form that nobody has. */
const nobodys = { thread: 'thread_01jd0000000000000000000000', memory: 'memory_01jd0000000000000000000000' };

describe('bad input', () => {
  let system: System;
  let ada: TestAgent;
  let eve: TestAgent;
  let thread: string;
  let memory: string;

  beforeAll(async () => {
    system = await startStandalone({ rateLimits: true });
    ada = await makeAgent(system);
    eve = await makeAgent(system);
    thread = (await ada.client.act('thread.create', undefined, { content: { title: 'Ours' }, grant: {} })).receipt
      .object;
    memory = (await ada.client.act('memory.create', undefined, { content: { body: 'Mine.' } })).receipt.object;
    const assign = { to: ada.id as `agent_${string}`, content: { wanted: 'w', criteria: 'c' } };
    await ada.client.act('thread.post', thread, { content: { body: 'First.' }, assign });
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  const post = (
    client: Client,
    path: string,
    body: string | Buffer,
    headers: Record<string, string> = jsonType,
  ): Promise<Answer> => client.send('POST', path, { body, headers });

  it('is refused as malformed where it cannot be read as one meaning', async () => {
    for (const { what, body, code } of malformed) {
      const answer = await post(ada.client, '/v1/memories', body);
      expect({ what, status: answer.status, code: answer.json?.code }).toEqual({ what, status: 400, code });
      expectRefused(answer, code);
    }
  });

  it('is refused with the places that do not fit', async () => {
    for (const { what, body, code, errors } of misshapen) {
      const answer = await post(ada.client, '/v1/memories', body);
      expect({ what, code: answer.json?.code }).toEqual({ what, code });
      expectRefused(answer, code, errors);
    }
  });

  it('is refused by media type, key and method', async () => {
    const body = JSON.stringify({ content: { body: 'x' } });
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json; charset=iso-8859-1',
    ]) {
      expectRefused(await post(ada.client, '/v1/memories', body, { 'content-type': type }), 'unsupported_media_type');
    }
    for (const key of ['a b', 'a/b', '"half', '""', 'x'.repeat(129)]) {
      expectRefused(await post(ada.client, '/v1/memories', body, { ...jsonType, 'idempotency-key': key }), 'malformed');
    }
    const wrongMethod = await ada.client.send('PATCH', '/v1/memories', { body, headers: jsonType });
    expectRefused(wrongMethod, 'method_not_allowed');
    expect(String(wrongMethod.headers['allow']).split(', ').sort()).toEqual(expect.arrayContaining(['GET', 'POST']));
  });

  it('[L3-2] is refused when a key is used for something else, another object included', async () => {
    const key = randomUUID();
    const first = await ada.client.act('memory.create', undefined, { content: { body: 'One.' } }, key);
    expectRefused(
      await ada.client.attempt('memory.create', undefined, { content: { body: 'Two.' } }, key),
      'idempotency_conflict',
    );
    expectRefused(
      await ada.client.attempt('memory.create', undefined, { content: { title: '', body: 'One.' } as never }, key),
      'invalid',
    );
    const again = await ada.client.act('memory.create', undefined, { content: { body: 'One.' } }, key);
    expect(again).toMatchObject({ receiptText: first.receiptText, replayed: true });
    const bare = await post(ada.client, '/v1/memories', JSON.stringify({ content: { body: 'One.' } }), {
      ...jsonType,
      'idempotency-key': `"${key}"`,
    });
    expect(bare.json.receipt).toEqual(first.receipt);
  });

  it('is refused where a query does not fit', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1e1',
      'limit=-1',
      'colour=red',
      'waitSeconds=51',
      'limit=1&limit=2',
    ]) {
      expectRefused(await ada.client.get(`/v1/turn?${query}`), 'invalid');
    }
  });

  it('is refused where a cursor was not handed out for this', async () => {
    for (let n = 0; n < 3; n++) await ada.client.act('memory.create', undefined, { content: { body: `Note ${n}` } });
    const { cursor } = await ada.client.read('/v1/memories?mine=true&limit=1');
    expect(typeof cursor).toBe('string');
    const encoded = encodeURIComponent(cursor);
    const half = encodeURIComponent(String(cursor).slice(0, -4));
    expect((await ada.client.get(`/v1/memories?mine=true&limit=1&cursor=${encoded}`)).status).toBe(200);
    for (const path of [
      `/v1/memories?mine=true&limit=1&cursor=${half}`,
      '/v1/turn?cursor=x',
      '/v1/turn?cursor=e30',
      `/v1/turn?cursor=${encoded}`,
      `/v1/memories?cursor=${encoded}`,
    ]) {
      expectRefused(await ada.client.get(path), 'invalid_cursor');
    }
    expectRefused(await eve.client.get(`/v1/memories?mine=true&limit=1&cursor=${encoded}`), 'invalid_cursor');
  });

  it('[A-1] is refused without a key, with an unknown, a revoked and a key of the other door', async () => {
    const { receipt, secret } = await system.administration.settled('agent.issue-key', eve.id, {});
    const second = system.anyone.as(secret);
    expect((await second.get('/v1/me')).json).toMatchObject({ agent: eve.id });
    await system.administration.settled('agent.revoke-key', eve.id, { key: receipt.key as `key_${string}` });
    const answers = await Promise.all(
      [second, system.anyone, system.anyone.as('x'), system.anyone.as(`${eve.secret}x`)].map((client) =>
        client.get('/v1/turn'),
      ),
    );
    for (const answer of answers) {
      expectRefused(answer, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(answer.text).toBe(answers[0]!.text);
    }
    expectRefused(await system.administration.as(eve.secret).get('/admin/v1/agents'), 'unauthenticated');
    expectRefused(await system.administration.as(undefined).get('/admin/v1/agents'), 'unauthenticated');
    expect((await system.anyone.as(eve.secret).get('/admin/v1/agents')).status).toBe(404);
    expect((await eve.client.get('/v1/me')).status).toBe(200);
  });

  it('[V-14] answers the same for what is missing and what may not be known', async () => {
    const theirs = readsOf(thread, memory);
    const none = readsOf(nobodys.thread, nobodys.memory);
    for (const [index, path] of theirs.entries()) {
      const [unreadable, missing] = await Promise.all([eve.client.get(path), eve.client.get(none[index]!)]);
      expectRefused(unreadable, 'not_found');
      expectSame(unreadable, missing);
    }
    for (const [name, input] of onThread(ada.id as `agent_${string}`))
      await expectSameAction(name, thread, nobodys.thread, input);
    for (const [name, input] of onMemory) await expectSameAction(name, memory, nobodys.memory, input);
  });

  const expectSameAction = async (name: ActionName, theirs: string, none: string, input: object): Promise<void> => {
    const key = randomUUID();
    const unreadable = await eve.client.attempt(name, theirs, input as never, `a${key}`);
    const missing = await eve.client.attempt(name, none, input as never, `b${key}`);
    expectRefused(unreadable, 'not_found');
    expectSame(unreadable, missing);
  };

  /** The same bytes but for the ids, the key and the time. */
  const expectSame = (one: Answer, other: Answer): void => {
    const plain = ({ status, text, headers }: Answer) => {
      const { date: _, 'idempotency-key': __, ...rest } = headers;
      return {
        status,
        headers: rest,
        text: text.replaceAll(thread, nobodys.thread).replaceAll(memory, nobodys.memory),
      };
    };
    expect(plain(one)).toEqual(plain(other));
  };

  it('[V-14] tells an unusable reference of a stranger like one to nothing', async () => {
    const own = (await eve.client.act('thread.create', undefined, {})).receipt.object;
    for (const reference of [memory, nobodys.memory, `${memory}/versions/1`, `${nobodys.memory}/versions/1`]) {
      expectRefused(await eve.client.attempt('thread.post', own, { memory: reference }), 'invalid_target');
    }
  });

  it('names nothing by an odd path', async () => {
    for (const path of oddPaths(thread)) {
      const answer = await ada.client.get(path);
      expect({ path: path.slice(0, 100), status: answer.status }).toEqual({ path: path.slice(0, 100), status: 404 });
      expectRefused(answer, 'not_found');
    }
  });

  it('is refused where the target does not fit', async () => {
    const content = { body: 'x' };
    const stranger = eve.id as `agent_${string}`;
    const to = (agent: `agent_${string}`) => ({ to: agent, content: { wanted: 'w', criteria: 'c' } });
    for (const input of [
      { content, ask: [stranger] },
      { content, ask: [ada.id as `agent_${string}`] },
      { content, replyTo: 99 },
      { content, replyTo: `${nobodys.thread}/entries/1` },
      { content, assign: to(stranger) },
      { content, assign: { ...to(ada.id as `agent_${string}`), redoes: 99 } },
    ]) {
      expectRefused(await ada.client.attempt('thread.post', thread, input), 'invalid_target');
    }
  });

  it('refuses output structures that cannot be checked in bounded time, and what is no schema', async () => {
    const post = (outputSchema: unknown) =>
      ada.client.attempt('thread.post', thread, {
        content: { body: 'x' },
        ask: [],
        assign: { to: ada.id as `agent_${string}`, content: { wanted: 'w', criteria: 'c', outputSchema } },
      });
    for (const schema of [
      { type: 'nonsense' },
      { pattern: '(a+)+$' },
      { pattern: '(' },
      { $ref: 'http://example.com/schema' },
      { $ref: '#' },
      { $ref: '#/%' },
      { required: 5 },
      { enum: 5 },
      { properties: [] },
      5,
      'x',
      [],
    ]) {
      const answer = await post(schema);
      expect({ schema, code: answer.json?.code }).toEqual({ schema, code: 'invalid' });
    }
  });

  it('keeps every text as it was written', async () => {
    const body = 'nul \u0000, quote ", backslash \\, line\r\nbreak, \u2028, emoji 👩‍👩‍👧, <script>, {"content":{}}, Ω';
    const { receipt } = await ada.client.act('memory.create', undefined, { content: { title: '\u0000', body } });
    expect((await ada.client.read(`/v1/memories/${receipt.object}`)).content).toEqual({ title: '\u0000', body });
  });

  it('never answers 500, whatever the bodies', async () => {
    const dice = new Dice(7);
    const mallory = await makeAgent(system);
    for (const [name, input] of [...onThread(mallory.id as `agent_${string}`), ...onMemory]) {
      for (let n = 0; n < 8; n++) {
        const on = name.startsWith('memory.') ? memory : thread;
        const answer = await mallory.client.attempt(name, on, spoil(input, dice) as never);
        expect({
          name,
          text: answer.text.slice(0, 500),
          broken: answer.status >= 500 || answer.status < 400,
        }).toMatchObject({ name, broken: false });
      }
    }
  });

  it('[T-7] refuses every secret that admits to nothing alike, and bounds the tries', async () => {
    const mallory = await makeAgent(system);
    const { secret: old } = await ada.client.act('thread.grant', thread, {});
    await ada.client.act('thread.revoke-grant', thread, {});
    const answers: Answer[] = [];
    for (let n = 0; n < 20; n++)
      answers.push(
        await mallory.client.attempt('thread.join', undefined, { secret: n % 2 === 0 ? String(old) : `unknown-${n}` }),
      );
    for (const answer of answers) expectRefused(answer, 'grant_invalid');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const limited = await mallory.client.attempt('thread.join', undefined, { secret: 'one-too-many' });
    expectRefused(limited, 'rate_limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('logs no error in all of this', async () => {
    expect(await loggedErrors(system)).toEqual([]);
  });
});

const junk: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  '',
  'x',
  [],
  [[]],
  {},
  { a: 1 },
  '\u0000',
  'x'.repeat(3_000),
  2_147_483_648,
];

/** The input with one field, somewhere in it, replaced or added. */
const spoil = (input: object, dice: Dice): object => {
  const names = Object.keys(input);
  const name = names.length > 0 && dice.chance(0.8) ? dice.pick(names) : 'extra';
  const value = (input as Record<string, unknown>)[name];
  const inner = typeof value === 'object' && value !== null && !Array.isArray(value) && dice.chance(0.6);
  return { ...input, [name]: inner ? spoil(value as object, dice) : dice.pick(junk) };
};
