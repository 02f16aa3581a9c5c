import type { Pool } from 'pg';
import type { LeaseStore } from './lease-store.ts';

/** Schema `lease`; all times are the database's clock. */
const ddl = `
  create schema if not exists lease;
  create table if not exists lease.lease (name text primary key, instance text not null, until timestamptz not null);
  create table if not exists lease.instance ("group" text not null, instance text not null, until timestamptz not null, primary key ("group", instance));
`;

const until = (parameter: string): string => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

const announce = `
  insert into lease.instance values ($1, $2, ${until('$3::int')})
  on conflict ("group", instance) do update set until = excluded.until`;
const living = 'select count(*)::int as living from lease.instance where "group" = $1 and until > clock_timestamp()';
const renew = `update lease.lease set until = ${until('$3::int')} where name = any($2::text[]) and instance = $1 returning name`;
/** Free ones are those without a row, and those that have run out and that nobody else is just taking. */
const take = `
  with candidate as (
    select name from unnest($2::text[]) name
    where not exists (select from lease.lease l where l.name = name.name and l.until > clock_timestamp())
  ), expired as (
    select l.name from lease.lease l join candidate using (name) where l.until <= clock_timestamp() limit $4 for update of l skip locked
  ), taken as (
    update lease.lease set instance = $1, until = ${until('$3::int')} where name in (select name from expired) returning name
  ), made as (
    insert into lease.lease
    select name, $1, ${until('$3::int')} from candidate c where not exists (select from lease.lease l where l.name = c.name)
    limit greatest(0, $4 - (select count(*) from expired))
    on conflict do nothing returning name
  )
  select name from taken union all select name from made`;
const free = 'delete from lease.lease where name = any($2::text[]) and instance = $1';
const leave = 'delete from lease.instance where "group" = $1 and instance = $2';

export class PostgresLeaseStore implements LeaseStore {
  readonly #pool: Pool;
  #ready = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Makes the schema; safe to repeat and under concurrent starts. */
  async ensure(): Promise<void> {
    await this.#pool.query(`begin; select pg_advisory_xact_lock(4606); ${ddl} commit`);
    this.#ready = true;
  }

  async announce(instance: string, group: string, timeToLiveMs: number): Promise<void> {
    if (!this.#ready) await this.ensure();
    await this.#pool.query(announce, [group, instance, timeToLiveMs]);
  }

  async living(group: string): Promise<number> {
    const { rows } = await this.#pool.query(living, [group]);
    return (rows[0] as { living: number }).living;
  }

  async renew(instance: string, names: readonly string[], timeToLiveMs: number): Promise<readonly string[]> {
    return this.#names(renew, [instance, names, timeToLiveMs]);
  }

  async take(
    instance: string,
    names: readonly string[],
    most: number,
    timeToLiveMs: number,
  ): Promise<readonly string[]> {
    return this.#names(take, [instance, names, timeToLiveMs, most]);
  }

  async free(instance: string, names: readonly string[]): Promise<void> {
    await this.#pool.query(free, [instance, names]);
  }

  async leave(instance: string, group: string): Promise<void> {
    await this.#pool.query(leave, [group, instance]);
  }

  async #names(sql: string, values: unknown[]): Promise<readonly string[]> {
    const { rows } = await this.#pool.query(sql, values);
    return (rows as { name: string }[]).map(({ name }) => name);
  }
}
