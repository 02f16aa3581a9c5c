import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { until } from './until.ts';

export type ChildOptions = {
  readonly label: string;
  /** The module that Node runs. */
  readonly module: string;
  readonly args?: readonly string[];
  /** Flags of Node itself. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its output is appended. */
  readonly outputFile: string;
};

const stopMsMax = 20_000;

/** Loaded into each child before its module: when this process is gone, however it went, the child's group is killed. */
const tether = `data:text/javascript,${encodeURIComponent("process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));")}`;

/** A process in a group of its own that does not outlive this one. */
export class Child {
  readonly label: string;
  readonly #process: ChildProcess;

  constructor(options: ChildOptions) {
    this.label = options.label;
    const output = openSync(options.outputFile, 'a');
    this.#process = fork(options.module, [...(options.args ?? [])], forkOptions(options, output));
    closeSync(output);
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`${this.label} has not started`);
    return pid;
  }

  /** Its exit code or the signal that ended it; undefined while it runs. */
  get ended(): number | string | undefined {
    return this.#process.exitCode ?? this.#process.signalCode ?? undefined;
  }

  /** The first message over IPC that `pick` takes. Throws when the process ends before, or after `msMax`. */
  async message<T>(pick: (message: unknown) => T | undefined, msMax: number): Promise<T> {
    let found: T | undefined;
    const listen = (message: unknown): void => {
      found ??= pick(message);
    };
    this.#process.on('message', listen);
    try {
      return await until(`a message of ${this.label}`, msMax, async () => found ?? this.mustRun());
    } finally {
      this.#process.off('message', listen);
    }
  }

  onMessage(listen: (message: unknown) => void): void {
    this.#process.on('message', listen);
  }

  /** Throws when the process has ended. */
  mustRun(): undefined {
    if (this.ended !== undefined) throw new Error(`${this.label} has ended (${this.ended})`);
    return undefined;
  }

  /** Asks it to end and waits; kills it, with its group, when that takes long. Its exit code or signal. */
  async stop(): Promise<number | string> {
    this.#process.kill('SIGTERM');
    try {
      return await this.exited(stopMsMax);
    } finally {
      killGroup(this.#process);
    }
  }

  /** kill -9 of the process alone, as when it crashes; its own children stay. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.exited(stopMsMax);
  }

  /** kill -9 of the process and of what it started. */
  async killAll(): Promise<void> {
    killGroup(this.#process);
    await this.exited(stopMsMax);
  }

  async exited(msMax: number): Promise<number | string> {
    return until(`the end of ${this.label}`, msMax, async () => this.ended);
  }
}

const forkOptions = ({ env, execArgv }: ChildOptions, output: number): ForkOptions => ({
  detached: true,
  stdio: ['ignore', output, output, 'ipc'],
  execArgv: ['--import', tether, ...(execArgv ?? [])],
  env: { ...inherited(), ...env },
});

/** What every process needs of the environment; nothing else of the tester's leaks in. */
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'LANG', 'JAVA_HOME', 'LD_LIBRARY_PATH'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
