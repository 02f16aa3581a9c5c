import { StrangeAnswer } from './errors.ts';
import {
  type ActionInputs,
  type ActionName,
  type ActionRefusals,
  actions,
  type ListName,
  type ReadName,
  type ReadRefusals,
  reads,
} from './generated.ts';
import { holdKey, type KeyStore } from './keys.ts';
import { List } from './list.ts';
import { fillPath } from './references.ts';
import type { Hint, ReadShapes, Receipt } from './shapes.ts';
import type {
  ActionOptions,
  ActionResult,
  CallOptions,
  Done,
  ListQuery,
  Page,
  ReadResult,
  RefusalOf,
} from './types.ts';
import { type Answered, isPassing, send, type WasRefused, type Wire } from './wire.ts';

/** Where something is: a reference, or ids and numbers by name; nothing for what is on no object. */
export type Place = string | object | undefined;
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a waiting read comes to: a page, and the tag by which only something newer is asked for. */
export type Waited<Name extends ListName> = Page<Name> & { readonly etag: string };

export type WaitOptions = CallOptions & {
  /** The tag of the page that the caller has: only another one is worth waking for. */
  readonly since?: string | undefined;
  /** How long one request waits before it is sent again. Seconds, 0 – 50. */
  readonly waitSeconds?: number | undefined;
  /** Items of the page at most. */
  readonly limit?: number | undefined;
};

const waitSecondsDefault = 50;

/** Sends actions and reads of the catalogue. Knows none of them by name. */
export class Caller {
  readonly #wire: Wire;
  readonly #keys: KeyStore | undefined;

  constructor(wire: Wire, keys: KeyStore | undefined) {
    this.#wire = wire;
    this.#keys = keys;
  }

  /** Does an action, under one key until its outcome is known. Throws NoAnswer, StrangeAnswer, the reason of the signal. */
  async act<Name extends ActionName>(
    name: Name,
    on: Place,
    input: ActionInputs[Name],
    options: ActionOptions = {},
  ): Promise<ActionResult<Name>> {
    const { method, path: template, body: takesBody } = actions[name];
    const path = fillPath(template, on);
    const body = takesBody ? JSON.stringify(input ?? {}) : undefined;
    options.signal?.throwIfAborted();
    const { key, settle } = await holdKey(this.#keys, options, `${this.#wire.url} ${name} ${path} ${body ?? ''}`);
    const outcome = await send(this.#wire, { method, path, headers: {}, body, key, signal: options.signal });
    if (isSettled(outcome)) await settle();
    return outcome.kind === 'answered'
      ? doneOf(`${method} ${path}`, key, outcome)
      : { ok: false, key, refusal: outcome.refusal as RefusalOf<ActionRefusals[Name]> };
  }

  /** Reads one object. */
  async read<Name extends ReadName>(
    name: Name,
    on: Place,
    query: object,
    options: CallOptions = {},
  ): Promise<ReadResult<Name>> {
    const outcome = await this.#get(name, on, query as Query, options);
    return outcome.kind === 'answered'
      ? { ok: true, found: outcome.body as ReadShapes[Name] }
      : refusedRead<Name>(outcome);
  }

  /** A list; nothing is read before it is asked for. */
  list<Name extends ListName>(name: Name, on: Place, query: ListQuery<Name>, options: CallOptions = {}): List<Name> {
    const { cursor: first, ...rest } = query as Query;
    return new List<Name>(async (cursor) => {
      const outcome = await this.#get(name, on, { ...rest, cursor: cursor ?? first }, options);
      return outcome.kind === 'answered' ? { ok: true, found: outcome.body as Page<Name> } : refusedRead<Name>(outcome);
    });
  }

  /** The first page of a list of duties as soon as there is something in it that is not the page of `since`. */
  async wait<Name extends 'turn.list' | 'opportunities.list'>(
    name: Name,
    { since, waitSeconds = waitSecondsDefault, limit, signal }: WaitOptions,
  ): Promise<ReadResult<Name, Waited<Name>>> {
    for (let etag = since; ; ) {
      const query = { limit, ...(etag === undefined ? {} : { waitSeconds }) };
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const outcome = await this.#get(name, undefined, query, { signal }, headers);
      if (outcome.kind === 'refused') return refusedRead<Name>(outcome);
      const page = outcome.body as Page<Name> | undefined;
      if (page === undefined) continue;
      etag = tagOf(name, outcome);
      if (page.items.length > 0) return { ok: true, found: { ...page, etag } };
    }
  }

  #get(
    name: ReadName,
    on: Place,
    query: Query,
    { signal }: CallOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered | WasRefused> {
    const path = `${fillPath(reads[name], on)}${searchOf(query)}`;
    return send(this.#wire, { method: 'GET', path, headers, signal });
  }
}

/**
 * Whether the key has served: an answer, or a refusal for good. A key that another request succeeded under is kept: a new
 * one would do the thing a second time.
 */
const isSettled = (outcome: Answered | WasRefused): boolean =>
  outcome.kind === 'answered' || !(isPassing(outcome.refusal) || outcome.refusal.code === 'idempotency_conflict');

const doneOf = (request: string, key: string, { headers, body }: Answered): Done => {
  const { receipt, secret, hints = [] } = body as { receipt?: Receipt; secret?: string; hints?: readonly Hint[] };
  if (receipt === undefined) throw new StrangeAnswer(request, 200);
  const replayed = headers.get('idempotent-replayed') === 'true';
  return { ok: true, key, receipt, ...(secret === undefined ? {} : { secret }), hints, replayed };
};

const refusedRead = <Name extends ReadName>({
  refusal,
}: WasRefused): { ok: false; refusal: RefusalOf<ReadRefusals[Name]> } => ({
  ok: false,
  refusal: refusal as RefusalOf<ReadRefusals[Name]>,
});

const tagOf = (name: ReadName, { headers }: Answered): string => {
  const etag = headers.get('etag');
  if (etag === null) throw new StrangeAnswer(`GET ${reads[name]} (no ETag)`, 200);
  return etag;
};

/** What is undefined or false is not asked for. */
const searchOf = (query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== false);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
};
