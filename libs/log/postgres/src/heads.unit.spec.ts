import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createPostgresLog } from './postgres-log.ts';

describe('the heads of the log in Postgres', () => {
  it('are never those of a query that began before the question', async () => {
    const asked: ((next: number) => void)[] = [];
    const query = (): Promise<unknown> =>
      new Promise((resolve) => {
        asked.push((next) =>
          resolve({ rows: [{ place: 1, topic: 't', partition: 0, start: '0', next: String(next) }] }),
        );
      });
    const log = await createPostgresLog({ pool: { query } as unknown as Pool });
    const first = log.end({ topic: 't', partition: 0 });
    // Something is appended after the first query has seen the heads, and before it answers.
    const [second, third] = [log.end({ topic: 't', partition: 0 }), log.end({ topic: 't', partition: 0 })];
    asked[0]?.(14);
    expect(await first).toBe(14);
    while (asked.length < 2) await Promise.resolve();
    asked[1]?.(15);
    expect(await Promise.all([second, third])).toEqual([15, 15]);
    expect(asked).toHaveLength(2);
  });
});
