import type { Pool } from 'pg';

/** Every table that the projector writes. */
export const projectedTables = [
  'position',
  'content',
  'receipt',
  'agent',
  'agent_key',
  'walk',
  'walk_applied',
  'memory',
  'memory_version',
  'thread',
  'thread_grant',
  'membership',
  'entry',
  'response',
  'assignment',
  'task',
  'task_audience',
  'contract',
  'engagement',
  'obligation',
  'opportunity',
  'deadline',
  'akep_subscription',
  'akep_secret',
  'akep_event',
  'akep_wait',
  'akep_resume',
] as const;

/** All rows of the read model as text, in an order of their own. */
export const dumpReadModel = async (pool: Pool): Promise<Readonly<Record<string, readonly string[]>>> => {
  const tables: Record<string, readonly string[]> = {};
  for (const table of projectedTables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from read.${table} t order by 1`);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
};

export const emptyReadModel = async (pool: Pool): Promise<void> => {
  await pool.query(`truncate ${projectedTables.map((table) => `read.${table}`).join(', ')}`);
};
