import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopTestDatabases, testPool } from '@kungfu/embedded';
import type { Pool } from 'pg';
import { PostgresLeaseStore } from './postgres-store.ts';

const long = 60_000;

describe('the store of leases in Postgres', () => {
  let store: PostgresLeaseStore;
  beforeAll(async () => {
    const pool: Pool = await testPool();
    store = new PostgresLeaseStore(pool);
    await Promise.all([store.ensure(), new PostgresLeaseStore(pool).ensure()]);
  }, 60_000);
  afterAll(stopTestDatabases);

  it('[O4] gives a free lease to one of those who ask at once', async () => {
    const asked = await Promise.all(
      ['a', 'b', 'c', 'd'].map((instance) => store.take(instance, ['x/0', 'x/1', 'x/2'], 3, long)),
    );
    expect(asked.flat().sort()).toEqual(['x/0', 'x/1', 'x/2']);
  });
  it('[O4] gives no more than asked for', async () => {
    expect(await store.take('a', ['y/0', 'y/1', 'y/2'], 2, long)).toHaveLength(2);
  });
  it('[O4] renews for the holder only', async () => {
    await store.take('a', ['z/0'], 1, long);
    expect(await store.renew('b', ['z/0'], long)).toEqual([]);
    expect(await store.renew('a', ['z/0', 'z/1'], long)).toEqual(['z/0']);
  });
  it('[O4] gives one that has run out to another, and then no more to the first', async () => {
    await store.take('a', ['w/0'], 1, 0);
    expect(await store.take('b', ['w/0'], 1, long)).toEqual(['w/0']);
    expect(await store.renew('a', ['w/0'], long)).toEqual([]);
    expect(await store.take('a', ['w/0'], 1, long)).toEqual([]);
  });
  it('[O4] frees for the holder only', async () => {
    await store.take('a', ['v/0'], 1, long);
    await store.free('b', ['v/0']);
    expect(await store.take('b', ['v/0'], 1, long)).toEqual([]);
    await store.free('a', ['v/0']);
    expect(await store.take('b', ['v/0'], 1, long)).toEqual(['v/0']);
  });
  it('[O4] counts the living of a group', async () => {
    await store.announce('a', 'g', long);
    await store.announce('a', 'g', long);
    await store.announce('b', 'g', long);
    await store.announce('c', 'g', 0);
    expect(await store.living('g')).toBe(2);
    await store.leave('a', 'g');
    expect(await store.living('g')).toBe(1);
  });
});
