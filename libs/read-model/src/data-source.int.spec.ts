import { stopTestDatabases, testDatabase } from '@kungfu/embedded';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource, dropReadModel, migrate } from './data-source.ts';

describe('the tables', () => {
  let dataSource: DataSource;
  let url: string;
  beforeEach(async () => {
    url = await testDatabase();
    dataSource = createDataSource({ url });
  });
  afterEach(() => dataSource.destroy());
  afterAll(stopTestDatabases);

  it('are what the entities say: a generated migration would be empty', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('are made once, also by several processes that start at once', async () => {
    const others = [1, 2, 3].map(() => createDataSource({ url }));
    await Promise.all([dataSource, ...others].map(migrate));
    expect(await dataSource.query('select name from kungfu_migration order by name')).toEqual([
      { name: 'Akep1767225600006' },
      { name: 'Gateway1767225600002' },
      { name: 'GatewaySecret1767225600004' },
      { name: 'ReadModel1767225600001' },
      { name: 'ReadScale1767225600005' },
      { name: 'Tasks1767225600003' },
    ]);
    await Promise.all(others.map((other) => other.destroy()));
  });

  it('[L1-1] of the read model are dropped alone; the gateways are fenced until the generation has been raised', async () => {
    await migrate(dataSource);
    await dataSource.query(`insert into read.content values ('content_1', null)`);
    await dataSource.query(`insert into gateway.reservation values ('b', 'f', 'o', 'a', 1, '2030-01-01', 0)`);
    await dropReadModel(dataSource);
    await migrate(dataSource);
    expect(await dataSource.query('select count(*)::int as n from read.content')).toEqual([{ n: 0 }]);
    expect(await dataSource.query('select binding from gateway.reservation')).toEqual([{ binding: 'b' }]);
    expect(await dataSource.query('select generation, fenced from gateway.generation')).toEqual([
      { generation: 1, fenced: true },
    ]);
  });
});
