import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Embedded, startEmbeddedPostgres } from './embedded-postgres.ts';

let server: Promise<Embedded> | undefined;
let directory: string | undefined;
let databases = 0;
let stopping = false;
const pools = new Set<pg.Pool>();

/** For specs: the address of a new, empty database, on one temporary server a test process. */
export const testDatabase = async (): Promise<string> => {
  directory ??= mkdtempSync(join(tmpdir(), 'kungfu-test-'));
  server ??= startEmbeddedPostgres({ directory, volatile: true });
  stopping = false;
  databases += 1;
  return (await server).createDatabase(`test_${databases}`);
};

/** A pool on such a database, or on a new one; stopTestDatabases ends it. */
export const testPool = async (url?: string, max = 10): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: url ?? (await testDatabase()), max });
  // The server is stopped while connections are still closing; at any other time an error is one.
  pool.on('error', (error) => {
    if (!stopping) throw error;
  });
  pools.add(pool);
  return pool;
};

/** Ends the pools, stops the server and removes its folder; call it in afterAll. */
export const stopTestDatabases = async (): Promise<void> => {
  stopping = true;
  await Promise.all([...pools].filter((pool) => !pool.ended).map((pool) => pool.end()));
  pools.clear();
  const running = await server;
  server = undefined;
  await running?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  directory = undefined;
};
