import type { FastifyRequest } from 'fastify';

/** Where RFC 9728 looks for the metadata of a resource; before the path of the resource, if it has one. */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** A host and perhaps a port, as a client writes it; nothing else is repeated to anybody. */
const hostPattern = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** The origin that was asked, as the client sees it: behind a proxy that ends TLS, `X-Forwarded-Proto` says https. */
export const originOf = ({ headers, socket }: FastifyRequest): string => {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const host = hostPattern.test(headers.host ?? '') ? headers.host : `localhost:${socket.localPort}`;
  return `${scheme}://${host}`;
};

/** The metadata of a protected resource (RFC 9728). Keys of the administration need no authorization server. */
export const resourceMetadata = (resource: string, authorizationServers: readonly string[]): object => ({
  resource,
  resource_name: 'Kungfu',
  ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
  bearer_methods_supported: ['header'],
});
