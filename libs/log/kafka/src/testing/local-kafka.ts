import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const script = join(root, 'deploy/kafka-local/kafka.mjs');
const startMsMax = 180_000;
const lookMs = 100;

/** Whether this machine can run a broker without containers: Java, and Maven unless the jars are here already. */
export const canRunLocally = (): boolean => {
  const runs = (command: string): boolean =>
    spawnSync(command, ['-version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
  const cache = join(root, '.cache/kafka');
  const fetched = existsSync(cache) && readdirSync(cache).some((name) => /^\d/.test(name));
  return runs('java') && (fetched || runs('mvn'));
};

/**
 * The brokers of the local Kafka that all spec files of this jest run share: the first one to ask starts it. It ends by itself
 * as soon as jest's main process has ended, however that was.
 */
export const sharedLocalKafka = async (): Promise<readonly string[]> => {
  const run = jestProcess();
  const folder = join(tmpdir(), `kungfu-kafka-run-${run}`);
  const until = Date.now() + startMsMax;
  while (Date.now() < until) {
    if (await isFirst(folder)) return startShared(folder, run, until);
    const brokers = await brokersOf(folder, until);
    if (brokers !== undefined) return brokers;
    await rm(folder, { recursive: true, force: true }); // left behind by another run that had the same process id
  }
  throw new Error(`the local Kafka in ${folder} is not up`);
};

/** Process id of jest's main process; its workers are children of it, and may outlive it. */
const jestProcess = (): number => (process.send === undefined ? process.pid : process.ppid);

const isFirst = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const startShared = async (folder: string, run: number, until: number): Promise<readonly string[]> => {
  const output = openSync(join(folder, 'output'), 'a');
  const args = [script, 'start', '--dir', folder, '--temporary', '--port', '0', '--while', String(run)];
  const child = spawn(process.execPath, args, {
    detached: true,
    env: ownEnvironment(),
    stdio: ['ignore', output, output],
  });
  await writeFile(join(folder, 'supervisor'), String(child.pid));
  child.unref();
  while (Date.now() < until && child.exitCode === null) {
    const ready = /^ready (.*)$/m.exec(await readFile(join(folder, 'output'), 'utf8'));
    if (ready !== null) {
      await writeFile(join(folder, 'brokers.partial'), ready[1]!);
      await rename(join(folder, 'brokers.partial'), join(folder, 'brokers'));
      return ready[1]!.split(',');
    }
    await pause();
  }
  throw new Error(`the local Kafka in ${folder} did not start`);
};

/** What another process has started or is starting there; undefined if it has died. */
const brokersOf = async (folder: string, until: number): Promise<readonly string[] | undefined> => {
  let unattended = 0;
  while (Date.now() < until && unattended < 50) {
    if (existsSync(join(folder, 'supervisor'))) {
      const supervisor = Number(await readFile(join(folder, 'supervisor'), 'utf8'));
      if (supervisor > 0 && !isAlive(supervisor)) return undefined;
      if (existsSync(join(folder, 'brokers'))) return (await readFile(join(folder, 'brokers'), 'utf8')).split(',');
    } else unattended += 1;
    await pause();
  }
  return undefined;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process: that is the answer
  }
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookMs));

/** Kafka nodes of one's own, to be killed and started again. They die with this process, and with the run. */
export class LocalKafka {
  readonly brokers: readonly string[];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, brokers: readonly string[]) {
    this.#child = child;
    this.brokers = brokers;
  }

  static async start(nodes: 1 | 3): Promise<LocalKafka> {
    const args = ['start', '--temporary', '--port', '0', '--nodes', String(nodes), '--while', String(jestProcess())];
    const child = fork(script, args, {
      execArgv: [],
      env: ownEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { ready } = await answer(child, (message) => message['ready'] !== undefined);
    return new LocalKafka(child, ready as readonly string[]);
  }

  /** kill -9 of a node; nodes count from 1. */
  async kill(node = 1): Promise<void> {
    await this.#order({ kill: node });
  }

  /** Starts a node that was killed; resolves when it serves. */
  async revive(node = 1): Promise<void> {
    await this.#order({ start: node });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await exited;
  }

  async #order(order: Readonly<Record<string, number>>): Promise<void> {
    const done = answer(this.#child, (message) =>
      Object.entries(order).every(([key, value]) => message[key] === value),
    );
    this.#child.send(order);
    await done;
  }
}

const answer = (
  child: ChildProcess,
  fits: (message: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const heard = (message: unknown): void => {
      if (!fits(message as Record<string, unknown>)) return;
      child.off('message', heard).off('exit', exited);
      resolve(message as Record<string, unknown>);
    };
    const exited = (code: number | null): void => reject(new Error(`the local Kafka has ended (${code})`));
    child.on('message', heard).once('exit', exited);
  });

/**
 * Options of jest's process are not for the broker's; and without the mark of the run (.config/jest-safety.mjs) it may outlive
 * jest for the moment that it needs to remove its folder.
 */
const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _options, KUNGFU_TEST_RUN: _mark, ...rest } = process.env;
  return rest;
};
