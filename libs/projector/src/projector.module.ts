import type { Clock, Leases, Log, Timers } from '@kungfu/log-port';
import { PostgresProjectionStore } from '@kungfu/read-model';
import { kindsWith } from '@kungfu/protocol';
import { CLOCK, type Config, CONFIG, LEASES, LOG, LOGGER, POOL, TIMERS } from '@kungfu/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Observe } from './events.ts';
import { ProjectorLoop } from './projector-loop.ts';

/** Injection token of the ProjectorLoop, to be started and stopped by the transport. */
export const PROJECTOR = Symbol('kungfu.projector');

/** Folds facts and content into the read model of POOL. */
@Module({})
export class ProjectorModule {
  static register(): DynamicModule {
    const provider = {
      provide: PROJECTOR,
      inject: [LOG, POOL, LEASES, CLOCK, TIMERS, LOGGER, CONFIG],
      useFactory: (
        log: Log,
        pool: Pool,
        leases: Leases,
        clock: Clock,
        timers: Timers,
        logger: Logger,
        config: Config,
      ) =>
        new ProjectorLoop({
          log,
          kinds: kindsWith({ akep: config.KUNGFU_AKEP }),
          store: new PostgresProjectionStore(pool),
          leases,
          clock,
          timers,
          observe: observe(logger.child({ loop: 'projector' })),
        }),
    };
    return { module: ProjectorModule, providers: [provider], exports: [PROJECTOR] };
  }
}

const observe =
  (logger: Logger): Observe =>
  (event) => {
    switch (event.type) {
      case 'applied':
        return logger.debug(event, 'projected');
      case 'stale':
        return logger.info(event.partition, 'moved by another projector, loading again');
      case 'failed':
        return logger.warn({ err: event.error, during: event.during }, 'projecting failed, trying again');
      case 'alarm':
        return logger.fatal(
          { ...event.partition, offset: event.offset, err: event.error },
          'partition needs attention',
        );
    }
  };
