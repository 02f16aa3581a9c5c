/**
 * Kungfu in one process: embedded PostgreSQL, which holds log and read model, and every service.
 *
 * Whole interface: startStandalone(), and stop() of what it gives. What is started first is stopped last; when a start fails, or
 * is ended by its signal, what had been started is stopped. The data folder is locked by its PostgreSQL.
 */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ownerHostOf } from '@kungfu/commands';
import { startEmbeddedPostgres } from '@kungfu/embedded';
import { Gateway } from '@kungfu/gateway';
import { createPostgresLog } from '@kungfu/log-postgres';
import { PROJECTOR } from '@kungfu/projector';
import { topicSettings } from '@kungfu/protocol';
import { createDataSource, migrate } from '@kungfu/read-model';
import { COORDINATOR, SCHEDULER } from '@kungfu/scheduler';
import {
  type Config,
  LogUpkeep,
  openPlatform,
  type Platform,
  type Running,
  readConfig,
  type Service,
  Started,
  startService,
  systemRandom,
  systemTimers,
} from '@kungfu/service';
import type { Logger } from 'pino';
import { adminTokenFile, adminTokenOf } from './admin-token.ts';
import { greet } from './first-agents.ts';
import type { Options } from './options.ts';
import { StandaloneModule } from './standalone.module.ts';

/** In order: who answers starts last and stops first. */
const service: Service = {
  name: 'kungfu',
  modules: [StandaloneModule],
  loops: [
    { name: 'owners of agents', token: ownerHostOf('agent') },
    { name: 'owners of memories', token: ownerHostOf('memory') },
    { name: 'owners of threads', token: ownerHostOf('thread') },
    { name: 'owners of tasks', token: ownerHostOf('task') },
    { name: 'projector', token: PROJECTOR },
    { name: 'scheduler', token: SCHEDULER },
    { name: 'account coordinator', token: COORDINATOR },
    { name: 'upkeep of the log', token: LogUpkeep },
    { name: 'gateway', token: Gateway },
  ],
};

/** What one process wants otherwise than a service of many. */
const defaults = { KUNGFU_PARTITIONS: '4', KUNGFU_POOL_MAX: '20', KUNGFU_HEALTH_PORT: '0', KUNGFU_LOG_LEVEL: 'warn' };

export type StandaloneOptions = {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** From configOf. */
  readonly settings: Config;
  readonly logger: Logger;
  /** Ends the start. */
  readonly signal: AbortSignal;
  /** Tells the one who started it. */
  readonly say: (text: string) => void;
};

/** Where the configuration stands before there is a database. Throws ConfigError. */
export const configOf = ({ data, env }: Options): Config =>
  readConfig({
    ...defaults,
    KUNGFU_STORE_DIR: join(data, 'stores'),
    ...env,
    KUNGFU_LOG: 'postgres',
    DATABASE_URL: undefined,
  });

/** Starts everything and says so. Throws what `explain` of the service platform tells in one line. */
export const startStandalone = (options: StandaloneOptions): Promise<Running> =>
  Started.all((started) => startAll(options, started));

const startAll = async (
  { data, settings, logger, signal, say }: StandaloneOptions,
  started: Started,
): Promise<void> => {
  await portsAreFree(settings);
  mkdirSync(data, { recursive: true });
  const postgres = await startEmbeddedPostgres({
    directory: data,
    onLog: (message) => logger.debug({ postgres: message.trim() }),
  });
  started.add(() => postgres.stop());
  const token = settings.KUNGFU_ADMIN_TOKEN ?? adminTokenOf(data, systemRandom);
  const config = { ...settings, DATABASE_URL: postgres.localUrl, KUNGFU_ADMIN_TOKEN: token };
  signal.throwIfAborted();
  await makeTables(config);
  const platform = await openPlatform(config, logger, signal);
  started.add(() => platform.close());
  await makeTopics(platform);
  signal.throwIfAborted();
  const running = await startService(service, platform);
  started.add(() => running.close());
  signal.throwIfAborted();
  const { url = '', adminUrl = '' } = running.app.get(Gateway, { strict: false });
  const kept = settings.KUNGFU_ADMIN_TOKEN === undefined ? adminTokenFile(data) : undefined;
  await greet({ url, adminUrl, data, adminTokenFile: kept, token }, say, systemTimers);
};

/** Before anything is made or locked, so that a second start is told quickly and leaves no trace. */
const portsAreFree = async ({
  KUNGFU_HOST,
  KUNGFU_PORT,
  KUNGFU_ADMIN_HOST,
  KUNGFU_ADMIN_PORT,
}: Config): Promise<void> => {
  await isFree(KUNGFU_HOST, KUNGFU_PORT);
  await isFree(KUNGFU_ADMIN_HOST, KUNGFU_ADMIN_PORT);
};

const isFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });

const makeTables = async ({ DATABASE_URL }: Config): Promise<void> => {
  const dataSource = createDataSource({ url: DATABASE_URL });
  try {
    await migrate(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
};

/** One process has no `kungfu topics` to run before it. */
const makeTopics = async ({ pool, config }: Platform): Promise<void> => {
  const log = await createPostgresLog({ pool });
  try {
    await log.ensure(topicSettings({ partitions: config.KUNGFU_PARTITIONS, akep: config.KUNGFU_AKEP }));
  } finally {
    await log.close();
  }
};
