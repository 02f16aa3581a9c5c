import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@kungfu/embedded';
import { createKafkaLog, createKafkaTopicAdmin } from '@kungfu/log-kafka';
import type { SkipTests } from '@kungfu/log-kafka/testing';
import { topicSettings } from '@kungfu/protocol';
import { createDataSource, migrate } from '@kungfu/read-model';
import { Client } from './client.ts';
import { temporaryFolder } from './folder.ts';
import { type Brokers, startKafka } from './kafka.ts';
import { freePorts } from './ports.ts';
import { RunningService, stopAll } from './service.ts';
import type { StartOptions, System } from './system.ts';

/** The services, in the order in which they are started. */
const names = [
  'agent-service',
  'memory-service',
  'thread-service',
  'task-service',
  'projector',
  'scheduler',
  'gateway',
] as const;
const host = '127.0.0.1';
const adminToken = 'the-administration-of-a-test';

/** Every service as a process of its own, on a fresh Kafka and a fresh PostgreSQL; or why there is no Kafka here. */
export const startKafkaServices = async (options: StartOptions = {}): Promise<System | SkipTests> => {
  const folder = await temporaryFolder('kafka-services');
  const brokers = await startKafka(folder.path);
  if ('skip' in brokers) {
    await folder.remove();
    return brokers;
  }
  const postgres = await startEmbeddedPostgres({ directory: join(folder.path, 'data') });
  const started: RunningService[] = [];
  const stop = async (): Promise<void> => {
    const wrong = await stopAll(started.toReversed());
    await postgres.stop();
    await brokers.stop();
    await folder.remove();
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  };
  try {
    const ports = await freePorts(names.length + 2);
    const env = environment(brokers, postgres.url, ports, options);
    await prepare(brokers, postgres.url, options);
    const services = names.map((name, index) => serviceOf(name, ports[index + 2]!, folder.path, env, options));
    for (const service of services) await mkdir(join(folder.path, 'stores', service.name), { recursive: true });
    started.push(...services);
    await Promise.all(services.map((service) => service.start()));
    return systemOf(services, brokers, postgres, ports, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

/** What `kungfu migrate` and `kungfu topics` do. */
const prepare = async (brokers: Brokers, url: string, options: StartOptions): Promise<void> => {
  const dataSource = createDataSource({ url });
  try {
    await migrate(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
  const topics = createKafkaTopicAdmin({ brokers: brokers.addresses, clientId: 'test', replication: 1 });
  await topics.ensure(topicSettings({ partitions: partitionsOf(options) }));
};

const partitionsOf = ({ partitions }: StartOptions): number => partitions ?? 8;

const environment = (
  brokers: Brokers,
  databaseUrl: string,
  [port, adminPort]: readonly number[],
  options: StartOptions,
): Record<string, string> => ({
  KUNGFU_LOG: 'kafka',
  KAFKA_BROKERS: brokers.addresses.join(','),
  KAFKAJS_NO_PARTITIONER_WARNING: '1',
  DATABASE_URL: databaseUrl,
  KUNGFU_PARTITIONS: String(partitionsOf(options)),
  KUNGFU_HOST: host,
  KUNGFU_PORT: String(port),
  KUNGFU_ADMIN_HOST: host,
  KUNGFU_ADMIN_PORT: String(adminPort),
  KUNGFU_ADMIN_TOKEN: adminToken,
  KUNGFU_LIMITS: JSON.stringify(options.limits ?? {}),
  KUNGFU_RATE_LIMITS: String(options.rateLimits ?? false),
  KUNGFU_LOG_LEVEL: options.logLevel ?? 'debug',
});

const serviceOf = (
  name: string,
  healthPort: number,
  folder: string,
  env: Record<string, string>,
  { profile }: StartOptions,
): RunningService =>
  new RunningService({
    name,
    app: `apps/${name}`,
    env: { ...env, KUNGFU_HEALTH_PORT: String(healthPort), KUNGFU_STORE_DIR: join(folder, 'stores', name) },
    readyUrl: `http://${host}:${healthPort}/health/ready`,
    outputFile: join(folder, `${name}.log`),
    ...(profile === undefined
      ? {}
      : { execArgv: ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`] }),
  });

const systemOf = (
  services: readonly RunningService[],
  brokers: Brokers,
  postgres: { readonly url: string; readonly pid: number },
  [port, adminPort]: readonly number[],
  stop: () => Promise<void>,
): System => {
  const find = (name: string): RunningService => {
    const service = services.find((one) => one.name === name);
    if (service === undefined) throw new Error(`there is no service ${name}`);
    return service;
  };
  const anyone = new Client(`http://${host}:${port}`, undefined);
  const administration = new Client(`http://${host}:${adminPort}`, adminToken);
  return {
    log: 'kafka',
    services: names,
    processes: () => [
      ...services.map(({ name, pid }) => ({ label: name, pid })),
      { label: 'postgres', pid: postgres.pid },
      ...(brokers.pid === undefined ? [] : [{ label: 'kafka', pid: brokers.pid }]),
    ],
    databaseUrl: postgres.url,
    outputFiles: () => services.map(({ outputFile }) => outputFile),
    anyone,
    administration,
    adminToken,
    kill: (name) => find(name).kill(),
    start: (name) => find(name).start(),
    openLog: () =>
      createKafkaLog({
        brokers: brokers.addresses,
        clientId: 'test',
        topics: topicSettings({ partitions: 1 }).map(({ topic }) => topic),
      }),
    stop: async () => {
      await Promise.all([anyone.close(), administration.close()]);
      await stop();
    },
  };
};
