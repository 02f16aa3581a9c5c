import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';

export type ChildOptions = {
  /** Stands before each line of its output. */
  readonly name: string;
  /** The module that Node runs. */
  readonly module: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
};

const stopMsMax = 20_000;

/** Loaded before the module: when this process is gone, however it went, the child shuts down by itself. */
const tether = `data:text/javascript,${encodeURIComponent("process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); process.channel?.unref();")}`;

/** A Node process in a session of its own, so that a Ctrl-C at the terminal reaches it through its parent only, in order. */
export class Child {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | NodeJS.Signals>;

  constructor({ name, module, args = [], env, say }: ChildOptions) {
    this.name = name;
    this.#process = fork(module, [...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
      execArgv: ['--import', tether],
      env: env as NodeJS.ProcessEnv,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => say(`[${name}] ${line}`));
    this.#ended = new Promise((resolve) => this.#process.once('close', (code, signal) => resolve(code ?? signal ?? 0)));
  }

  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended;
  }

  /** The first message that `pick` takes; rejects when the process ends before. */
  message<T>(pick: (message: unknown) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#process.on('message', (message) => {
        const picked = pick(message);
        if (picked !== undefined) resolve(picked);
      });
      void this.#ended.then((how) => reject(new Error(`${this.name} has ended (${how})`)));
    });
  }

  /** Asks it to end and waits; kills it when that takes too long. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.#process.kill('SIGKILL'), stopMsMax);
    this.#process.kill('SIGTERM');
    await this.#ended;
    clearTimeout(late);
  }
}
