import type { Timers } from '@kungfu/log-port';
import { Child, type ChildOptions } from './child.ts';

const againMs = 1_000;
const lookMs = 200;

/** A service as a process of its own: started again when it ends, as any orchestrator would, until it is stopped. */
export class ServiceProcess {
  readonly #options: ChildOptions;
  readonly #timers: Timers;
  readonly #stopping = new AbortController();
  #child: Child | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ChildOptions, timers: Timers) {
    this.#options = options;
    this.#timers = timers;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves once its health listener answers 200, or at the signal. */
  async ready(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await answers(url))) await this.#timers.sleep(lookMs, signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#child?.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#child = new Child(this.#options);
      const how = await this.#child.ended();
      if (signal.aborted) return;
      this.#options.say(`[${this.#options.name}] has ended (${how}), starting it again`);
      await this.#timers.sleep(againMs, signal);
    }
  }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    // Not listening yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
};
