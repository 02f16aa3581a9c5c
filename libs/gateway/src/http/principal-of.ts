import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';

const principals = new WeakMap<FastifyRequest, Principal>();

/** Remembers who asks, once that is known. */
export const setPrincipal = (request: FastifyRequest, principal: Principal): void => {
  principals.set(request, principal);
};

/** Who asks; empty where anyone may. */
export const principalOf = (request: FastifyRequest): Principal => principals.get(request) ?? '';

/** The path that was asked for, without its query, as it was sent. */
export const instanceOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;

/** The path as its route is declared, however its letters were encoded; of what has no route, as it was sent. */
export const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? instanceOf(request);
