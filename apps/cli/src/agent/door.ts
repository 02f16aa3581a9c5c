import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionInputs, type ActionName, actionCatalogue, type Hint, type Receipt } from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';
import type { Command } from 'commander';

/** An agent's way in: where Kungfu is, and its key. */
export type AgentDoor = { readonly url: string; readonly key: string };

/** Options that every command of an agent has. */
export type AgentOptions = {
  readonly url: string;
  readonly json?: boolean;
  readonly plain?: boolean;
  readonly idempotencyKey?: string;
};

export type Done = { readonly receipt: Receipt; readonly secret?: string; readonly hints: readonly Hint[] };

type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly nextStep: string;
  readonly retryAfter?: number;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
};

const attemptsMax = 20;
const catalogue = actionCatalogue();
/** Refusals after which the same request is sent again under the same key. */
const again: ReadonlySet<string> = new Set(['pending', 'expired', 'interrupted', 'overloaded', 'rate_limited']);

/** Adds the options of an agent's command. */
export const forAgent = (command: Command): Command =>
  command
    .option('--url <url>', 'interface of the agents (KUNGFU_URL)', process.env['KUNGFU_URL'] ?? 'http://127.0.0.1:4600')
    .option('--json', 'as JSON');

/** As forAgent, for a command that acts. */
export const forActing = (command: Command): Command =>
  forAgent(command)
    .option('--plain', 'only the reference, and the secret if there is one')
    .option('--idempotency-key <key>', 'the same request under the same key is done once');

/** The door of the agent whose key stands in KUNGFU_KEY. Throws Complaint. */
export const doorOf = ({ url }: Pick<AgentOptions, 'url'>): AgentDoor => {
  const key = process.env['KUNGFU_KEY'];
  if (key === undefined) throw new Complaint('set KUNGFU_KEY to the key of the agent');
  return { url, key };
};

/** An answer of a read: its body, and what it can be asked for again by. */
export type Answer = { readonly status: number; readonly body: unknown; readonly etag: string | undefined };

/** Reads once. Throws Complaint with what a refusal says. */
export const read = async (door: AgentDoor, path: string, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await send(door, path, { headers });
  const text = await response.text();
  if (response.status !== 304 && !response.ok) throw new Complaint(told(problemOf(text), `GET ${path}`));
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    etag: response.headers.get('etag') ?? undefined,
  };
};

/** Acts under one key until the outcome is known. Throws Complaint with what a refusal says. */
export const act = async <N extends ActionName>(
  door: AgentDoor,
  name: N,
  object: string | undefined,
  input: ActionInputs[N],
  { idempotencyKey: key = randomUUID() }: Pick<AgentOptions, 'idempotencyKey'>,
): Promise<Done> => {
  const { method, path, body } = routeOf(name, object, input);
  for (let attempt = 1; ; attempt++) {
    const response = await send(door, path, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body,
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Done;
    const problem = problemOf(text);
    if (problem === undefined || !again.has(problem.code) || attempt === attemptsMax)
      throw new Complaint(told(problem, name));
    await sleep((problem.retryAfter ?? 1) * 1_000);
  }
};

const send = async ({ url, key }: AgentDoor, path: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  } catch (error) {
    const cause = (error as Error).cause as Error | undefined;
    throw new Complaint(`nobody answers at ${url}: ${cause?.message ?? (error as Error).message}`);
  }
};

/** Route and body of an action: what the path names is left out of the body. */
const routeOf = (name: ActionName, on: string | undefined, input: object) => {
  const { method, path, object, parts } = catalogue[name];
  const rest: Record<string, unknown> = { ...input };
  let filled = object === undefined ? path : path.replace(`{${object}}`, encodeURIComponent(on ?? ''));
  for (const part of parts) {
    filled = filled.replace(`{${part}}`, encodeURIComponent(String(rest[part])));
    delete rest[part];
  }
  return { method, path: filled, body: JSON.stringify(rest) };
};

const problemOf = (text: string): Problem | undefined => {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    return typeof problem.code === 'string' ? (problem as Problem) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const told = (problem: Problem | undefined, what: string): string => {
  if (problem === undefined) return `${what}: an answer that is none of Kungfu`;
  const { code, detail, nextStep, errors = [] } = problem;
  const places = errors.map(({ pointer, detail: why }) => `\n  ${pointer === '' ? '/' : pointer}: ${why}`);
  return `${code}: ${detail} (next step: ${nextStep})${places.join('')}`;
};
