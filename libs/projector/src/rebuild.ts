import type { Clock, Leases, Log, Timers, TopicPartition } from '@kungfu/log-port';
import { contentTopic, factsTopic, type KindName, kinds } from '@kungfu/protocol';
import { dropReadModel, migrate, type ProjectionStore } from '@kungfu/read-model';
import type { DataSource } from 'typeorm';
import type { Observe } from './events.ts';
import { ProjectorLoop } from './projector-loop.ts';

export type RebuildPorts = {
  readonly log: Log;
  readonly dataSource: DataSource;
  readonly store: ProjectionStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly observe: Observe;
  /** Whose facts there are; those of Kungfu if absent. */
  readonly kinds?: readonly KindName[];
};

/** A partition cannot be projected, so the read model cannot be whole. */
export class RebuildStopped extends Error {
  override readonly name = 'RebuildStopped';
}

const lookMs = 50;

/**
 * Drops what the facts were folded into, and folds them again from the beginning to where the log ends now (L1-1). Other
 * projectors may run: the positions let each record be folded once. Gateways answer with receipts and `pending` until the
 * generation, which is raised with the drop, has been fenced and passed (engine.md §4, 7). Throws RebuildStopped.
 */
export const rebuild = async ({ dataSource, ...ports }: RebuildPorts): Promise<void> => {
  await migrate(dataSource);
  await dropReadModel(dataSource);
  const projector = new ProjectorLoop({ ...ports, leases: allLeases });
  const ends = await endsOf(ports);
  await projector.start();
  try {
    while (!(await hasPassed(ports.store, ends))) {
      const trouble = projector.trouble();
      if (trouble !== undefined) throw new RebuildStopped(trouble);
      await ports.timers.sleep(lookMs);
    }
  } finally {
    await projector.stop();
  }
};

type End = TopicPartition & { readonly end: number };

const endsOf = async ({ log, kinds: folded = kinds }: Pick<RebuildPorts, 'log' | 'kinds'>): Promise<readonly End[]> => {
  const topics = [contentTopic, ...folded.map(factsTopic)];
  const ends = topics.map(async (topic) => {
    const partitions = Array.from({ length: await log.partitions(topic) }, (_, partition) => ({ topic, partition }));
    return Promise.all(partitions.map(async (place) => ({ ...place, end: await log.end(place) })));
  });
  return (await Promise.all(ends)).flat();
};

const hasPassed = async (store: ProjectionStore, ends: readonly End[]): Promise<boolean> => {
  const positions = new Map(
    (await store.load(ends)).map(({ topic, partition, next }) => [`${topic}/${partition}`, next]),
  );
  return ends.every(({ topic, partition, end }) => (positions.get(`${topic}/${partition}`) ?? 0) >= end);
};

/** Whoever rebuilds projects everything. */
const allLeases: Leases = {
  seek: (names, { gained }) => {
    for (const name of names) gained({ name, fresh: () => true });
    return { release: async () => {}, stop: async () => {} };
  },
};
