import type { ActionCatalogue, ReadCatalogue } from '@kungfu/protocol';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { problem, send } from '../http/answer.ts';
import { Act, Ask } from '../http/messages.ts';
import { instanceOf, principalOf } from '../http/principal-of.ts';
import { problemOf, refused } from '../shape/refusal.ts';
import { parseStrictJson } from '../shape/strict-json.ts';
import { Calls } from './calls.ts';
import { metadataPath, originOf, resourceMetadata } from './metadata.ts';
import { type McpEndpoint, mcpEndpoint } from './server.ts';
import { toolSets } from './sets.ts';

export type McpOptions = {
  readonly actions: ActionCatalogue;
  readonly reads: ReadCatalogue;
  readonly version: string;
  /** Who issues tokens that agents may sign in with; none: keys only. */
  readonly authorizationServers: readonly string[];
  /** Of pages that may ask from a browser, besides those of its own. */
  readonly origins: readonly string[];
  readonly logger: Pick<Logger, 'error' | 'info'>;
};

/** Opens the door for models beside the routes of HTTP: each set of tools at its path, and the metadata of RFC 9728. */
export const serveMcp = (app: NestFastifyApplication, options: McpOptions): void => {
  const { actions, reads, version, logger } = options;
  const [commands, queries] = [app.get(CommandBus), app.get(QueryBus)];
  const behind = {
    act: (request: Act['request']) => commands.execute(new Act(request)),
    ask: (call: Ask['call']) => queries.execute(new Ask(call)),
    logger,
  };
  const calls = new Calls(behind, actions, reads);
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  for (const { path, tools } of toolSets(actions, reads)) {
    const endpoint = mcpEndpoint({
      tools,
      version,
      call: (tool, args, caller) => calls.call(tool, args, caller),
      onTrouble: (error) => logger.info({ err: error }, 'a request over MCP was rejected'),
    });
    fastify.all(path, (request, reply) => answer(endpoint, options.origins, request, reply));
    fastify.addHook('preClose', () => endpoint.close());
    serveMetadata(fastify, `${metadataPath}${path}`, path, options);
  }
  serveMetadata(fastify, metadataPath, '', options);
};

const serveMetadata = (
  fastify: FastifyInstance,
  path: string,
  resource: string,
  { authorizationServers }: McpOptions,
): void => {
  fastify.get(path, (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(resourceMetadata(`${originOf(request)}${resource}`, authorizationServers)),
  );
};

const answer = async (
  endpoint: McpEndpoint,
  origins: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const refusal = strange(request, origins);
  if (refusal !== undefined) {
    const headers = refusal === 'method_not_allowed' ? { allow: 'POST' } : {};
    return send(reply, problem(problemOf(refused(refusal), instanceOf(request)), headers));
  }
  const body = bodyOf(request);
  if (body === unreadable) return sendJson(reply, 400, parseError);
  if (Array.isArray(body)) return sendJson(reply, 400, noBatches);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const web = new Request(`${originOf(request)}${instanceOf(request)}`, {
    method: request.method,
    headers: headersOf(request),
    signal: gone.signal,
  });
  const response = await endpoint.answer(web, principalOf(request), body);
  const headers = Object.fromEntries(response.headers);
  send(reply, { status: response.status, headers, body: await response.text() });
};

/**
 * There are no sessions and no streams, so nothing to GET or DELETE; a page of another origin has no business here (MCP, Streamable
 * HTTP: Origin); nor has a body that is compressed.
 */
const strange = (
  { method, headers }: FastifyRequest,
  origins: readonly string[],
): 'method_not_allowed' | 'not_permitted' | 'unsupported_media_type' | undefined => {
  if (method !== 'POST') return 'method_not_allowed';
  const { origin, host, 'content-encoding': encoding } = headers;
  const known = origin === undefined || origins.includes(origin) || URL.parse(origin)?.host === host?.toLowerCase();
  if (!known) return 'not_permitted';
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? undefined : 'unsupported_media_type';
};

const unreadable = Symbol('unreadable');

/** The body as JSON, never changed in reading. */
const bodyOf = (request: FastifyRequest): unknown => {
  const bytes = request.body as Buffer | undefined;
  const parsed = parseStrictJson(bytes ?? Buffer.alloc(0));
  return parsed.kind === 'unreadable' ? unreadable : parsed.value;
};

const rejection = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });
const parseError = rejection(-32_700, 'The body is no JSON that can be read in one way.');
const noBatches = rejection(-32_600, 'Send one message a request.');

const sendJson = (reply: FastifyReply, status: number, body: object): void =>
  send(reply, { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) });

const headersOf = ({ headers }: FastifyRequest): Headers => {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'authorization') kept.set(name, value);
  return kept;
};
