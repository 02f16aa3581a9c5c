import type { Clock, Leases, Random, Timers } from '@kungfu/log-port';
import pg from 'pg';
import type { Logger } from 'pino';
import { openLeases, openLog } from './adapters.ts';
import type { Config } from './config.ts';
import { Started } from './started.ts';
import { systemClock, systemRandom, systemTimers } from './system.ts';
import { WatchedLog } from './watched-log.ts';

/** What every service stands on: one of each a process. */
export type Platform = {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** On the primary. */
  readonly pool: pg.Pool;
  readonly log: WatchedLog;
  readonly leases: Leases;
  /** Closes the log, then the pool. Safe to repeat. Call it when everything that stands on the platform has stopped. */
  close(): Promise<void>;
};

/**
 * Opens the platform. Postgres may come later; Kafka and its topics are waited for a while, or until the signal, then what was
 * wrong is thrown.
 */
export const openPlatform = async (config: Config, logger: Logger, signal?: AbortSignal): Promise<Platform> => {
  const { value, stop } = await Started.all(async (started) => {
    const pool = openPool(config, logger, 'kungfu');
    started.add(() => pool.end());
    // Of its own, so that nothing that waits for the log can keep the log from a connection.
    const logPool = openPool(config, logger, 'kungfu-log');
    started.add(() => logPool.end());
    const ports = { clock: systemClock, timers: systemTimers, random: systemRandom, logger };
    const log = new WatchedLog(await openLog(config, { ...ports, pool: logPool }, signal), systemClock);
    started.add(() => log.close());
    return { config, ...ports, pool, log, leases: openLeases({ ...ports, pool: logPool }) };
  });
  return { ...value, close: stop };
};

const openPool = (config: Config, logger: Logger, application_name: string): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.KUNGFU_POOL_MAX,
    application_name,
  });
  // A connection in use that breaks tells the query that waits on it; between two queries nobody else would listen.
  pool.on('connect', (client) =>
    client.on('error', (error) => logger.debug({ err: error }, 'a connection to Postgres broke')),
  );
  pool.on('error', (error) => {
    // Once ended, the pool waits for nobody: a server that stops next finds connections that are still saying goodbye.
    if (!pool.ending) logger.warn({ err: error }, 'an idle connection to Postgres was lost');
  });
  return pool;
};
