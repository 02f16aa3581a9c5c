import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbeddedPostgres } from './embedded-postgres.ts';

let server: Promise<Embedded> | undefined;
let directory: string | undefined;
let databases = 0;

/** For specs: the address of a new, empty database, on one temporary server a test process. */
export const testDatabase = async (): Promise<string> => {
  directory ??= mkdtempSync(join(tmpdir(), 'kungfu-test-'));
  server ??= startEmbeddedPostgres({ directory, volatile: true });
  databases += 1;
  return (await server).createDatabase(`test_${databases}`);
};

/** Stops the server of testDatabase and removes its folder; call it in afterAll. */
export const stopTestDatabases = async (): Promise<void> => {
  const running = await server;
  server = undefined;
  await running?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  directory = undefined;
};
