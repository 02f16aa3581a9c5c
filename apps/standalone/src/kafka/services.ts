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
import { Complaint, type Config, type Running, Started, systemRandom, systemTimers } from '@kungfu/service';
import { adminTokenFile, adminTokenOf } from '../admin-token.ts';
import { greet } from '../first-agents.ts';
import { Child } from './child.ts';
import { ServiceProcess } from './service-process.ts';

/** In the order in which they start; each with its health port, counted from the configured one. */
const names = [
  'agent-service',
  'memory-service',
  'thread-service',
  'task-service',
  'projector',
  'scheduler',
  'gateway',
] as const;

export type ServicesOptions = {
  /** Absolute path. */
  readonly data: string;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the start. */
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
};

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const moduleOf = (app: string): string => join(root, 'apps', app, 'dist/main.js');
const kafkaLocal = join(root, 'deploy/kafka-local/kafka.mjs');

/** Starts brokers and database where none are given, makes tables and topics, starts the services. */
export const startServices = (options: ServicesOptions): Promise<Running> =>
  Started.all(async (started) => {
    mkdirSync(options.data, { recursive: true });
    const env = { ...options.env, ...(await standOn(options, started)) };
    for (const tool of ['migrate', 'topics']) await runTool(tool, env, options);
    await run(options, env, started);
  });

/** What the services share. */
const standOn = async (options: ServicesOptions, started: Started): Promise<Record<string, string>> => {
  const { data, config, env } = options;
  return {
    KUNGFU_LOG: 'kafka',
    KUNGFU_LOG_LEVEL: config.KUNGFU_LOG_LEVEL,
    DATABASE_URL: env['DATABASE_URL'] ?? (await startPostgres(data, started)),
    KAFKA_BROKERS: env['KAFKA_BROKERS'] ?? (await startBroker(options, started)),
    KUNGFU_ADMIN_TOKEN: config.KUNGFU_ADMIN_TOKEN ?? adminTokenOf(data, systemRandom),
  };
};

const startPostgres = async (data: string, started: Started): Promise<string> => {
  const postgres = await startEmbeddedPostgres({ directory: data });
  started.add(() => postgres.stop());
  return postgres.url;
};

const startBroker = async ({ data, env, signal, say }: ServicesOptions, started: Started): Promise<string> => {
  signal.throwIfAborted();
  say('starting a local Kafka (the first time it is fetched, which takes a minute)');
  const port = env['KUNGFU_KAFKA_PORT'] ?? '9092';
  const args = ['start', '--dir', join(data, 'kafka'), '--port', port, '--while', String(process.pid)];
  const broker = new Child({ name: 'kafka', module: kafkaLocal, args, env, say });
  started.add(() => broker.stop());
  // Stopped, it has nothing more to say: the wait ends.
  const stopEarly = (): void => void broker.stop();
  signal.addEventListener('abort', stopEarly, { once: true });
  const addresses = await broker.message((message) => (message as { ready?: readonly string[] }).ready);
  // From here on it is stopped last.
  signal.removeEventListener('abort', stopEarly);
  return addresses.join(',');
};

const runTool = async (tool: string, env: ServicesOptions['env'], { say, signal }: ServicesOptions): Promise<void> => {
  signal.throwIfAborted();
  const code = await new Child({ name: tool, module: moduleOf('cli'), args: [tool], env, say }).ended();
  if (code !== 0) throw new Complaint(`kungfu ${tool} has ended with ${code}`);
};

const run = async (
  { data, config, signal, say }: ServicesOptions,
  env: ServicesOptions['env'],
  started: Started,
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
    started.add(() => service.stop());
  }
  await Promise.all(services.map(({ service, readyUrl }) => service.ready(readyUrl, signal)));
  signal.throwIfAborted();
  const [url, adminUrl] = [
    `http://${config.KUNGFU_HOST}:${config.KUNGFU_PORT}`,
    `http://${config.KUNGFU_ADMIN_HOST}:${config.KUNGFU_ADMIN_PORT}`,
  ];
  await greet(
    {
      url,
      adminUrl,
      data,
      adminTokenFile: config.KUNGFU_ADMIN_TOKEN === undefined ? adminTokenFile(data) : undefined,
      token: env['KUNGFU_ADMIN_TOKEN'] ?? '',
    },
    say,
    systemTimers,
  );
};
