import type { Clock } from '@kungfu/log-port';
import { agentId } from '@kungfu/protocol';
import { accountOf, type Reader } from '@kungfu/read-model';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Refusal, refused } from '../shape/refusal.ts';
import { bearerToken } from './bearer.ts';
import type { Authentication, Principal } from './principal.ts';

export type OidcOptions = {
  /** The issuer's URL, as its tokens name it. */
  readonly issuer: string;
  /** What a token's `aud` has to name. */
  readonly audience: string;
  /** The claim that holds the id of the agent. */
  readonly agentClaim: string;
  readonly reader: Reader;
  readonly clock: Clock;
  /** Hears when the issuer cannot be asked; the caller is told to try again. */
  readonly onTrouble: (error: unknown) => void;
};

/** Signatures by keys that only the issuer has; never `none`, never a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const toleranceSeconds = 30;
const answerMsMax = 5_000;
const retryAfterSeconds = 5;

/**
 * Agents by JWTs of an OpenID Connect issuer. Its keys are found through its discovery document and kept, and asked for again
 * when a token names a key that is not among them. A token counts for the agent that its claim names, if there is one.
 */
export class OidcIssuer implements Authentication {
  readonly #options: OidcOptions;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  async authenticate(authorization: string | undefined): Promise<Principal | Refusal> {
    const token = bearerToken(authorization);
    if (token === undefined) return refused('unauthenticated');
    const claims = await this.#claimsOf(token);
    if (claims === 'unknown') return { ...refused('overloaded'), retryAfter: retryAfterSeconds };
    const named = agentId.safeParse(claims?.[this.#options.agentClaim]);
    if (!named.success) return refused('unauthenticated');
    const account = await accountOf(this.#options.reader, named.data);
    return account === undefined ? refused('unauthenticated') : account.agent;
  }

  /** The claims of a token that holds; undefined if it does not, unknown while the issuer cannot be asked. */
  async #claimsOf(token: string): Promise<JWTPayload | undefined | 'unknown'> {
    const { issuer, audience, agentClaim, clock, onTrouble } = this.#options;
    try {
      const { payload } = await jwtVerify(token, await this.#keySet(), {
        issuer,
        audience,
        algorithms,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', agentClaim],
      });
      return payload;
    } catch (error) {
      if (isOfToken(error)) return undefined;
      onTrouble(error);
      return 'unknown';
    }
  }

  #keySet(): Promise<JWTVerifyGetKey> {
    this.#keys ??= discover(this.#options.issuer).catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }
}

/** What is wrong with the token, and not with asking the issuer. */
const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC';

const discover = async (issuer: string): Promise<JWTVerifyGetKey> => {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const response = await fetch(url, { signal: AbortSignal.timeout(answerMsMax), redirect: 'error' });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const document = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (document.issuer !== issuer || typeof document.jwks_uri !== 'string')
    throw new Error(`${url} is not the document of ${issuer}`);
  return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: answerMsMax });
};
