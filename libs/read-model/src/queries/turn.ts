import { type ContentRow, digestContent, type Presented, presentTitle } from './content.ts';
import { iso, isoOrNull, type Reader, statement } from './reader.ts';
import { isThere, lookUp, untilEnough } from './sql.ts';
import { visible } from './visible.ts';

/** How far the read model has come: partition (`thread/3`) → next offset. */
export type Vector = Readonly<Record<string, number>>;

/** Where an item stands in the order of the log: log time in milliseconds, kind, partition, offset, index of the effect. */
export type Place = readonly [at: number, kind: string, partition: number, offset: number, effect: number];

/**
 * A place in a traversal (engine.md §5): it hands out the items whose position is in [lo, hi) in the order of the log; when
 * those are through and newer ones exist, the next phase begins at lo = hi. So nothing is omitted and nothing repeated
 * while others act, however late a partition is projected (O-3).
 */
export type Traversal = { readonly lo: Vector; readonly hi: Vector; readonly after: Place | null };

/** What a list of duties is about: one's own, what others owe, or what one may take. */
export type DutyList = DutyListOfObject | 'waiting';
/** Those that can be asked for of one thread or Task. */
export type DutyListOfObject = 'turn' | 'opportunities';

export type Duty = {
  readonly ref: string;
  readonly obligation?: 'respond' | 'deliver' | 'judge';
  /** Only in `waiting`: who owes it. */
  readonly holder?: string;
  /** Of an opportunity: deliver (after taking), revise (redo through a new engagement), wait while paused, done once adopted. */
  readonly nextStep: 'respond' | 'deliver' | 'judge' | 'revise' | 'wait' | 'done';
  /** The object, by its kind. */
  readonly thread?: string;
  readonly task?: string;
  readonly arisenAt: string;
  readonly deadline: string | null;
  readonly secondsLeft: number | null;
  readonly from: string;
} & Presented<{ readonly title: string }>;

export type DutyPage = { readonly items: readonly Duty[]; readonly next: Traversal | null };

type Row = ContentRow & {
  ref: string;
  holder: string;
  obligation: 'respond' | 'deliver' | 'judge' | null;
  object: string;
  next_step: Duty['nextStep'] | null;
  from_agent: string;
  deadline: Date | null;
  at: Date;
  kind: string;
  partition: number;
  off: string;
  eff: number;
};

const positions = statement<{ kind: string; partition: number; next: string }>(
  'fact-positions',
  `select substring(topic from 14) as kind, partition, next from read.position where topic like 'kungfu.facts.%' order by topic, partition`,
);

/** Position of every fact partition in this state of the read model. */
export const vectorOf = async (reader: Reader): Promise<Vector> => {
  const rows = await positions(reader, []);
  return Object.fromEntries(rows.map(({ kind, partition, next }) => [`${kind}/${partition}`, Number(next)]));
};

type DutyQuery<L extends DutyList> = {
  readonly agent: string;
  readonly now: number;
  readonly limit: number;
  readonly from?: Traversal | undefined;
  /** The only thread or Task that is asked about. */
  readonly object?: L extends DutyListOfObject ? string : undefined;
};

/**
 * One page of a list of duties, from the beginning or from where a traversal stood. Run it in a snapshot. An item is hidden
 * from its deadline on, recorded or not (O-11); `now` in milliseconds.
 */
export const dutyPage = async <L extends DutyList>(
  reader: Reader,
  list: L,
  { agent, now, limit, from, object }: DutyQuery<L>,
): Promise<DutyPage> => {
  const run = object === undefined ? statements[list] : statementsOfObject[list as DutyListOfObject];
  const current = await vectorOf(reader);
  const items: Duty[] = [];
  let phase: Traversal = from ?? { lo: {}, hi: current, after: null };
  for (;;) {
    const rows = await run(reader, valuesOf({ agent, now, phase, limit: limit - items.length + 1, object }));
    const shown = rows.slice(0, limit - items.length);
    items.push(...shown.map((row) => dutyItem(list, row, now)));
    if (rows.length > shown.length) {
      const last = shown.at(-1);
      return { items, next: last === undefined ? phase : { ...phase, after: placeOf(last) } };
    }
    if (!grown(phase.hi, current)) return { items, next: null };
    phase = { lo: phase.hi, hi: current, after: null };
  }
};

/** Whether any partition has gone on. */
const grown = (before: Vector, current: Vector): boolean =>
  Object.entries(current).some(([partition, next]) => next > (before[partition] ?? 0));

const placeOf = (row: Row): Place => [row.at.getTime(), row.kind, row.partition, Number(row.off), row.eff];

/**
 * $1 the agent, $2 now, $3 and $4 the bounds of the phase, $5 to $9 the place to go on from, $10 the limit, $11 the object if
 * only one is asked for.
 */
const offsetIn = (vector: string): string =>
  `coalesce((${vector}::jsonb ->> (o.kind || '/' || o.partition))::bigint, 0)`;
const order = 'o.at, o.kind, o.partition, o.off, o.eff';

/** The rows of a table in their order from a place on, as an index hands them out: nothing else is asked of them here. */
const inOrder = (table: 'obligation' | 'opportunity', condition: string): string => `(
  select * from read.${table} o where ${condition} and o.ended_at is null
    and (${order}) > ($5::timestamptz, $6::text, $7::int, $8::bigint, $9::int) order by ${order} ${untilEnough}) o`;
const ofObject = 'and o.object = $11::text';
/** Of this phase, and of an object that the agent may know (V-3, V-13): a Task’s duties are its parties’ and named agents’, for ever. */
const inPhase = `o.off >= ${offsetIn('$3')} and o.off < ${offsetIn('$4')} and (o.kind = 'task' or ${visible['V-3'].when('o.object', '$1')})`;
const inPage = `order by ${order} limit $10`;

/** The words of a duty: those of the entry to answer, of the assignment, or of the contract (V-3, V-4, V-7). */
const words = (obligation: string): string => `
  ${lookUp('e', 'entry', `${obligation} = 'respond' and thread = o.object and entry = o.part`)}
  ${lookUp('m', 'memory', 'id = e.memory')}
  ${lookUp('mv', 'memory_version', 'memory = e.memory and version = e.version')}
  ${lookUp('s', 'assignment', `${obligation} <> 'respond' and thread = o.object and assignment = o.part`)}
  ${lookUp('g', 'engagement', `o.kind = 'task' and task = o.object and number = o.part`)}
  ${lookUp('t', 'task', `o.kind = 'task' and id = o.object`)}
  ${lookUp('k', 'contract', 'task = t.id and version = coalesce(g.version, t.version)')}
  ${lookUp('c', 'content', 'id = coalesce(mv.content, s.content, k.content)')}`;
/** An entry’s as it pins them; an assignment’s, as its thread is the reader’s; a contract’s to its parties, and to whom the Task names. */
const readable = `(${visible['V-4'].when('e.author', 'm')} or s.assignment is not null
  or coalesce(${visible['V-10'].when('g', '$1')}, false) or (g.id is null and t.id is not null))`;
const columns = `o.ref, o.object, o.from_agent, o.at, o.kind, o.partition, o.off, o.eff, ${digestContent('c', readable)}`;

const owed = (whose: 'holder' | 'from_agent', object: boolean): string => `
  select o.holder, o.obligation, null as next_step, o.deadline, ${columns}
  from (select * from ${inOrder('obligation', `o.${whose} = $1 ${object ? ofObject : ''}`)} where ${inPhase} ${whose === 'from_agent' ? 'and o.holder <> $1' : ''}
    and (o.deadline is null or o.deadline > $2::timestamptz) ${inPage}) o ${words('o.obligation')} order by ${order}`;

/** An engagement that runs at $2, whether its deadline has been recorded or not (O-11). */
const runs = (g: string): string =>
  `${g}.ended_at is null and coalesce(${g}.judge_by, ${g}.deliver_by) > $2::timestamptz`;
const runningOf = (who: 'agent' | 'judge'): string =>
  isThere(`read.engagement x where x.task = o.object and x.${who} = $1 and ${runs('x')}`);
/** A restricted Task is no opportunity of who works on it or judges it at the moment (K-9). */
const offerInPage = `${inPhase} and not ${runningOf('agent')} and not ${runningOf('judge')} ${inPage}`;

const mine = `coalesce((select a.labels from read.agent a where a.id = $1), '{}')`;
const labelsAsked = (after: string): string => `(select requires from (
    select agent, requires from read.opportunity where ended_at is null and not barred and (agent, requires) ${after}
    order by agent, requires limit 1) first where agent = $1)`;
/** The different sets of labels that the agent's opportunities ask for, each found in the index after the one before. */
const asked = `with recursive asked (requires) as (
    select ${labelsAsked(`>= ($1::text, '{}'::text[])`)}
    union all select ${labelsAsked('> ($1::text, asked.requires)')} from asked where asked.requires is not null)`;
/** A restricted Task is an opportunity unless a label is missing, the agent judges it, or the limit is reached (O-5, K-7, K-15). */
const offers = `${asked}
  select o.* from (select requires from asked where requires <@ ${mine} offset 0) met cross join lateral (
    select * from ${inOrder('opportunity', 'o.agent = $1 and o.requires = met.requires and not o.barred')} where ${offerInPage}) o ${inPage}`;
const offersOfObject = `
  select * from ${inOrder('opportunity', `o.agent = $1 ${ofObject}`)} where not o.barred and o.requires <@ ${mine} and ${offerInPage}`;
/** Paused, or its author gone: wait. Taken before: done once it was adopted, else revise (O-13). */
const offered = `case when t.id is null then 'deliver'
  when t.paused or exists (select 1 from read.agent a where a.id = t.author and a.status <> 'active' offset 0) then 'wait'
  else coalesce((select case x.status when 'adopted' then 'done' else 'revise' end from read.engagement x
    where x.task = t.id and x.agent = $1 order by x.number desc limit 1), 'deliver') end`;
const offer = (some: string): string => `
  select o.agent as holder, null as obligation, ${offered} as next_step, null::timestamptz as deadline, ${columns}
  from (${some}) o ${words("'deliver'")} order by ${order}`;

type DutyStatement = ReturnType<typeof statement<Row>>;
const statements: { readonly [L in DutyList]: DutyStatement } = {
  turn: statement<Row>('turn', owed('holder', false)),
  waiting: statement<Row>('waiting', owed('from_agent', false)),
  opportunities: statement<Row>('opportunities', offer(offers)),
};
const statementsOfObject: { readonly [L in DutyListOfObject]: DutyStatement } = {
  turn: statement<Row>('turn-of-object', owed('holder', true)),
  opportunities: statement<Row>('opportunities-of-object', offer(offersOfObject)),
};

type PhaseQuery = { agent: string; now: number; phase: Traversal; limit: number; object: string | undefined };
/** Before the first row. */
const start = ['-infinity', '', -1, -1, -1] as const;

const valuesOf = ({ agent, now, phase: { lo, hi, after }, limit, object }: PhaseQuery): readonly unknown[] => {
  const [at, ...rest] = after ?? start;
  return [
    agent,
    new Date(now),
    JSON.stringify(lo),
    JSON.stringify(hi),
    typeof at === 'number' ? new Date(at) : at,
    ...rest,
    limit,
    ...(object === undefined ? [] : [object]),
  ];
};

const dutyItem = (list: DutyList, row: Row, now: number): Duty => ({
  ref: row.ref,
  ...(row.obligation === null ? {} : { obligation: row.obligation }),
  ...(list === 'waiting' ? { holder: row.holder } : {}),
  nextStep: list === 'waiting' ? 'wait' : (row.next_step ?? row.obligation ?? 'deliver'),
  ...(row.kind === 'task' ? { task: row.object } : { thread: row.object }),
  arisenAt: iso(row.at),
  deadline: isoOrNull(row.deadline),
  secondsLeft: row.deadline === null ? null : Math.floor((row.deadline.getTime() - now) / 1000),
  from: row.from_agent,
  ...presentTitle(row),
});
