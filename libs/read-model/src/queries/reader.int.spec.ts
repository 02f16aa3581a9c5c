import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopTestDatabases, testPool } from '@kungfu/embedded';
import type { Pool } from 'pg';
import { snapshot } from './reader.ts';

describe('a read of several statements', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = await testPool();
    await pool.query(
      'create table member (agent text); create table entry (body text); insert into member values ($$bob$$)',
    );
  }, 60_000);
  afterAll(stopTestDatabases);

  it('[V-15] never combines a right that was revoked meanwhile with what was written after', async () => {
    const seen = await snapshot(pool, async (reader) => {
      const { rows: before } = await reader.query('select agent from member');
      await pool.query('begin; delete from member; insert into entry values ($$after bob was removed$$); commit');
      const { rows: entries } = await reader.query('select body from entry');
      const { rows: after } = await reader.query('select agent from member');
      return { before, entries, after };
    });
    expect(seen).toEqual({ before: [{ agent: 'bob' }], entries: [], after: [{ agent: 'bob' }] });
    const { rows } = await pool.query('select body from entry');
    expect(rows).toEqual([{ body: 'after bob was removed' }]);
  });
  it('[V-15] cannot write', async () => {
    await expect(snapshot(pool, (reader) => reader.query("insert into entry values ('x')"))).rejects.toThrow(
      /read-only/,
    );
  });
});
