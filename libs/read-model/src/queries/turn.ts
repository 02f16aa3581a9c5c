import { type ContentRow, digestContent, type Presented, presentTitle } from './content.ts';
import { iso, isoOrNull, type Reader, statement } from './reader.ts';
import { isEligible, isMember, isParty, pinReadable } from './visible.ts';

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
export type DutyList = 'turn' | 'waiting' | 'opportunities';

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

/**
 * One page of a list of duties, from the beginning or from where a traversal stood. Run it in a snapshot. An item is hidden
 * from its deadline on, recorded or not (O-11); `now` in milliseconds.
 */
export const dutyPage = async (
  reader: Reader,
  list: DutyList,
  {
    agent,
    now,
    limit,
    from,
    object,
  }: { agent: string; now: number; limit: number; from?: Traversal | undefined; object?: string },
): Promise<DutyPage> => {
  const current = await vectorOf(reader);
  const items: Duty[] = [];
  let phase: Traversal = from ?? { lo: {}, hi: current, after: null };
  for (;;) {
    const rows = await phaseRows(reader, list, { agent, now, phase, limit: limit - items.length + 1, object });
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

const inPhase = `
  join unnest($3::text[], $4::int[], $5::bigint[], $6::bigint[]) v (kind, partition, lo, hi)
    on v.kind = o.kind and v.partition = o.partition and o.off >= v.lo and o.off < v.hi
  where o.ended_at is null
    and ($7::timestamptz is null or (o.at, o.kind, o.partition, o.off, o.eff) > ($7, $8::text, $9::int, $10::bigint, $11::int))
    and ($12::text is null or o.object = $12)
    and (o.kind = 'task' or ${isMember('o.object', '$1')})`;
const inOrder = 'order by o.at, o.kind, o.partition, o.off, o.eff limit $13';

/** The words of a duty: those of the entry to answer, of the assignment, or of the contract (V-3, V-4, V-7). */
const words = (obligation: string): string => `
  left join read.entry e on ${obligation} = 'respond' and e.thread = o.object and e.entry = o.part
  left join read.memory m on m.id = e.memory
  left join read.memory_version mv on mv.memory = e.memory and mv.version = e.version
  left join read.assignment s on ${obligation} <> 'respond' and s.thread = o.object and s.assignment = o.part
  left join read.engagement g on o.kind = 'task' and g.task = o.object and g.number = o.part
  left join read.task t on o.kind = 'task' and t.id = o.object
  left join read.contract k on k.task = t.id and k.version = coalesce(g.version, t.version)
  left join read.content c on c.id = coalesce(mv.content, s.content, k.content)`;
const readable = `(s.assignment is not null or coalesce(${isParty('g', '$1')}, false) or (g.id is null and t.id is not null) or ${pinReadable('e.author', 'm')})`;
const columns = `o.ref, o.object, o.from_agent, o.at, o.kind, o.partition, o.off, o.eff, ${digestContent('c', readable)}`;

const owed = (whose: 'holder' | 'from_agent') => `
  select o.holder, o.obligation, null as next_step, o.deadline, ${columns} from read.obligation o ${words('o.obligation')} ${inPhase}
    and o.${whose} = $1 ${whose === 'from_agent' ? 'and o.holder <> $1' : ''} and (o.deadline is null or o.deadline > $2::timestamptz) ${inOrder}`;

/** An engagement that runs at $2, whether its deadline has been recorded or not (O-11). */
const runs = (g: string): string =>
  `${g}.ended_at is null and coalesce(${g}.judge_by, ${g}.deliver_by) > $2::timestamptz`;

/** A restricted Task is an opportunity unless the agent works on it, judges it, misses a label, or the limit is reached (O-5, K-7, K-15). */
const takeable = `(k.judge <> $1 and ${isEligible('k.eligibility', '$1')} and (k.max_adoptions is null or t.adoptions < k.max_adoptions)
  and not exists (select 1 from read.engagement x where x.task = t.id and $1 in (x.agent, x.judge) and ${runs('x')}))`;
/** Paused, or its author gone: wait. Taken before: done once it was adopted, else revise (O-13). */
const offered = `case when t.id is null then 'deliver'
  when t.paused or exists (select 1 from read.agent a where a.id = t.author and a.status <> 'active') then 'wait'
  else coalesce((select case x.status when 'adopted' then 'done' else 'revise' end from read.engagement x
    where x.task = t.id and x.agent = $1 order by x.number desc limit 1), 'deliver') end`;

const statements: { readonly [L in DutyList]: ReturnType<typeof statement<Row>> } = {
  turn: statement<Row>('turn', owed('holder')),
  waiting: statement<Row>('waiting', owed('from_agent')),
  opportunities: statement<Row>(
    'opportunities',
    `select o.agent as holder, null as obligation, ${offered} as next_step, null::timestamptz as deadline, ${columns}
     from read.opportunity o ${words("'deliver'")} ${inPhase} and o.agent = $1 and (t.id is null or ${takeable}) ${inOrder}`,
  ),
};

type PhaseQuery = { agent: string; now: number; phase: Traversal; limit: number; object: string | undefined };

const phaseRows = (
  reader: Reader,
  list: DutyList,
  { agent, now, phase, limit, object }: PhaseQuery,
): Promise<Row[]> => {
  const partitions = Object.entries(phase.hi).map(([name, hi]) => {
    const [kind = '', partition = ''] = name.split('/');
    return { kind, partition: Number(partition), lo: phase.lo[name] ?? 0, hi };
  });
  const [at, ...rest] = phase.after ?? [null, null, null, null, null];
  return statements[list](reader, [
    agent,
    new Date(now),
    partitions.map(({ kind }) => kind),
    partitions.map(({ partition }) => partition),
    partitions.map(({ lo }) => lo),
    partitions.map(({ hi }) => hi),
    at === null ? null : new Date(at),
    ...rest,
    object ?? null,
    limit,
  ]);
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
