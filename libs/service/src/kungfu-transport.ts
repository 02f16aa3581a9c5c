import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { NamedLoop } from './loop.ts';

/** What the transport tells about itself. */
export type TransportState = 'idle' | 'starting' | 'running' | 'stopping' | 'stopped';

/** When a loop changes state; nothing of it may throw. */
export type TransportEvents = { readonly started: (name: string) => void; readonly stopped: (name: string) => void };

/**
 * Nest's view of a service: its messages are the records of a log, taken in order by loops that answer by appending, so there
 * is nothing to route one message at a time (engine.md §3, the end of the kafkajs recipe).
 *
 * Whole interface: listen(), close(), state, loops. listen starts the loops in order; close stops those that run in reverse
 * order, each before the next, so that what a loop stands on outlives it. Safe to repeat: close.
 */
export class KungfuTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('kungfu.transport');
  readonly loops: readonly NamedLoop[];
  readonly #events: TransportEvents;
  readonly #running: NamedLoop[] = [];
  #state: TransportState = 'idle';
  #starting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(loops: readonly NamedLoop[], events: TransportEvents = { started: () => {}, stopped: () => {} }) {
    super();
    this.loops = loops;
    this.#events = events;
  }

  get state(): TransportState {
    return this.#state;
  }

  /** Calls back without an argument when every loop runs, with the error when one cannot start; those before it then go on until close. */
  listen(callback: (error?: unknown) => void): void {
    if (this.#state !== 'idle') throw new Error(`a transport starts once; this one is ${this.#state}`);
    this.#state = 'starting';
    this.#starting = this.#start();
    this.#starting.then(() => callback(), callback);
  }

  /** Waits for a start under way, then stops what runs. Throws the first failure, after all loops were asked to stop. */
  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  /** There is no event to subscribe to: state and the loops' own health tell. */
  override on(event: string): never {
    throw new Error(`the transport has no event ${event}`);
  }

  override unwrap<T>(): T {
    return this.loops as T;
  }

  async #start(): Promise<void> {
    for (const named of this.loops) {
      if (this.#closing !== undefined) return;
      await named.loop.start();
      this.#running.push(named);
      this.#events.started(named.name);
    }
    if (this.#closing === undefined) this.#state = 'running';
  }

  async #stop(): Promise<void> {
    this.#state = 'stopping';
    await Promise.allSettled([this.#starting]);
    const failures: unknown[] = [];
    for (let named = this.#running.pop(); named !== undefined; named = this.#running.pop()) {
      const [outcome] = await Promise.allSettled([named.loop.stop()]);
      if (outcome.status === 'rejected') failures.push(outcome.reason);
      this.#events.stopped(named.name);
    }
    this.#state = 'stopped';
    if (failures.length > 0) throw failures[0];
  }
}
