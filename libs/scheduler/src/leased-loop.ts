import type { Clock, Lease, Leases, Seeking, Timers } from '@kungfu/log-port';

export type LoopPorts = {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly observe: (event: SchedulerEvent) => void;
};

/** What the loops of the scheduler tell. Whoever observes must not throw. */
export type SchedulerEvent =
  | { readonly type: 'sent'; readonly loop: string; readonly inputs: number }
  /** Log or database are away; it is tried again. */
  | { readonly type: 'failed'; readonly loop: string; readonly error: unknown };

const backoffMsMin = 100;
const backoffMsMax = 5_000;

/**
 * Does one round of work again and again while it holds its lease. Two instances at once would only send inputs twice,
 * which changes nothing: the lease spares the work.
 */
export class LeasedLoop {
  readonly #name: string;
  readonly #pollMs: number;
  readonly #round: () => Promise<number>;
  readonly #ports: LoopPorts;
  #stopping = false;
  #sleeping: AbortController | undefined;
  #lease: Lease | undefined;
  #seeking: Seeking | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `round` says how many inputs it has sent. */
  constructor(name: string, pollMs: number, round: () => Promise<number>, ports: LoopPorts) {
    this.#name = name;
    this.#pollMs = pollMs;
    this.#round = round;
    this.#ports = ports;
  }

  async start(): Promise<void> {
    this.#seeking = this.#ports.leases.seek([this.#name], {
      gained: (lease) => {
        this.#lease = lease;
      },
      lost: () => {
        this.#lease = undefined;
      },
    });
    this.#running = this.#run();
  }

  /** Finishes the round in hand, then gives the lease back. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#sleeping?.abort();
    await this.#running;
    await this.#seeking?.stop();
  }

  async #run(): Promise<void> {
    let backoffMs = backoffMsMin;
    while (!this.#stopping) {
      const done = await this.#once();
      await this.#sleep(done ? this.#pollMs : backoffMs);
      backoffMs = done ? backoffMsMin : Math.min(backoffMs * 2, backoffMsMax);
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stopping) return;
    this.#sleeping = new AbortController();
    await this.#ports.timers.sleep(ms, this.#sleeping.signal);
  }

  async #once(): Promise<boolean> {
    if (this.#lease?.fresh() !== true) return true;
    const { observe } = this.#ports;
    try {
      const inputs = await this.#round();
      if (inputs > 0) observe({ type: 'sent', loop: this.#name, inputs });
      return true;
    } catch (error) {
      observe({ type: 'failed', loop: this.#name, error });
      return false;
    }
  }
}
