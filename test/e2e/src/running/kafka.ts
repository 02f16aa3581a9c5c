import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaForTests, type SkipTests } from '@kungfu/log-kafka/testing';
import { Child } from './child.ts';

/** Brokers to test against, and how to end them. */
export type Brokers = {
  readonly addresses: readonly string[];
  /** The process of the broker, where it is ours. */
  readonly pid?: number;
  stop(): Promise<void>;
};

const script = fileURLToPath(new URL('../../../../deploy/kafka-local/kafka.mjs', import.meta.url));
const startMsMax = 180_000;

/**
 * Brokers whose topics nobody else uses, since those of Kungfu have fixed names: KAFKA_BROKERS, else a broker of our own with
 * data in the folder (Java and Maven), else a container; else why there are none (an error when CI is set).
 */
export const startKafka = async (folder: string): Promise<Brokers | SkipTests> => {
  if (process.env['KAFKA_BROKERS'] === undefined && runs('java') && runs('mvn')) return startLocal(folder);
  const found = await kafkaForTests();
  return 'skip' in found ? found : { addresses: found.brokers, stop: found.stop };
};

const runs = (command: string): boolean => spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0;

const startLocal = async (folder: string): Promise<Brokers> => {
  const args = ['start', '--dir', join(folder, 'kafka'), '--port', '0'];
  const child = new Child({ label: 'kafka', module: script, args, outputFile: join(folder, 'kafka.log') });
  const addresses = await child.message((message) => (message as { ready?: readonly string[] }).ready, startMsMax);
  // Its data is thrown away: nothing to write down.
  return { addresses, pid: child.pid, stop: () => child.kill() };
};
