import type { ActionDefinition, ReadDefinition } from '@kungfu/protocol';
import { Controller, Inject, Req, RequestMapping, RequestMethod, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Edge, type Endpoint } from './edge.ts';

/** The routes of a door: everything that the catalogue says of it. */
export type Routes = { readonly actions: readonly ActionDefinition[]; readonly reads: readonly ReadDefinition[] };

type Route = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly endpoint: (edge: Edge) => Endpoint;
};

/** A path template as the router writes it. */
export const routerPath = (path: string): string => path.replaceAll(/\{([a-z]+)\}/g, ':$1');

/** One controller for a door, with a method for each route of the catalogue; nothing here is written by hand per action. */
export const controllerOf = ({ actions, reads }: Routes): Type => {
  const routes: readonly Route[] = [
    ...actions.map((definition) => ({ ...definition, endpoint: (edge: Edge) => edge.action(definition) })),
    ...reads.map((definition) => ({ ...definition, method: 'GET', endpoint: (edge: Edge) => edge.read(definition) })),
  ];

  @Controller()
  class CatalogueController {
    readonly endpoints: ReadonlyMap<string, Endpoint>;

    constructor(@Inject(Edge) edge: Edge) {
      this.endpoints = new Map(routes.map((route) => [route.name, route.endpoint(edge)]));
    }
  }
  for (const route of routes) addRoute(CatalogueController.prototype, route);
  return CatalogueController;
};

type Endpoints = { readonly endpoints: ReadonlyMap<string, Endpoint> };

/** What the decorators of a handwritten method would do. */
const addRoute = (prototype: object, { name, method, path }: Route): void => {
  const value = function (this: Endpoints, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.endpoints.get(name)!(request, reply);
  };
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
  Req()(prototype, name, 0);
  Res()(prototype, name, 1);
  RequestMapping({ path: routerPath(path), method: RequestMethod[method as 'GET' | 'POST' | 'PUT' | 'DELETE'] })(
    prototype,
    name,
    descriptor,
  );
};
