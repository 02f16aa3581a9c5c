import { type ContentRow, type Presented, presentTitle, type Words, wholeContent } from './content.ts';
import { iso, isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { lookUp } from './sql.ts';
import { lasts, visible } from './visible.ts';

export type Role = 'observer' | 'speaker' | 'governor';

/** A thread as its members see it. A thread without a title has an empty one. */
export type ThreadItem = {
  readonly ref: string;
  readonly thread: string;
  readonly status: 'open' | 'closed';
  readonly role: Role;
  readonly creator: string;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly lastAt: string;
  readonly entries: number;
  readonly assignments: number;
} & Presented<Words>;

/** What rules about the thread need to know of it and of the caller. */
export type ThreadState = {
  readonly item: ThreadItem;
  readonly membership: { readonly number: number; readonly grant: number | null; readonly joinedAt: string };
  readonly governors: number;
  readonly members: number;
  /** The live admission, without its hash. */
  readonly grant: {
    readonly number: number;
    readonly role: Role;
    readonly by: string;
    readonly issuedAt: string;
  } | null;
};

type ThreadRow = ContentRow & {
  id: string;
  status: 'open' | 'closed';
  role: Role;
  creator: string;
  created_at: Date;
  closed_at: Date | null;
  last_at: Date;
  entries: number;
  assignments: number;
  content: string | null;
};

const threadColumns = `t.id, t.status, my.role, t.creator, t.created_at, t.closed_at, t.last_at, t.entries, t.assignments, t.content,
  ${wholeContent('c', 'true')}`;

const threads = statement<ThreadRow>(
  'threads',
  `select ${threadColumns} from read.membership my ${lookUp('t', 'thread', 'id = my.thread')} ${lookUp('c', 'content', 'id = t.content')}
   where ${lasts('my', '$1')} and my.thread > $2 and t.id is not null and ($3::text is null or t.status = $3)
   order by my.thread limit $4`,
);

/** The threads of which the agent is a member, in the order of ids. */
export const threadsPage = async (
  reader: Reader,
  {
    agent,
    after,
    status,
    limit,
  }: { agent: string; after: string; status: 'open' | 'closed' | undefined; limit: number },
): Promise<Page<ThreadItem, string>> =>
  pageOf(await threads(reader, [agent, after, status ?? null, limit + 1]), limit, threadItem, (row) => row.id);

type StateRow = ThreadRow & {
  membership: number;
  grant_number: number | null;
  joined_at: Date;
  governors: number;
  members: number;
  live_number: number | null;
  live_role: Role | null;
  live_by: string | null;
  live_at: Date | null;
};

const state = statement<StateRow>(
  'thread',
  `select ${threadColumns}, my.membership, my.grant_number, my.joined_at,
     (select count(*)::int from read.membership g where g.thread = t.id and g.ended_at is null and g.role = 'governor') as governors,
     (select count(*)::int from read.membership g where g.thread = t.id and g.ended_at is null) as members,
     live.number as live_number, live.role as live_role, live.issued_by as live_by, live.issued_at as live_at
   from read.membership my join read.thread t on t.id = my.thread ${lookUp('c', 'content', 'id = t.content')}
   ${lookUp('live', 'thread_grant', 'thread = t.id and live')}
   where my.thread = $1 and ${lasts('my', '$2')}`,
);

/** A thread for one of its members; undefined if there is none or the agent is no member now (V-3, V-13, V-14). */
export const threadState = async (reader: Reader, thread: string, agent: string): Promise<ThreadState | undefined> => {
  const [row] = await state(reader, [thread, agent]);
  if (row === undefined) return undefined;
  return {
    item: threadItem(row),
    membership: { number: row.membership, grant: row.grant_number, joinedAt: iso(row.joined_at) },
    governors: row.governors,
    members: row.members,
    grant:
      row.live_number === null
        ? null
        : { number: row.live_number, role: row.live_role!, by: row.live_by!, issuedAt: iso(row.live_at!) },
  };
};

const threadItem = (row: ThreadRow): ThreadItem => ({
  ref: row.id,
  thread: row.id,
  status: row.status,
  role: row.role,
  creator: row.creator,
  createdAt: iso(row.created_at),
  closedAt: isoOrNull(row.closed_at),
  lastAt: iso(row.last_at),
  entries: row.entries,
  assignments: row.assignments,
  ...(row.content === null ? { content: {} } : presentTitle(row)),
});

export type Member = {
  readonly ref: string;
  readonly agent: string;
  readonly role: Role;
  readonly membership: number;
  readonly grant: number | null;
  readonly joinedAt: string;
};
type MemberRow = {
  thread: string;
  agent: string;
  role: Role;
  membership: number;
  grant_number: number | null;
  joined_at: Date;
};

const members = statement<MemberRow>(
  'members',
  `select thread, agent, role, membership, grant_number, joined_at from read.membership m
   where thread = $1 and ended_at is null and membership > $3 and ${visible['V-3'].when('$1', '$2')} order by membership limit $4`,
);

/** The current members of a thread, in the order of joining; empty for who is no member. */
export const membersPage = async (
  reader: Reader,
  { thread, agent, after, limit }: { thread: string; agent: string; after: number; limit: number },
): Promise<Page<Member, number>> =>
  pageOf(await members(reader, [thread, agent, after, limit + 1]), limit, memberItem, (row) => row.membership);

const memberItem = (row: MemberRow): Member => ({
  ref: `${row.thread}/members/${row.agent}`,
  agent: row.agent,
  role: row.role,
  membership: row.membership,
  grant: row.grant_number,
  joinedAt: iso(row.joined_at),
});
