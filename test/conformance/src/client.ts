import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { again, type Code, expected, nextSteps } from './contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a case looks into is what it asserts
export type Json = any;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
};

/** A success, with the receipt as it came over the wire. */
export type Done = {
  readonly receipt: Json;
  readonly receiptText: string;
  readonly secret: string | undefined;
  readonly hints: readonly Json[];
  readonly replayed: boolean;
};

const attemptsMax = 60;
const requestMsMax = 90_000;

/** Where a Kungfu is. */
export type Where = { readonly url: string; readonly adminUrl: string; readonly adminToken: string };

/** Speaks to a door under one bearer. */
export class Caller {
  constructor(
    readonly origin: string,
    readonly bearer: string | undefined,
  ) {}

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { ...(this.bearer === undefined ? {} : { authorization: `Bearer ${this.bearer}` }), ...headers },
      signal: AbortSignal.timeout(requestMsMax),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  /** A read that has to succeed. */
  async read(path: string): Promise<Json> {
    const answer = await this.get(path);
    equal(answer.status, 200, `GET ${path}: ${answer.text}`);
    return answer.json;
  }

  /** Every item of a list, page by page. */
  async all(path: string, limit = 50): Promise<readonly Json[]> {
    const items: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const separator = path.includes('?') ? '&' : '?';
      const page: Json = await this.read(
        `${path}${separator}limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      items.push(...page.items);
      cursor = page.cursor;
    }
    return items;
  }

  /** Acts under one key until the outcome is known. */
  async attempt(method: string, path: string, body: object = {}, key: string = randomUUID()): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(method, path, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
      if (!again.has(answer.json?.code) || attempt === attemptsMax) return answer;
      await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    }
  }

  /** An action that has to succeed: POST unless the path begins with another method. */
  async act(route: string, body: object = {}, key?: string): Promise<Done> {
    const { method, path } = routeOf(route);
    return done(await this.attempt(method, path, body, key), route);
  }

  /** An action that has to be refused so. */
  async refused(code: Code, route: string, body: object = {}, key?: string): Promise<Answer> {
    const { method, path } = routeOf(route);
    return refusedAs(code, await this.attempt(method, path, body, key));
  }
}

const routeOf = (route: string): { readonly method: string; readonly path: string } => {
  const [first = '', second] = route.split(' ');
  return second === undefined ? { method: 'POST', path: first } : { method: first, path: second };
};

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** That an answer is a success of an action. */
export const done = (answer: Answer, what: string): Done => {
  equal(answer.status, 200, `${what}: ${answer.status} ${answer.text}`);
  const { receipt, secret, hints } = answer.json;
  const receiptText = JSON.stringify(receipt);
  ok(hints.length <= 3, 'at most three hints');
  return { receipt, receiptText, secret, hints, replayed: answer.headers.get('idempotent-replayed') === 'true' };
};

/** That an answer is this refusal, in the one form of refusals. */
export const refusedAs = (code: Code, answer: Answer): Answer => {
  const { status, nextStep } = expected(code);
  deepEqual(
    { status: answer.status, code: answer.json?.code, nextStep: answer.json?.nextStep },
    { status, code, nextStep },
    answer.text,
  );
  ok(nextSteps.has(answer.json.nextStep));
  ok(typeof answer.json.detail === 'string' && answer.json.detail !== '');
  ok(answer.headers.get('content-type')?.startsWith('application/problem+json'));
  equal(answer.headers.has('retry-after'), answer.json.retryAfter !== undefined);
  return answer;
};

/** An agent that the program made. */
export type Agent = Caller & { readonly id: string };

/** The service under test. */
export class Service {
  readonly anyone: Caller;
  readonly administration: Caller;

  constructor(readonly where: Where) {
    this.anyone = new Caller(where.url, undefined);
    this.administration = new Caller(where.adminUrl, where.adminToken);
  }

  async agent(labels: readonly string[] = []): Promise<Agent> {
    const { receipt, secret } = await this.administration.act('/admin/v1/agents', { labels });
    ok(secret !== undefined, 'a new agent comes with a key');
    return Object.assign(new Caller(this.where.url, secret), { id: receipt.object as string });
  }

  async agents(count: number): Promise<readonly Agent[]> {
    return Promise.all(Array.from({ length: count }, () => this.agent()));
  }

  as(secret: string | undefined): Caller {
    return new Caller(this.where.url, secret);
  }
}
