// Owns: when a request is sent again, and for how long. Interface: send().
// 1. Every attempt of one request is the same request, under the same key.
// 2. It is sent again only when nobody answered, or when the refusal says to wait (`retryAfter`) and then to retry or go on.
// 3. No more than `attemptsMax` attempts, no pause longer than `pauseSecondsMax`, nothing after its signal was aborted.
import { NoAnswer, StrangeAnswer } from './errors.ts';
import { nextSteps } from './generated.ts';
import type { Refusal } from './types.ts';

/** Waits so many milliseconds; rejects with the reason of the signal as soon as that is aborted. */
export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** How a client reaches a Kungfu. */
export type Wire = {
  readonly url: string;
  readonly bearer: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: Sleep;
  /** Attempts of one request in all. */
  readonly attemptsMax: number;
  /** A refusal that asks for a longer pause is handed to the caller. Seconds. */
  readonly pauseSecondsMax: number;
  /** An attempt without an answer after this is given up. Seconds. */
  readonly attemptSecondsMax: number;
};

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What Kungfu said. `body` is undefined for 304. */
export type Answered = { readonly kind: 'answered'; readonly headers: Headers; readonly body: unknown };
export type WasRefused = { readonly kind: 'refused'; readonly refusal: Refusal };
type Lost = { readonly kind: 'lost'; readonly cause: unknown };

/**
 * Sends a request until there is an answer to keep. Throws NoAnswer, StrangeAnswer, and the reason of the signal.
 */
export const send = async (wire: Wire, request: WireRequest): Promise<Answered | WasRefused> => {
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(wire, request);
    const seconds = attempt < wire.attemptsMax ? pauseOf(wire, outcome, attempt) : undefined;
    if (seconds === undefined) return kept(wire, request, outcome, attempt);
    await wire.sleep(seconds * 1_000, request.signal);
  }
};

const kept = (
  { url }: Wire,
  { method, path, key }: WireRequest,
  outcome: Answered | WasRefused | Lost,
  attempts: number,
): Answered | WasRefused => {
  if (outcome.kind !== 'lost') return outcome;
  throw new NoAnswer(`${method} ${url}${path}`, key, attempts, outcome.cause);
};

const told = ({ method, path }: WireRequest): string => `${method} ${path}`;

/** Whether the same request is worth sending again after `retryAfter`, under the same key. */
export const isPassing = ({ nextStep, retryAfter }: Refusal): boolean =>
  retryAfter !== undefined && (nextStep === 'retry' || nextStep === 'wait');

/** Seconds before the next attempt; undefined: none. */
const pauseOf = (wire: Wire, outcome: Answered | WasRefused | Lost, attempt: number): number | undefined => {
  if (outcome.kind === 'answered') return undefined;
  if (outcome.kind === 'lost') return backOff(attempt);
  const { retryAfter = 0 } = outcome.refusal;
  return isPassing(outcome.refusal) && retryAfter <= wire.pauseSecondsMax ? retryAfter : undefined;
};

const firstPauseSeconds = 0.25;
const longestPauseSeconds = 8;
/** Longer each time; up to half of it by chance, so that many clients do not come back at once. */
const backOff = (attempt: number): number => {
  const longest = Math.min(firstPauseSeconds * 2 ** (attempt - 1), longestPauseSeconds);
  return longest * (1 - Math.random() / 2);
};

const once = async (wire: Wire, request: WireRequest): Promise<Answered | WasRefused | Lost> => {
  request.signal?.throwIfAborted();
  try {
    const response = await fetchOnce(wire, request);
    return read(request, response, await response.text());
  } catch (error) {
    if (error instanceof StrangeAnswer) throw error;
    request.signal?.throwIfAborted();
    return { kind: 'lost', cause: error };
  }
};

const fetchOnce = (wire: Wire, { method, path, headers, body, key, signal }: WireRequest): Promise<Response> => {
  const late = AbortSignal.timeout(wire.attemptSecondsMax * 1_000);
  return wire.fetch(`${wire.url}${path}`, {
    method,
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    headers: {
      ...headers,
      authorization: `Bearer ${wire.bearer}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
};

const read = (request: WireRequest, response: Response, text: string): Answered | WasRefused | Lost => {
  const { status, headers } = response;
  if (status === 304) return { kind: 'answered', headers, body: undefined };
  const body = jsonOf(text);
  if (response.ok && isRecord(body)) return { kind: 'answered', headers, body };
  if (!response.ok && isRefusal(body)) return { kind: 'refused', refusal: body };
  const strange = new StrangeAnswer(told(request), status);
  // A proxy says that nobody is behind it.
  if (status >= 502 && status <= 504) return { kind: 'lost', cause: strange };
  throw strange;
};

/** undefined for what is no JSON. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A code of a later version of the protocol is a refusal too: its next step says what to do. */
const isRefusal = (value: unknown): value is Refusal =>
  isRecord(value) && typeof value['code'] === 'string' && (nextSteps as readonly unknown[]).includes(value['nextStep']);

/** The sleep of the world. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
