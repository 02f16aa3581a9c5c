import { createHash } from 'node:crypto';
import { OwnerHost } from '@kungfu/commands';
import { ActionPipeline, unlimited, type Wakes } from '@kungfu/gateway';
import { InMemoryLeaseStore, StoreLeases } from '@kungfu/leases';
import { type AppendFate, createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import { Process, SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import { erase, InMemoryStore } from '@kungfu/owner';
import { ProjectorLoop } from '@kungfu/projector';
import {
  actionCatalogue,
  agentKind,
  defaultLimits,
  memoryKind,
  taskKind,
  threadKind,
  topicSettings,
  type WalkPartition,
} from '@kungfu/protocol';
import { AccountCoordinator, SchedulerLoop } from '@kungfu/scheduler';
import { SimulatedDatabase } from './database.ts';

const partitions = 2;
const kinds = { agent: erase(agentKind), memory: erase(memoryKind), thread: erase(threadKind), task: erase(taskKind) };
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** How often what goes wrong; each is the chance at one step or one append. */
export type Faults = {
  readonly death: number;
  readonly pause: number;
  readonly append: number;
  readonly skewMsMax: number;
};

type Role = 'gateway' | 'owner' | 'projector' | 'scheduler';
export type Gateway = { readonly process: Process; readonly pipeline: ActionPipeline };

/** All services of Kungfu over one simulated log, database and clock; whoever dies is started again after a while. */
export class Cluster {
  readonly time: VirtualTime;
  readonly database = new SimulatedDatabase();
  readonly log: InMemoryLog;
  readonly deaths: Record<Role, number> = { gateway: 0, owner: 0, projector: 0, scheduler: 0 };
  readonly alarms: unknown[] = [];
  /** Stores of the owners, by instance and partition. */
  readonly stores = new Map<string, { readonly store: InMemoryStore; readonly process: Process }>();
  readonly #random: SeededRandom;
  readonly #leaseStore: InMemoryLeaseStore;
  readonly #processes = new Set<Process>();
  readonly #gateways: Gateway[] = [];
  readonly #held: (() => void)[] = [];
  #faults: Faults;
  #started = 0;

  constructor(seed: number, faults: Faults) {
    this.#random = new SeededRandom(seed);
    this.#faults = faults;
    this.time = new VirtualTime(this.#random.fork());
    this.#leaseStore = new InMemoryLeaseStore(this.time);
    const fates = this.#random.fork();
    this.log = createInMemoryLog({
      topics: topicSettings({ partitions }),
      clock: this.time,
      timers: this.time,
      fate: () => this.#fate(fates),
    });
  }

  start(): void {
    for (const role of ['gateway', 'gateway', 'owner', 'owner', 'projector', 'projector', 'scheduler'] as const)
      this.#begin(role);
  }

  /** A living gateway. */
  gateway(random: SeededRandom): Gateway | undefined {
    const living = this.#gateways.filter(({ process }) => process.alive);
    return living.length === 0 ? undefined : random.pick(living);
  }

  /** Nothing goes wrong any more; appends held back land now, as late as can be. */
  calm(): void {
    this.#faults = { death: 0, pause: 0, append: 0, skewMsMax: 0 };
    for (const process of this.#processes) process.calm();
    for (const land of this.#held.splice(0)) land();
  }

  #fate(random: SeededRandom): AppendFate {
    if (!random.chance(this.#faults.append)) return 'land';
    switch (random.below(4)) {
      case 0:
        return 'drop';
      case 1:
        return 'lose-ack';
      case 2:
        return { landFirst: 1 + random.below(3) };
      default:
        return { hold: (later) => this.#hold(later, random) };
    }
  }

  /** Lands within 20 seconds, or when all is calm; half of them only then. */
  #hold(later: () => void, random: SeededRandom): void {
    let landed = false;
    const land = (): void => {
      if (landed) return;
      landed = true;
      later();
    };
    this.#held.push(land);
    if (random.chance(0.5)) void this.time.sleep(random.below(20_000)).then(land);
  }

  #begin(role: Role): void {
    this.#started += 1;
    const process = new Process({
      name: `${role}-${this.#started}`,
      time: this.time,
      random: this.#random.fork(),
      skewMs: this.#random.below(2 * this.#faults.skewMsMax + 1) - this.#faults.skewMsMax,
      odds: this.#faults,
      onDeath: (dead) => this.#died(role, dead),
    });
    this.#processes.add(process);
    void this.#run(role, process).catch((error: unknown) => this.alarms.push(error));
  }

  #died(role: Role, process: Process): void {
    this.deaths[role] += 1;
    this.#processes.delete(process);
    void this.time.sleep(200 + this.#random.below(3_000)).then(() => this.#begin(role));
  }

  async #run(role: Role, process: Process): Promise<void> {
    const log = process.guard(this.log);
    const database = process.guard(this.database);
    const { clock, timers, random } = process;
    const leases = new StoreLeases({ store: process.guard(this.#leaseStore), clock, timers, instance: process.name });
    switch (role) {
      case 'gateway': {
        const pipeline = new ActionPipeline({
          catalogue: actionCatalogue(defaultLimits),
          limits: defaultLimits,
          log,
          tables: process.guard(this.database.tables),
          references: database,
          limiter: unlimited,
          wakes: polling(timers),
          clock,
          random,
          walkPartitions: async () => walkPartitions,
          onTrouble: () => {},
        });
        this.#gateways.push({ process, pipeline });
        return;
      }
      case 'owner':
        for (const kind of Object.values(kinds)) {
          const host = new OwnerHost({
            kind,
            limits: defaultLimits,
            log,
            leases,
            clock,
            timers,
            random,
            hash,
            observer: {
              parked: (_, error) => this.alarms.push(error),
              alarm: (_, error) => this.alarms.push(error),
              lost: () => {},
              decided: () => {},
            },
            openStore: (name, partition) => this.#openStore(process, `${name}/${partition}`),
          });
          await host.start();
        }
        return;
      case 'projector': {
        const observe = (event: { readonly type: string; readonly error?: unknown }): void =>
          void (event.type === 'alarm' && this.alarms.push(event.error));
        return new ProjectorLoop({ log, store: database, leases, clock, timers, observe }).start();
      }
      case 'scheduler':
        await new SchedulerLoop({ log, deadlines: database, leases, clock, timers, observe: () => {} }).start();
        return new AccountCoordinator({ log, walks: database, leases, clock, timers, observe: () => {} }).start();
    }
  }

  #openStore(process: Process, partition: string): InMemoryStore {
    const store = new InMemoryStore();
    this.stores.set(`${process.name}/${partition}`, { store, process });
    return store;
  }
}

const walkPartitions: readonly WalkPartition[] = (['memory', 'thread', 'task'] as const).flatMap((kind) =>
  Array.from({ length: partitions }, (_, partition) => ({ kind, partition })),
);

/** Nobody is ever woken: waiters look again by themselves (O-10). */
const polling = (timers: Process['timers']): Wakes => ({
  listening: false,
  register: () => ({ wait: (ms) => timers.sleep(ms).then(() => false), end: () => {} }),
});
