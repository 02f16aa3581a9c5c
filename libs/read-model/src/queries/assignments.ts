import {
  type ContentRow,
  digestContent,
  presentDigest,
  type Presented,
  presentWhole,
  type Words,
  wholeContent,
} from './content.ts';
import { type Delivered, type Delivery, deliveryOf, type Judgment, judgmentOf, recordOf } from './deliveries.ts';
import { type TextRead, textRead } from './entries.ts';
import { iso, isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { lookUp } from './sql.ts';
import { visible } from './visible.ts';

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

type Row = ContentRow &
  Delivered<AssignmentStatus> & {
    thread: string;
    assignment: number;
    entry: number;
    creator: string;
    assignee: string;
    structured: boolean;
    delivery_seconds: number;
    judgment_seconds: number;
    redoes: number | null;
    created_at: Date;
    taken_at: Date | null;
    deliver_by: Date | null;
    judge_by: Date | null;
    judge: string | null;
    ended_how: string | null;
  };

const columns = `s.thread, s.assignment, s.entry, s.creator, s.assignee, s.status, s.structured, s.delivery_seconds, s.judgment_seconds,
  s.redoes, s.created_at, s.taken_at, s.deliver_by, s.delivered_at, s.judge_by, s.judge, s.ended_at, s.ended_how, s.payload, s.payload_bytes,
  s.memories, s.reason`;

const isMember = visible['V-3'].when('$1', '$2');
const words = lookUp('c', 'content', 'id = s.content');

const pageOfThose = (condition: string): string => `
  select ${columns}, ${digestContent('c', 'true')}
  from (select * from read.assignment where thread = $1 and assignment > $3 and ${condition}${isMember} order by assignment limit $4) s
  ${words} order by s.assignment`;
const page = statement<Row>('assignments', pageOfThose(''));
const pageOfStatus = statement<Row>('assignments-status', pageOfThose('status = $5 and '));

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
  pageOf(
    await (status === undefined
      ? page(reader, [thread, agent, after, limit + 1])
      : pageOfStatus(reader, [thread, agent, after, limit + 1, status])),
    limit,
    digest,
    (row) => row.assignment,
  );

const liveOf = (who: 'creator' | 'assignee', more = ''): string => `(
    select * from read.assignment where thread = $1 and ${who} = $2 and status in ('open', 'taken', 'delivered')${more}
    order by assignment limit $3)`;
const mine = statement<Row>(
  'assignments-mine',
  `select ${columns}, ${digestContent('c', 'true')}
   from (select * from (${liveOf('creator')} union all ${liveOf('assignee', ' and creator <> $2')}) live
     where ${isMember} order by assignment limit $3) s ${words} order by s.assignment`,
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
  `select ${columns}, ${wholeContent('c', 'true')} from read.assignment s ${words}
   where s.thread = $1 and s.assignment = $3 and ${isMember}`,
);

/** How it ended after delivery. */
export type AssignmentWhole = {
  readonly item: AssignmentItem;
  readonly delivery: Delivery | null;
  readonly judgment: Judgment<AssignmentStatus> | null;
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
    delivery: await deliveryOf(reader, row, row.assignee, third),
    judgment: await judgmentOf(reader, row, third),
  };
};

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
