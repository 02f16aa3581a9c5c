import type { DynamicModule, INestApplication, InjectionToken, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { type Config, readConfig } from './config.ts';
import { explain, runProcess } from './exit.ts';
import { HealthModule } from './health.ts';
import { KungfuTransport } from './kungfu-transport.ts';
import { createLogger, NestLogger } from './logger.ts';
import type { Loop, NamedLoop } from './loop.ts';
import { openPlatform, type Platform } from './platform.ts';
import { PlatformModule } from './platform.module.ts';
import { Started } from './started.ts';

export type Service = {
  /** As in its logs: `thread-service`. */
  readonly name: string;
  readonly modules: readonly (Type | DynamicModule)[];
  /** Providers of the modules that are Loops, in the order in which they start. */
  readonly loops: readonly { readonly name: string; readonly token: InjectionToken }[];
};

export type RunningService = {
  /** Where /health/live and /health/ready answer. */
  readonly healthUrl: string;
  readonly app: INestApplication;
  readonly transport: KungfuTransport;
  /** Stops the loops and the health listener. The platform goes on. */
  close(): Promise<void>;
};

/** Starts a service over a platform: the health listener first, so that a long start can be watched, then the loops. */
export const startService = async ({ modules, loops }: Service, platform: Platform): Promise<RunningService> => {
  const { config, logger } = platform;
  const named: NamedLoop[] = [];
  const transport = new KungfuTransport(named, {
    started: (loop) => logger.info({ loop }, 'started'),
    stopped: (loop) => logger.info({ loop }, 'stopped'),
  });
  const root = {
    module: ServiceModule,
    imports: [PlatformModule.over(platform), HealthModule.over(transport), ...modules],
  };
  const app = await NestFactory.create(root, new FastifyAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  try {
    for (const loop of loops) named.push({ name: loop.name, loop: app.get<Loop>(loop.token, { strict: false }) });
    app.connectMicroservice({ strategy: transport });
    await app.listen(config.KUNGFU_HEALTH_PORT, config.KUNGFU_HOST);
    await app.startAllMicroservices();
  } catch (error) {
    await app.close();
    throw error;
  }
  return { app, transport, healthUrl: await app.getUrl(), close: () => app.close() };
};

class ServiceModule {}

/** A service as a process: configuration from the environment, signals, exit codes. Never rejects. */
export const runService = async (service: Service): Promise<void> => {
  const config = configOrExit();
  const logger = createLogger(config, service.name);
  await runProcess(
    logger,
    (signal) =>
      Started.all(async (started) => {
        const platform = await openPlatform(config, logger, signal);
        started.add(() => platform.close());
        const running = await startService(service, platform);
        started.add(() => running.close());
        logger.info({ health: running.healthUrl, log: config.KUNGFU_LOG }, `${service.name} runs`);
      }),
    (error) => tell(logger, service.name, error),
  );
};

const configOrExit = (): Config => {
  try {
    return readConfig(process.env);
  } catch (error) {
    console.error(explain(error) ?? error);
    process.exit(1);
  }
};

const tell = (logger: Logger, name: string, error: unknown): void => {
  const line = explain(error);
  if (line === undefined) logger.fatal({ err: error }, `${name} does not start`);
  else logger.fatal(`${name} does not start: ${line}`);
};
