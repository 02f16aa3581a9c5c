import assert from 'node:assert/strict';
import { type AppendFate, createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import { SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import type { Lease, Leases } from '@kungfu/log-port';
import { actionsTopic, decodeInput, type Input, type KindName, kinds, kindsWith } from '@kungfu/protocol';
import type { LoopPorts, SchedulerEvent } from '../leased-loop.ts';

const partitions = 4;
export type Sent = { readonly kind: KindName; readonly partition: number; readonly input: Input };

/** Simulated time, actions topics in memory, a lease that the spec holds or not. */
export class SchedulerRig {
  readonly time = new VirtualTime(new SeededRandom(7));
  readonly log: InMemoryLog;
  readonly events: SchedulerEvent[] = [];
  fates: AppendFate[] = [];
  fresh = true;
  released = 0;

  constructor({ akep = false } = {}) {
    this.log = createInMemoryLog({
      topics: kindsWith({ akep }).map((kind) => ({
        topic: actionsTopic(kind),
        partitions,
        time: 'LogAppendTime',
        retentionMs: -1,
        compacted: false,
      })),
      clock: this.time,
      timers: this.time,
      fate: () => this.fates.shift() ?? 'land',
    });
  }

  get ports(): LoopPorts & { readonly log: InMemoryLog } {
    const lease = (name: string): Lease => ({ name, fresh: () => this.fresh });
    const leases: Leases = {
      seek: (names, { gained }) => {
        for (const name of names) gained(lease(name));
        const stop = async (): Promise<void> => {
          this.released += 1;
        };
        return { release: async () => {}, stop };
      },
    };
    return {
      log: this.log,
      leases,
      clock: this.time,
      timers: this.time,
      observe: (event) => void this.events.push(event),
    };
  }

  pass(ms: number): Promise<boolean> {
    return this.time.run(() => false, ms);
  }

  async finish(work: Promise<unknown>): Promise<void> {
    let done = false;
    void work.then(() => (done = true));
    assert.ok(await this.time.run(() => done, 60_000), 'it does not end');
  }

  /** Every input on the actions topics. */
  async sent(): Promise<readonly Sent[]> {
    const all: Sent[] = [];
    for (const kind of kinds)
      for (let partition = 0; partition < partitions; partition++)
        for (const record of await this.log.read({ topic: actionsTopic(kind), partition, offset: 0 }, 10_000))
          all.push({ kind, partition, input: decodeInput(record) });
    return all;
  }
}
