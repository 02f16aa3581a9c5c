import { administration } from '@kungfu/protocol';
import { type Refusal, refused } from '../shape/refusal.ts';
import { bearerToken, sameSecret } from './bearer.ts';
import type { Keys } from './keys.ts';

/** Who asks: an agent by its id, or the administration. */
export type Principal = string;

/** Finds out who asks. One for each door. */
export interface Authentication {
  authenticate(authorization: string | undefined): Promise<Principal | Refusal>;
}

/** Agents, by the keys that the administration made, or by a JWT of the issuer that is configured, if one is. */
export class AgentSignIn implements Authentication {
  constructor(
    private readonly keys: Pick<Keys, 'agentOf'>,
    private readonly issuer?: Authentication,
  ) {}

  async authenticate(authorization: string | undefined): Promise<Principal | Refusal> {
    const token = bearerToken(authorization);
    if (this.issuer !== undefined && token?.split('.').length === 3) return this.issuer.authenticate(authorization);
    return (token === undefined ? undefined : await this.keys.agentOf(token)) ?? refused('unauthenticated');
  }
}

/** The administration, by its one token. */
export class AdministrationToken implements Authentication {
  constructor(private readonly token: string) {}

  async authenticate(authorization: string | undefined): Promise<Principal | Refusal> {
    const token = bearerToken(authorization);
    return token !== undefined && sameSecret(token, this.token) ? administration : refused('unauthenticated');
  }
}
