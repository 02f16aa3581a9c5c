import { randomUUID } from 'node:crypto';
import type { ActionDefinition, ReadDefinition } from '@kungfu/protocol';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type ReadCall } from '../reads/reads.ts';
import { ActionHeaders, headersFit, queryShape } from '../shape/dto.ts';
import { problemOf, type Refusal, refused } from '../shape/refusal.ts';
import { parseStrictJson } from '../shape/strict-json.ts';
import { type Answer, done, problem, readAnswer, send } from './answer.ts';
import { Act, Ask } from './messages.ts';
import type { Outcome } from './pipeline-port.ts';
import { instanceOf, principalOf } from './principal-of.ts';
import { namesNothing, requestMaker } from './public-request.ts';

/** Answers one route of the catalogue. */
export type Endpoint = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Turns requests into what the catalogue means by them, and outcomes into answers. Knows no action by name. */
@Injectable()
export class Edge {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  action(definition: ActionDefinition): Endpoint {
    const requestOf = requestMaker(definition);
    return async (request, reply) => {
      const key = keyOf(request);
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const answer = key === undefined ? refused('malformed') : await this.#act(requestOf, request, key);
      send(
        reply,
        withHeaders(answer.kind === 'done' ? done(answer) : problem(problemOf(answer, instanceOf(request))), headers),
      );
    };
  }

  async #act(
    requestOf: ReturnType<typeof requestMaker>,
    request: FastifyRequest,
    key: string,
  ): Promise<Outcome | Refusal> {
    const body = bodyOf(request);
    if (body.kind === 'refused') return body;
    const asked = requestOf({ agent: principalOf(request), key, path: pathOf(request), body: body.value });
    return isRefusal(asked) ? asked : this.commands.execute(new Act(asked));
  }

  read(definition: ReadDefinition): Endpoint {
    const shape = queryShape(definition);
    return async (request, reply) => {
      const query = shape({ ...(request.query as object) });
      const refusal =
        query.kind === 'refused' ? query : namesNothing(pathOf(request)) ? refused('not_found') : undefined;
      const call = callOf(definition, request, reply, query.kind === 'refused' ? {} : query.value);
      const answer = refusal ?? (await this.queries.execute(new Ask(call)));
      send(reply, answer.kind === 'refused' ? problem(problemOf(answer, instanceOf(request))) : readAnswer(answer));
    };
  }
}

const callOf = (
  definition: ReadDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
  query: ReadCall['query'],
): ReadCall => {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const ifNoneMatch = request.headers['if-none-match'];
  return {
    agent: principalOf(request),
    read: definition.name as ReadCall['read'],
    path: pathOf(request),
    query,
    ifNoneMatch,
    signal: gone.signal,
  };
};

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const pathOf = (request: FastifyRequest): Readonly<Record<string, string>> =>
  request.params as Readonly<Record<string, string>>;

/** The Idempotency-Key, bare or quoted; a new one if there is none; undefined if it is malformed. */
const keyOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return randomUUID();
  const text = String(header);
  const headers = new ActionHeaders();
  headers.key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  return headersFit(headers) ? headers.key : undefined;
};

type Body = { readonly kind: 'body'; readonly value: unknown };
const emptyBody: Body = { kind: 'body', value: {} };

/** The body as JSON; no body at all is an empty object. */
const bodyOf = (request: FastifyRequest): Body | Refusal => {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return emptyBody;
  if (!isJson(request.headers['content-type'], request.headers['content-encoding']))
    return refused('unsupported_media_type');
  const parsed = parseStrictJson(bytes);
  return parsed.kind === 'unreadable' ? refused('malformed') : { kind: 'body', value: parsed.value };
};

/** application/json, in UTF-8 if it says so, and not compressed. */
const isJson = (type: string | undefined, encoding: string | undefined): boolean =>
  /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type?.trim() ?? '') &&
  (encoding === undefined || encoding.toLowerCase() === 'identity');
