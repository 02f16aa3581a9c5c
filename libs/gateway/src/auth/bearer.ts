import { createHash, timingSafeEqual } from 'node:crypto';

/** A bearer token as RFC 6750 writes it; longer ones are none of ours. */
const pattern = /^bearer +([A-Za-z0-9._~+/-]{1,8192}=*)$/i;

/** The token of an Authorization header; undefined if there is none that can be read. */
export const bearerToken = (header: string | undefined): string | undefined => pattern.exec(header ?? '')?.[1];

/** What is kept of a secret: sha256, lower-case hex (T-4). */
export const hashOf = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

/** Compares two secrets in a time that does not depend on where they differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(one, 'utf8').digest(),
    createHash('sha256').update(other, 'utf8').digest(),
  );

/** What a 401 says about how to authenticate; `metadata` is where RFC 9728 tells more. */
export const challenge = (presented: boolean, metadata?: string): string =>
  [
    'Bearer realm="kungfu"',
    ...(presented ? ['error="invalid_token"'] : []),
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
  ].join(', ');
