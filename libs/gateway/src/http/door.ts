import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Complaint } from '@kungfu/service';
import type { Authentication } from '../auth/principal.ts';
import { challenge } from '../auth/bearer.ts';
import { metadataPath, originOf } from '../mcp/metadata.ts';
import { READS, type Reads } from '../reads/reads.ts';
import { problemOf, refused } from '../shape/refusal.ts';
import { problem, send } from './answer.ts';
import { Connections } from './connections.ts';
import { controllerOf, type Routes } from './controllers.ts';
import { Edge } from './edge.ts';
import { Failures } from './failures.ts';
import { ActHandler, AskHandler } from './messages.ts';
import { AllowedMethods } from './methods.ts';
import { PIPELINE, type Pipeline } from './pipeline-port.ts';
import { instanceOf, routeOf, setPrincipal } from './principal-of.ts';

/** A listener of the gateway: where it is, what it offers, and to whom. */
export type DoorOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly routes: Routes;
  readonly authentication: Authentication;
  readonly pipeline: Pipeline;
  readonly reads: Reads;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly requestBytesMax: number;
  /** Of pages that may ask from a browser. */
  readonly origins?: readonly string[];
  /** Adds what is no part of the catalogue: documents. */
  readonly extend?: (app: NestFastifyApplication) => void;
};

/** A door that is open. */
export type Door = {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Takes no more connections, finishes the requests in flight, and closes. */
  close(): Promise<void>;
};

/** Whether a path needs somebody who is known. What anyone may read stands outside of it. */
const guarded = (path: string): boolean => /^\/(v1|admin)\//.test(path) || isMcp(path);

/** Whether a path is one of the door for models. */
const isMcp = (path: string): boolean => path === '/mcp' || path.startsWith('/mcp/');

/** Opens a door. Throws Complaint when the port is taken. */
export const openDoor = async (options: DoorOptions): Promise<Door> => {
  const failures = new Failures(new AllowedMethods(options.routes), options.logger);
  const adapter = new FastifyAdapter({
    bodyLimit: options.requestBytesMax,
    routerOptions: { maxParamLength: 200 },
    // A connection that sends its request more slowly than this is closed.
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    clientErrorHandler: badRequest,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      failures.answer(error, request, reply),
  });
  const app = await NestFactory.create<NestFastifyApplication>(doorModule(options), adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(failures);
  prepare(adapter.getInstance() as unknown as FastifyInstance, options, failures);
  const { origins = [] } = options;
  if (origins.length > 0) app.enableCors(crossOrigin(origins));
  options.extend?.(app);
  const connections = new Connections(app.getHttpServer() as Server);
  await listen(app, options);
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = app.close();
    connections.close();
    await closed;
  };
  const { host } = options;
  return { host, port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, close };
};

@Module({})
class DoorModule {}

const doorModule = ({ routes, pipeline, reads }: DoorOptions): DynamicModule => {
  const providers: Provider[] = [
    Edge,
    ActHandler,
    AskHandler,
    { provide: PIPELINE, useValue: pipeline },
    { provide: READS, useValue: reads },
  ];
  return { module: DoorModule, imports: [CqrsModule.forRoot()], controllers: [controllerOf(routes)], providers };
};

/** Bodies stay bytes until the edge reads them; who asks is known before anything else is looked at. */
const prepare = (
  instance: FastifyInstance,
  { authentication, origins = [] }: DoorOptions,
  failures: Failures,
): void => {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
  instance.addHook('onRequest', async (request, reply) => {
    // The router reads %76 as v: what it has found counts, not what was sent.
    if (!guarded(routeOf(request)) || (origins.length > 0 && isPreflight(request))) return;
    try {
      await authenticate(authentication, request, reply);
    } catch (error) {
      failures.answer(error, request, reply);
    }
  });
};

/** A browser asks so before what a page wants; it says nothing of who that is. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const preflightSeconds = 600;

/** What a page of another origin may send and see. Keys are sent by the page itself, never by the browser. */
const crossOrigin = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-none-match',
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
  ],
  exposedHeaders: ['etag', 'idempotency-key', 'idempotent-replayed', 'retry-after', 'www-authenticate'],
  maxAge: preflightSeconds,
  strictPreflight: false,
});

const authenticate = async (
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const { authorization } = request.headers;
  const principal = await authentication.authenticate(authorization);
  if (typeof principal === 'string') return setPrincipal(request, principal);
  const path = instanceOf(request);
  const metadata = isMcp(path) && /^[a-z/]+$/.test(path) ? `${originOf(request)}${metadataPath}${path}` : undefined;
  const headers = { 'www-authenticate': challenge(authorization !== undefined, metadata) };
  send(reply, problem(problemOf(principal, path), headers));
};

const listen = async (app: NestFastifyApplication, { host, port }: DoorOptions): Promise<void> => {
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Complaint(`${host}:${port} is in use: another service, or another Kungfu, listens there`, {
        cause: error,
      });
    if (code === 'EACCES') throw new Complaint(`${host}:${port} may not be listened on by this user`, { cause: error });
    throw error;
  }
};

/** What is no HTTP request at all is answered in the form of every refusal. */
const badRequest = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, headers, body } = problem(problemOf(refused('malformed'), '*'));
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${String(body)}`);
  socket.destroySoon();
};
