/**
 * Every service as a process of its own, on Kafka: brokers and database as given, or a local broker (Java, Maven) and the
 * embedded PostgreSQL.
 *
 * Whole interface: startServices(), and stop() of what it gives. What is started first is stopped last.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@kungfu/embedded';
import { Complaint, type Config, systemRandom, systemTimers } from '@kungfu/service';
import { adminTokenFile, adminTokenOf } from '../admin-token.ts';
import { greet } from '../first-agents.ts';
import { Child } from './child.ts';
import { ServiceProcess } from './service-process.ts';

/** In the order in which they start; each with its health port, counted from the configured one. */
const names = ['agent-service', 'memory-service', 'thread-service', 'projector', 'scheduler', 'gateway'] as const;

export type Services = { stop(): Promise<void> };
export type ServicesOptions = {
  /** Absolute path. */
  readonly data: string;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (text: string) => void;
};

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const moduleOf = (app: string): string => join(root, 'apps', app, 'dist/main.js');
const kafkaLocal = join(root, 'deploy/kafka-local/kafka.mjs');

/** Starts brokers and database where none are given, makes tables and topics, starts the services. */
export const startServices = async (options: ServicesOptions): Promise<Services> => {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
  };
  try {
    mkdirSync(options.data, { recursive: true });
    const env = { ...options.env, ...(await standOn(options, started)) };
    for (const tool of ['migrate', 'topics']) await runTool(tool, env, options);
    await run(options, env, started);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** What the services share. */
const standOn = async (
  { data, config, env, say }: ServicesOptions,
  started: (() => Promise<void>)[],
): Promise<Record<string, string>> => ({
  KUNGFU_LOG: 'kafka',
  KUNGFU_LOG_LEVEL: config.KUNGFU_LOG_LEVEL,
  DATABASE_URL: env['DATABASE_URL'] ?? (await startPostgres(data, started)),
  KAFKA_BROKERS: env['KAFKA_BROKERS'] ?? (await startBroker(data, env, say, started)),
  KUNGFU_ADMIN_TOKEN: config.KUNGFU_ADMIN_TOKEN ?? adminTokenOf(data, systemRandom),
});

const startPostgres = async (data: string, started: (() => Promise<void>)[]): Promise<string> => {
  const postgres = await startEmbeddedPostgres({ directory: data });
  started.push(() => postgres.stop());
  return postgres.url;
};

const startBroker = async (
  data: string,
  env: ServicesOptions['env'],
  say: ServicesOptions['say'],
  started: (() => Promise<void>)[],
): Promise<string> => {
  say('starting a local Kafka (the first time it is fetched, which takes a minute)');
  const args = [
    'start',
    '--dir',
    join(data, 'kafka'),
    '--port',
    env['KUNGFU_KAFKA_PORT'] ?? '9092',
    '--while',
    String(process.pid),
  ];
  const broker = new Child({ name: 'kafka', module: kafkaLocal, args, env, say });
  started.push(() => broker.stop());
  const addresses = await broker.message((message) => (message as { ready?: readonly string[] }).ready);
  return addresses.join(',');
};

const runTool = async (tool: string, env: ServicesOptions['env'], { say }: ServicesOptions): Promise<void> => {
  const code = await new Child({ name: tool, module: moduleOf('cli'), args: [tool], env, say }).ended();
  if (code !== 0) throw new Complaint(`kungfu ${tool} has ended with ${code}`);
};

const run = async (
  { data, config, say }: ServicesOptions,
  env: ServicesOptions['env'],
  started: (() => Promise<void>)[],
): Promise<void> => {
  const services = names.map((name, i) => {
    const module = moduleOf(name);
    if (!existsSync(module)) throw new Complaint(`${name} has not been built: npm run build`);
    const healthPort = config.KUNGFU_HEALTH_PORT + i;
    const own = { KUNGFU_HEALTH_PORT: String(healthPort), KUNGFU_STORE_DIR: join(data, 'stores') };
    const service = new ServiceProcess({ name, module, env: { ...env, ...own }, say }, systemTimers);
    return { service, readyUrl: `http://${config.KUNGFU_HOST}:${healthPort}/health/ready` };
  });
  for (const { service } of services) {
    service.start();
    started.push(() => service.stop());
  }
  await Promise.all(services.map(({ service, readyUrl }) => service.ready(readyUrl)));
  const [url, adminUrl] = [
    `http://${config.KUNGFU_HOST}:${config.KUNGFU_PORT}`,
    `http://${config.KUNGFU_ADMIN_HOST}:${config.KUNGFU_ADMIN_PORT}`,
  ];
  await greet(
    { url, adminUrl, data, adminTokenFile: adminTokenFile(data), token: env['KUNGFU_ADMIN_TOKEN'] ?? '' },
    say,
    systemTimers,
  );
};
