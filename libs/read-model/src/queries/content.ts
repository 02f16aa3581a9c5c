import { partialJson } from './partial-json.ts';

/**
 * How content comes out of the store: whole, as a digest, or in pieces. Content stands only under `content`; what the
 * reader may not read is `content: null, readable: false`, what was erased `content: null, erased: true` (contract.md,
 * Shapes).
 */

/** A record of the content log as a row joins it. `readable` was decided in the same statement (V-15). */
export type ContentRow = {
  readonly readable: boolean;
  /** Whether the record was found at all. */
  readonly found: boolean;
  /** The whole record, or its beginning if there is a tail; null: erased, or not readable. */
  readonly head: Buffer | null;
  /** The end of a record that was not read whole. */
  readonly tail: Buffer | null;
};

/** The words of a participant, or why there are none. `truncated`: more can be read at the `…/content` of the reference. */
export type Presented<C> =
  | { readonly content: C; readonly truncated?: true }
  | { readonly content: null; readonly readable: false }
  | { readonly content: null; readonly erased: true };

export type Words = Readonly<Record<string, unknown>>;

const unreadable = { content: null, readable: false } as const;
const erased = { content: null, erased: true } as const;
const utf8 = new TextDecoder('utf-8');

/** Records up to this size are read whole for a digest; of longer ones, the two ends. Bytes. */
const wholeBytesMax = 16_384;
const headBytes = 4_096;
const tailBytes = 2_048;

/** Columns of a ContentRow that hold the whole record. `readable` is a SQL condition. */
export const wholeContent = (alias: string, readable: string): string =>
  `(${readable}) as readable, ${alias}.id is not null as found, case when ${readable} then ${alias}.value end as head, null::bytea as tail`;

/** Columns of a ContentRow for a digest. */
export const digestContent = (alias: string, readable: string): string => {
  const value = `${alias}.value`;
  const long = `octet_length(${value}) > ${wholeBytesMax}`;
  return `(${readable}) as readable, ${alias}.id is not null as found,
    case when not (${readable}) then null when ${long} then substring(${value} from 1 for ${headBytes}) else ${value} end as head,
    case when (${readable}) and ${long} then substring(${value} from octet_length(${value}) - ${tailBytes - 1}) end as tail`;
};

/** What was written, whole but for what does not fit into so many bytes of JSON. */
export const presentWhole = (row: ContentRow, bytesMax: number): Presented<Words> => {
  const words = wordsOf(row);
  return words === unreadable || words === erased ? (words as Presented<Words>) : fit(words as Words, bytesMax);
};

/** The title, or else the first line of the text, for lists. */
export const presentTitle = (row: ContentRow): Presented<{ readonly title: string }> => {
  const words = digestWords(row);
  if (isMissing(words)) return words;
  const title = words['title'] ?? words['body'] ?? words['wanted'];
  return { content: { title: firstLine(typeof title === 'string' ? title : '') } };
};

/** Title and beginning of the text. */
export const presentDigest = (row: ContentRow, field: 'body' | 'wanted'): Presented<Words> => {
  const words = digestWords(row);
  if (isMissing(words)) return words;
  const text = typeof words[field] === 'string' ? words[field] : '';
  const start = cut(text, excerptCharacters);
  const more =
    start.length < text.length ||
    row.tail !== null ||
    Object.keys(words).some((name) => name !== 'title' && name !== field);
  return {
    content: { ...(typeof words['title'] === 'string' ? { title: words['title'] } : {}), [field]: start },
    ...(more ? { truncated: true as const } : {}),
  };
};

/** The words of a record that was read whole; null when there are none to read. */
export const readWords = (row: ContentRow): Words | null => {
  const words = wordsOf(row);
  return isMissing(words) ? null : words;
};

/** A piece of a text, cut at characters. */
export type Piece = {
  readonly offset: number;
  readonly bytes: number;
  readonly next: number | null;
  readonly content: { readonly text: string };
};

/** Bytes of a piece at most, so that it stays within a page even when every character has to be escaped. */
const pieceBytesMax = 40_960;

/** So many bytes of UTF-8 from an offset, widened or narrowed to whole characters; at least one if any is left. */
export const pieceOf = (text: string, offset: number, length: number): Piece => {
  const all = Buffer.from(text, 'utf8');
  const start = boundary(all, Math.min(offset, all.length), -1);
  const wanted = boundary(all, Math.min(start + Math.min(length, pieceBytesMax), all.length), -1);
  const end = wanted > start ? wanted : boundary(all, Math.min(start + 1, all.length), 1);
  return {
    offset: start,
    bytes: all.length,
    next: end < all.length ? end : null,
    content: { text: all.subarray(start, end).toString('utf8') },
  };
};

/** The nearest place between two characters, going back or forth. */
const boundary = (bytes: Buffer, from: number, step: -1 | 1): number => {
  let place = from;
  while (place > 0 && place < bytes.length && (bytes[place]! & 0xc0) === 0x80) place += step;
  return place;
};

const excerptCharacters = 280;
const titleCharacters = 200;

const firstLine = (text: string): string => cut(text.split(/[\n\r\u2028\u2029]/, 1)[0]!, titleCharacters);

/** At most so many characters; never half of one. */
const cut = (text: string, charactersMax: number): string => {
  if (text.length <= charactersMax) return text;
  return [...text.slice(0, charactersMax * 2)].slice(0, charactersMax).join('');
};

type Missing = typeof unreadable | typeof erased;
const isMissing = (words: Words | Missing): words is Missing => words === unreadable || words === erased;

const wordsOf = (row: ContentRow): Words | Missing => {
  if (!row.readable || !row.found) return unreadable;
  if (row.head === null) return erased;
  return (JSON.parse(utf8.decode(row.head)) as { readonly content: Words }).content;
};

const digestWords = (row: ContentRow): Words | Missing => {
  if (row.tail === null) return wordsOf(row);
  const words = (partialJson(utf8.decode(row.head ?? new Uint8Array())) as { readonly content?: Words }).content ?? {};
  // A title written after a long body stands at the very end of the record; a quote inside a text is always escaped.
  const late = /,"title":("(?:[^"\\]|\\.)*")\}\}$/.exec(utf8.decode(row.tail))?.[1];
  return late === undefined ? words : { ...words, title: JSON.parse(late) as string };
};

/** Keeps fields as long as they fit; the first text that does not is cut, everything after it left out. */
const fit = (words: Words, bytesMax: number): Presented<Words> => {
  let left = bytesMax;
  let truncated = false;
  const kept = Object.entries(words).flatMap(([name, value]) => {
    const size = jsonBytes(value);
    if (size <= left) {
      left -= size;
      return [[name, value]];
    }
    truncated = true;
    if (typeof value !== 'string') return [];
    const start = fitText(value, left);
    left = 0;
    return [[name, start]];
  });
  const content = Object.fromEntries(kept) as Words;
  return truncated ? { content, truncated } : { content };
};

/** The longest half, quarter, … of a text that fits into so many bytes of JSON. */
const fitText = (text: string, bytesMax: number): string => {
  let start = text;
  while (start.length > 0 && jsonBytes(start) > bytesMax) start = cut(start, Math.floor(start.length / 2));
  return start;
};

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
