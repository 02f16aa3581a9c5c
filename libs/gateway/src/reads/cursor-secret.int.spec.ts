import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, dropReadModel, migrate } from '@kungfu/read-model';
import type pg from 'pg';
import { Cursors } from './cursor.ts';
import { cursorSecret } from './cursor-secret.ts';

let url: string;
let pools: pg.Pool[];

beforeAll(async () => {
  url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pools = [await testPool(url), await testPool(url)];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await stopTestDatabases();
});

const secretOf = (pool: pg.Pool, digits: string): Promise<string> =>
  cursorSecret(pool, { next: () => 0, hex: (bytes) => digits.repeat(bytes) });

describe('the secret of cursors', () => {
  it('is one for gateways that start at once, for those that start later, and after a rebuild', async () => {
    const secrets = await Promise.all(['aa', 'bb', 'cc', 'dd'].map((digits, i) => secretOf(pools[i % 2]!, digits)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^(aa|bb|cc|dd){32}$/);
    const dataSource = createDataSource({ url });
    await dropReadModel(dataSource);
    await dataSource.destroy();
    const later = await secretOf(pools[0]!, 'ee');
    const bound = { agent: 'a', read: 'turn.list', query: {} };
    const cursor = new Cursors(secrets[0]!).write(bound, { at: 7 });
    expect(new Cursors(later).read(bound, cursor)).toEqual({ at: 7 });
  });

  it('is made anew by each installation', async () => {
    const dataSource = createDataSource({ url: await testDatabase() });
    await migrate(dataSource);
    const other = await testPool((dataSource.options as { url: string }).url);
    expect(await secretOf(other, 'ff')).toBe('ff'.repeat(32));
    await other.end();
    await dataSource.destroy();
  });
});
