import type { Clock, Timers } from '@kungfu/log-port';
import type { Limits, ReadName } from '@kungfu/protocol';
import type { Page } from '@kungfu/read-model';
import type { Pool } from 'pg';
import { type Refusal, refused } from '../shape/refusal.ts';
import type { Bound, Cursors } from './cursor.ts';
import type { Wakes } from './wakes.ts';

/** A read as the edge hands it on: authenticated, its query checked. */
export type ReadCall = {
  /** The reader; `administration` at its own door, empty where anyone may read. */
  readonly agent: string;
  readonly read: ReadName;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** How many bytes of JSON the caller wants at most, if fewer than pages may have. */
  readonly bytesMax?: number;
  /** What the caller has, if it only wants something newer. */
  readonly ifNoneMatch?: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

export type ReadAnswer =
  | { readonly kind: 'found'; readonly body: object; readonly etag?: string }
  /** A body that is handed out as it is kept. */
  | { readonly kind: 'bytes'; readonly body: Uint8Array }
  | { readonly kind: 'unchanged'; readonly etag: string }
  | Refusal;

export interface Reads {
  answer(call: ReadCall): Promise<ReadAnswer>;
}
export const READS = Symbol('kungfu.gateway.reads');

/** Bounds reads per agent (L4-4). */
export interface ReadLimiter {
  /** Seconds to wait if the agent is over its rate; undefined if it may read. */
  read(agent: string): Promise<number | undefined>;
  /** What the agent has used of each of its rates. */
  use(agent: string): Promise<Readonly<Record<string, { readonly limit: number; readonly used: number }>>>;
}

/** What every read stands on. */
export type ReadContext = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: Limits;
  readonly cursors: Cursors;
  readonly wakes: Wakes;
  readonly limiter: ReadLimiter;
  /** Hash of (agent, action, key), as receipts are kept under it. */
  readonly binding: (agent: string, action: string, key: string) => string;
  readonly version: string;
  /** Aborts when waiting reads have to end with what they have. */
  readonly stopping: AbortSignal;
};

export type ReadHandler = (context: ReadContext, call: ReadCall) => Promise<ReadAnswer>;

export const found = (body: object, etag?: string): ReadAnswer =>
  etag === undefined ? { kind: 'found', body } : { kind: 'found', body, etag };
export const notFound: Refusal = refused('not_found');
/** The item, or what a missing one and an unreadable one have in common (V-14). */
export const foundOr404 = (body: object | undefined): ReadAnswer => (body === undefined ? notFound : found(body));

/** What a cursor of this call is bound to. */
export const boundOf = ({ agent, read, path, query }: ReadCall): Bound => {
  const { cursor: _cursor, limit: _limit, waitSeconds: _wait, ...filters } = query;
  return { agent, read, query: { ...filters, ...path } };
};

/** What a part of an answer that is no content takes. Bytes. */
const structureBytes = 2_048;

/** How much of the content of one object is shown, of what it is and what was delivered alike; the rest is read by its reference. */
export const wholeBytes = ({ bytesMax }: ReadCall, max: number): number =>
  bytesMax === undefined ? max : Math.max(0, Math.min(max, Math.floor((bytesMax - structureBytes) / 2)));

/** Whether an answer is as short as the caller wants it. */
export const fits = ({ bytesMax }: ReadCall, body: object): boolean =>
  bytesMax === undefined || Buffer.byteLength(JSON.stringify(body)) <= bytesMax;

export const limitOf = ({ limits }: ReadContext, { query }: ReadCall): number =>
  Math.min((query['limit'] as number | undefined) ?? limits.pageItemsDefault, limits.pageItemsMax);

/** The place where a page begins: the start, or that of the cursor; a refusal if the cursor does not fit. */
export const placeOf = <Key>({ cursors }: ReadContext, call: ReadCall, start: Key): { readonly key: Key } | Refusal => {
  const cursor = call.query['cursor'] as string | undefined;
  if (cursor === undefined) return { key: start };
  const key = cursors.read<Key>(boundOf(call), cursor);
  return key === undefined ? refused('invalid_cursor') : { key };
};

export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused';

/**
 * One page of a list. `fetch` gives undefined when there is no such list for this reader. A page that would be larger than
 * pages may be is made again with fewer items.
 */
export const paged = async <Key>(
  context: ReadContext,
  call: ReadCall,
  start: Key,
  fetch: (after: Key, limit: number) => Promise<Page<object, Key> | undefined>,
): Promise<ReadAnswer> => {
  const place = placeOf(context, call, start);
  if (isRefusal(place)) return place;
  for (let limit = limitOf(context, call); ; limit = Math.max(1, Math.floor(limit / 2))) {
    const page = await fetch(place.key, limit);
    if (page === undefined) return notFound;
    const body = {
      items: page.items,
      cursor: page.next === null ? null : context.cursors.write(boundOf(call), page.next),
    };
    const small = Buffer.byteLength(JSON.stringify(body)) <= context.limits.pageBytesMax && fits(call, body);
    if (page.items.length <= 1 || small) return found(body);
  }
};
