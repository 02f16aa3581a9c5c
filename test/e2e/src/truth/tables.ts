import pg from 'pg';

/** Every row of every table of a schema: table → rows as text, in the order of their text. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** Reads whole tables in one snapshot. */
export const dumpSchema = async (databaseUrl: string, schema: string): Promise<Tables> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1 order by 1',
      [schema],
    );
    const tables: [string, readonly string[]][] = [];
    for (const { name } of rows) tables.push([name, await rowsOf(client, schema, name)]);
    return Object.fromEntries(tables);
  } finally {
    await client.end();
  }
};

/** Every schema that is not PostgreSQL's own. */
export const dumpDatabase = async (databaseUrl: string): Promise<Readonly<Record<string, Tables>>> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
  );
  await client.end();
  const schemas: [string, Tables][] = [];
  for (const { name } of rows) schemas.push([name, await dumpSchema(databaseUrl, name)]);
  return Object.fromEntries(schemas);
};

/** bytea as text where it is UTF-8, so that a search finds what stands in it. */
const rowsOf = async (client: pg.Client, schema: string, table: string): Promise<readonly string[]> => {
  const { rows } = await client.query<Record<string, unknown>>(
    `select * from ${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`,
  );
  return rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (isBytes(value) ? Buffer.from(value.data).toString('utf8') : value)),
    )
    .sort();
};

const isBytes = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'Buffer' &&
  Array.isArray((value as { data?: unknown }).data);
