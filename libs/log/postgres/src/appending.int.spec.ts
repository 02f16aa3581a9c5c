import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Embedded, startEmbeddedPostgres } from '@kungfu/embedded';
import type { TopicSettings } from '@kungfu/log-port';
import pg from 'pg';
import { createPostgresLog, type PostgresLog } from './postgres-log.ts';

const topic: TopicSettings = { topic: 't', partitions: 2, time: 'LogAppendTime', retentionMs: -1, compacted: false };
const record = (key: string) => ({ key, value: Buffer.from(`value of ${key}`), headers: { h: key } });

describe('appends of many at once', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kungfu-appending-'));
  let server: Embedded;
  let pool: pg.Pool;
  let log: PostgresLog;
  let statements = 0;

  beforeAll(async () => {
    server = await startEmbeddedPostgres({ directory, volatile: true });
    pool = new pg.Pool({ connectionString: server.url, max: 4 });
    // The server is stopped while connections are still closing.
    pool.on('error', () => undefined);
    pool.on('acquire', () => (statements += 1));
    log = await createPostgresLog({ pool });
    await log.ensure([topic]);
  }, 60_000);
  afterAll(async () => {
    await log.close();
    await pool.end();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('share statements; each learns its own offsets', async () => {
    const before = statements;
    const producer = await log.producer();
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
    const appended = await Promise.all(
      keys.map((key, i) =>
        producer.append([{ topic: 't', partition: i % 2, records: [record(key), record(`${key}+`)] }]),
      ),
    );
    expect(statements - before).toBeLessThan(5);
    for (const [i, [one]] of appended.entries()) {
      const records = await log.read({ topic: 't', partition: i % 2, offset: one!.firstOffset }, 2);
      expect(records.map(({ key, value, headers }) => ({ key, value: String(value), headers }))).toEqual(
        [`k${i}`, `k${i}+`].map((key) => ({ key, value: `value of ${key}`, headers: { h: key } })),
      );
    }
    expect(await log.end({ topic: 't', partition: 0 })).toBe(40);
  });

  it('fail alone when the database refuses one of them', async () => {
    const producer = await log.producer();
    const end = await log.end({ topic: 't', partition: 1 });
    const append = (key: string) => producer.append([{ topic: 't', partition: 1, records: [record(key)] }]);
    const settled = await Promise.allSettled(['a', 'b\0', 'c'].map(append));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const records = await log.read({ topic: 't', partition: 1, offset: end }, 9);
    expect(records.map(({ key }) => key)).toEqual(['a', 'c']);
  });
});
