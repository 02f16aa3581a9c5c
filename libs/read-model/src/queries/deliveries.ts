import {
  type ContentRow,
  digestContent,
  type Presented,
  presentTitle,
  presentWhole,
  type Words,
  wholeContent,
} from './content.ts';
import type { PinItem } from './entries.ts';
import { iso, type Reader, statement } from './reader.ts';
import { lookUp } from './sql.ts';
import { visible } from './visible.ts';

/** The columns of an assignment or an engagement that say what was delivered and how it was judged. */
export type Delivered<Status extends string> = {
  status: Status;
  delivered_at: Date | null;
  payload: string | null;
  payload_bytes: number | null;
  memories: readonly { id: string; version: number }[];
  reason: string | null;
  ended_at: Date | null;
};

export type Delivery = {
  readonly at: string;
  readonly payloadBytes: number | null;
  readonly memories: readonly (PinItem & Presented<{ readonly title: string }>)[];
} & (Presented<Words> | { readonly content?: never });

export type Judgment<Status extends string> = { readonly at: string; readonly how: Status } & (
  | Presented<Words>
  | { readonly content?: never }
);

/** A record of the content log that a fact names: reason or payload. */
const record = statement<ContentRow>(
  'content-record',
  `select ${wholeContent('c', 'true')} from read.content c where c.id = $1`,
);

type PinRow = ContentRow & { id: string; version: number };
/** Delivered Memories are those of who delivered: readable by the readers of the delivery (V-5, V-16, M-8). */
const pins = statement<PinRow>(
  'delivered-memories',
  `select p.id, p.version, ${digestContent('c', visible['V-16'].when('$3', 'm'))}
   from unnest($1::text[], $2::int[]) with ordinality p (id, version, place)
   ${lookUp('m', 'memory', 'id = p.id')} ${lookUp('mv', 'memory_version', 'memory = p.id and version = p.version')}
   ${lookUp('c', 'content', 'id = mv.content')} order by p.place`,
);

/** What was delivered, by whom; null before delivery. For who may read it. */
export const deliveryOf = async (
  reader: Reader,
  row: Delivered<string>,
  by: string,
  bytesMax: number,
): Promise<Delivery | null> => {
  if (row.delivered_at === null) return null;
  return {
    at: iso(row.delivered_at),
    payloadBytes: row.payload_bytes,
    memories: await pinnedMemories(reader, row.memories, by),
    ...(row.payload === null ? {} : presentWhole(await recordOf(reader, row.payload), bytesMax)),
  };
};

/** Pinned versions of Memories of one author, with their titles, for who may read them. */
export const pinnedMemories = async (
  reader: Reader,
  memories: Delivered<string>['memories'],
  author: string,
): Promise<Delivery['memories']> => {
  if (memories.length === 0) return [];
  const rows = await pins(reader, [memories.map(({ id }) => id), memories.map(({ version }) => version), author]);
  return rows.map((pin) => ({
    ref: `${pin.id}/versions/${pin.version}`,
    memory: pin.id,
    version: pin.version,
    ...presentTitle(pin),
  }));
};

/** How a delivery was judged; null while it is not. */
export const judgmentOf = async <Status extends string>(
  reader: Reader,
  row: Delivered<Status>,
  bytesMax: number,
): Promise<Judgment<Status> | null> => {
  if (row.ended_at === null || row.delivered_at === null) return null;
  return {
    at: iso(row.ended_at),
    how: row.status,
    ...(row.reason === null ? {} : presentWhole(await recordOf(reader, row.reason), bytesMax)),
  };
};

const absent: ContentRow = { readable: true, found: false, head: null, tail: null };
/** A record of the content log by its id. */
export const recordOf = async (reader: Reader, id: string): Promise<ContentRow> =>
  (await record(reader, [id]))[0] ?? absent;
