import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbeddedPostgres } from '@kungfu/embedded';
import { logContract } from '@kungfu/log-contract';
import pg from 'pg';
import { createPostgresLog } from './postgres-log.ts';

logContract('Postgres', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kungfu-log-'));
  let server: Embedded = await startEmbeddedPostgres({ directory });
  const pool = new pg.Pool({ connectionString: server.url, max: 8 });
  pool.on('error', () => undefined);
  return {
    recordBytesMax: 4_194_304,
    open: async (topics) => {
      const log = await createPostgresLog({ pool });
      await log.ensure(topics);
      return { log, admin: log };
    },
    restart: async () => {
      const { port } = server;
      await server.kill();
      server = await startEmbeddedPostgres({ directory, port });
    },
    close: async () => {
      await pool.end();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
