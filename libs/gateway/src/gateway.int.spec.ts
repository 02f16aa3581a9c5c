import { connect } from 'node:net';
import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryLog } from '@kungfu/log-in-memory';
import type { Timers } from '@kungfu/log-port';
import { defaultLimits } from '@kungfu/protocol';
import { createDataSource, migrate } from '@kungfu/read-model';
import pg from 'pg';
import { Gateway } from './gateway.ts';

const token = 'administration-token';
const silent = { error: () => {}, warn: () => {}, info: () => {} };
const timers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

let url: string;
let pool: pg.Pool;
let gateway: Gateway;
const make = (port: number, more: object = {}): Gateway =>
  new Gateway(
    {
      log: {} as InMemoryLog,
      pool,
      timers,
      clock: { now: Date.now },
      random: { next: () => 0.5, hex: (bytes) => 'ab'.repeat(bytes) },
      logger: silent,
    },
    {
      KUNGFU_HOST: '127.0.0.1',
      KUNGFU_PORT: port,
      KUNGFU_ADMIN_HOST: '127.0.0.1',
      KUNGFU_ADMIN_PORT: 0,
      KUNGFU_ADMIN_TOKEN: token,
      KUNGFU_RATE_LIMITS: true,
      KUNGFU_AKEP: false,
      KUNGFU_CORS_ORIGINS: ['https://app.example'],
      KUNGFU_OIDC_AUDIENCE: 'kungfu',
      KUNGFU_OIDC_AGENT_CLAIM: 'kungfu_agent',
      limits: defaultLimits,
      ...more,
    },
  );

beforeAll(async () => {
  url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pool = await testPool(url);
  gateway = make(0);
  await gateway.start();
});
afterAll(async () => {
  await gateway.stop();
  const removed = new Promise<void>((resolve) => {
    let left = pool.totalCount;
    if (left === 0) resolve();
    pool.on('remove', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  await pool.end();
  await removed;
  await stopTestDatabases();
});

describe('a page in a browser', () => {
  const preflight = (path: string, origin: string, base = gateway.url) =>
    fetch(`${base}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
  const ask = (path: string, origin: string, method = 'GET') =>
    fetch(`${gateway.url}${path}`, { method, headers: { origin, authorization: 'Bearer kfk_none' } });
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

  it('of a known origin may ask, and sees what a client needs, whatever the answer is', async () => {
    for (const path of ['/v1/threads/t/entries', '/mcp', '/v1/turn']) {
      const answer = await preflight(path, 'https://app.example');
      expect([path, answer.status, allowed(answer)]).toEqual([path, 204, 'https://app.example']);
      expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    }
    const refused = await ask('/v1/turn', 'https://app.example');
    expect([refused.status, allowed(refused)]).toEqual([401, 'https://app.example']);
    expect(refused.headers.get('access-control-expose-headers')).toContain('etag');
  });

  it('of another origin is told nothing, and the administration is for no page at all', async () => {
    expect(allowed(await preflight('/v1/turn', 'https://evil.example'))).toBeNull();
    expect(allowed(await ask('/v1/turn', 'https://evil.example'))).toBeNull();
    const administration = await preflight('/admin/v1/agents', 'https://app.example', gateway.adminUrl);
    expect([administration.status, allowed(administration)]).toEqual([401, null]);
  });
});

describe('the gateway', () => {
  it('has a door for agents and one for the administration, each with its own keys', async () => {
    const status = async (base: string | undefined, path: string, key = token) =>
      (await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status(gateway.url, '/v1')).toBe(200);
    expect(await status(gateway.url, '/v1/me')).toBe(401);
    expect(await status(gateway.url, '/admin/v1/agents')).toBe(401);
    expect(await status(gateway.adminUrl, '/admin/v1/agents')).toBe(200);
    expect(await status(gateway.adminUrl, '/admin/v1/agents', 'wrong')).toBe(401);
    expect(await status(gateway.adminUrl, '/v1/me')).toBe(404);
    expect(await status(gateway.url, '/v1/me', 'wrong')).toBe(401);
    expect(await status(gateway.adminUrl, '/v1')).toBe(404);
    expect(await status(gateway.adminUrl, '/admin/v1/agents/agent_00000000000000000000000001')).toBe(404);
  });

  it('serves its document and a page for people, all of it from here', async () => {
    const document = await (await fetch(`${gateway.url}/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: '3.1.0', paths: { '/v1/turn': { get: { operationId: 'turn.list' } } } });
    const text = await fetch(`${gateway.url}/llms.txt`);
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await text.text()).toContain('GET /v1/turn');
    const page = await fetch(`${gateway.url}/docs`);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect(asset).not.toMatch(/^(https?:)?\/\//);
      expect([asset, (await fetch(new URL(asset, `${gateway.url}/docs`))).status]).toEqual([asset, 200]);
    }
  });

  it('does not start on a port that is in use, and leaves nothing behind', async () => {
    const { port } = new URL(gateway.url!);
    const second = make(Number(port));
    await expect(second.start()).rejects.toMatchObject({
      name: 'Complaint',
      message: expect.stringContaining(`127.0.0.1:${port} is in use`),
    });
    const adminTaken = make(0, { KUNGFU_ADMIN_PORT: Number(port) });
    await expect(adminTaken.start()).rejects.toMatchObject({ name: 'Complaint' });
    expect([second.url, adminTaken.url]).toEqual([undefined, undefined]);
  });

  it('has no administration without a token for it', async () => {
    const alone = make(0, { KUNGFU_ADMIN_TOKEN: undefined, KUNGFU_RATE_LIMITS: false });
    await alone.start();
    expect([alone.url, alone.adminUrl]).toEqual([expect.any(String), undefined]);
    await alone.stop();
  });

  it('stops with connections open that ask for nothing', async () => {
    const alone = make(0);
    await alone.start();
    const socket = connect(Number(new URL(alone.url!).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await alone.stop();
    await closed;
  });
});
