/** Schema `log` (engine.md §9). `place` numbers the partitions of all topics; times are milliseconds since the epoch. */
export const ddl = `
  create schema if not exists log;
  create table if not exists log.topic (
    topic text primary key, partitions int not null, time text not null, retention_ms bigint not null, compacted boolean not null
  );
  create table if not exists log.head (
    place int generated always as identity primary key, topic text not null references log.topic, partition int not null,
    start bigint not null default 0, next bigint not null default 0, time bigint not null default 0,
    unique (topic, partition)
  );
  create table if not exists log.record (
    place int not null, off bigint not null, at bigint not null, key text not null, value bytea, headers text not null,
    primary key (place, off)
  );
`;

/** Serialises concurrent starts. */
export const ddlLock = 'select pg_advisory_xact_lock(4605)';

/**
 * Appends to several partitions in one statement. The rows of the heads are locked in the order of their places, so two appends
 * cannot lock each other out; the time is read after the lock and never goes back in a partition.
 * $1 places, $2 counts; $3 place, $4 index in its append, $5 key, $6 value, $7 headers of each record.
 */
export const appendRecords = `
  with locked as materialized (
    select place from log.head where place = any($1::int[]) order by place for update
  ), moved as (
    update log.head h
    set next = h.next + w.count, time = greatest(h.time, (extract(epoch from clock_timestamp()) * 1000)::bigint)
    from unnest($1::int[], $2::int[]) w (place, count), locked l
    where h.place = w.place and l.place = w.place
    returning h.place, h.next - w.count as first, h.time
  ), landed as (
    insert into log.record (place, off, at, key, value, headers)
    select m.place, m.first + r.i, m.time, r.key, r.value, r.headers
    from unnest($3::int[], $4::int[], $5::text[], $6::bytea[], $7::text[]) r (place, i, key, value, headers) join moved m using (place)
  )
  select place, first, time from moved`;

/** The records from each position on. $1 places, $2 offsets, $3 at most so many each. */
export const readRecords = `
  select r.place, r.off, r.at, r.key, r.value, r.headers
  from unnest($1::int[], $2::bigint[]) w (place, off)
  cross join lateral (
    select * from log.record where place = w.place and off >= w.off order by off limit $3
  ) r`;

export const readHeads = 'select place, topic, partition, start, next from log.head order by place';

/** Retention: drops what is older than $2 (milliseconds since the epoch) in place $1, and moves its start. */
export const pruneRecords = `
  with bound as (
    select coalesce((select min(off) from log.record where place = $1 and at >= $2), (select next from log.head where place = $1)) as start
  ), gone as (
    delete from log.record where place = $1 and off < (select start from bound)
  )
  update log.head set start = greatest(start, (select start from bound)) where place = $1`;

/** Compaction: of each key only the newest record stays. */
export const compactRecords = `
  delete from log.record r using log.record newer
  where r.place = $1 and newer.place = $1 and newer.key = r.key and newer.off > r.off`;
