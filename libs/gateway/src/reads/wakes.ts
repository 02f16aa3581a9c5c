import type { Timers } from '@kungfu/log-port';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';

/** Somebody who waits for the read model to go on. Register first, then read, then wait (contract.md, Reads). */
export interface Waiter {
  /** Resolves when something was projected since the last time this resolved (or since registering), or after `ms`. */
  wait(ms: number): Promise<void>;
  /** Ends the registration; always call it. */
  end(): void;
}

/** Wakes waiters. A wake-up says nothing but "look again"; without any, waiters look again by themselves (O-10). */
export interface Wakes {
  register(): Waiter;
}

export const channel = 'kungfu_projected';
const retryMs = 500;

/**
 * Listens on one connection of its own. Whole interface: start(), stop(), register(), wait(), wake().
 * While the connection is lost nobody is woken; it is made anew every half second, and everybody is woken once then.
 */
export class PostgresWakes implements Wakes {
  readonly #waiters = new Set<WaiterOf>();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

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

  register(): Waiter {
    const waiter = new WaiterOf(this.timers, this.#stopping.signal, () => this.#waiters.delete(waiter));
    this.#waiters.add(waiter);
    return waiter;
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
    client.on('notification', () => this.wake());
    try {
      await client.query(`listen ${channel}`);
      this.wake();
      await ended;
    } finally {
      client.release(true);
    }
  }

  /** Lets everybody look again. */
  wake(): void {
    for (const waiter of this.#waiters) waiter.wake();
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

  async wait(ms: number): Promise<void> {
    if (!this.#woken && !this.stopping.aborted) {
      const given = new AbortController();
      const woken = new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
      await Promise.race([woken, this.timers.sleep(ms, AbortSignal.any([given.signal, this.stopping]))]);
      given.abort();
      this.#resolve = undefined;
    }
    this.#woken = false;
  }
}
