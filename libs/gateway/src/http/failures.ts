import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { problemOf, type Refusal, refused } from '../shape/refusal.ts';
import { type Answer, problem, send } from './answer.ts';
import type { AllowedMethods } from './methods.ts';
import { instanceOf } from './principal-of.ts';

/** What the HTTP layer itself finds wrong with a request, by the code of its error. */
const known: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: refused('too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refused('unsupported_media_type'),
  FST_ERR_CTP_EMPTY_TYPE: refused('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refused('malformed'),
  FST_ERR_BAD_URL: refused('malformed'),
};

/**
 * Whatever was not answered as a value: no such route, a request that the HTTP layer refuses, or a fault of ours. A fault is
 * logged under an id that the answer carries, and nothing of it is told.
 */
@Catch()
export class Failures implements ExceptionFilter {
  constructor(
    private readonly methods: AllowedMethods,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const instance = instanceOf(request);
    const noRoute = error instanceof HttpException && error.getStatus() === 404;
    send(reply, noRoute ? this.#noRoute(request.method, instance) : this.#failure(error, request.method, instance));
  }

  #failure(error: unknown, method: string, instance: string): Answer {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return problem(problemOf(refusal, instance));
    const failure = randomUUID();
    this.logger.error({ err: error, failure, method, path: instance }, 'a request failed');
    return problem(problemOf(refused('failed'), instance, failure));
  }

  #noRoute(method: string, instance: string): Answer {
    const allowed = this.methods.of(instance);
    if (allowed.length === 0 || allowed.includes(method)) return problem(problemOf(refused('not_found'), instance));
    return problem(problemOf(refused('method_not_allowed'), instance), { allow: allowed.join(', ') });
  }
}

/** A request that the HTTP layer refuses; undefined for a fault. */
const refusalOf = (error: unknown): Refusal | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (Object.hasOwn(known, code)) return known[code];
  const status =
    error instanceof HttpException ? error.getStatus() : 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return refused('too_large');
  if (status === 415) return refused('unsupported_media_type');
  return status >= 400 && status < 500 ? refused('malformed') : undefined;
};
