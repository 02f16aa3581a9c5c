import { createHash } from 'node:crypto';
import { Plan } from './rows.ts';
import { audiencesOf, freeReservations, insertReceipts, movePositions, refuseReservations } from './statements.ts';
import { allWritesOf } from './writes.ts';

/**
 * The whole of a batch as one function in the database, so that projecting costs one round trip and one transaction, however
 * many tables it touches. It locks the positions, writes nothing if one of them stands elsewhere, and else writes, notifies and
 * moves the positions. Its text is made of the statements of the projection; its name is a hash of it, so that two versions of
 * this code never call one another's.
 */
const positions = [
  ['topics', 'text[]'],
  ['partitions', 'int[]'],
  ['nexts', 'bigint[]'],
  ['epochs', 'text[]'],
  ['ns', 'bigint[]'],
  ['log_ats', 'timestamptz[]'],
  ['decideds', 'bigint[]'],
  ['generations', 'int[]'],
] as const;
const receipts = [
  ['bindings', 'text[]'],
  ['agents', 'text[]'],
  ['actions', 'text[]'],
  ['fingerprints', 'text[]'],
  ['receipts', 'bytea[]'],
  ['times', 'timestamptz[]'],
] as const;
const refusals = [
  ['refused', 'text[]'],
  ['refused_actions', 'text[]'],
  ['attempts', 'int[]'],
  ['codes', 'text[]'],
  ['waits', 'int[]'],
] as const;

/** A payload of a notification holds less than 8,000 bytes. */
const agentsANotification = 150;

/** $1, $2, … by the names of the parameters. */
const with_ = (text: string, names: readonly (readonly [string, string])[]): string =>
  names.reduceRight((named, [name], i) => named.replaceAll(`$${i + 1}`, `p_${name}`), text);

const writes = allWritesOf(new Plan());

const written = writes.map(({ text, tells }, i) => {
  const statement = text.replaceAll('$1', `w_${i}`);
  return tells === true
    ? `if w_${i} is not null then with t as (${statement}) select v_told || coalesce(array_agg(agent), '{}') into v_told from t; end if;`
    : `if w_${i} is not null then ${statement}; end if;`;
});

const parameters = [
  ...[...positions, ['olds', 'bigint[]'] as const, ...receipts, ...refusals, ['tasks', 'text[]'] as const].map(
    ([name, type]) => `p_${name} ${type}`,
  ),
  ...writes.map((_, i) => `w_${i} json`),
];

const body = `
declare
  v_stale text[];
  v_told text[] := '{}';
begin
  perform 1 from read.position t join unnest(p_topics, p_partitions) p (topic, partition) using (topic, partition)
    order by t.topic, t.partition for update of t;
  select array_agg(p.topic || '/' || p.partition) into v_stale
    from unnest(p_topics, p_partitions, p_olds) p (topic, partition, old)
    left join read.position t on t.topic = p.topic and t.partition = p.partition where t.next is distinct from p.old;
  if v_stale is not null then return v_stale; end if;
  ${written.join('\n  ')}
  if cardinality(p_bindings) > 0 then
    ${with_(insertReceipts, receipts)};
    ${with_(freeReservations, receipts)};
  end if;
  if cardinality(p_refused) > 0 then ${with_(refuseReservations, refusals)}; end if;
  if cardinality(p_tasks) > 0 then
    select v_told || coalesce(array_agg(agent), '{}') into v_told from (${with_(audiencesOf, [['tasks', 'text[]']])}) named;
  end if;
  if cardinality(v_told) = 0 then perform pg_notify('kungfu_projected', '-'); end if;
  perform pg_notify('kungfu_projected', string_agg(told.agent, ',' order by told.agent))
    from (select agent, (row_number() over (order by agent) - 1) / ${agentsANotification} as payload
      from (select distinct agent from unnest(v_told) agent) each) told group by told.payload;
  ${with_(movePositions, positions)};
  return '{}';
end`;

const name = `read.project_${createHash('sha256').update(parameters.join()).update(body).digest('hex').slice(0, 12)}`;

/** Makes the function, if this version of it is not there. */
export const makeProcedure = `create or replace function ${name}(${parameters.join(', ')}) returns text[] language plpgsql as $body$${body}$body$`;

/** Calls it with its parameters in order; one row with the partitions that stand elsewhere, in which case nothing was written. */
export const callProcedure = `select ${name}(${parameters.map((_, i) => `$${i + 1}`).join(', ')}) as stale`;
