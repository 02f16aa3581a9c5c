import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { InboxState } from '@kungfu/protocol';
import type pg from 'pg';
import { createDataSource, migrate } from '../data-source.ts';
import {
  advanceOver,
  dumpReadModel,
  emptyReadModel,
  inboxAgents,
  randomInboxes,
  type World,
} from '../testing/index.ts';
import { startOf } from './port.ts';
import { PostgresProjectionStore } from './postgres-projection-store.ts';

type Open = Extract<InboxState, { status: 'open' }>;

let pool: pg.Pool;
let store: PostgresProjectionStore;
beforeAll(async () => {
  const url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pool = await testPool(url, 4);
  store = new PostgresProjectionStore(pool);
}, 60_000);
afterAll(() => stopTestDatabases());
beforeEach(() => emptyReadModel(pool));

const seeded = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

/** Projects a world in steps of at most so many records a partition. */
const project = async (world: World, recordsMax: number): Promise<void> => {
  const partitions = world.records().map((records) => ({ records, position: startOf(records[0]!) }));
  await store.load(partitions.map(({ position }) => position));
  while (partitions.some(({ records, position }) => position.next < records.length)) {
    const batch = partitions.map((partition) => {
      const { records, position } = partition;
      const advance = advanceOver(position, records.slice(position.next, position.next + recordsMax));
      partition.position = advance.to;
      return advance;
    });
    expect(await store.apply(batch)).toMatchObject({ stale: [], unfoldable: [] });
  }
};

const ask = async <Row>(sql: string, agent: string): Promise<readonly Row[]> => (await pool.query(sql, [agent])).rows;

describe('the rows of inboxes', () => {
  it.each([1, 2, 3, 4, 5])(
    '[L1-1] are the same at once and step by step: seed %i',
    async (seed) => {
      const world = randomInboxes(seeded(seed), 300);
      await project(world, 100_000);
      const whole = await dumpReadModel(pool);
      for (const table of ['akep_subscription', 'akep_secret', 'akep_event', 'akep_wait', 'akep_resume'])
        expect([table, whole[table]!.length > 0]).toEqual([table, true]);
      for (const recordsMax of [1, 7]) {
        await emptyReadModel(pool);
        await project(world, recordsMax);
        expect(await dumpReadModel(pool)).toEqual(whole);
      }
    },
    120_000,
  );

  it.each([6, 7, 8, 9])(
    '[R-1] [R-4] [R-5] [D-4] [P-1] [P-2] [W-5] say what the decider knows: seed %i',
    async (seed) => {
      const world = randomInboxes(seeded(seed), 400);
      await project(world, 5);
      for (const agent of inboxAgents) {
        const inbox = world.state<Open>('akep.inbox', agent);
        expect(await standing(agent)).toEqual({
          subscriptions: Object.entries(inbox.subscriptions)
            .map(([id, it]) => [
              id,
              it.revision,
              it.delivery,
              ...(it.delivery === 'relay' ? [] : [it.position, it.endpoint]),
            ])
            .sort(),
          secrets: inbox.secrets.map(({ key, status }) => `${key} ${status}`).sort(),
          openResumes: inbox.openResumes,
          waiting: inbox.waiting,
          expired: inbox.expired,
        });
        const events = await ask<{ sequence: number; received_at: Date }>(
          'select sequence, received_at from read.akep_event where agent = $1 order by sequence',
          agent,
        );
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
        const times = events.map(({ received_at: at }) => at.getTime());
        expect(times.every((at, i) => i === 0 || at > times[i - 1]!)).toBe(true);
      }
    },
    120_000,
  );
});

type Subscribed = { id: string; revision: number; delivery: string; position: number; endpoint: string };
const standing = async (agent: string) => {
  const subscriptions = await ask<Subscribed>(
    'select * from read.akep_subscription where agent = $1 and ended_at is null order by id',
    agent,
  );
  const secrets = await ask<{ key: string; status: string }>(
    `select key, status from read.akep_secret where agent = $1 and status <> 'retired'`,
    agent,
  );
  const [counts] = await ask<{ resumes: number; waits: number; expired: number }>(
    `select (select count(*)::int from read.akep_resume where agent = $1 and ended_at is null) as resumes,
      (select count(*)::int from read.akep_wait where agent = $1 and ended_at is null) as waits,
      (select coalesce(max(sequence), 0) from read.akep_event where agent = $1 and expired) as expired`,
    agent,
  );
  return {
    subscriptions: subscriptions.map(({ id, revision, delivery, position, endpoint }) => [
      id,
      revision,
      delivery,
      ...(delivery === 'relay' ? [] : [position, endpoint]),
    ]),
    secrets: secrets.map(({ key, status }) => `${key} ${status}`).sort(),
    openResumes: counts!.resumes,
    waiting: counts!.waits,
    expired: counts!.expired,
  };
};
