import type { Clock, Leases, Log, Timers } from '@kungfu/log-port';
import { kindsWith } from '@kungfu/protocol';
import { CLOCK, type Config, CONFIG, LEASES, LOG, LOGGER, POOL, TIMERS } from '@kungfu/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { AccountCatchUp } from './account-catch-up.ts';
import { AccountCoordinator } from './account-coordinator.ts';
import { PostgresAccountWalks } from './account-walks.ts';
import { PostgresDueDeadlines } from './due-deadlines.ts';
import { GenerationFence } from './generation-fence.ts';
import { PostgresGenerations } from './generations.ts';
import type { SchedulerEvent } from './leased-loop.ts';
import { LoopGroup } from './loop-group.ts';
import { SchedulerLoop } from './scheduler-loop.ts';
import { PostgresUnseenWalks } from './unseen-walks.ts';

/**
 * Injection tokens of the loops, to be started and stopped by the transport. SCHEDULER: deadlines, and the fences of a raised
 * generation; COORDINATOR: account walks, also for partitions that they have not reached.
 */
export const SCHEDULER = Symbol('kungfu.scheduler');
export const COORDINATOR = Symbol('kungfu.coordinator');

const inject = [LOG, POOL, LEASES, CLOCK, TIMERS, LOGGER, CONFIG];
type Injected = readonly [Log, Pool, Leases, Clock, Timers, Logger, Config];

/** Fires deadlines and takes account walks through the partitions, by what the read model of POOL says. */
@Module({})
export class SchedulerModule {
  static register(): DynamicModule {
    const scheduler = {
      provide: SCHEDULER,
      inject,
      useFactory: (...[log, pool, leases, clock, timers, logger, config]: Injected) => {
        const ports = { log, leases, clock, timers, observe: observe(logger) };
        return new LoopGroup([
          new SchedulerLoop({ ...ports, deadlines: new PostgresDueDeadlines(pool) }),
          new GenerationFence({ ...ports, kinds: kindsOf(config), generations: new PostgresGenerations(pool) }),
        ]);
      },
    };
    const coordinator = {
      provide: COORDINATOR,
      inject,
      useFactory: (...[log, pool, leases, clock, timers, logger, config]: Injected) => {
        const ports = { log, leases, clock, timers, observe: observe(logger) };
        return new LoopGroup([
          new AccountCoordinator({ ...ports, walks: new PostgresAccountWalks(pool) }),
          new AccountCatchUp({ ...ports, kinds: kindsOf(config), walks: new PostgresUnseenWalks(pool) }),
        ]);
      },
    };
    return { module: SchedulerModule, providers: [scheduler, coordinator], exports: [SCHEDULER, COORDINATOR] };
  }
}

const kindsOf = ({ KUNGFU_AKEP }: Config) => kindsWith({ akep: KUNGFU_AKEP });

const observe =
  (logger: Logger) =>
  (event: SchedulerEvent): void => {
    if (event.type === 'sent') logger.debug(event, 'inputs sent');
    else logger.warn({ loop: event.loop, err: event.error }, 'a round failed, trying again');
  };
