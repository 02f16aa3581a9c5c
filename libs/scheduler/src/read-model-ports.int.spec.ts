import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate } from '@kungfu/read-model';
import pg from 'pg';
import { PostgresAccountWalks } from './account-walks.ts';
import { PostgresDueDeadlines } from './due-deadlines.ts';
import { PostgresGenerations } from './generations.ts';
import { PostgresUnseenWalks } from './unseen-walks.ts';

let pool: pg.Pool;
beforeAll(async () => {
  const url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pool = await testPool(url, 2);
  // The server may be stopped before the last sockets have closed.
  pool.on('error', () => {});
}, 60_000);
afterAll(async () => {
  await pool.end();
  await stopTestDatabases();
});

describe('what the read model says', () => {
  it('[L4-3] of due deadlines: open ones, in order, page by page', async () => {
    const now = Date.UTC(2030, 0, 1, 12);
    const row = (object: string, part: number, what: string, dueMs: number, ended: boolean) =>
      pool.query('insert into read.deadline values ($1, $2, $3, $4, $5, $6)', [
        'thread',
        object,
        part,
        what,
        new Date(now + dueMs).toISOString(),
        ended ? new Date(now).toISOString() : null,
      ]);
    await row('thread_b', 1, 'deliver', -1, false);
    await row('thread_a', 1, 'judge', -1, false);
    await row('thread_a', 2, 'judge', -1, false);
    await row('thread_c', 1, 'deliver', -5_000, true);
    await row('thread_d', 1, 'deliver', 0, false);
    await row('thread_e', 1, 'deliver', 1, false);
    const deadlines = new PostgresDueDeadlines(pool);
    const first = await deadlines.due({ now, after: undefined, limit: 2 });
    expect(first).toEqual([
      { kind: 'thread', object: 'thread_a', dueAt: now - 1 },
      { kind: 'thread', object: 'thread_b', dueAt: now - 1 },
    ]);
    expect(await deadlines.due({ now, after: first[1], limit: 2 })).toEqual([
      { kind: 'thread', object: 'thread_d', dueAt: now },
    ]);
  });

  it('[A-4] of account walks: those under way, with the partitions that miss them', async () => {
    const account = (id: string, status: string, walk: number) =>
      pool.query(`insert into read.agent values ($1, $2, $3, '{}', '2030-01-01', 1)`, [id, status, walk]);
    const listed = (agent: string, walk: number, kind: string, partition: number) =>
      pool.query(`insert into read.walk values ($1, $2, 'deactivate', $3, $4)`, [agent, walk, kind, partition]);
    const applied = (agent: string, walk: number, kind: string, partition: number) =>
      pool.query('insert into read.walk_applied values ($1, $2, $3, $4)', [agent, walk, kind, partition]);
    await account('agent_1', 'active', 2);
    await account('agent_2', 'deactivating', 3);
    await account('agent_3', 'activating', 1);
    await listed('agent_2', 3, 'thread', 1);
    await listed('agent_2', 3, 'thread', 0);
    await listed('agent_2', 3, 'memory', 0);
    await applied('agent_2', 3, 'thread', 0);
    // Of a walk before.
    await applied('agent_2', 2, 'thread', 1);
    await listed('agent_3', 1, 'memory', 0);
    await applied('agent_3', 1, 'memory', 0);
    const walks = new PostgresAccountWalks(pool);
    const all = await walks.underWay({ after: '', limit: 10 });
    expect(all).toEqual([
      {
        agent: 'agent_2',
        walk: 3,
        change: 'deactivate',
        missing: [
          { kind: 'memory', partition: 0 },
          { kind: 'thread', partition: 1 },
        ],
      },
      { agent: 'agent_3', walk: 1, change: 'activate', missing: [] },
    ]);
    expect(await walks.underWay({ after: 'agent_2', limit: 10 })).toEqual(all.slice(1));
  });

  it('[A-4] of walks that are over: the partitions that never saw them, page by page; nothing while a generation is raised', async () => {
    const account = (id: string, status: string, walk: number) =>
      pool.query(`insert into read.agent values ($1, $2, $3, '{}', '2030-01-01', 1)`, [id, status, walk]);
    const applied = (agent: string, walk: number, kind: string, partition: number) =>
      pool.query('insert into read.walk_applied values ($1, $2, $3, $4)', [agent, walk, kind, partition]);
    await account('agent_b1', 'deactivated', 1);
    await account('agent_b2', 'active', 2);
    await account('agent_b3', 'active', 0);
    await account('agent_b4', 'deactivating', 1);
    await account('agent_b5', 'deactivated', 3);
    for (const partition of [0, 1]) {
      await applied('agent_b1', 1, 'thread', partition);
      await applied('agent_b2', 2, 'thread', partition);
      await applied('agent_b5', 3, 'thread', partition);
      await applied('agent_b5', 3, 'task', partition);
    }
    // Of a walk before: it does not count.
    await applied('agent_b2', 1, 'task', 0);
    await applied('agent_b2', 2, 'task', 1);
    const partitions = (['thread', 'task'] as const).flatMap((kind) =>
      [0, 1].map((partition) => ({ kind, partition })),
    );
    const walks = new PostgresUnseenWalks(pool);
    const all = await walks.over({ partitions, after: 'agent_b', limit: 10 });
    expect(all).toEqual([
      {
        agent: 'agent_b1',
        walk: 1,
        change: 'deactivate',
        missing: [
          { kind: 'task', partition: 0 },
          { kind: 'task', partition: 1 },
        ],
      },
      { agent: 'agent_b2', walk: 2, change: 'activate', missing: [{ kind: 'task', partition: 0 }] },
    ]);
    expect(await walks.over({ partitions, after: 'agent_b', limit: 1 })).toEqual(all.slice(0, 1));
    expect(await walks.over({ partitions, after: 'agent_b1', limit: 1 })).toEqual(all.slice(1));
    await pool.query('update gateway.generation set fenced = true');
    expect(await walks.over({ partitions, after: 'agent_b', limit: 10 })).toEqual([]);
    await pool.query('update gateway.generation set fenced = false');
  });

  it('[L1-1] of a raised generation: the partitions that have passed its fence', async () => {
    const generations = new PostgresGenerations(pool);
    expect(await generations.raised()).toBeUndefined();
    await pool.query('update gateway.generation set generation = 2, fenced = true');
    const position = (topic: string, generation: number) =>
      pool.query(`insert into read.position values ($1, 1, 5, 'e', 1, '2030-01-01', 3, $2)`, [topic, generation]);
    await position('kungfu.facts.thread', 2);
    await position('kungfu.facts.memory', 1);
    await position('kungfu.content', 2);
    expect(await generations.raised()).toEqual({ generation: 2, passed: [{ kind: 'thread', partition: 1 }] });
    await generations.lower(1);
    expect(await generations.raised()).toBeDefined();
    await generations.lower(2);
    expect(await generations.raised()).toBeUndefined();
  });
});
