import type { Random } from '@kungfu/log-port';
import type { Pool } from 'pg';

const bytes = 32;
const keep = "insert into gateway.secret (name, value) values ('cursors', $1) on conflict (name) do nothing";
const kept = "select value from gateway.secret where name = 'cursors'";

/**
 * What cursors are signed with: made by the first gateway that asks, the same for every gateway of the installation from then on,
 * also after a restart. As hex. Throws what the database throws.
 */
export const cursorSecret = async (pool: Pool, random: Random): Promise<string> => {
  await pool.query(keep, [random.hex(bytes)]);
  const { rows } = await pool.query<{ value: string }>(kept);
  return rows[0]!.value;
};
