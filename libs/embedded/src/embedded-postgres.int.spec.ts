import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataFolderInUse, type Embedded, startEmbeddedPostgres, stopTestDatabases, testDatabase } from './index.ts';

const ask = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('embedded PostgreSQL', () => {
  let directory: string;
  let running: Embedded | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kungfu-embedded-'));
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    rmSync(directory, { recursive: true, force: true });
  });

  it('keeps its data over a stop and over kill -9', async () => {
    const first = await startEmbeddedPostgres({ directory });
    expect(first.fresh).toBe(true);
    await ask(first.url, 'create table kept as select 1 as n');
    await first.stop();
    const second = await startEmbeddedPostgres({ directory });
    expect(second.fresh).toBe(false);
    await ask(second.url, 'insert into kept values (2)');
    await second.kill();
    running = await startEmbeddedPostgres({ directory });
    expect(await ask(running.url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  }, 60_000);

  it('is reached over a socket in its folder, where the path is short and plain', async () => {
    running = await startEmbeddedPostgres({ directory, volatile: true });
    const where = 'select inet_server_addr() is null as socket, current_database() as name';
    expect(await ask(running.localUrl, where)).toEqual([{ socket: true, name: 'kungfu' }]);
    expect(await ask(running.url, where)).toEqual([{ socket: false, name: 'kungfu' }]);
    await running.stop();
    const far = join(directory, 'a folder, with a path that is too long for a socket'.repeat(2));
    mkdirSync(far);
    running = await startEmbeddedPostgres({ directory: far, volatile: true });
    expect(running.localUrl).toBe(running.url);
    expect(await ask(running.localUrl, where)).toEqual([{ socket: false, name: 'kungfu' }]);
  }, 60_000);

  it('refuses a folder that a living process holds', async () => {
    running = await startEmbeddedPostgres({ directory, volatile: true });
    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow(DataFolderInUse);
  }, 60_000);

  it('takes over the folder, and the server left in it, from a process that is gone', async () => {
    const first = await startEmbeddedPostgres({ directory, volatile: true });
    await ask(first.url, 'create table kept as select 7 as n');
    // The lock as a process leaves it that was killed while its server went on.
    const { pid } = spawnSync('true');
    writeFileSync(join(directory, 'kungfu.lock'), `${pid} 1\n`);
    running = await startEmbeddedPostgres({ directory, volatile: true });
    expect(running.pid).not.toBe(first.pid);
    expect(await ask(running.url, 'select n from kept')).toEqual([{ n: 7 }]);
  }, 60_000);

  it('begins anew after a first start that was killed, in a folder that only this user may enter', async () => {
    const inner = join(directory, 'data');
    mkdirSync(join(inner, 'postgres.new'), { recursive: true });
    writeFileSync(join(inner, 'postgres.new', 'PG_VERSION'), '18\n');
    chmodSync(directory, 0o700);
    running = await startEmbeddedPostgres({ directory: inner, volatile: true });
    expect(running.fresh).toBe(true);
    expect(await ask(running.url, 'select current_database() as name')).toEqual([{ name: 'kungfu' }]);
    expect(existsSync(join(inner, 'postgres.new'))).toBe(false);
    expect(existsSync(join(inner, 'password.new'))).toBe(false);
  }, 60_000);

  it('gives each spec an empty database of its own', async () => {
    const [one, two] = [await testDatabase(), await testDatabase()];
    await ask(one, 'create table mine (n int)');
    expect(await ask(two, "select count(*)::int as n from pg_tables where tablename = 'mine'")).toEqual([{ n: 0 }]);
    await stopTestDatabases();
  }, 60_000);
});
