/**
 * Hosts the owners of one kind in this process: every partition is followed (a warm state makes take-over fast), those whose
 * lease this instance holds are decided.
 *
 * Whole interface: start(), stop(), status(), trouble(). The leases only spare fights; the owners' epochs keep them safe.
 */
import type { Clock, Leases, Log, Random, Seeking, Timers } from '@kungfu/log-port';
import {
  type ErasedKind,
  type OwnerLimits,
  type OwnerObserver,
  type OwnerStatus,
  PartitionOwner,
  type Store,
} from '@kungfu/owner';
import { actionsTopic, type DecisionLimits } from '@kungfu/protocol';

export type OwnerHostOptions = {
  readonly kind: ErasedKind;
  readonly limits: DecisionLimits;
  readonly bounds?: Partial<OwnerLimits>;
  readonly log: Log;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly hash: (bytes: Uint8Array) => string;
  readonly observer: OwnerObserver;
  /** Opens the local store of a partition. */
  readonly openStore: (kind: string, partition: number) => Store;
};

type Hosted = { readonly owner: PartitionOwner; readonly store: Store };

export class OwnerHost {
  readonly #options: OwnerHostOptions;
  readonly #hosted = new Map<string, Hosted>();
  #seeking: Seeking | undefined;

  constructor(options: OwnerHostOptions) {
    this.#options = options;
  }

  /** Follows every partition of the kind and seeks their leases. Throws if the topics do not exist. */
  async start(): Promise<void> {
    const { kind, log, leases } = this.#options;
    const partitions = await log.partitions(actionsTopic(kind.name));
    for (let partition = 0; partition < partitions; partition++)
      this.#hosted.set(`${kind.name}/${partition}`, this.#open(partition));
    for (const { owner } of this.#hosted.values()) owner.start();
    this.#seeking = leases.seek([...this.#hosted.keys()], {
      gained: (lease) => this.#hosted.get(lease.name)?.owner.lead(lease),
      lost: (name) => void this.#hosted.get(name)?.owner.yield(),
    });
  }

  /** Finishes what is being decided, then gives the leases back, then closes the stores. */
  async stop(): Promise<void> {
    const hosted = [...this.#hosted.values()];
    await Promise.all(hosted.map(({ owner }) => owner.stop()));
    await this.#seeking?.stop();
    await Promise.all(hosted.map(({ store }) => store.close()));
    this.#hosted.clear();
  }

  /** The state of each partition, by its name `kind/partition`. */
  status(): ReadonlyMap<string, OwnerStatus> {
    return new Map([...this.#hosted].map(([name, { owner }]) => [name, owner.status()]));
  }

  /** Partitions that have stopped with an alarm; undefined: none. */
  trouble(): string | undefined {
    const alarmed = [...this.status()].filter(([, status]) => status === 'alarmed').map(([name]) => name);
    return alarmed.length === 0 ? undefined : `stopped: ${alarmed.join(', ')}`;
  }

  #open(partition: number): Hosted {
    const { openStore, kind, limits, bounds, ...ports } = this.#options;
    const store = openStore(kind.name, partition);
    const owner = new PartitionOwner(
      { kind, partition, limits, ...(bounds === undefined ? {} : { bounds }) },
      { ...ports, store },
    );
    return { owner, store };
  }
}
