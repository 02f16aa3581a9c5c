import {
  type ContentRow,
  digestContent,
  presentDigest,
  type Presented,
  presentWhole,
  readWords,
  type Words,
  wholeContent,
} from './content.ts';
import { iso, isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { lookUp } from './sql.ts';
import { visible } from './visible.ts';

/** A pinned version as it is shown. */
export type PinItem = { readonly ref: string; readonly memory: string; readonly version: number };

export type EntryItem = {
  readonly ref: string;
  readonly entry: number;
  readonly at: string;
  readonly author: string;
  readonly replyTo: string | null;
  readonly memory: PinItem;
  /** The assignment that the entry carries. */
  readonly assignment: string | null;
  /** The Task that the entry refers to, whether its reader may know it or not (K-16, C-2). */
  readonly task: string | null;
  /** How many responses are still open. */
  readonly pending: number;
} & Presented<Words>;

type EntryRow = ContentRow & {
  thread: string;
  entry: number;
  at: Date;
  author: string;
  membership: number;
  reply_to: number | null;
  memory: string;
  version: number;
  assignment: number | null;
  task: string | null;
  pending: number;
};

const columns = (content: string): string => `
  e.thread, e.entry, e.at, e.author, e.membership, e.reply_to, e.memory, e.version, e.task,
  (select s.assignment from read.assignment s where s.thread = e.thread and s.entry = e.entry limit 1) as assignment,
  (select count(*)::int from read.response r where r.thread = e.thread and r.entry = e.entry and r.ended_at is null) as pending,
  ${content}`;
const joins = `
  ${lookUp('m', 'memory', 'id = e.memory')}
  ${lookUp('mv', 'memory_version', 'memory = e.memory and version = e.version')}
  ${lookUp('c', 'content', 'id = mv.content')}`;
const isMember = visible['V-3'].when('$1', '$2');
const readable = visible['V-4'].when('e.author', 'm');

/** One page, in an order of entries, from those that the condition leaves. */
const pageIn = (order: string, condition: string): string => `
  select ${columns(digestContent('c', readable))}
  from (select * from read.entry where thread = $1 and ${condition} and ${isMember} order by ${order} limit $4) e ${joins}
  order by e.${order}`;
const pages = {
  oldest: statement<EntryRow>('entries-oldest', pageIn('entry', 'entry > $3')),
  newest: statement<EntryRow>('entries-newest', pageIn('entry desc', 'entry < $3')),
};

/** Before the first entry, in either order. */
export const entriesStart = { oldest: 0, newest: 2_147_483_647 } as const;

/** Entries as digests; empty for who is no member (V-3, V-4). */
export const entriesPage = async (
  reader: Reader,
  {
    thread,
    agent,
    after,
    limit,
    order,
  }: { thread: string; agent: string; after: number; limit: number; order: 'oldest' | 'newest' },
): Promise<Page<EntryItem, number>> =>
  pageOf(
    await pages[order](reader, [thread, agent, after, limit + 1]),
    limit,
    (row) => ({ ...entryItem(row), ...presentDigest(row, 'body') }),
    (row) => row.entry,
  );

const entryItem = (row: EntryRow) => ({
  ref: `${row.thread}/entries/${row.entry}`,
  entry: row.entry,
  at: iso(row.at),
  author: row.author,
  replyTo: row.reply_to === null ? null : `${row.thread}/entries/${row.reply_to}`,
  memory: { ref: `${row.memory}/versions/${row.version}`, memory: row.memory, version: row.version },
  assignment: row.assignment === null ? null : `${row.thread}/assignments/${row.assignment}`,
  task: row.task,
  pending: row.pending,
});

const one = statement<EntryRow>(
  'entry',
  `select ${columns(wholeContent('c', readable))} from read.entry e ${joins} where e.thread = $1 and e.entry = $3 and ${isMember}`,
);

export type Response = {
  readonly agent: string;
  readonly owedAt: string;
  readonly endedAt: string | null;
  readonly how: string | null;
} & (Presented<Words> | object);

type ResponseRow = ContentRow & {
  agent: string;
  owed_at: Date;
  ended_at: Date | null;
  how: string | null;
  note: string | null;
};

const noteReadable = visible['V-6'].when('r', 'e', '$3');
const responses = statement<ResponseRow>(
  'responses',
  `select r.agent, r.owed_at, r.ended_at, r.how, case when ${noteReadable} then r.note end as note,
     ${wholeContent('c', noteReadable)}
   from (select * from read.response where thread = $1 and entry = $2 order by agent limit $4) r
   ${lookUp('e', 'entry', 'thread = $1 and entry = $2')} ${lookUp('c', 'content', 'id = r.note')}
   order by r.owed_at, r.agent`,
);

export type EntryWhole = {
  readonly item: EntryItem;
  readonly responses: readonly Response[];
  /** For the rules about what is possible now. */
  readonly membership: number;
};

/** Responders of an entry at most (limits.ts, askMax, and the default rules' one). */
const respondersMax = 100;
const noteBytesMax = 8_192;

/** One entry in full; undefined for who is no member, and if there is none (V-14). Run it in a snapshot. */
export const entryWhole = async (
  reader: Reader,
  { thread, entry, agent, bytesMax }: { thread: string; entry: number; agent: string; bytesMax: number },
): Promise<EntryWhole | undefined> => {
  const [row] = await one(reader, [thread, agent, entry]);
  if (row === undefined) return undefined;
  const answers = await responses(reader, [thread, entry, agent, respondersMax]);
  return {
    item: { ...entryItem(row), ...presentWhole(row, bytesMax) },
    responses: answers.map((answer) => ({
      agent: answer.agent,
      owedAt: iso(answer.owed_at),
      endedAt: isoOrNull(answer.ended_at),
      how: answer.how,
      ...(answer.note === null ? {} : presentWhole(answer, noteBytesMax)),
    })),
    membership: row.membership,
  };
};

/** The body of an entry; undefined if there is no such entry for this agent, null if it has no words to read. */
export const entryText = async (
  reader: Reader,
  { thread, entry, agent }: { thread: string; entry: number; agent: string },
): Promise<TextRead> => {
  const [row] = await one(reader, [thread, agent, entry]);
  return row === undefined ? undefined : textRead(row, (words) => String(words['body'] ?? ''));
};

/** A whole text, or how its absence is presented; undefined: there is no such object for the reader. */
export type TextRead = { readonly text: string } | { readonly missing: Presented<never> } | undefined;

export const textRead = (row: ContentRow, text: (words: Words) => string): TextRead => {
  const words = readWords(row);
  return words === null ? { missing: presentWhole(row, 0) as Presented<never> } : { text: text(words) };
};
