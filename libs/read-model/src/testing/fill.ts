import type { Pool, PoolClient } from 'pg';
import { weighAllOffers } from '../projection/weigh-offers.ts';

/** How much a filled read model holds of what its reads do not hand out. */
export type FillSize = {
  /** Accounts; 40 at least. */
  readonly agents: number;
  /** Open duties of ada, and as many that others owe to her: two of each in a thread. */
  readonly obligations: number;
  /** Entries of thread 1, the busy one: each was answered, every tenth carries an assignment; the last few are open. */
  readonly entries: number;
  /** Tasks of each sort: others', open ones, ada's own, and restricted ones that name ada but ask for a label that she lacks. */
  readonly tasks: number;
  /** Engagements and contract versions of Task 1, the busy one, which is ada's. */
  readonly engagements: number;
  /** Memories of ada, half of them public, and versions of Memory 1. */
  readonly memories: number;
};

/** What is open in the busy thread and Task, however large they are. */
const live = { responses: 5, assignments: 3, engagements: 3 } as const;

/** Numbers of the ids that fill() makes: `thread_000…1` and so on. Ada reads; the others are what she reads about. */
export const filled = { ada: 1, bob: 2, eve: 3, judge: 4, thread: 1, task: 1, memory: 1 } as const;

const at = (number: string): string => `timestamptz '2026-11-30 20:00:00Z' + ${number} * interval '1 ms'`;
const later = `timestamptz '2099-01-01 00:00:00Z'`;
const [ada, bob, eve, judge] = [filled.ada, filled.bob, filled.eve, filled.judge].map(
  (number) => `pg_temp.id('agent', ${number})`,
) as [string, string, string, string];
/** Columns at, kind, partition, off, eff of what the n-th fact did. */
const place = (kind: 'thread' | 'task', number: string): string =>
  `${at(number)}, '${kind}', (${number} % 8)::int, ${number}, 0`;

const helpers = `
  create or replace function pg_temp.id(prefix text, number bigint) returns text language sql immutable
    as $$ select prefix || '_' || lpad(number::text, 26, '0') $$;
  create or replace function pg_temp.record(content jsonb) returns bytea language sql immutable
    as $$ select convert_to(jsonb_build_object('salt', 'x', 'content', content)::text, 'UTF8') $$;`;

const accounts = ({ agents }: FillSize): string => `
  insert into read.position
  select 'kungfu.facts.' || kind, partition, 1000000000, 'e', 1, ${at('0')}, 0, 0
  from unnest(array['agent', 'memory', 'task', 'thread']) kind, generate_series(0, 7) partition;
  insert into read.agent select pg_temp.id('agent', n), 'active', 0, array['a'], ${at('n')}, 1 from generate_series(1, ${agents}) n;
  insert into read.agent_key
  select pg_temp.id('key', n), pg_temp.id('agent', n), encode(sha256(convert_to('secret-of-' || pg_temp.id('agent', n), 'UTF8')), 'hex'), ${at('n')}
  from generate_series(1, ${agents}) n;`;

/** Words with a number of their own: of Memories from 0, of assignments from 1e12, of contracts from 2e12 on. */
const words = (from: string, content: string, source: string): string =>
  `insert into read.content select pg_temp.id('content', ${from}), pg_temp.record(${content}) from ${source};`;
const memoryWords = (number: string): string =>
  `jsonb_build_object('title', 'memory ' || ${number}, 'body', repeat('words ', 20))`;
const contractWords = (number: string): string =>
  `jsonb_build_object('wanted', 'work ' || ${number}, 'criteria', repeat('good ', 20))`;

/** Threads 2 and up have four entries: bob's owe ada's answer, ada's owe bob's. */
const threads = ({ obligations, entries }: FillSize): string => {
  const last = 1 + Math.ceil(obligations / 2);
  return `
  insert into read.thread
  select pg_temp.id('thread', n), 'open', ${ada}, null, ${at('n')}, null, 1,
    case n when 1 then ${entries} else 4 end, case n when 1 then ${entries} else 0 end, ${at('n')}
  from generate_series(1, ${last}) n;
  insert into read.membership
  select pg_temp.id('thread', t), m, pg_temp.id('agent', m), case m when 1 then 'governor' else 'speaker' end, 1, ${at('m')}, null, null
  from generate_series(1, ${last}) t, generate_series(1, 20) m where t = 1 or m <= 3;
  insert into read.membership
  select pg_temp.id('thread', 1), 20 + m, pg_temp.id('agent', 21 + m % 10), 'speaker', 1, ${at('m')}, ${at('m')}, 'left'
  from generate_series(1, ${Math.ceil(entries / 10)}) m;
  insert into read.thread_grant
  select pg_temp.id('thread', t), 1, 'speaker', encode(sha256(convert_to('grant ' || t, 'UTF8')), 'hex'), true, ${ada}, ${at('t')}, null, null
  from generate_series(1, ${last}) t;

  create temp table filled_entry on commit drop as
  select t, e, t * 1000000::bigint + e as n, pg_temp.id('thread', t) as thread, pg_temp.id('memory', t * 1000000::bigint + e) as memory,
    case when t = 1 or e % 2 = 1 then ${bob} else ${ada} end as author,
    case when t = 1 or e % 2 = 1 then ${ada} else ${bob} end as responder, t > 1 or e > ${entries - live.responses} as open
  from (select 1 as t, e from generate_series(1, ${entries}) e
    union all select t, e from generate_series(2, ${last}) t, generate_series(1, 4) e) x;
  insert into read.entry
  select thread, e, author, case author when ${ada} then 1 else 2 end, null, memory, 1, null, ${at('n')} from filled_entry order by thread, e;
  insert into read.memory select memory, author, ${at('n')}, thread, e, null, null, null, 0 from filled_entry order by 1;
  insert into read.memory_version select memory, 1, pg_temp.id('content', n), 200, 'x', ${at('n')} from filled_entry order by 1;
  ${words('n', memoryWords('n'), 'filled_entry')}
  insert into read.response
  select thread, e, responder, ${at('n')}, case when not open then ${at('n')} end, case when not open then 'replied' end, null from filled_entry order by 1, 2;
  insert into read.obligation
  select responder, 'respond', thread, e, thread || '/entries/' || e, author, null::timestamptz, ${place('thread', 'n')}, case when not open then ${at('n')} end
  from filled_entry;`;
};

/** In the busy thread: ended ones of bob's for ada, then one open, one taken and one delivered by him for her. */
const assignments = ({ entries }: FillSize): string => `
  create temp table filled_assignment on commit drop as
  select row_number() over (order by e)::int as a, e, n, thread, case e when ${entries} then 'delivered' when ${entries - 1} then 'taken'
    when ${entries - 2} then 'open' else 'adopted' end as status
  from filled_entry where t = 1 and (e % 10 = 1 or e > ${entries - live.assignments});
  insert into read.assignment
  select thread, a, e, case status when 'delivered' then ${ada} else ${bob} end, case status when 'delivered' then ${bob} else ${ada} end,
    pg_temp.id('content', 1000000000000 + a), false, 60, 60, null, status, ${at('n')}, case when status <> 'open' then ${at('n')} end,
    case when status <> 'open' then ${later} end, case when status in ('adopted', 'delivered') then ${at('n')} end, null, null,
    case when status = 'adopted' then jsonb_build_array(jsonb_build_object('id', pg_temp.id('memory', n), 'version', 1)) else '[]' end,
    case when status in ('adopted', 'delivered') then ${later} end, case status when 'delivered' then ${ada} when 'adopted' then ${bob} end, null,
    case status when 'adopted' then ${at('n')} end, case status when 'adopted' then 'judge' end
  from filled_assignment order by 1, 2;
  ${words('1000000000000 + a', contractWords('a'), 'filled_assignment')}
  insert into read.obligation
  select ${ada}, o, thread, a, thread || '/assignments/' || a, ${bob}, ${later}, ${place('thread', 'n')},
    case when status = 'adopted' then ${at('n')} end
  from filled_assignment, unnest(array['deliver', 'judge']) o
  where status = 'adopted' or (status = 'taken' and o = 'deliver') or (status = 'delivered' and o = 'judge');
  insert into read.opportunity (agent, object, part, ref, from_agent, at, kind, partition, off, eff, ended_at, requires, barred)
  select ${ada}, thread, a, thread || '/assignments/' || a, ${bob}, ${place('thread', 'n')}, case when status <> 'open' then ${at('n')} end, '{}', false
  from filled_assignment where status <> 'delivered';`;

const memories = ({ memories: count }: FillSize): string => `
  insert into read.memory
  select pg_temp.id('memory', n), ${ada}, ${at('n')}, null, null, case when n % 10 = 5 then 'withdrawn' else 'valid' end,
    case when n % 2 = 1 then 'public' else 'private' end, case n when 1 then ${count} else 1 end, 1 from generate_series(1, ${count}) n;
  create temp table filled_version on commit drop as
  select n, v, 3000000000000 + case n when 1 then v else ${count} + n end as c from (select 1 as n, v from generate_series(1, ${count}) v
    union all select n, 1 from generate_series(2, ${count}) n) x;
  insert into read.memory_version select pg_temp.id('memory', n), v, pg_temp.id('content', c), 200, 'x', ${at('v')} from filled_version order by 1, 2;
  ${words('c', memoryWords('n'), 'filled_version')}`;

/**
 * Task 1 is the busy one, restricted and ada's; Task 2 names ada, who may take it. Then for each n: 10n+3 restricted, eve's,
 * for others; 10n+4 open, eve's; 10n+5 restricted, ada's, bob's engagement in turn taken and adopted; 10n+6 names ada, who lacks its label.
 */
const tasks = ({ tasks: count, engagements }: FillSize): string => `
  create temp table filled_task on commit drop as
  select n, pg_temp.id('task', n) as task, case when n % 10 in (1, 5) then ${ada} else ${eve} end as author,
    case n % 10 when 4 then null when 2 then ${ada} when 6 then ${ada} when 3 then pg_temp.id('agent', 5 + (n / 10) % 30) else ${bob} end as named,
    case n when 1 then ${engagements} else 1 end as versions
  from (select unnest(array[1, 2]) as n union all select 10 * n + sort from generate_series(1, ${count}) n, generate_series(3, 6) sort) x;
  insert into read.task
  select task, author, case when named is null then 'open' else 'restricted' end, false, versions,
    case when n % 20 = 15 then 1 else 0 end, ${at('n')}, 1, ${at('n')} from filled_task order by 1;
  insert into read.task_audience select task, named from filled_task where named is not null order by 1;
  insert into read.contract
  select task, v, pg_temp.id('content', 2000000000000 + n), false, jsonb_build_array(jsonb_build_object('id', pg_temp.id('memory', 1), 'version', 1)), '[]', 60, 60, 'undecided',
    ${judge}, case n % 10 when 6 then array['missing'] else array['a'] end, null, 'audience', ${at('n')}
  from filled_task, generate_series(1, versions) v order by 1, 2;
  ${words('2000000000000 + n', contractWords('n'), 'filled_task')}
  insert into read.opportunity (agent, object, part, ref, from_agent, at, kind, partition, off, eff, requires, barred)
  select named, task, 0, task, author, ${place('task', 'n')}, '{}', false from filled_task where named is not null and n <> 1;
  ${weighAllOffers};

  create temp table filled_engagement on commit drop as
  select row_number() over (order by n, e) as n, e::int, task, case n when 1 then e > ${engagements - live.engagements} else n % 20 = 5 end as open,
    case when n = 1 then pg_temp.id('agent', 5 + e % 30) else ${bob} end as agent, case n when 1 then e else 1 end as version
  from filled_task, generate_series(1, case when n = 1 then ${engagements} when n % 10 = 5 then 1 else 0 end) e;
  insert into read.engagement
  select task, e, pg_temp.id('engagement', n), agent, ${ada}, ${judge}, version,
    jsonb_build_array(jsonb_build_object('id', pg_temp.id('memory', 1), 'version', 1)), null, case when open then 'taken' else 'adopted' end, ${at('n')},
    ${later}, case when not open then ${at('n')} end, null, null,
    case when open then '[]' else jsonb_build_array(jsonb_build_object('id', pg_temp.id('memory', 1000000 + e), 'version', 1)) end,
    case when not open then ${later} end, null, case when not open then ${at('n')} end, case when not open then 'judge' end
  from filled_engagement order by 1, 2;
  insert into read.obligation
  select case o when 'deliver' then agent else ${judge} end, o, task, e, task || '/engagements/' || pg_temp.id('engagement', n),
    case o when 'deliver' then ${ada} else agent end, ${later}, ${place('task', 'n')}, case when not open then ${at('n')} end
  from filled_engagement, unnest(array['deliver', 'judge']) o where o = 'deliver' or not open;`;

const receipts = ({ entries }: FillSize): string => `
  insert into read.receipt
  select encode(sha256(convert_to('binding ' || n, 'UTF8')), 'hex'), ${ada}, 'thread.post', 'v1:x', convert_to('{}', 'UTF8'), ${at('n')}
  from generate_series(1, ${entries}) n;`;

/** Fills an empty read model with consistent rows, as a projector would have written them, and gathers statistics. */
export const fillReadModel = async (pool: Pool, size: FillSize): Promise<void> => {
  const client = await pool.connect();
  try {
    await fill(client, size);
  } finally {
    // Its helpers go with it.
    client.release(true);
  }
};

const fill = async (client: PoolClient, size: FillSize): Promise<void> => {
  await client.query('begin');
  for (const part of [
    helpers,
    accounts(size),
    threads(size),
    assignments(size),
    memories(size),
    tasks(size),
    receipts(size),
  ])
    await client.query(part);
  await client.query('commit');
  await client.query('vacuum analyze');
};
