import assert from 'node:assert/strict';
import { createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import type { Clock, Leases, Log, LogRecord, Timers, TopicSettings } from '@kungfu/log-port';
import { contentTopic } from '@kungfu/protocol';
import { createDataSource, migrate, PostgresProjectionStore, type ProjectionStore } from '@kungfu/read-model';
import { worldTopics } from '@kungfu/read-model/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { ProjectorEvent } from '../events.ts';
import { ProjectorLoop } from '../projector-loop.ts';

export const systemClock: Clock = { now: () => Date.now() };
export const systemTimers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};

/** Every lease at once, for ever. */
export const everyLease: Leases = {
  seek: (names, { gained }) => {
    for (const name of names) gained({ name, fresh: () => true });
    return { release: async () => {}, stop: async () => {} };
  },
};

const waitMsMax = 30_000;

/** A log in memory, a database, and projectors between them. */
export class ProjectorRig {
  readonly log: InMemoryLog;
  readonly topics: readonly TopicSettings[];
  readonly pool: pg.Pool;
  readonly dataSource: DataSource;
  readonly store: ProjectionStore;
  readonly events: ProjectorEvent[] = [];
  readonly #running: ProjectorLoop[] = [];

  private constructor(url: string, partitions: number) {
    const content = {
      topic: contentTopic,
      partitions: 2,
      time: 'CreateTime',
      retentionMs: -1,
      compacted: true,
    } as const;
    this.topics = [...worldTopics(partitions), content];
    this.log = createInMemoryLog({ topics: this.topics, clock: systemClock, timers: systemTimers });
    this.pool = new pg.Pool({ connectionString: url, max: 8 });
    // The server may be stopped before the last sockets have closed.
    this.pool.on('error', () => {});
    this.dataSource = createDataSource({ url });
    this.store = new PostgresProjectionStore(this.pool);
  }

  static async make(url: string, partitions: number): Promise<ProjectorRig> {
    const rig = new ProjectorRig(url, partitions);
    await migrate(rig.dataSource);
    return rig;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((projector) => projector.stop()));
    await this.pool.end();
    await this.dataSource.destroy();
  }

  async begin(options: { store?: ProjectionStore; leases?: Leases; log?: Log } = {}): Promise<ProjectorLoop> {
    const { store = this.store, leases = everyLease, log = this.log } = options;
    const observe = (event: ProjectorEvent): void => void this.events.push(event);
    const projector = new ProjectorLoop({
      log,
      store,
      leases,
      clock: systemClock,
      timers: systemTimers,
      observe,
    });
    await projector.start();
    this.#running.push(projector);
    return projector;
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { topic, partition } = records[0]!;
    await (await this.log.producer()).append([{ topic, partition, records }]);
  }

  async content(
    partition: number,
    ...values: readonly (readonly [id: string, value: string | null])[]
  ): Promise<number> {
    const utf8 = new TextEncoder();
    const records = values.map(([key, value]) => ({ key, value: value === null ? null : utf8.encode(value) }));
    const [appended] = await (await this.log.producer()).append([{ topic: contentTopic, partition, records }]);
    return appended!.firstOffset + records.length;
  }

  /** Where a partition has been projected to. */
  async next(topic: string, partition: number): Promise<number> {
    const [position] = await this.store.load([{ topic, partition }]);
    return position!.next;
  }

  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + waitMsMax;
    while (!(await condition())) {
      assert.ok(Date.now() < end, `never: ${what}`);
      await systemTimers.sleep(5);
    }
  }

  /** Until everything in the log has been projected. */
  async untilProjected(records: readonly (readonly LogRecord[])[]): Promise<void> {
    const ends = records
      .filter((all) => all.length > 0)
      .map((all) => ({ topic: all[0]!.topic, partition: all[0]!.partition, end: all.length }));
    await this.until('projected', async () => {
      for (const { topic, partition, end } of ends) if ((await this.next(topic, partition)) < end) return false;
      return true;
    });
  }
}
