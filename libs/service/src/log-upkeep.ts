import type { Clock, Timers } from '@kungfu/log-port';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Loop } from './loop.ts';
import { CLOCK, LOG, LOGGER, TIMERS } from './tokens.ts';
import type { WatchedLog } from './watched-log.ts';

/** Retention in days and compaction need no more than this. */
const everyMs = 3_600_000;

/**
 * What brokers do by themselves and a log in Postgres has to be told: drop what is older than its topic keeps, and all but the
 * newest record of a key where the topic is compacted. Kafka: nothing. Safe to repeat and to run several times at once.
 */
export class LogUpkeep implements Loop {
  readonly #log: WatchedLog;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(log: WatchedLog, clock: Clock, timers: Timers, logger: Logger) {
    this.#log = log;
    this.#clock = clock;
    this.#timers = timers;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#timers.sleep(everyMs, signal);
      if (signal.aborted) return;
      try {
        await this.#log.upkeep(this.#clock.now());
      } catch (error) {
        this.#logger.warn({ err: error }, 'the upkeep of the log failed, again in an hour');
      }
    }
  }
}

/** Provides LogUpkeep, to be started and stopped by the transport. */
@Module({})
export class LogUpkeepModule {
  static register(): DynamicModule {
    const provider = {
      provide: LogUpkeep,
      inject: [LOG, CLOCK, TIMERS, LOGGER],
      useFactory: (log: WatchedLog, clock: Clock, timers: Timers, logger: Logger) =>
        new LogUpkeep(log, clock, timers, logger),
    };
    return { module: LogUpkeepModule, providers: [provider], exports: [LogUpkeep] };
  }
}
