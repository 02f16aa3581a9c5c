import { spawnSync } from 'node:child_process';
import { canRunLocally, LocalKafka, sharedLocalKafka } from './local-kafka.ts';

/** Brokers for specs to share: topics need names of their own. */
export type KafkaForTests = { readonly brokers: readonly string[]; readonly stop: () => Promise<void> };

/** Brokers for one spec file to break. */
export type OwnKafka = KafkaForTests & {
  /** kill -9 of a node (from 1). */
  readonly kill: (node?: number) => Promise<void>;
  /** Starts a killed node again; resolves when it serves. */
  readonly revive: (node?: number) => Promise<void>;
};

/** There is no Kafka on this machine. */
export type SkipTests = { readonly skip: string };

/**
 * A Kafka for specs (house.md, Tools): KAFKA_BROKERS; else Docker, if a daemon answers; else Java and Maven, one broker for all
 * spec files of a jest run; else a reason to skip them, printed, and an error when CI is set. Nothing outlives the run.
 */
export const kafkaForTests = async (): Promise<KafkaForTests | SkipTests> => {
  const given = process.env['KAFKA_BROKERS'];
  if (given !== undefined && given !== '') return { brokers: given.split(','), stop: async () => {} };
  if (dockerAnswers()) {
    try {
      const { startContainer } = await import('./container.ts');
      return await startContainer();
    } catch (error) {
      say(`Docker answers but runs no Kafka (${String(error)}): trying Java`);
    }
  }
  if (canRunLocally()) return { brokers: await sharedLocalKafka(), stop: async () => {} };
  return skip('no Kafka for tests: set KAFKA_BROKERS, or install Docker, or Java 17 and Maven');
};

/** Why no Kafka can be run here for tests to kill (printed; an error when CI is set), or undefined if one can. */
export const whyNoOwnKafka = (): SkipTests | undefined =>
  canRunLocally() ? undefined : skip('no Kafka that tests may kill: install Java 17 and Maven');

/** Starts one node, or a cluster of three, that the caller may kill and revive, and stops. */
export const ownKafkaForTests = async (nodes: 1 | 3 = 1): Promise<OwnKafka> => {
  const kafka = await LocalKafka.start(nodes);
  return {
    brokers: kafka.brokers,
    stop: () => kafka.stop(),
    kill: (node) => kafka.kill(node),
    revive: (node) => kafka.revive(node),
  };
};

const dockerAnswers = (): boolean =>
  spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore', timeout: 10_000 }).status ===
  0;

const skip = (reason: string): SkipTests => {
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') throw new Error(reason);
  say(`skipped: ${reason}`);
  return { skip: reason };
};

/** Past jest's console, which hides what is printed while a spec file loads. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
