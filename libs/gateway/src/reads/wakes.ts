import type { Timers } from '@kungfu/log-port';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';

/** Somebody who waits for the read model to go on. Register first, then read, then wait (contract.md, Reads). */
export interface Waiter {
  /**
   * Resolves when something was projected since the last time this resolved (or since registering), or after `ms`; whether
   * something was.
   */
  wait(ms: number): Promise<boolean>;
  /** Ends the registration; always call it. */
  end(): void;
}

/** Wakes waiters. A wake-up says nothing but "look again"; without any, waiters look again by themselves (O-10). */
export interface Wakes {
  /** `agent`: only when duties or opportunities of this agent may have changed; without, by everything that is projected. */
  register(agent?: string): Waiter;
  /** Whether it would be heard of: while not, waiters look again by themselves. */
  readonly listening: boolean;
}

export const channel = 'kungfu_projected';
const retryMs = 500;

/**
 * Listens on one connection of its own. Whole interface: start(), stop(), register(), wait(), wake().
 * While the connection is lost nobody is woken; it is made anew every half second, and everybody is woken once then.
 */
export class PostgresWakes implements Wakes {
  readonly #waiters = new Set<WaiterOf>();
  readonly #byAgent = new Map<string, Set<WaiterOf>>();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  listening = false;

  constructor(
    private readonly pool: Pool,
    private readonly timers: Timers,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  start(): void {
    this.#running = this.#listen();
  }

  /** Wakes everybody for good and gives the connection back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  register(agent?: string): Waiter {
    const waiters = agent === undefined ? this.#waiters : this.#of(agent);
    const waiter = new WaiterOf(this.timers, this.#stopping.signal, () => {
      waiters.delete(waiter);
      if (agent !== undefined && waiters.size === 0) this.#byAgent.delete(agent);
    });
    waiters.add(waiter);
    return waiter;
  }

  #of(agent: string): Set<WaiterOf> {
    const waiters = this.#byAgent.get(agent) ?? new Set();
    this.#byAgent.set(agent, waiters);
    return waiters;
  }

  /** Until the next wake-up, or for so long. */
  async wait(ms: number): Promise<void> {
    const waiter = this.register();
    await waiter.wait(ms);
    waiter.end();
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const client = await this.pool.connect();
        await this.#follow(client);
      } catch (error) {
        this.logger.warn({ err: error }, 'no notifications for now');
        await this.timers.sleep(retryMs, signal);
      }
    }
  }

  /** Until the connection ends or stop(). The connection is not used again. */
  async #follow(client: PoolClient): Promise<void> {
    const { signal } = this.#stopping;
    const ended = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        this.logger.warn({ err: error }, 'the connection for notifications was lost');
        resolve();
      });
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
    try {
      await client.query(`listen ${channel}`);
      this.listening = true;
      this.wake();
      await ended;
    } finally {
      this.listening = false;
      client.release(true);
    }
  }

  /** Of whom something was projected: `-` of nobody who waits for duties; nothing said: of anybody. */
  #heard(payload: string): void {
    if (payload === '') return this.wake();
    for (const waiter of this.#waiters) waiter.wake();
    for (const agent of payload.split(',')) for (const waiter of this.#byAgent.get(agent) ?? []) waiter.wake();
  }

  /** Lets everybody look again. */
  wake(): void {
    for (const waiters of [this.#waiters, ...this.#byAgent.values()]) for (const waiter of waiters) waiter.wake();
  }
}

class WaiterOf implements Waiter {
  #woken = false;
  #resolve: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly stopping: AbortSignal,
    readonly end: () => void,
  ) {}

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  async wait(ms: number): Promise<boolean> {
    if (!this.#woken && !this.stopping.aborted) {
      const given = new AbortController();
      const woken = new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
      await Promise.race([woken, this.timers.sleep(ms, AbortSignal.any([given.signal, this.stopping]))]);
      given.abort();
      this.#resolve = undefined;
    }
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }
}
