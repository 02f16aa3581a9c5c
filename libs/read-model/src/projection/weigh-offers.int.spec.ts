import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createDataSource, migrate } from '../data-source.ts';
import { advanceOver, contentOf, emptyReadModel, idOf, World } from '../testing/index.ts';
import { type ProjectedPosition, startOf } from './port.ts';
import { PostgresProjectionStore } from './postgres-projection-store.ts';

const [ada, bob, eve] = [1, 2, 3].map((n) => idOf('agent', n)) as [string, string, string];
const task = idOf('task', 1);
const contract = {
  content: contentOf(1),
  structured: false,
  requiredInputs: [],
  informative: [],
  deliverySeconds: 60,
  judgmentSeconds: 60,
  withoutJudgment: 'undecided',
  judge: ada,
  eligibility: [] as string[],
  adoptedReaders: 'parties',
};

let pool: pg.Pool;
let store: PostgresProjectionStore;
beforeAll(async () => {
  const url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pool = await testPool(url, 2);
  store = new PostgresProjectionStore(pool);
}, 60_000);
afterAll(stopTestDatabases);

/** A Task's life, projected whenever it is looked at. */
class Life {
  readonly #world = new World(1);
  readonly #positions = new Map<string, ProjectedPosition>();

  act(agent: string, payload: object): void {
    expect(this.#world.act('task', task, agent, payload as never)).toBeDefined();
  }

  async offers(): Promise<readonly unknown[]> {
    const batch = this.#world.records().map((records) => {
      const position = this.#positions.get(records[0]!.topic) ?? startOf(records[0]!);
      return advanceOver(position, records.slice(position.next));
    });
    await store.load(batch.map(({ to }) => to));
    await store.apply(batch);
    for (const { to } of batch) this.#positions.set(to.topic, to);
    return (await pool.query('select agent, requires, barred from read.opportunity order by agent')).rows;
  }
}

describe('what keeps an agent from taking a Task that names it', () => {
  it('[O-5] [K-4] is what the contract of now asks for, in one order, and being its judge', async () => {
    await emptyReadModel(pool);
    const life = new Life();
    life.act(ada, {
      type: 'task.create',
      audience: { kind: 'restricted', agents: [bob, eve] },
      ...contract,
      eligibility: ['x', 'a'],
    });
    expect(await life.offers()).toEqual([
      { agent: bob, requires: ['a', 'x'], barred: false },
      { agent: eve, requires: ['a', 'x'], barred: false },
    ]);
    life.act(ada, { type: 'task.revise', ...contract, eligibility: ['a'], judge: eve });
    expect(await life.offers()).toEqual([
      { agent: bob, requires: ['a'], barred: false },
      { agent: eve, requires: ['a'], barred: true },
    ]);
    life.act(ada, { type: 'task.revise', ...contract });
    expect(await life.offers()).toEqual([bob, eve].map((agent) => ({ agent, requires: [], barred: false })));
  });

  it('[O-5] [K-15] is that its limit of adoptions is reached, until a revision raises it', async () => {
    await emptyReadModel(pool);
    const life = new Life();
    const engagement = idOf('engagement', 1);
    life.act(ada, {
      type: 'task.create',
      audience: { kind: 'restricted', agents: [bob] },
      ...contract,
      maxAdoptions: 1,
    });
    life.act(bob, {
      type: 'task.take',
      engagement,
      labels: [],
      version: 1,
      delivery: { content: contentOf(5), memories: [] },
    });
    expect(await life.offers()).toEqual([{ agent: bob, requires: [], barred: false }]);
    life.act(ada, { type: 'engagement.adopt', engagement });
    expect(await life.offers()).toEqual([{ agent: bob, requires: [], barred: true }]);
    life.act(ada, { type: 'task.revise', ...contract, maxAdoptions: 2 });
    expect(await life.offers()).toEqual([{ agent: bob, requires: [], barred: false }]);
  });
});
