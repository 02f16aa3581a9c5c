import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@kungfu/log-port';
import { createPostgresLog } from '@kungfu/log-postgres';
import pg from 'pg';
import { Client } from './client.ts';
import { temporaryFolder } from './folder.ts';
import { freePorts } from './ports.ts';
import { RunningService, stopAll } from './service.ts';
import type { StartOptions, System } from './system.ts';

const host = '127.0.0.1';
const adminToken = 'the-administration-of-a-test';
const name = 'standalone';

/** Everything in one process on a fresh folder: what `npm start` starts. */
export const startStandalone = async (options: StartOptions = {}): Promise<System> => {
  const folder = await temporaryFolder(name);
  const data = join(folder.path, 'data');
  await mkdir(data, { mode: 0o755 });
  const [port = 0, adminPort = 0, healthPort = 0] = await freePorts(3);
  const service = new RunningService({
    name,
    app: 'apps/standalone',
    env: {
      KUNGFU_DATA: data,
      KUNGFU_HOST: host,
      KUNGFU_PORT: String(port),
      KUNGFU_ADMIN_HOST: host,
      KUNGFU_ADMIN_PORT: String(adminPort),
      KUNGFU_ADMIN_TOKEN: adminToken,
      KUNGFU_HEALTH_PORT: String(healthPort),
      KUNGFU_PARTITIONS: String(options.partitions ?? 8),
      KUNGFU_LIMITS: JSON.stringify(options.limits ?? {}),
      KUNGFU_RATE_LIMITS: String(options.rateLimits ?? false),
      KUNGFU_LOG_LEVEL: options.logLevel ?? 'debug',
    },
    readyUrl: `http://${host}:${port}/v1`,
    outputFile: join(folder.path, `${name}.log`),
    ...(options.profile === undefined
      ? {}
      : { execArgv: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`, `--cpu-prof-name=${name}.cpuprofile`] }),
  });
  const stop = async (): Promise<void> => {
    const wrong = await stopAll([service]);
    await folder.remove();
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  };
  try {
    await service.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const anyone = new Client(`http://${host}:${port}`, undefined);
  const administration = new Client(`http://${host}:${adminPort}`, adminToken);
  return {
    log: 'postgres',
    services: [name],
    processes: () => [{ label: name, pid: service.pid }],
    get databaseUrl() {
      return databaseUrlOf(data);
    },
    outputFiles: () => [service.outputFile],
    anyone,
    administration,
    adminToken,
    kill: () => service.kill(),
    start: () => service.start(),
    openLog: () => openLog(databaseUrlOf(data)),
    stop: async () => {
      await Promise.all([anyone.close(), administration.close()]);
      await stop();
    },
  };
};

/** Of the embedded server that runs on this folder; it takes another port at each start. */
const databaseUrlOf = (data: string): string => {
  const port = readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://kungfu:kungfu@127.0.0.1:${port}/kungfu`;
};

/** A log on a pool of its own, which closes with it. */
const openLog = async (databaseUrl: string): Promise<Log> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const log = await createPostgresLog({ pool });
  return {
    producer: () => log.producer(),
    reader: () => log.reader(),
    read: (position, records) => log.read(position, records),
    start: (partition) => log.start(partition),
    end: (partition) => log.end(partition),
    partitions: (topic) => log.partitions(topic),
    close: async () => {
      await log.close();
      await pool.end();
    },
  };
};
