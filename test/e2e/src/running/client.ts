import { randomUUID } from 'node:crypto';
import { type ActionInputs, type ActionName, actionCatalogue, type Receipt } from '@kungfu/protocol';
import { Agent, type Dispatcher, request } from 'undici';
import { until } from './until.ts';

/** An answer as it came over the wire. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
  readonly json: any;
};

/** A success of an action. `receiptText` is the receipt byte for byte as it stood in the answer. */
export type Done = {
  readonly answer: Answer;
  readonly receipt: Receipt;
  readonly receiptText: string;
  readonly secret: string | undefined;
  readonly replayed: boolean;
};

/** Where a thing is: the object, as the catalogue's path names it. */
export type On = string | undefined;

/** An action was refused where a test wanted it accepted. */
export class WasRefused extends Error {
  override readonly name = 'WasRefused';
  constructor(
    readonly action: string,
    readonly answer: Answer,
  ) {
    super(`${action}: ${answer.status} ${answer.text.slice(0, 2_000)}`);
  }
}

const catalogue = actionCatalogue();
const requestMsMax = 60_000;
const settleMsMax = 60_000;
/** Refusals that say: send the same request again. */
const again: ReadonlySet<string> = new Set(['pending', 'expired', 'interrupted', 'overloaded']);

/** Speaks to a Kungfu as one agent, or as its administration. */
export class Client {
  readonly origin: string;
  readonly #bearer: string | undefined;
  readonly #dispatcher: Dispatcher;

  constructor(
    origin: string,
    bearer: string | undefined,
    dispatcher: Dispatcher = new Agent({ connections: 64, pipelining: 1 }),
  ) {
    this.origin = origin;
    this.#bearer = bearer;
    this.#dispatcher = dispatcher;
  }

  /** Any request. Throws when no answer came. */
  async send(
    method: string,
    path: string,
    options: { body?: string | Buffer; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await request(`${this.origin}${path}`, {
      method: method as Dispatcher.HttpMethod,
      dispatcher: this.#dispatcher,
      headersTimeout: requestMsMax,
      headers: {
        ...(this.#bearer === undefined ? {} : { authorization: `Bearer ${this.#bearer}` }),
        ...options.headers,
      },
      body: options.body ?? null,
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, json: jsonOf(text) };
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** A read that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
  async read(path: string): Promise<any> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new WasRefused(`GET ${path}`, answer);
    return answer.json;
  }

  /** As read, asked again while the connection breaks or the service is not ready. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
  async readSettled(path: string): Promise<any> {
    return until(`an answer to GET ${path}`, settleMsMax, async () => {
      const answer = await this.get(path).catch(connectionBroken);
      if (answer === undefined || answer.status === 503) return undefined;
      if (answer.status !== 200) throw new WasRefused(`GET ${path}`, answer);
      return answer.json;
    });
  }

  /** Sends an action once. */
  attempt<N extends ActionName>(name: N, on: On, input: ActionInputs[N], key: string = randomUUID()): Promise<Answer> {
    const { method, path, body } = routeOf(name, on, input);
    return this.send(method, path, { body, headers: { 'content-type': 'application/json', 'idempotency-key': key } });
  }

  /** Sends an action once and wants it accepted. Throws WasRefused. */
  async act<N extends ActionName>(name: N, on: On, input: ActionInputs[N], key?: string): Promise<Done> {
    return doneOf(name, await this.attempt(name, on, input, key));
  }

  /** Sends an action under one key until its outcome is known: over broken connections and refusals that say so. */
  async settle<N extends ActionName>(
    name: N,
    on: On,
    input: ActionInputs[N],
    key: string = randomUUID(),
  ): Promise<Answer> {
    return until(`the outcome of ${name}`, settleMsMax, async () => {
      const answer = await this.attempt(name, on, input, key).catch(connectionBroken);
      return answer === undefined || again.has(answer.json?.code) ? undefined : answer;
    });
  }

  /** As settle, and wants it accepted. Throws WasRefused. */
  async settled<N extends ActionName>(name: N, on: On, input: ActionInputs[N], key?: string): Promise<Done> {
    return doneOf(name, await this.settle(name, on, input, key));
  }

  /** The same service with another key, or none. */
  as(bearer: string | undefined): Client {
    return new Client(this.origin, bearer, this.#dispatcher);
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/** What a client sees when the server is gone or goes: it does not know the outcome. Throws everything else. */
export const connectionBroken = (error: unknown): undefined => {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && (code.startsWith('UND_ERR_') || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)))
    return undefined;
  throw error;
};

export const doneOf = (name: string, answer: Answer): Done => {
  if (answer.status < 200 || answer.status > 299) throw new WasRefused(name, answer);
  const { receipt, secret } = answer.json as { receipt: Receipt; secret?: string };
  const receiptText = JSON.stringify(receipt);
  // So that comparing two of these compares what came over the wire.
  if (!answer.text.startsWith(`{"receipt":${receiptText}`))
    throw new Error(`${name}: the receipt is not compact or not first: ${answer.text}`);
  return { answer, receipt, receiptText, secret, replayed: answer.headers['idempotent-replayed'] === 'true' };
};

const routeOf = (name: ActionName, on: On, input: object): { method: string; path: string; body: string } => {
  const { method, path, object, parts } = catalogue[name];
  const rest: Record<string, unknown> = { ...input };
  let filled = object === undefined ? path : path.replace(`{${object}}`, on ?? '');
  for (const part of parts) {
    filled = filled.replace(`{${part}}`, String(rest[part]));
    delete rest[part];
  }
  return { method, path: filled, body: JSON.stringify(rest) };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
