import {
  type ContentRow,
  digestContent,
  presentDigest,
  type Presented,
  presentTitle,
  presentWhole,
  type Words,
  wholeContent,
} from './content.ts';
import { type PinItem, type TextRead, textRead } from './entries.ts';
import { iso, type Page, pageOf, type Reader, statement } from './reader.ts';
import { isThere, lookUp, rowOf } from './sql.ts';
import { contractReadable, isEligible, isOfAudience, knowsTask, shownVersion, visible } from './visible.ts';

/** What an agent is to a Task. */
export type TaskRole = 'author' | 'judge' | 'named' | 'engaged';

/** A Task as a list shows it, with the contract of now as a digest; to a judge of earlier versions alone, with the newest of those (V-8). */
export type TaskItem = {
  readonly ref: string;
  readonly task: string;
  readonly author: string;
  readonly status: 'open' | 'paused';
  readonly audience: 'open' | 'restricted';
  readonly roles: readonly TaskRole[];
  /** The contract version that is shown: the one that binds the next engagement, if the reader may read it. */
  readonly version: string;
  readonly createdAt: string;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly eligibility: readonly string[];
} & Presented<Words>;

/** A contract version without the words in it; the inputs are references only (V-9). */
export type ContractItem = {
  readonly ref: string;
  readonly version: number;
  readonly at: string;
  readonly structured: boolean;
  readonly requiredInputs: readonly PinItem[];
  readonly informative: readonly PinItem[];
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly withoutJudgment: 'adopted' | 'undecided';
  readonly judge: string;
  readonly eligibility: readonly string[];
  readonly maxAdoptions: number | null;
  readonly adoptedReaders: 'parties' | 'audience' | 'anyone';
};

/** What rules about a Task need to know of it and of the caller, at a moment. */
export type TaskState = {
  readonly item: TaskItem;
  readonly contract: ContractItem & Presented<Words>;
  /** Only for the author: the agents that the audience names, and how many deliveries have been adopted (V-10). */
  readonly named: readonly string[];
  readonly adoptions: number;
  readonly mayTake: boolean;
  readonly engaged: boolean;
  readonly takeable: boolean;
};

type PinJson = readonly { readonly id: string; readonly version: number }[];
type ContractRow = ContentRow & {
  task: string;
  version: number;
  at: Date;
  structured: boolean;
  required_inputs: PinJson;
  informative: PinJson;
  delivery_seconds: number;
  judgment_seconds: number;
  without_judgment: 'adopted' | 'undecided';
  judge: string;
  eligibility: readonly string[];
  max_adoptions: number | null;
  adopted_readers: 'parties' | 'audience' | 'anyone';
};
type TaskRow = ContractRow & {
  author: string;
  audience: 'open' | 'restricted';
  paused: boolean;
  adoptions: number;
  created_at: Date;
  named: boolean;
  eligible: boolean;
  judges: boolean;
  engaged_ever: boolean;
  engaged: boolean;
  author_active: boolean;
};

const contractColumns = `k.task, k.version, k.at, k.structured, k.required_inputs, k.informative, k.delivery_seconds, k.judgment_seconds,
  k.without_judgment, k.judge, k.eligibility, k.max_adoptions, k.adopted_readers`;

/** An engagement that runs at $2, whether its deadline has been recorded or not (O-11). */
const runs = (e: string): string =>
  `(${e}.ended_at is null and coalesce(${e}.judge_by, ${e}.deliver_by) > $2::timestamptz)`;
/** Agent $1 works on an engagement of the Task of alias `t` that runs, or judges one. */
const runningOf = (who: 'agent' | 'judge'): string =>
  isThere(`read.engagement x where x.task = t.id and x.${who} = $1 and ${runs('x')}`);
const everEngaged = isThere('read.engagement x where x.task = t.id and x.agent = $1');

/** The Task of alias `t` and its contract of alias `k`, as agent $1 sees them. */
const taskColumns = (
  content: string,
): string => `${contractColumns}, t.author, t.audience, t.paused, t.adoptions, t.created_at,
  ${isOfAudience('t', '$1')} as named, ${isEligible('k.eligibility', '$1')} as eligible,
  (k.judge = $1 or ${runningOf('judge')}) as judges, ${everEngaged} as engaged_ever, ${runningOf('agent')} as engaged,
  coalesce((select a.status = 'active' from read.agent a where a.id = t.author), true) as author_active, ${content}`;
const taskJoins = `cross join ${rowOf('contract', `task = t.id and version = ${shownVersion('t', '$1')}`)} k
  ${lookUp('c', 'content', 'id = k.content')}`;

const mayTake = (row: TaskRow, agent: string): boolean =>
  row.author !== agent && !row.judges && row.named && row.eligible;
const takeable = (row: TaskRow): boolean =>
  row.author_active && (row.max_adoptions === null || row.adoptions < row.max_adoptions);

const one = statement<TaskRow>(
  'task',
  `select ${taskColumns(wholeContent('c', contractReadable('t', 'k.version', '$1')))} from read.task t ${taskJoins}
   where t.id = $3 and ${knowsTask('t', '$1')}`,
);
const namedAgents = statement<{ agent: string }>(
  'task-named',
  'select agent from read.task_audience where task = $1 order by agent',
);

type TaskQuery = { task: string; agent: string; now: number; bytesMax: number };

/** A Task for who may know it; undefined for others, and if there is none (V-7, V-8, V-14). Run it in a snapshot. */
export const taskState = async (
  reader: Reader,
  { task, agent, now, bytesMax }: TaskQuery,
): Promise<TaskState | undefined> => {
  const [row] = await one(reader, [agent, new Date(now), task]);
  if (row === undefined) return undefined;
  const named = row.author === agent ? (await namedAgents(reader, [task])).map((named_) => named_.agent) : [];
  return {
    item: { ...taskItem(row, agent), ...presentTitle(row) },
    contract: { ...contractItem(row), ...presentWhole(row, bytesMax) },
    named,
    adoptions: row.adoptions,
    mayTake: mayTake(row, agent),
    engaged: row.engaged,
    takeable: takeable(row),
  };
};

const rolesOf = (row: TaskRow, agent: string): readonly TaskRole[] => {
  const roles: readonly (readonly [TaskRole, boolean])[] = [
    ['author', row.author === agent],
    ['judge', row.judges],
    ['named', row.audience === 'restricted' && row.named],
    ['engaged', row.engaged_ever],
  ];
  return roles.flatMap(([role, has]) => (has ? [role] : []));
};

const taskItem = (row: TaskRow, agent: string) => ({
  ref: row.task,
  task: row.task,
  author: row.author,
  status: row.paused ? ('paused' as const) : ('open' as const),
  audience: row.audience,
  roles: rolesOf(row, agent),
  version: `${row.task}/versions/${row.version}`,
  createdAt: iso(row.created_at),
  deliverySeconds: row.delivery_seconds,
  judgmentSeconds: row.judgment_seconds,
  eligibility: row.eligibility,
});

export const pinItem = ({ id, version }: PinJson[number]): PinItem => ({
  ref: `${id}/versions/${version}`,
  memory: id,
  version,
});

const contractItem = (row: ContractRow): ContractItem => ({
  ref: `${row.task}/versions/${row.version}`,
  version: row.version,
  at: iso(row.at),
  structured: row.structured,
  requiredInputs: row.required_inputs.map(pinItem),
  informative: row.informative.map(pinItem),
  deliverySeconds: row.delivery_seconds,
  judgmentSeconds: row.judgment_seconds,
  withoutJudgment: row.without_judgment,
  judge: row.judge,
  eligibility: row.eligibility,
  maxAdoptions: row.max_adoptions,
  adoptedReaders: row.adopted_readers,
});

/** What the agent could take now (K-4, K-6, K-7, K-9, K-15); only asked for with `eligible`. */
const takeableNow = `(not $5::boolean or (not t.paused and t.author <> $1 and k.judge <> $1 and ${isEligible('k.eligibility', '$1')}
  and not ${runningOf('agent')} and not ${runningOf('judge')}
  and (k.max_adoptions is null or t.adoptions < k.max_adoptions)
  and not ${isThere(`read.agent a where a.id = t.author and a.status <> 'active'`)}))`;
const listed = digestContent('c', contractReadable('t', 'k.version', '$1'));

const openOnes = (condition: string): string =>
  `select ${taskColumns(listed)} from read.task t ${taskJoins}
   where ${visible['V-7'].when('t')} and t.id > $3::text ${condition} and ${takeableNow} order by t.id limit $4`;
const offered = statement<TaskRow>('tasks-open', openOnes(''));
const offeredOfStatus = statement<TaskRow>('tasks-open-status', openOnes(`and t.paused = ($6 = 'paused')`));

/** Ordered by agent and Task, though the agent is given, so that no other index will do. */
const firstAfter = (table: string, task: string, agent: string, after: string): string =>
  `(select id from (select ${agent} as agent, ${task} as id from read.${table} where (${agent}, ${task}) > ($1, ${after})
     order by ${agent}, ${task} limit 1) first where agent = $1)`;
/** The next Task after an id that the agent has ever had a part in. */
const nextMine = (after: string): string => `(select min(next.id) from (
  ${[
    firstAfter('task', 'id', 'author', after),
    firstAfter('task_audience', 'task', 'agent', after),
    firstAfter('contract', 'task', 'judge', after),
    firstAfter('engagement', 'task', 'agent', after),
    firstAfter('engagement', 'task', 'judge', after),
  ].join('\n  union all ')}) next)`;
/** One Task after another, each found in the indices, until the page is full: a recursive query hands its rows on as it finds them. */
const mineOnes = (condition: string): string =>
  `with recursive mine (id) as (select ${nextMine('$3::text')} union all select ${nextMine('mine.id')} from mine where mine.id is not null)
   select ${taskColumns(listed)} from mine cross join ${rowOf('task', 'id = mine.id')} t ${taskJoins}
   where ${takeableNow} ${condition} and (${visible['V-8'].when('t', '$1')} or ${visible['V-7 bound'].when('t', '$1')} or ${everEngaged}) limit $4`;
const mine = statement<TaskRow>('tasks-mine', mineOnes(''));
const mineOfStatus = statement<TaskRow>('tasks-mine-status', mineOnes(`and t.paused = ($6 = 'paused')`));

export type TasksQuery = {
  readonly agent: string;
  readonly now: number;
  readonly after: string;
  readonly limit: number;
  readonly status: 'open' | 'paused' | undefined;
  readonly mine: boolean;
  readonly eligible: boolean;
};

/** The open Tasks, or those that the agent has a part in; in the order of ids. */
export const tasksPage = async (reader: Reader, query: TasksQuery): Promise<Page<TaskItem, string>> => {
  const { agent, now, after, limit, status, eligible } = query;
  const values = [agent, new Date(now), after, limit + 1, eligible];
  const rows =
    status === undefined
      ? await (query.mine ? mine : offered)(reader, values)
      : await (query.mine ? mineOfStatus : offeredOfStatus)(reader, [...values, status]);
  return pageOf(
    rows,
    limit,
    (row) => ({ ...taskItem(row, agent), ...presentDigest(row, 'wanted') }),
    (row) => row.task,
  );
};

type VersionRow = ContractRow;
const versionJoins = `from read.task t join read.contract k on k.task = t.id ${lookUp('c', 'content', 'id = k.content')}`;
const versions = statement<VersionRow>(
  'contracts',
  `select ${contractColumns}, ${digestContent('c', 'true')} from read.task t cross join lateral (
     select * from read.contract v where v.task = $2 and v.version > $3 and ${contractReadable('t', 'v.version', '$1')}
     order by v.version limit $4) k ${lookUp('c', 'content', 'id = k.content')}
   where t.id = $2 order by k.version`,
);
const version = statement<VersionRow>(
  'contract',
  `select ${contractColumns}, ${wholeContent('c', 'true')} ${versionJoins}
   where t.id = $2 and k.version = $3 and ${contractReadable('t', 'k.version', '$1')}`,
);

type OfTask = { readonly task: string; readonly agent: string };

/** The contract versions that the agent may read, as digests (V-7, V-8). */
export const contractsPage = async (
  reader: Reader,
  { task, agent, after, limit }: OfTask & { after: number; limit: number },
): Promise<Page<ContractItem & Presented<Words>, number>> =>
  pageOf(
    await versions(reader, [agent, task, after, limit + 1]),
    limit,
    (row) => ({ ...contractItem(row), ...presentDigest(row, 'wanted') }),
    (row) => row.version,
  );

/** One contract version in full; undefined for who may not read it (V-7, V-8). */
export const contractWhole = async (
  reader: Reader,
  { task, agent, version: number, bytesMax }: OfTask & { version: number; bytesMax: number },
): Promise<(ContractItem & Presented<Words>) | undefined> => {
  const [row] = await version(reader, [agent, task, number]);
  return row === undefined ? undefined : { ...contractItem(row), ...presentWhole(row, bytesMax) };
};

/** What a contract version wants, as JSON text. */
export const contractText = async (
  reader: Reader,
  { task, agent, version: number }: OfTask & { version: number },
): Promise<TextRead> => {
  const [row] = await version(reader, [agent, task, number]);
  return row === undefined ? undefined : textRead(row, (words) => JSON.stringify(words));
};
