import { randomUUID } from 'node:crypto';
import type { ActionCatalogue, ActionDefinition, ReadCatalogue, ReadDefinition } from '@kungfu/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { done } from '../http/answer.ts';
import type { Outcome, PublicRequest } from '../http/pipeline-port.ts';
import { namesNothing, requestMaker } from '../http/public-request.ts';
import { isRefusal, type ReadAnswer, type ReadCall } from '../reads/reads.ts';
import { queryShape } from '../shape/dto.ts';
import { type Refusal, refused } from '../shape/refusal.ts';
import type { Args } from './arguments.ts';
import { doneResult, foundResult, refusedResult } from './results.ts';
import type { Asked, Tool } from './tool.ts';

/** Where calls go: the same pipeline and the same reads as those of HTTP. */
export type Behind = {
  readonly act: (request: PublicRequest) => Promise<Outcome>;
  readonly ask: (call: ReadCall) => Promise<ReadAnswer>;
  readonly logger: Pick<Logger, 'error'>;
};

/** Who calls, and the signal that nobody waits for the answer any more. */
export type Caller = { readonly agent: string; readonly signal: AbortSignal };

type Acting = Extract<Asked, { kind: 'act' }>;
type Asking = Extract<Asked, { kind: 'ask' }>;

/** Calls of tools: each becomes exactly the request that HTTP would make of it, and its outcome the same JSON. */
export class Calls {
  readonly #requests: ReadonlyMap<string, ReturnType<typeof requestMaker>>;
  readonly #queries: ReadonlyMap<string, ReturnType<typeof queryShape>>;

  constructor(
    private readonly behind: Behind,
    actions: ActionCatalogue,
    reads: ReadCatalogue,
  ) {
    const [acting, reading] = [Object.values<ActionDefinition>(actions), Object.values<ReadDefinition>(reads)];
    this.#requests = new Map(acting.map((definition) => [definition.name, requestMaker(definition)]));
    this.#queries = new Map(reading.map((definition) => [definition.name, queryShape(definition)]));
  }

  /** Never throws: a fault is logged under an id that the answer carries, and nothing of it is told (C-3). */
  async call(tool: Tool, args: Args, caller: Caller): Promise<CallToolResult> {
    try {
      const asked = tool.asked(withoutNulls(args));
      if (asked.kind === 'refused') return refusedResult(asked, tool.name);
      return asked.kind === 'act' ? await this.#act(tool, asked, caller) : await this.#ask(tool, asked, caller);
    } catch (error) {
      const failure = randomUUID();
      this.behind.logger.error({ err: error, failure, tool: tool.name }, 'a tool call failed');
      return refusedResult(refused('failed'), tool.name, failure);
    }
  }

  async #act(tool: Tool, { action, key, path, body, errors }: Acting, { agent }: Caller): Promise<CallToolResult> {
    const request = this.#requests.get(action)!({ agent, key, path, body });
    const outcome = isRefusal(request) ? request : await this.behind.act(request);
    if (outcome.kind === 'done') return doneResult(done(outcome));
    const places = outcome.errors === undefined ? {} : { errors: errors(outcome.errors) };
    return refusedResult({ ...outcome, ...places }, tool.name);
  }

  async #ask(tool: Tool, asking: Asking, caller: Caller): Promise<CallToolResult> {
    const answer = await this.#answer(asking, caller);
    return answer.kind === 'refused' ? refusedResult(answer, tool.name) : foundResult(answer, asking.bytesMax);
  }

  async #answer({ read, path, query, bytesMax, since }: Asking, { agent, signal }: Caller): Promise<ReadAnswer> {
    const shaped: Refusal | { readonly kind: 'ok'; readonly value: ReadCall['query'] } =
      this.#queries.get(read)!(query);
    if (shaped.kind === 'refused') return shaped;
    if (namesNothing(path)) return refused('not_found');
    return this.behind.ask({ agent, read, path, query: shaped.value, bytesMax, ifNoneMatch: since, signal });
  }
}

/** null means absent. */
const withoutNulls = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
