import { factsTopic } from '@kungfu/protocol';
import { Controller, type DynamicModule, Get, Inject, Injectable, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { Pool } from 'pg';
import { KungfuTransport } from './kungfu-transport.ts';
import { LOG, POOL } from './tokens.ts';
import { WatchedLog } from './watched-log.ts';

/** Milliseconds. */
export const healthLimits = {
  /** A poll overdue by so much, or so long without a fetch from a log that answers otherwise: only a restart helps. */
  silenceMsMax: 30_000,
  /** Postgres and the log have to answer within so long. */
  answerMsMax: 2_000,
} as const;

const TRANSPORT = Symbol('kungfu.transport');

@Injectable()
class Indicators {
  readonly #indicators: HealthIndicatorService;
  readonly #transport: KungfuTransport;
  readonly #log: WatchedLog;
  readonly #pool: Pool;

  constructor(
    @Inject(HealthIndicatorService) indicators: HealthIndicatorService,
    @Inject(TRANSPORT) transport: KungfuTransport,
    @Inject(LOG) log: WatchedLog,
    @Inject(POOL) pool: Pool,
  ) {
    this.#indicators = indicators;
    this.#transport = transport;
    this.#log = log;
    this.#pool = pool;
  }

  /** The log is being read. Down only where nothing but a restart helps, so never because the brokers are away. */
  async fetching() {
    const overdueMs = this.#log.overdueMs();
    const ageMs = this.#log.lastFetchAgeMs();
    const session = this.#indicators.check('fetching');
    if (overdueMs > healthLimits.silenceMsMax) return session.down({ overdueMs, ageMs });
    if (ageMs <= healthLimits.silenceMsMax) return session.up({ overdueMs, ageMs });
    const result = await this.log();
    return result['log']?.status === 'up'
      ? session.down({ overdueMs, ageMs })
      : session.degraded({ overdueMs, ageMs, message: 'the log does not answer' });
  }

  /** The loops have started and not ended; one in trouble is told, and stays up: a restart would find the same trouble. */
  async loops() {
    const { state, loops } = this.#transport;
    const trouble = Object.fromEntries(
      loops.flatMap(({ name, loop }) => (loop.trouble?.() === undefined ? [] : [[name, loop.trouble()]])),
    );
    const session = this.#indicators.check('loops');
    if (state === 'stopped') return session.down({ state });
    return Object.keys(trouble).length > 0 ? session.degraded({ state, trouble }) : session.up({ state });
  }

  async started() {
    const { state } = this.#transport;
    return this.#up('started', state === 'running', { state });
  }

  /** Answers, and has been migrated. */
  postgres() {
    return this.#attempt('postgres', () => this.#pool.query('select from read.position limit 0'));
  }

  log() {
    return this.#attempt('log', () => this.#log.end({ topic: factsTopic('agent'), partition: 0 }));
  }

  #up(key: string, up: boolean, data: Record<string, unknown>) {
    const session = this.#indicators.check(key);
    return up ? session.up(data) : session.down(data);
  }

  async #attempt(key: string, ask: () => Promise<unknown>) {
    const session = this.#indicators.check(key);
    return session.attempt(async () => void (await ask())).withTimeout(healthLimits.answerMsMax);
  }
}

@Controller('health')
class HealthController {
  readonly #checks: HealthCheckService;
  readonly #indicators: Indicators;

  constructor(@Inject(HealthCheckService) checks: HealthCheckService, @Inject(Indicators) indicators: Indicators) {
    this.#checks = checks;
    this.#indicators = indicators;
  }

  /** 503: only a restart helps. */
  @Get('live')
  @HealthCheck()
  live() {
    return this.#checks.check([() => this.#indicators.fetching(), () => this.#indicators.loops()]);
  }

  /** 503: send nothing here for now. */
  @Get('ready')
  @HealthCheck()
  ready() {
    return this.#checks.check([
      () => this.#indicators.started(),
      () => this.#indicators.postgres(),
      () => this.#indicators.log(),
    ]);
  }
}

/** GET /health/live and /health/ready of the service on this transport. */
@Module({})
export class HealthModule {
  static over(transport: KungfuTransport): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [Indicators, { provide: TRANSPORT, useValue: transport }],
    };
  }
}
