import type { Clock, Log, Random, Timers } from '@kungfu/log-port';
import { CLOCK, CONFIG, type Config, LOG, LOGGER, POOL, RANDOM, TIMERS } from '@kungfu/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Gateway } from './gateway.ts';

/** Provides `Gateway`, a loop that the service starts, over the platform's tokens. */
@Module({})
export class GatewayModule {
  static register(): DynamicModule {
    return {
      module: GatewayModule,
      providers: [
        {
          provide: Gateway,
          inject: [LOG, POOL, CLOCK, TIMERS, RANDOM, LOGGER, CONFIG],
          useFactory: (
            log: Log,
            pool: Pool,
            clock: Clock,
            timers: Timers,
            random: Random,
            logger: Logger,
            config: Config,
          ) => new Gateway({ log, pool, clock, timers, random, logger }, { ...config, limits: config.KUNGFU_LIMITS }),
        },
      ],
      exports: [Gateway],
    };
  }
}
