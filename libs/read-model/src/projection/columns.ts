import { type ContentRef, engagementRef, type Pin } from '@kungfu/protocol';
import type {
  AgentKeyRow,
  AgentRow,
  AssignmentChange,
  AssignmentRow,
  AudienceRow,
  BornMemoryRow,
  ContractRow,
  DeadlineRow,
  DutyRow,
  EngagementChange,
  EngagementDutyRow,
  EngagementRow,
  EntryRow,
  GrantRow,
  MembershipRow,
  MemoryRow,
  MemoryVersionRow,
  OfferRow,
  Place,
  ResponseRow,
  TaskRow,
  ThreadRow,
} from './rows.ts';

/** Rows and changes in the words of the tables. A field that is absent is absent here too. */
export type Columns = Readonly<Record<string, unknown>>;

type Into<Value> = string | ((value: Value) => Columns);
type Mapping<Row> = { readonly [F in keyof Row]-?: Into<Exclude<Row[F], undefined>> };

export const columnsOf =
  <Row extends object>(mapping: Mapping<Row>, always: Columns = {}) =>
  (row: Partial<Row>): Columns => {
    const columns: Record<string, unknown> = { ...always };
    for (const [field, value] of Object.entries(row)) {
      if (value === undefined) continue;
      const into = mapping[field as keyof Row] as Into<unknown>;
      if (typeof into === 'string') columns[into] = value;
      else Object.assign(columns, into(value));
    }
    return columns;
  };

const iso = (millis: number): string => new Date(millis).toISOString();
export const time =
  (column: string) =>
  (millis: number): Columns => ({ [column]: iso(millis) });
export const timeOrNull =
  (column: string) =>
  (millis: number | null): Columns => ({ [column]: millis === null ? null : iso(millis) });
const nowhere = (): Columns => ({});
const pinned = ({ id, version }: Pin): Columns => ({ memory: id, version });
const placed = ({ at, kind, partition, offset, effect }: Place): Columns => ({
  at: iso(at),
  kind,
  partition,
  off: offset,
  eff: effect,
});

export const agentColumns = columnsOf<AgentRow>({
  id: 'id',
  status: 'status',
  walk: 'walk',
  labels: 'labels',
  createdAt: time('created_at'),
  revision: 'revision',
});
export const keyColumns = columnsOf<AgentKeyRow>({
  id: 'id',
  agent: 'agent',
  hash: 'hash',
  issuedAt: time('issued_at'),
  revokedAt: time('revoked_at'),
});
export const bornMemoryColumns = columnsOf<BornMemoryRow>(
  { id: 'id', author: 'author', at: time('created_at'), thread: 'born_thread', entry: 'born_entry' },
  { revision: 0 },
);
export const memoryColumns = columnsOf<MemoryRow>({
  id: 'id',
  author: 'author',
  createdAt: time('created_at'),
  status: 'status',
  visibility: 'visibility',
  version: 'current_version',
  revision: 'revision',
});
export const versionColumns = columnsOf<MemoryVersionRow>({
  memory: 'memory',
  version: 'version',
  at: time('at'),
  content: ({ id, bytes, sha256 }: ContentRef) => ({ content: id, bytes, sha256 }),
});
export const threadColumns = columnsOf<ThreadRow>({
  id: 'id',
  status: 'status',
  creator: 'creator',
  content: 'content',
  createdAt: time('created_at'),
  closedAt: time('closed_at'),
  revision: 'revision',
  entries: 'entries',
  assignments: 'assignments',
  lastAt: time('last_at'),
});
const grantMapping: Mapping<GrantRow> = {
  thread: 'thread',
  number: 'number',
  role: 'role',
  hash: 'hash',
  by: 'issued_by',
  issuedAt: time('issued_at'),
  voidedAt: (at) => ({ voided_at: iso(at), live: false }),
  voidedHow: 'voided_how',
};
export const grantColumns = columnsOf<GrantRow>(grantMapping, { live: true });
export const grantChangeColumns = columnsOf<GrantRow>(grantMapping);
export const membershipColumns = columnsOf<MembershipRow>({
  thread: 'thread',
  membership: 'membership',
  agent: 'agent',
  role: 'role',
  grant: 'grant_number',
  joinedAt: time('joined_at'),
  endedAt: time('ended_at'),
  endedHow: 'ended_how',
});
export const entryColumns = columnsOf<EntryRow>({
  thread: 'thread',
  entry: 'entry',
  author: 'author',
  membership: 'membership',
  replyTo: 'reply_to',
  memory: pinned,
  task: 'task',
  at: time('at'),
});

export const responseColumns = columnsOf<ResponseRow>({
  thread: 'thread',
  entry: 'entry',
  agent: 'agent',
  from: nowhere,
  place: ({ at }) => ({ owed_at: iso(at) }),
  endedAt: time('ended_at'),
  how: 'how',
  note: 'note',
});
const respondMapping: Mapping<ResponseRow> = {
  thread: 'object',
  entry: 'part',
  agent: 'holder',
  from: 'from_agent',
  place: placed,
  endedAt: time('ended_at'),
  how: nowhere,
  note: nowhere,
};
const respondColumns = columnsOf<ResponseRow>(respondMapping, { obligation: 'respond' });
export const respondObligation = (row: ResponseRow): Columns => ({
  ...respondColumns(row),
  ref: `${row.thread}/entries/${row.entry}`,
});
export const respondEnding = (row: Partial<ResponseRow>): Columns => respondColumns(row);

type Assignment = Omit<AssignmentRow, keyof AssignmentChange> & AssignmentChange;
export const assignmentColumns = columnsOf<Assignment>({
  thread: 'thread',
  assignment: 'assignment',
  entry: 'entry',
  creator: 'creator',
  assignee: 'assignee',
  content: 'content',
  structured: 'structured',
  deliverySeconds: 'delivery_seconds',
  judgmentSeconds: 'judgment_seconds',
  redoes: 'redoes',
  place: ({ at }) => ({ created_at: iso(at) }),
  opportunityEndedAt: nowhere,
  status: 'status',
  takenAt: time('taken_at'),
  deliverBy: time('deliver_by'),
  deliveredAt: time('delivered_at'),
  payload: ({ id, bytes }) => ({ payload: id, payload_bytes: bytes }),
  memories: 'memories',
  judgeBy: time('judge_by'),
  judge: 'judge',
  reason: 'reason',
  endedAt: time('ended_at'),
  endedHow: 'ended_how',
});
const assignmentRef = (thread: string, assignment: number): string => `${thread}/assignments/${assignment}`;
/** An untaken assignment as its addressee finds it (O-5). */
export const opportunityColumns = ({
  thread,
  assignment,
  creator,
  assignee,
  place,
  opportunityEndedAt,
}: AssignmentRow): Columns => ({
  agent: assignee,
  object: thread,
  part: assignment,
  ref: assignmentRef(thread, assignment),
  from_agent: creator,
  requires: [],
  barred: false,
  ...placed(place),
  ...(opportunityEndedAt === undefined ? {} : { ended_at: iso(opportunityEndedAt) }),
});
export const opportunityEnding = (thread: string, assignment: number, endedAt: number): Columns => ({
  object: thread,
  part: assignment,
  ended_at: iso(endedAt),
});

const dutyMapping: Mapping<DutyRow> = {
  thread: 'object',
  assignment: 'part',
  obligation: 'obligation',
  holder: 'holder',
  deadline: time('deadline'),
  place: placed,
  endedAt: time('ended_at'),
};
const dutyColumns = columnsOf<DutyRow>(dutyMapping);
export const dutyObligation = (row: DutyRow): Columns => ({
  ...dutyColumns(row),
  ref: assignmentRef(row.thread, row.assignment),
});
export const dutyEnding = (row: Partial<DutyRow>): Columns => dutyColumns(row);
export const deadlineColumns = columnsOf<DeadlineRow>({
  kind: 'kind',
  object: 'object',
  part: 'part',
  what: 'what',
  dueAt: time('due_at'),
  endedAt: time('ended_at'),
});

export const taskColumns = columnsOf<TaskRow>({
  id: 'id',
  author: 'author',
  audience: 'audience',
  paused: 'paused',
  version: 'version',
  adoptions: 'adoptions',
  createdAt: time('created_at'),
  revision: 'revision',
  lastAt: time('last_at'),
});
export const audienceColumns = columnsOf<AudienceRow>({ task: 'task', agent: 'agent' });
/** A restricted Task has no part: 0 (O-5). What keeps its agents from taking it is weighed once the contract stands. */
export const offerColumns = ({ task, agent, from, place }: OfferRow): Columns => ({
  agent,
  object: task,
  part: 0,
  ref: task,
  from_agent: from,
  requires: [],
  barred: false,
  ...placed(place),
});
export const contractColumns = columnsOf<ContractRow>({
  task: 'task',
  version: 'version',
  content: 'content',
  structured: 'structured',
  requiredInputs: 'required_inputs',
  informative: 'informative',
  deliverySeconds: 'delivery_seconds',
  judgmentSeconds: 'judgment_seconds',
  withoutJudgment: 'without_judgment',
  judge: 'judge',
  eligibility: 'eligibility',
  maxAdoptions: 'max_adoptions',
  adoptedReaders: 'adopted_readers',
  at: time('at'),
});
type Engagement = Omit<EngagementRow, keyof EngagementChange> & EngagementChange;
export const engagementColumns = columnsOf<Engagement>({
  task: 'task',
  number: 'number',
  id: 'id',
  agent: 'agent',
  author: 'author',
  judge: 'judge',
  version: 'version',
  inputs: 'inputs',
  redoes: 'redoes',
  status: 'status',
  takenAt: time('taken_at'),
  deliverBy: time('deliver_by'),
  deliveredAt: time('delivered_at'),
  payload: ({ id, bytes }) => ({ payload: id, payload_bytes: bytes }),
  memories: 'memories',
  judgeBy: time('judge_by'),
  reason: 'reason',
  endedAt: time('ended_at'),
  endedHow: 'ended_how',
});
const engagementDutyColumns = columnsOf<EngagementDutyRow>({
  task: 'object',
  number: 'part',
  obligation: 'obligation',
  engagement: nowhere,
  holder: 'holder',
  from: 'from_agent',
  deadline: time('deadline'),
  place: placed,
  endedAt: time('ended_at'),
});
export const engagementDuty = (row: EngagementDutyRow): Columns => ({
  ...engagementDutyColumns(row),
  ref: engagementRef(row.task, row.engagement),
});
export const engagementDutyEnding = (row: Partial<EngagementDutyRow>): Columns => engagementDutyColumns(row);
