/** A request as the fake has seen it. */
export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** One answer of the fake: of a service, none at all, or none until the request is aborted. */
export type Reply = Spoken | 'broken' | 'never';
export type Spoken = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export const url = 'http://kungfu.test';

/** A fetch that gives these answers, one after another, and remembers what it was asked. Throws when it is asked for more. */
export const fakeFetch = (replies: readonly Reply[]) => {
  const seen: Seen[] = [];
  const left = [...replies];
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    seen.push({
      method,
      path: String(input).slice(url.length),
      headers: { ...(headers as Record<string, string>) },
      body: body === undefined ? undefined : JSON.parse(String(body)),
    });
    const reply = left.shift();
    if (reply === undefined) throw new Error('the fake has no more answers');
    return answer(reply, init.signal ?? undefined);
  };
  return { fetch: fetch as typeof globalThis.fetch, seen };
};

const answer = async (reply: Reply, signal: AbortSignal | undefined): Promise<Response> => {
  if (reply === 'broken') throw new TypeError('fetch failed');
  if (reply === 'never')
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
  const { status, body, headers } = reply;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(status === 304 ? null : text, { status, ...(headers === undefined ? {} : { headers }) });
};

export const receipt = (action: string, ref: string) => ({
  receipt: 'v1',
  action,
  agent: 'agent_1',
  object: ref.split('/')[0],
  ref,
  at: '2026-12-01T00:00:00.000Z',
  transitions: [],
  begun: [],
  ended: [],
});

export const done = (action: string, ref: string, more: object = {}): Spoken => ({
  status: 200,
  body: { receipt: receipt(action, ref), hints: [], ...more },
});

export const refused = (status: number, code: string, nextStep: string, retryAfter?: number): Spoken => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `urn:kungfu:refusal:${code}`,
    title: code,
    status,
    detail: 'A sentence.',
    instance: '/',
    code,
    nextStep,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  },
});

/** A sleep that takes no time and remembers how long it would have been, in milliseconds. */
export const noSleep = () => {
  const slept: number[] = [];
  const sleep = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    slept.push(ms);
  };
  return { sleep, slept };
};
