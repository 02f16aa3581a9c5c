import type { Pool, PoolClient } from 'pg';

/** Whatever answers a query: a pool (one statement) or a client inside `snapshot` (several on one state). */
export type Reader = Pick<Pool | PoolClient, 'query'>;

/** One page of a list: what it shows, and where the next one begins (null: nothing more). */
export type Page<Item, Key> = { readonly items: readonly Item[]; readonly next: Key | null };

/**
 * Reads several statements on one consistent state, so that permission and content never come from different moments
 * (V-15). Throws what the database throws.
 */
export const snapshot = async <T>(pool: Pool, read: (reader: Reader) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await read(client);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    // A connection that failed inside a transaction is not used again.
    client.release(broken);
  }
};

const texts = new Map<string, string>();
/** Name → text of every statement that the loaded queries can run. */
export const namedStatements: ReadonlyMap<string, string> = texts;

/** A statement with a name of its own, so that a connection plans it once. */
export const statement = <Row extends object>(
  name: string,
  text: string,
): ((reader: Reader, values: readonly unknown[]) => Promise<Row[]>) => {
  texts.set(name, text);
  return async (reader, values) => {
    const { rows } = await reader.query<Row>({ name: `read.${name}`, text, values: [...values] });
    return rows;
  };
};

/** Cuts the one row more that was asked for to learn whether anything follows. */
export const pageOf = <Row, Item, Key>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  key: (row: Row) => Key,
): Page<Item, Key> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(item), next: rows.length > limit && last !== undefined ? key(last) : null };
};

/** ISO 8601, UTC, milliseconds. */
export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => (date === null ? null : iso(date));
