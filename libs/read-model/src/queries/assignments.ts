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
import { iso, isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { isMember } from './visible.ts';

/** Open: not taken yet. The rest are the protocol's words (T-50). */
export type AssignmentStatus =
  | 'open'
  | 'taken'
  | 'delivered'
  | 'adopted'
  | 'rejected'
  | 'undecided'
  | 'dropped'
  | 'timed-out'
  | 'voided';

export type AssignmentItem = {
  readonly ref: string;
  readonly assignment: number;
  readonly entry: string;
  readonly creator: string;
  readonly assignee: string;
  readonly status: AssignmentStatus;
  readonly structured: boolean;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly redoes: string | null;
  readonly createdAt: string;
  readonly takenAt: string | null;
  readonly deliverBy: string | null;
  readonly deliveredAt: string | null;
  readonly judgeBy: string | null;
  /** Who may judge; null before delivery and once the right is forfeited (T-15). */
  readonly judge: string | null;
  readonly endedAt: string | null;
} & Presented<Words>;

type Row = ContentRow & {
  thread: string;
  assignment: number;
  entry: number;
  creator: string;
  assignee: string;
  status: AssignmentStatus;
  structured: boolean;
  delivery_seconds: number;
  judgment_seconds: number;
  redoes: number | null;
  created_at: Date;
  taken_at: Date | null;
  deliver_by: Date | null;
  delivered_at: Date | null;
  judge_by: Date | null;
  judge: string | null;
  ended_at: Date | null;
  ended_how: string | null;
  payload: string | null;
  payload_bytes: number | null;
  memories: readonly { id: string; version: number }[];
  reason: string | null;
};

const columns = `s.thread, s.assignment, s.entry, s.creator, s.assignee, s.status, s.structured, s.delivery_seconds, s.judgment_seconds,
  s.redoes, s.created_at, s.taken_at, s.deliver_by, s.delivered_at, s.judge_by, s.judge, s.ended_at, s.ended_how, s.payload, s.payload_bytes,
  s.memories, s.reason`;

const page = statement<Row>(
  'assignments',
  `select ${columns}, ${digestContent('c', 'true')} from read.assignment s left join read.content c on c.id = s.content
   where s.thread = $1 and s.assignment > $3 and ($4::text is null or s.status = $4) and ${isMember('$1', '$2')} order by s.assignment limit $5`,
);

/** Assignments of a thread as digests; empty for who is no member (V-3). */
export const assignmentsPage = async (
  reader: Reader,
  {
    thread,
    agent,
    after,
    status,
    limit,
  }: { thread: string; agent: string; after: number; status: AssignmentStatus | undefined; limit: number },
): Promise<Page<AssignmentItem, number>> =>
  pageOf(await page(reader, [thread, agent, after, status ?? null, limit + 1]), limit, digest, (row) => row.assignment);

const mine = statement<Row>(
  'assignments-mine',
  `select ${columns}, ${digestContent('c', 'true')} from read.assignment s left join read.content c on c.id = s.content
   where s.thread = $1 and s.status in ('open', 'taken', 'delivered') and (s.creator = $2 or s.assignee = $2) and ${isMember('$1', '$2')}
   order by s.assignment limit $3`,
);

/** The live assignments of a thread that the agent created or is to do. */
export const liveAssignments = async (
  reader: Reader,
  thread: string,
  agent: string,
  limit: number,
): Promise<readonly AssignmentItem[]> => (await mine(reader, [thread, agent, limit])).map(digest);

const digest = (row: Row): AssignmentItem => ({ ...assignmentItem(row), ...presentDigest(row, 'wanted') });

const assignmentItem = (row: Row) => ({
  ref: `${row.thread}/assignments/${row.assignment}`,
  assignment: row.assignment,
  entry: `${row.thread}/entries/${row.entry}`,
  creator: row.creator,
  assignee: row.assignee,
  status: row.status,
  structured: row.structured,
  deliverySeconds: row.delivery_seconds,
  judgmentSeconds: row.judgment_seconds,
  redoes: row.redoes === null ? null : `${row.thread}/assignments/${row.redoes}`,
  createdAt: iso(row.created_at),
  takenAt: isoOrNull(row.taken_at),
  deliverBy: isoOrNull(row.deliver_by),
  deliveredAt: isoOrNull(row.delivered_at),
  judgeBy: isoOrNull(row.judge_by),
  judge: row.judge,
  endedAt: isoOrNull(row.ended_at),
});

const one = statement<Row>(
  'assignment',
  `select ${columns}, ${wholeContent('c', 'true')} from read.assignment s left join read.content c on c.id = s.content
   where s.thread = $1 and s.assignment = $3 and ${isMember('$1', '$2')}`,
);

/** A record of the content log that a fact of the thread names: reason or payload. */
const record = statement<ContentRow>(
  'content-record',
  `select ${wholeContent('c', 'true')} from read.content c where c.id = $1`,
);

type PinRow = ContentRow & { id: string; version: number };
/** Delivered Memories are the taker's own: readable by members while their membership lasts (V-5, M-8). */
const pins = statement<PinRow>(
  'delivered-memories',
  `select p.id, p.version, ${digestContent('c', 'coalesce(m.author = $3, false)')}
   from unnest($1::text[], $2::int[]) with ordinality p (id, version, place)
   left join read.memory m on m.id = p.id left join read.memory_version mv on mv.memory = p.id and mv.version = p.version
   left join read.content c on c.id = mv.content order by p.place`,
);

export type Delivery = {
  readonly at: string;
  readonly payloadBytes: number | null;
  readonly memories: readonly (PinItem & Presented<{ readonly title: string }>)[];
} & (Presented<Words> | { readonly content?: never });

export type Judgment = { readonly at: string; readonly how: AssignmentStatus } & (
  | Presented<Words>
  | { readonly content?: never }
);
export type AssignmentWhole = {
  readonly item: AssignmentItem;
  readonly delivery: Delivery | null;
  readonly judgment: Judgment | null;
};

/** One assignment in full; undefined for who is no member, and if there is none (V-14). Run it in a snapshot. */
export const assignmentWhole = async (
  reader: Reader,
  { thread, assignment, agent, bytesMax }: { thread: string; assignment: number; agent: string; bytesMax: number },
): Promise<AssignmentWhole | undefined> => {
  const [row] = await one(reader, [thread, agent, assignment]);
  if (row === undefined) return undefined;
  const third = Math.floor(bytesMax / 3);
  return {
    item: { ...assignmentItem(row), ...presentWhole(row, third) },
    delivery: await deliveryOf(reader, row, third),
    judgment: await judgmentOf(reader, row, third),
  };
};

const deliveryOf = async (reader: Reader, row: Row, bytesMax: number): Promise<Delivery | null> => {
  if (row.delivered_at === null) return null;
  const delivered = await pins(reader, [
    row.memories.map(({ id }) => id),
    row.memories.map(({ version }) => version),
    row.assignee,
  ]);
  return {
    at: iso(row.delivered_at),
    payloadBytes: row.payload_bytes,
    memories: delivered.map((pin) => ({
      ref: `${pin.id}/versions/${pin.version}`,
      memory: pin.id,
      version: pin.version,
      ...presentTitle(pin),
    })),
    ...(row.payload === null ? {} : presentWhole(await recordOf(reader, row.payload), bytesMax)),
  };
};

const judgmentOf = async (reader: Reader, row: Row, bytesMax: number): Promise<Judgment | null> => {
  if (row.ended_at === null || row.delivered_at === null) return null;
  return {
    at: iso(row.ended_at),
    how: row.status,
    ...(row.reason === null ? {} : presentWhole(await recordOf(reader, row.reason), bytesMax)),
  };
};

const absent: ContentRow = { readable: true, found: false, head: null, tail: null };
const recordOf = async (reader: Reader, id: string): Promise<ContentRow> => (await record(reader, [id]))[0] ?? absent;

/** What an assignment wants, or its payload, as JSON text; undefined if there is no such thing for this agent. */
export const assignmentText = async (
  reader: Reader,
  {
    thread,
    assignment,
    agent,
    part,
  }: { thread: string; assignment: number; agent: string; part: 'content' | 'payload' },
): Promise<TextRead> => {
  const [row] = await one(reader, [thread, agent, assignment]);
  if (row === undefined) return undefined;
  if (part === 'content') return textRead(row, (words) => JSON.stringify(words));
  return row.payload === null
    ? undefined
    : textRead(await recordOf(reader, row.payload), (words) => JSON.stringify(words['payload']));
};
