import type { TopicSettings } from '@kungfu/log-port';
import { createPostgresLog } from '@kungfu/log-postgres';
import pg from 'pg';
import { RawLogPort } from './log-port.ts';
import { type RawLog, rawTopics } from './pipeline.ts';

const connectionsMax = 10;

/** The Postgres log behind our port, on a pool of its own; makes the two topics. */
export const openRawPostgres = async (databaseUrl: string, partitions: number): Promise<RawLog> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
  const log = await createPostgresLog({ pool });
  await log.ensure(
    rawTopics.map(
      (topic): TopicSettings => ({ topic, partitions, time: 'LogAppendTime', retentionMs: -1, compacted: false }),
    ),
  );
  return new RawLogPort(log, partitions, () => pool.end());
};
