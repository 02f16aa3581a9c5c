import { createHash } from 'node:crypto';
import { type DutyList, type DutyPage, dutyPage, snapshot, type Traversal } from '@kungfu/read-model';
import type { Refusal } from '../shape/refusal.ts';
import {
  boundOf,
  fits,
  found,
  isRefusal,
  limitOf,
  placeOf,
  type ReadAnswer,
  type ReadCall,
  type ReadContext,
  type ReadHandler,
} from './reads.ts';
import type { Waiter } from './wakes.ts';

/** While nobody would wake it, a waiting read looks again so often (O-10). */
const lookAgainMs = 1_000;
/** However often it is woken, a waiting read looks no more often than this. */
const restMs = 100;

/**
 * The turn, what others owe, and opportunities. With waitSeconds the answer waits until it would differ from what the
 * caller has (If-None-Match): first the waiter is registered, then the list is read, so that nothing slips between.
 */
export const duties =
  (list: DutyList): ReadHandler =>
  async (context, call) => {
    const waitMs = ((call.query['waitSeconds'] as number | undefined) ?? 0) * 1_000;
    if (waitMs === 0 || call.ifNoneMatch === undefined) return (await look(context, call, list)).answer;
    const until = context.clock.now() + waitMs;
    const waiter = context.wakes.register(call.agent);
    try {
      return await readUntilNew(context, call, list, until, waiter);
    } finally {
      waiter.end();
    }
  };

const readUntilNew = async (
  context: ReadContext,
  call: ReadCall,
  list: DutyList,
  until: number,
  waiter: Waiter,
): Promise<ReadAnswer> => {
  const over = AbortSignal.any([call.signal, context.stopping]);
  for (;;) {
    const { answer, changesAt } = await look(context, call, list);
    const left = until - context.clock.now();
    if (answer.kind !== 'unchanged' || left <= 0 || over.aborted) return answer;
    const lookedAt = context.clock.now();
    const { listening } = context.wakes;
    const woken = await waiter.wait(Math.min(left, changesAt - lookedAt, listening ? left : lookAgainMs));
    // Nothing has happened, or it would have been heard of: an agent that is idle costs one read.
    if (!woken && listening && context.clock.now() >= until) return answer;
    await context.timers.sleep(Math.max(0, lookedAt + restMs - context.clock.now()), over);
    if (over.aborted) return answer;
  }
};

/** What is to be answered, and when that changes by itself: at the first deadline that it shows (O-11). */
type Looked = { readonly answer: ReadAnswer; readonly changesAt: number };

const look = async (
  context: ReadContext,
  call: ReadCall,
  list: DutyList,
  limit = limitOf(context, call),
): Promise<Looked> => {
  const place: { readonly key: Traversal | null } | Refusal = placeOf<Traversal | null>(context, call, null);
  if (isRefusal(place)) return { answer: place, changesAt: Number.POSITIVE_INFINITY };
  const now = context.clock.now();
  const page = await snapshot(context.pool, (reader) =>
    dutyPage(reader, list, { agent: call.agent, now, limit, from: place.key ?? undefined }),
  );
  if (page.items.length > 1 && !fits(call, page.items)) return look(context, call, list, Math.floor(limit / 2));
  const etag = etagOf(page);
  const changesAt = Math.min(...page.items.map(({ deadline }) => Date.parse(deadline ?? never)));
  if (matches(call.ifNoneMatch, etag)) return { answer: { kind: 'unchanged', etag }, changesAt };
  const cursor = page.next === null ? null : context.cursors.write(boundOf(call), page.next);
  const body = { now: new Date(now).toISOString(), me: call.agent, items: page.items, cursor };
  return { answer: found(body, etag), changesAt };
};

const never = '9999-12-31T00:00:00.000Z';

/** Of what stands in the list, not of the moment it was read. Weak: the bodies differ in `now` and `secondsLeft`. */
const etagOf = ({ items, next }: DutyPage): string => {
  const lasting = items.map(({ secondsLeft: _, ...item }) => item);
  return `W/"${createHash('sha256')
    .update(JSON.stringify([lasting, next !== null]))
    .digest('base64url')
    .slice(0, 22)}"`;
};

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.slice(2)));
