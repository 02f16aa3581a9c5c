import { describe, expect, it } from '@jest/globals';
import { Process, SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import type { Lease, Seeking } from '@kungfu/log-port';
import { InMemoryLeaseStore } from './in-memory-store.ts';
import type { LeaseStore } from './lease-store.ts';
import { StoreLeases } from './store-leases.ts';

const names = ['thread/0', 'thread/1', 'thread/2', 'thread/3'];

class Rig {
  readonly time = new VirtualTime(new SeededRandom(7));
  readonly store = new InMemoryLeaseStore(this.time);
  away = false;
  #ever: { holder: string; lease: Lease }[] = [];

  instance(name: string): { held: Map<string, Lease>; seeking: Seeking; process: Process; troubles: number } {
    const process = new Process({
      name,
      time: this.time,
      random: new SeededRandom(1),
      skewMs: 0,
      odds: { death: 0, pause: 0 },
      onDeath: () => {},
    });
    const store = process.guard(this.#failing());
    const made = { held: new Map<string, Lease>(), process, troubles: 0, seeking: undefined as unknown as Seeking };
    const leases = new StoreLeases({
      store,
      clock: process.clock,
      timers: process.timers,
      instance: name,
      onTrouble: () => {
        made.troubles += 1;
      },
    });
    made.seeking = leases.seek(names, {
      gained: (lease) => {
        made.held.set(lease.name, lease);
        this.#ever.push({ holder: name, lease });
      },
      lost: (lost) => void made.held.delete(lost),
    });
    return made;
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      await this.time.run(() => false, 50);
      this.#neverTwoFresh();
    }
  }

  #neverTwoFresh(): void {
    for (const name of names) {
      const fresh = this.#ever.filter(({ lease }) => lease.name === name && lease.fresh());
      expect(fresh.length).toBeLessThanOrEqual(1);
    }
  }

  #failing(): LeaseStore {
    return new Proxy(this.store, {
      get: (store, name) => {
        const member: unknown = Reflect.get(store, name, store);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (this.away) throw new Error('the database is away');
          return Reflect.apply(member, store, args) as unknown;
        };
      },
    });
  }
}

describe('leases', () => {
  it('[O4] are shared out evenly, and handed over without a fight', async () => {
    const rig = new Rig();
    const a = rig.instance('a');
    await rig.pass(1_000);
    expect(a.held.size).toBe(4);
    const b = rig.instance('b');
    await rig.pass(5_000);
    expect([a.held.size, b.held.size]).toEqual([2, 2]);
    const stopped = b.seeking.stop();
    await rig.pass(5_000);
    await stopped;
    expect(a.held.size).toBe(4);
  });
  it('[O4] stay where they are while nobody comes or goes', async () => {
    const rig = new Rig();
    const [a, b] = [rig.instance('a'), rig.instance('b')];
    await rig.pass(6_000);
    const before = [[...a.held.keys()], [...b.held.keys()]];
    await rig.pass(20_000);
    expect([[...a.held.keys()], [...b.held.keys()]]).toEqual(before);
  });
  it('[O4] of a dead holder are taken once they have run out', async () => {
    const rig = new Rig();
    const [a, b] = [rig.instance('a'), rig.instance('b')];
    await rig.pass(6_000);
    a.process.kill();
    await rig.pass(2_000);
    expect(b.held.size).toBe(2);
    await rig.pass(2_500);
    expect(b.held.size).toBe(4);
  });
  it('[O4] of a paused holder are not fresh before another may take them, and are lost when it is back', async () => {
    const rig = new Rig();
    const a = rig.instance('a');
    await rig.pass(1_000);
    a.process.suspend(6_000);
    await rig.pass(2_800);
    expect([...a.held.values()].some((lease) => lease.fresh())).toBe(false);
    const b = rig.instance('b');
    await rig.pass(2_000);
    expect(b.held.size).toBeGreaterThan(0);
    await rig.pass(6_000);
    expect([...a.held.keys(), ...b.held.keys()].sort()).toEqual(names);
  });
  it('[O4] go stale while the database is away, and are fresh again or lost when it is back', async () => {
    const rig = new Rig();
    const a = rig.instance('a');
    await rig.pass(1_000);
    rig.away = true;
    await rig.pass(10_000);
    expect(a.troubles).toBeGreaterThan(0);
    expect(a.held.size).toBe(4);
    expect([...a.held.values()].some((lease) => lease.fresh())).toBe(false);
    rig.away = false;
    await rig.pass(2_000);
    expect([...a.held.values()].every((lease) => lease.fresh())).toBe(true);
  });
});
