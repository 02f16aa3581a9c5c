/**
 * The SQL of the projection: constant text, one statement a table for a whole batch, rows in the order of their keys. $1 is a
 * JSON array of rows where nothing else is said.
 */

/** The columns that find a row, and those that later facts change. */
const tables = {
  agent: { key: ['id'], changing: ['status', 'walk', 'labels', 'revision'] },
  agent_key: { key: ['id'], changing: ['revoked_at'] },
  walk: { key: ['agent', 'walk', 'kind', 'partition'], changing: [] },
  walk_applied: { key: ['agent', 'walk', 'kind', 'partition'], changing: [] },
  memory: { key: ['id'], changing: ['status', 'visibility', 'current_version', 'revision'] },
  memory_version: { key: ['memory', 'version'], changing: [] },
  thread: { key: ['id'], changing: ['status', 'closed_at', 'revision', 'entries', 'assignments', 'last_at'] },
  thread_grant: { key: ['thread', 'number'], changing: ['live', 'voided_at', 'voided_how'] },
  membership: { key: ['thread', 'membership'], changing: ['role', 'ended_at', 'ended_how'] },
  entry: { key: ['thread', 'entry'], changing: [] },
  response: { key: ['thread', 'entry', 'agent'], changing: ['ended_at', 'how', 'note'] },
  assignment: {
    key: ['thread', 'assignment'],
    changing: [
      'status',
      'taken_at',
      'deliver_by',
      'delivered_at',
      'payload',
      'payload_bytes',
      'memories',
      'judge_by',
      'judge',
      'reason',
      'ended_at',
      'ended_how',
    ],
  },
  task: { key: ['id'], changing: ['paused', 'version', 'adoptions', 'revision', 'last_at'] },
  task_audience: { key: ['task', 'agent'], changing: [] },
  contract: { key: ['task', 'version'], changing: [] },
  engagement: {
    key: ['task', 'number'],
    changing: [
      'status',
      'delivered_at',
      'payload',
      'payload_bytes',
      'memories',
      'judge_by',
      'reason',
      'ended_at',
      'ended_how',
    ],
  },
  obligation: { key: ['holder', 'object', 'obligation', 'part'], changing: ['ended_at'] },
  opportunity: { key: ['agent', 'object', 'part'], changing: ['ended_at'] },
  deadline: { key: ['kind', 'object', 'part', 'what'], changing: ['ended_at'] },
  akep_subscription: {
    key: ['agent', 'id'],
    changing: [
      'revision',
      'event_types',
      'delivery',
      'ack_required',
      'retention_seconds',
      'resume_policies',
      'payload_bytes_max',
      'content',
      'changed_at',
      'position',
      'endpoint',
      'disabled_how',
      'failures',
      'ended_at',
    ],
  },
  akep_secret: { key: ['agent', 'producer', 'key'], changing: ['content', 'status', 'issued_at', 'until'] },
  akep_event: { key: ['agent', 'sequence'], changing: ['status', 'acknowledged_at'] },
  akep_wait: {
    key: ['agent', 'task'],
    changing: ['event_types', 'subjects', 'interrupts', 'after', 'at', 'ended_at'],
  },
  akep_resume: { key: ['agent', 'resume'], changing: ['status', 'lease', 'until', 'ended_at'] },
} as const;
export type Table = keyof typeof tables;

/** New rows. One that exists already is a broken invariant and fails the batch. */
export const insertRows = (table: Table): string => `
  insert into read.${table}
  select r.* from json_populate_recordset(null::read.${table}, $1::json) r order by ${tables[table].key.map((column) => `r.${column}`).join(', ')}`;

/** Rows that take the place of those of the same key. */
export const replaceRows = (table: Table): string =>
  `${insertRows(table)}
  on conflict (${tables[table].key.join(', ')}) do update set ${tables[table].changing.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Of the events of an inbox those that are past their retention: $1 rows of agent, first and last sequence, time. */
export const expireEvents = `
  update read.akep_event t set expired = true
  from json_to_recordset($1::json) as p (agent text, first int, last int)
  where t.agent = p.agent and t.sequence between p.first and p.last`;

/** What an event would have resumed goes with it. */
export const expireResumes = `
  update read.akep_resume t set status = 'expired', ended_at = p.at
  from json_to_recordset($1::json) as p (agent text, first int, last int, at timestamptz)
  where t.agent = p.agent and t.sequence between p.first and p.last and t.ended_at is null`;

/** Writes the columns that stand in a row's JSON and leaves the others. */
export const changeRows = (table: Table): string => {
  const { key, changing } = tables[table];
  return `
  update read.${table} t
  set ${changing.map((column) => `${column} = case when p.j ? '${column}' then p.${column} else t.${column} end`).join(', ')}
  from (select e.j, r.* from jsonb_array_elements($1::jsonb) e (j), jsonb_populate_record(null::read.${table}, e.j) r) p
  where ${key.map((column) => `t.${column} = p.${column}`).join(' and ')}`;
};

/** The thread's fact and the memory's own each own their columns of a Memory born in an entry, and may come in either order (engine.md §8). */
const mergedMemory = (columns: readonly string[]): string => `
  insert into read.memory
  select r.* from json_populate_recordset(null::read.memory, $1::json) r order by r.id
  on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
export const insertBornMemories = mergedMemory(['created_at', 'born_thread', 'born_entry']);
export const upsertMemories = mergedMemory(['status', 'visibility', 'current_version', 'revision']);

/** From whom a duty of an assignment comes stands in the assignment's row, written before by the same partition. */
export const insertDuties = `
  insert into read.obligation (holder, obligation, object, part, ref, from_agent, deadline, at, kind, partition, off, eff, ended_at)
  select r.holder, r.obligation, r.object, r.part, r.ref, case r.obligation when 'deliver' then a.creator else a.assignee end,
    r.deadline, r.at, r.kind, r.partition, r.off, r.eff, r.ended_at
  from json_populate_recordset(null::read.obligation, $1::json) r
  join read.assignment a on a.thread = r.object and a.assignment = r.part
  order by r.holder, r.object, r.obligation, r.part returning holder as agent`;

/** Whose duty it was need not be known: an assignment or engagement has at most one of each kind (T-48, K-10). */
export const endDuties = `
  update read.obligation t set ended_at = p.ended_at
  from json_populate_recordset(null::read.obligation, $1::json) p
  where t.object = p.object and t.part = p.part and t.obligation = p.obligation and t.ended_at is null
  returning t.holder as agent`;

export const endOpportunities = `
  update read.opportunity t set ended_at = p.ended_at
  from json_populate_recordset(null::read.opportunity, $1::json) p
  join read.assignment a on a.thread = p.object and a.assignment = p.part
  where t.agent = a.assignee and t.object = p.object and t.part = p.part
  returning t.agent`;

/** $1 bindings, $2 agents, $3 actions, $4 fingerprints, $5 receipts, $6 times. */
export const insertReceipts = `
  insert into read.receipt (binding, agent, action, fingerprint, receipt, at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[]) order by 1`;

/** The reservation goes with the fact (engine.md §4, 6), in the order of keys. $1 bindings. */
export const freeReservations = `
  with freed as materialized (select binding from gateway.reservation where binding = any($1::text[]) order by binding for update)
  delete from gateway.reservation r using freed where r.binding = freed.binding`;

/** A refusal counts for the newest attempt only. $1 bindings, $2 actions, $3 attempts, $4 codes, $5 seconds to wait. */
export const refuseReservations = `
  with refused as (
    select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::int[]) p (binding, action, attempt, code, retry)
  ), held as materialized (
    select r.binding, p.code, p.retry from gateway.reservation r
    join refused p on p.binding = r.binding and p.action = r.action_id and p.attempt = r.attempt
    order by r.binding for update of r
  )
  update gateway.reservation r set refusal_code = held.code, retry_after = held.retry from held where r.binding = held.binding`;

/** $1 topics, $2 partitions. */
export const ensurePositions = `
  insert into read.position (topic, partition, next, epoch, n, log_at, decided_up_to, generation)
  select p.topic, p.partition, 0, '', 0, to_timestamp(0), 0, 0 from unnest($1::text[], $2::int[]) p (topic, partition) order by 1, 2
  on conflict do nothing`;
export const readPositions = `
  select t.topic, t.partition, t.next, t.epoch, t.n, (extract(epoch from t.log_at) * 1000)::bigint as log_at, t.decided_up_to, t.generation
  from read.position t join unnest($1::text[], $2::int[]) p (topic, partition) using (topic, partition)`;
/** $1 topics, $2 partitions, $3 next, $4 epoch, $5 n, $6 log time, $7 decided up to, $8 generation. */
export const movePositions = `
  update read.position t
  set next = p.next, epoch = p.epoch, n = p.n, log_at = p.log_at, decided_up_to = p.decided, generation = p.generation
  from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[], $7::bigint[], $8::int[])
    p (topic, partition, next, epoch, n, log_at, decided, generation)
  where t.topic = p.topic and t.partition = p.partition`;

/**
 * Content and the positions of its partitions in one statement and transaction; only of partitions that stand where they were left,
 * which come back. Committed asynchronously: the log holds it already, and a later synchronous commit makes it durable before
 * anything that refers to it. $1 to $8 as movePositions, $9 where the partitions stood; $10 ids, $11 values, $12 topics and $13
 * partitions of the records.
 */
export const projectContent = `
  with lazily as materialized (select set_config('synchronous_commit', 'off', true) as off),
  locked as materialized (
    select t.topic, t.partition from read.position t join unnest($1::text[], $2::int[], $9::bigint[]) p (topic, partition, old) using (topic, partition)
    where t.next = p.old order by t.topic, t.partition for update of t
  ), moved as (
    update read.position t
    set next = p.next, epoch = p.epoch, n = p.n, log_at = p.log_at, decided_up_to = p.decided, generation = p.generation
    from unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[], $7::bigint[], $8::int[])
      p (topic, partition, next, epoch, n, log_at, decided, generation)
      join locked l on l.topic = p.topic and l.partition = p.partition
    where t.topic = p.topic and t.partition = p.partition returning t.topic, t.partition
  ), written as (
    insert into read.content (id, value)
    select c.id, c.value from unnest($10::text[], $11::bytea[], $12::text[], $13::int[]) c (id, value, topic, partition)
    join moved using (topic, partition) order by 1
    on conflict (id) do update set value = excluded.value
  )
  select moved.topic, moved.partition from moved, lazily`;

/** The named agents of Tasks: what they may take has changed. $1 Tasks. */
export const audiencesOf = 'select agent from read.task_audience where task = any($1::text[])';
