import {
  type ContentRow,
  digestContent,
  presentDigest,
  type Presented,
  presentWhole,
  type Words,
  wholeContent,
} from './content.ts';
import { type TextRead, textRead } from './entries.ts';
import { isoOrNull, type Page, pageOf, type Reader, statement } from './reader.ts';
import { lookUp, rowOf } from './sql.ts';
import { currentVersion, firstVersion, knowsMemory, versionReadable, visible } from './visible.ts';

export type MemoryItem = {
  readonly ref: string;
  readonly memory: string;
  readonly author: string;
  readonly status: 'valid' | 'withdrawn';
  readonly visibility: 'private' | 'public';
  /** The current version. */
  readonly version: number;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
} & Presented<Words>;

type Row = ContentRow & {
  id: string;
  author: string;
  status: 'valid' | 'withdrawn';
  visibility: 'private' | 'public';
  current_version: number;
  created_at: Date | null;
  version: number;
  version_at: Date | null;
};

const columns = (content: string): string => `
  m.id, m.author, coalesce(m.status, 'valid') as status, coalesce(m.visibility, 'private') as visibility, ${currentVersion('m')} as current_version,
  (select first.at from read.memory_version first where first.memory = m.id and first.version = 1) as created_at,
  mv.version, mv.at as version_at, ${content}`;
/** Without its current version, which the other partition may not have brought yet, a Memory is not shown (engine.md §8). */
const joins = `cross join ${rowOf('memory_version', `memory = m.id and version = ${currentVersion('m')}`)} mv
  ${lookUp('c', 'content', 'id = mv.content')}`;

type Filter = {
  agent: string;
  after: string;
  limit: number;
  status: 'valid' | 'withdrawn' | undefined;
  visibility: 'private' | 'public' | undefined;
};

const ownOf = (visibility: string): string => `(
    select m.* from read.memory m where ${visible['V-2'].when('m', '$1')} and m.id > $2 and coalesce(m.status, 'valid') = $3
      and coalesce(m.visibility, 'private') = '${visibility}' and ($4::text is null or $4 = '${visibility}')
    order by m.id limit $5)`;
const own = statement<Row>(
  'memories-own',
  `select ${columns(digestContent('c', 'true'))}
   from (select * from (${ownOf('private')} union all ${ownOf('public')}) m order by m.id limit $5) m ${joins} order by m.id`,
);
const published = statement<Row>(
  'memories-public',
  `select ${columns(digestContent('c', 'true'))} from read.memory m ${joins}
   where ${visible['V-1'].when('m')} and m.id > $1 order by m.id limit $2`,
);

/** The author's own Memories, valid ones unless the withdrawn are asked for; in the order of ids. */
export const ownMemories = async (
  reader: Reader,
  { agent, after, limit, status, visibility }: Filter,
): Promise<Page<MemoryItem, string>> =>
  pageOf(
    await own(reader, [agent, after, status ?? 'valid', visibility ?? null, limit + 1]),
    limit,
    digest,
    (row) => row.id,
  );

/** Every valid public Memory with its current version (V-1, M-7); in the order of ids. */
export const publicMemories = async (
  reader: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<Page<MemoryItem, string>> =>
  pageOf(await published(reader, [after, limit + 1]), limit, digest, (row) => row.id);

const digest = (row: Row): MemoryItem => ({ ...memoryItem(row), ...presentDigest(row, 'body') });

const memoryItem = (row: Row) => ({
  ref: row.id,
  memory: row.id,
  author: row.author,
  status: row.status,
  visibility: row.visibility,
  version: row.current_version,
  createdAt: isoOrNull(row.created_at),
  updatedAt: isoOrNull(row.version_at),
});

const knows = knowsMemory('m', '$2');

const one = statement<Row>(
  'memory',
  `select ${columns(wholeContent('c', 'true'))} from read.memory m ${joins} where m.id = $1 and ${knows}`,
);

/** A Memory with its current version in full; undefined for who may not know it (V-14). */
export const memoryWhole = async (
  reader: Reader,
  { memory, agent, bytesMax }: { memory: string; agent: string; bytesMax: number },
): Promise<MemoryItem | undefined> => {
  const [row] = await one(reader, [memory, agent]);
  return row === undefined ? undefined : { ...memoryItem(row), ...presentWhole(row, bytesMax) };
};

export const memoryText = async (
  reader: Reader,
  { memory, agent }: { memory: string; agent: string },
): Promise<TextRead> => {
  const [row] = await one(reader, [memory, agent]);
  return row === undefined ? undefined : textRead(row, (words) => String(words['body'] ?? ''));
};

export type VersionItem = {
  readonly ref: string;
  readonly memory: string;
  readonly version: number;
  readonly author: string;
  readonly at: string | null;
} & Presented<Words>;
type VersionRow = ContentRow & { id: string; author: string; version: number; version_at: Date | null };

const versionColumns = (content: string): string => `m.id, m.author, mv.version, mv.at as version_at, ${content}`;

const versions = statement<VersionRow>(
  'memory-versions',
  `select ${versionColumns(digestContent('c', 'true'))} from read.memory m cross join lateral (
     select * from read.memory_version v where v.memory = $1 and v.version > $3
       and v.version >= ${firstVersion('m', '$2')} order by v.version limit $4) mv
   ${lookUp('c', 'content', 'id = mv.content')}
   where m.id = $1 and ${knows} order by mv.version`,
);

/** The versions of a Memory: all of them for the author, the current one for others (M-6). */
export const versionsPage = async (
  reader: Reader,
  { memory, agent, after, limit }: { memory: string; agent: string; after: number; limit: number },
): Promise<Page<VersionItem, number>> =>
  pageOf(
    await versions(reader, [memory, agent, after, limit + 1]),
    limit,
    (row) => ({ ...versionItem(row), ...presentDigest(row, 'body') }),
    (row) => row.version,
  );

const versionItem = (row: VersionRow) => ({
  ref: `${row.id}/versions/${row.version}`,
  memory: row.id,
  version: row.version,
  author: row.author,
  at: isoOrNull(row.version_at),
});

const version = statement<VersionRow>(
  'memory-version',
  `select ${versionColumns(wholeContent('c', 'true'))} from read.memory m join read.memory_version mv on mv.memory = m.id
   ${lookUp('c', 'content', 'id = mv.content')}
   where m.id = $1 and mv.version = $3::int and ${versionReadable('m', '$3::int', '$2')}`,
);

/** One version in full for who may read it, by whatever right (V-1, V-2, V-4, V-5, V-9, V-16). */
export const versionWhole = async (
  reader: Reader,
  { memory, version: number, agent, bytesMax }: { memory: string; version: number; agent: string; bytesMax: number },
): Promise<VersionItem | undefined> => {
  const [row] = await version(reader, [memory, agent, number]);
  return row === undefined ? undefined : { ...versionItem(row), ...presentWhole(row, bytesMax) };
};

export const versionText = async (
  reader: Reader,
  { memory, version: number, agent }: { memory: string; version: number; agent: string },
): Promise<TextRead> => {
  const [row] = await version(reader, [memory, agent, number]);
  return row === undefined ? undefined : textRead(row, (words) => String(words['body'] ?? ''));
};
