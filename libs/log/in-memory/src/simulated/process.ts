import type { Clock, Random, Timers } from '@kungfu/log-port';
import type { SeededRandom } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How a process may fail at a call to one of its ports. */
export type Odds = {
  /** Dies before the call has done anything, or after it has done everything. */
  readonly death: number;
  /** Is held up for longer than a lease lives, and goes on as a zombie. */
  readonly pause: number;
};

/**
 * A simulated process. Everything it touches goes through `guard`, which may kill or hold it up at every step. A dead process
 * does nothing more: its calls never return.
 */
export class Process {
  readonly name: string;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #skewMs: number;
  readonly #onDeath: (process: Process) => void;
  #odds: Odds;
  #alive = true;
  #stepsLeft: number;
  #suspendedUntil = 0;

  constructor(options: {
    name: string;
    time: VirtualTime;
    random: SeededRandom;
    skewMs: number;
    odds: Odds;
    dieAtStep?: number;
    onDeath: (process: Process) => void;
  }) {
    this.name = options.name;
    this.#time = options.time;
    this.#random = options.random;
    this.#skewMs = options.skewMs;
    this.#odds = options.odds;
    this.#onDeath = options.onDeath;
    this.#stepsLeft = options.dieAtStep ?? Number.POSITIVE_INFINITY;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** From here on nothing goes wrong by itself. */
  calm(): void {
    this.#odds = { death: 0, pause: 0 };
  }

  kill(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#onDeath(this);
  }

  /** Held up from now on for so long: whatever comes back to it comes later. */
  suspend(ms: number): void {
    this.#suspendedUntil = this.#time.now() + ms;
  }

  readonly clock: Clock = { now: () => this.#time.now() + this.#skewMs };
  readonly random: Random = { next: () => this.#random.next(), hex: (bytes) => this.#random.hex(bytes) };
  readonly timers: Timers = { sleep: (ms, signal) => this.#unlessDead(this.#time.sleep(ms, signal)) };

  /** The port as this process sees it: every method that answers with a promise is a step at which it may fail. */
  guard<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#step(() => Reflect.apply(member, target, args) as unknown);
      },
    });
  }

  #step(call: () => unknown): unknown {
    if (!this.#alive) return new Promise(() => {});
    if (this.#takesStep()) return this.#die();
    const result = call();
    if (!(result instanceof Promise)) return result;
    return this.#unlessDead(result.then((value) => this.#after(value)));
  }

  async #after(value: unknown): Promise<unknown> {
    if (this.#takesStep()) return this.#die();
    if (this.#random.chance(this.#odds.pause)) await this.#time.sleep(3_000 + this.#random.below(6_000));
    return value !== null && typeof value === 'object' && isPort(value) ? this.guard(value) : value;
  }

  /** Counts a step, before or after a call; true if this is the one at which the process dies. */
  #takesStep(): boolean {
    this.#stepsLeft -= 1;
    return this.#stepsLeft === 0 || this.#random.chance(this.#odds.death / 2);
  }

  #die(): Promise<never> {
    this.kill();
    return new Promise(() => {});
  }

  #unlessDead<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => void this.#resumed().then(() => this.#alive && resolve(value)),
        (error: unknown) => void this.#resumed().then(() => this.#alive && reject(error)),
      );
    });
  }

  async #resumed(): Promise<void> {
    while (this.#time.now() < this.#suspendedUntil) await this.#time.sleep(this.#suspendedUntil - this.#time.now());
  }
}

/** Producers and readers that a log hands out are ports themselves. */
const isPort = (value: object): boolean => 'append' in value || 'poll' in value;
