import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import type { Config } from './config.ts';
import { createLogger } from './logger.ts';
import { openPlatform, type Platform } from './platform.ts';
import { CLOCK, CONFIG, LEASES, LOG, LOGGER, POOL, RANDOM, TIMERS } from './tokens.ts';

const PLATFORM = Symbol('kungfu.platform');

const parts: readonly (readonly [token: symbol, part: keyof Platform])[] = [
  [LOG, 'log'],
  [LEASES, 'leases'],
  [POOL, 'pool'],
  [CLOCK, 'clock'],
  [TIMERS, 'timers'],
  [RANDOM, 'random'],
  [LOGGER, 'logger'],
  [CONFIG, 'config'],
];

/** Closes the platform last: Nest calls it when its doors are closed and its microservices have ended. */
@Injectable()
class Closer implements OnApplicationShutdown {
  readonly #platform: Platform;

  constructor(@Inject(PLATFORM) platform: Platform) {
    this.#platform = platform;
  }

  onApplicationShutdown(): Promise<void> {
    return this.#platform.close();
  }
}

const tokens = (): Provider[] =>
  parts.map(([provide, part]) => ({ provide, inject: [PLATFORM], useFactory: (platform: Platform) => platform[part] }));
const exported = parts.map(([token]) => token);

/** Provides, globally, the tokens of tokens.ts. */
@Module({})
export class PlatformModule {
  /** Opens a platform of its own and closes it when the application shuts down. */
  static forRoot(config: Config, service = 'kungfu'): DynamicModule {
    const opened: Provider = {
      provide: PLATFORM,
      useFactory: () => openPlatform(config, createLogger(config, service)),
    };
    return { module: PlatformModule, global: true, providers: [opened, ...tokens(), Closer], exports: exported };
  }

  /** Over a platform that somebody else has opened and closes. */
  static over(platform: Platform): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [{ provide: PLATFORM, useValue: platform }, ...tokens()],
      exports: exported,
    };
  }
}
