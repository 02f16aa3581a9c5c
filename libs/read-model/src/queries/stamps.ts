import { type Reader, statement } from './reader.ts';
import { isThere, lookUp, rowOf } from './sql.ts';
import { knowsTask } from './visible.ts';

/** What gateways stamp on actions: what the read model knows of other objects (engine.md §1, 9). */

/** The output structure that a delivery has to meet; `free`: there is none; `unknown`: what it is for is not known (yet). */
export type OutputStructure = { readonly schema: unknown } | 'free' | 'unknown';

type OutputRow = { structured: boolean; value: Buffer | null };
const outputOf = (row: OutputRow | undefined): OutputStructure => {
  if (row === undefined) return 'unknown';
  if (!row.structured || row.value === null) return 'free';
  const { content } = JSON.parse(row.value.toString('utf8')) as { content: { outputSchema?: unknown } };
  return { schema: content.outputSchema };
};

const assignment = statement<OutputRow>(
  'assignment-output',
  `select a.structured, c.value from read.assignment a ${lookUp('c', 'content', 'id = a.content and a.structured')}
   where a.thread = $1 and a.assignment = $2`,
);
/** What a delivery of an assignment has to meet (T-44). */
export const assignmentOutput = async (reader: Reader, thread: string, number: number): Promise<OutputStructure> =>
  outputOf((await assignment(reader, [thread, number]))[0]);

const engagement = statement<OutputRow>(
  'engagement-output',
  `select k.structured, c.value from read.engagement e join read.contract k on k.task = e.task and k.version = e.version
   ${lookUp('c', 'content', 'id = k.content and k.structured')} where e.task = $1 and e.id = $2`,
);
/** What a delivery of an engagement has to meet: that of the contract version that it binds (K-5). */
export const engagementOutput = async (reader: Reader, task: string, id: string): Promise<OutputStructure> =>
  outputOf((await engagement(reader, [task, id]))[0]);

/** What taking a Task is weighed by: the version that would be bound, or is bound already by an open engagement (K-9). */
export type TakeTarget = { readonly author: string; readonly version: number; readonly output: OutputStructure };
type TakeRow = OutputRow & { author: string; version: number };
const take = statement<TakeRow>(
  'take-target',
  `select t.author, k.version, k.structured, c.value from read.task t
   ${lookUp('e', 'engagement', 'task = $1 and agent = $2 and ended_at is null')}
   cross join ${rowOf('contract', 'task = $1 and version = coalesce(e.version, t.version)')} k
   ${lookUp('c', 'content', 'id = k.content and k.structured')} where t.id = $1`,
);
export const takeTarget = async (reader: Reader, task: string, agent: string): Promise<TakeTarget | undefined> => {
  const [row] = await take(reader, [task, agent]);
  return row === undefined ? undefined : { author: row.author, version: row.version, output: outputOf(row) };
};

const labels = statement<{ labels: string[] }>('labels', 'select labels from read.agent where id = $1');
/** The labels of an agent (K-4). */
export const labelsOf = async (reader: Reader, agent: string): Promise<readonly string[]> =>
  (await labels(reader, [agent]))[0]?.labels ?? [];

const knows = statement<object>('knows-task', `select 1 from read.task t where t.id = $1 and ${knowsTask('t', '$2')}`);
/** Whether the agent may know the Task, so that it may refer to it (K-16, V-14). */
export const mayKnowTask = async (reader: Reader, task: string, agent: string): Promise<boolean> =>
  (await knows(reader, [task, agent])).length > 0;

const inactive = statement<{ id: string }>(
  'inactive',
  `select asked.id from unnest($1::text[]) asked (id)
   where not ${isThere(`read.agent a where a.id = asked.id and a.status = 'active'`)}`,
);
/** Those of the ids that are no active agents: deactivated, being so, or none at all (A-7, K-3). */
export const notActive = async (reader: Reader, ids: readonly string[]): Promise<readonly string[]> =>
  (await inactive(reader, [ids])).map(({ id }) => id);
