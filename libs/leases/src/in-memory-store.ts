import type { Clock } from '@kungfu/log-port';
import type { LeaseStore } from './lease-store.ts';

/** Leases in memory, shared by all instances of a simulation. */
export class InMemoryLeaseStore implements LeaseStore {
  readonly #clock: Clock;
  readonly #leases = new Map<string, { instance: string; until: number }>();
  readonly #living = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async announce(instance: string, group: string, timeToLiveMs: number): Promise<void> {
    this.#living.set(`${group}|${instance}`, this.#clock.now() + timeToLiveMs);
  }

  async living(group: string): Promise<number> {
    return [...this.#living].filter(([name, until]) => name.startsWith(`${group}|`) && until > this.#clock.now())
      .length;
  }

  async renew(instance: string, names: readonly string[], timeToLiveMs: number): Promise<readonly string[]> {
    const held = names.filter((name) => this.#leases.get(name)?.instance === instance);
    for (const name of held) this.#leases.set(name, { instance, until: this.#clock.now() + timeToLiveMs });
    return held;
  }

  async take(
    instance: string,
    names: readonly string[],
    most: number,
    timeToLiveMs: number,
  ): Promise<readonly string[]> {
    const free = names.filter((name) => (this.#leases.get(name)?.until ?? 0) <= this.#clock.now()).slice(0, most);
    for (const name of free) this.#leases.set(name, { instance, until: this.#clock.now() + timeToLiveMs });
    return free;
  }

  async free(instance: string, names: readonly string[]): Promise<void> {
    for (const name of names) if (this.#leases.get(name)?.instance === instance) this.#leases.delete(name);
  }

  async leave(instance: string, group: string): Promise<void> {
    this.#living.delete(`${group}|${instance}`);
  }
}
