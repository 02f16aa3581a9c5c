import { hostname } from 'node:os';
import { createPostgresLeases } from '@kungfu/leases';
import { createKafkaLog } from '@kungfu/log-kafka';
import type { Clock, Leases, Log, Random, Timers } from '@kungfu/log-port';
import { createPostgresLog } from '@kungfu/log-postgres';
import { topicSettings } from '@kungfu/protocol';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { described } from './logger.ts';

/** How long a service waits for brokers and topics at its start, before it gives up and is to be started again. */
const waitMsMax = 60_000;
const againMs = 1_000;

export type AdapterParts = {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
};

/** The log that the configuration names. Waits for Kafka and its topics a while, or until the signal, then throws what was wrong. */
export const openLog = (config: Config, parts: AdapterParts, signal?: AbortSignal): Promise<Log> => {
  switch (config.KUNGFU_LOG) {
    case 'postgres':
      return createPostgresLog({
        pool: parts.pool,
        onTrouble: (err) => parts.logger.warn({ err }, 'the log in Postgres is away'),
      });
    case 'kafka':
      return waitFor('Kafka and its topics (made by `kungfu topics`)', parts, signal, () => openKafka(config, parts));
  }
};

const openKafka = (config: Config, { logger, random }: AdapterParts): Promise<Log> =>
  createKafkaLog({
    brokers: brokersOf(config),
    clientId: `kungfu-${hostname()}-${random.hex(4)}`,
    topics: topicSettings({ partitions: 1, akep: config.KUNGFU_AKEP }).map(({ topic }) => topic),
    trouble: ({ what, reason }) => logger.warn({ err: reason }, `kafka: ${what}`),
  });

/** Leases in Postgres, shared by all instances of all services (engine.md §3). */
export const openLeases = ({ pool, logger, clock, timers, random }: AdapterParts): Leases =>
  createPostgresLeases({
    pool,
    clock,
    timers,
    instance: `${hostname()}-${process.pid}-${random.hex(4)}`,
    onTrouble: (err) => logger.warn({ err }, 'leases: Postgres is away'),
  });

/** Tries again every second; throws the last error when it has taken too long. */
const waitFor = async <T>(
  what: string,
  { logger, timers }: AdapterParts,
  signal: AbortSignal | undefined,
  open: () => Promise<T>,
): Promise<T> => {
  for (let waitedMs = 0; ; waitedMs += againMs) {
    try {
      return await open();
    } catch (error) {
      if (waitedMs >= waitMsMax || signal?.aborted === true) throw error;
      logger.warn({ reason: described(error).message }, `waiting for ${what}`);
      await timers.sleep(againMs, signal);
    }
  }
};

/** host:port of each broker named in the configuration. */
export const brokersOf = ({ KAFKA_BROKERS }: Config): readonly string[] =>
  KAFKA_BROKERS.split(',')
    .map((broker) => broker.trim())
    .filter((broker) => broker !== '');
