/**
 * Leases over a store: each instance renews what it holds, gives back what is more than its even share, and takes what is free
 * up to its share.
 *
 * Whole interface: seek(), and release() and stop() of what it gives. A lease is a hint that spares fights and never a proof.
 * Freshness counts from before a renewal was sent. One loop for each seek; nothing else touches what it holds.
 */
import type { Clock, Lease, LeaseName, Leases, Seeking, Timers } from '@kungfu/log-port';
import type { LeaseStore } from './lease-store.ts';
import { freshShare, type LeaseTiming, leaseTiming } from './lease-timing.ts';

export type StoreLeasesOptions = {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Name of this instance, unlike any other's. */
  readonly instance: string;
  readonly timing?: LeaseTiming;
  /** Hears of a store that is away; what is held goes stale meanwhile. */
  readonly onTrouble?: (error: unknown) => void;
};

type Callbacks = { readonly gained: (lease: Lease) => void; readonly lost: (name: LeaseName) => void };

export class StoreLeases implements Leases {
  readonly #options: StoreLeasesOptions;

  constructor(options: StoreLeasesOptions) {
    this.#options = options;
  }

  seek(names: readonly LeaseName[], on: Callbacks): Seeking {
    return new Seeker(names, on, this.#options);
  }
}

type Held = { renewedAt: number; readonly lease: Lease };

class Seeker implements Seeking {
  readonly #names: readonly LeaseName[];
  readonly #group: string;
  readonly #on: Callbacks;
  readonly #options: StoreLeasesOptions;
  readonly #timing: LeaseTiming;
  readonly #held = new Map<LeaseName, Held>();
  readonly #resting = new Map<LeaseName, number>();
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;

  constructor(names: readonly LeaseName[], on: Callbacks, options: StoreLeasesOptions) {
    this.#names = names;
    this.#group = [...names].sort()[0] ?? '';
    this.#on = on;
    this.#options = options;
    this.#timing = options.timing ?? leaseTiming;
    this.#loop = this.#run();
  }

  async release(name: LeaseName): Promise<void> {
    if (!this.#held.has(name)) return;
    this.#resting.set(name, this.#options.clock.now() + this.#timing.restMs);
    this.#lose(name);
    await this.#options.store.free(this.#options.instance, [name]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    const names = [...this.#held.keys()];
    this.#held.clear();
    try {
      await this.#options.store.free(this.#options.instance, names);
      await this.#options.store.leave(this.#options.instance, this.#group);
    } catch (error) {
      // They run out by themselves.
      this.#options.onTrouble?.(error);
    }
  }

  async #run(): Promise<void> {
    let renewAt = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        const due = this.#options.clock.now() >= renewAt;
        if (due) await this.#renew();
        await this.#seekShare();
        if (due) renewAt = this.#options.clock.now() + this.#timing.renewMs;
      } catch (error) {
        this.#options.onTrouble?.(error);
      }
      await this.#options.timers.sleep(this.#timing.seekMs, this.#stopping.signal);
    }
  }

  async #renew(): Promise<void> {
    const { store, instance, clock } = this.#options;
    await store.announce(instance, this.#group, this.#timing.timeToLiveMs);
    const sentAt = clock.now();
    const names = [...this.#held.keys()];
    if (names.length === 0) return;
    const renewed = new Set(await store.renew(instance, names, this.#timing.timeToLiveMs));
    for (const name of names) {
      const held = this.#held.get(name);
      if (!renewed.has(name)) this.#lose(name);
      else if (held !== undefined) held.renewedAt = sentAt;
    }
  }

  /** Even shares: gives back what is over, takes what is under. */
  async #seekShare(): Promise<void> {
    const { store, instance, clock } = this.#options;
    const share = Math.ceil(this.#names.length / Math.max(1, await store.living(this.#group)));
    const over = [...this.#held.keys()].slice(share);
    for (const name of over) await this.release(name);
    const wanted = this.#names.filter((name) => !this.#held.has(name) && (this.#resting.get(name) ?? 0) <= clock.now());
    const most = share - this.#held.size;
    if (most <= 0 || wanted.length === 0 || this.#stopping.signal.aborted) return;
    const sentAt = clock.now();
    for (const name of await store.take(instance, wanted, most, this.#timing.timeToLiveMs)) this.#gain(name, sentAt);
  }

  #gain(name: LeaseName, renewedAt: number): void {
    const held: Held = {
      renewedAt,
      lease: {
        name,
        fresh: () =>
          this.#held.get(name) === held &&
          this.#options.clock.now() - held.renewedAt < freshShare * this.#timing.timeToLiveMs,
      },
    };
    this.#held.set(name, held);
    this.#on.gained(held.lease);
  }

  #lose(name: LeaseName): void {
    this.#held.delete(name);
    this.#on.lost(name);
  }
}
