import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reader } from '@kungfu/read-model';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { OidcIssuer } from './oidc.ts';
import { AgentSignIn } from './principal.ts';

const agent = 'agent_00000000000000000000000001';
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** An issuer on this machine, whose keys can change and which can be away. */
let server: Server;
let issuer: string;
let away = false;
const published = new Map<string, object>();
const make = async (kid: string): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  published.set(kid, { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' });
  return privateKey;
};
beforeAll(async () => {
  server = createServer((request, response) => {
    response.statusCode = away ? 503 : 200;
    const document =
      request.url === '/keys' ? { keys: [...published.values()] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let trouble: unknown[];
let now: number;
let signIn: AgentSignIn;
beforeEach(() => {
  away = false;
  trouble = [];
  now = Date.now();
  published.clear();
  const query = async ({ values }: { values: readonly string[] }) => ({
    rows:
      values[0] === agent ? [{ id: agent, status: 'deactivated', labels: [], created_at: new Date(0), walk: 1 }] : [],
  });
  const oidc = new OidcIssuer({
    issuer,
    audience: 'kungfu',
    agentClaim: 'kungfu_agent',
    reader: { query } as unknown as Reader,
    clock: { now: () => now },
    onTrouble: (error) => trouble.push(error),
  });
  signIn = new AgentSignIn({ agentOf: async (key) => (key === 'kfk_1' ? 'agent_by_key' : undefined) }, oidc);
});

type Token = { readonly key: Key; readonly kid: string; readonly claims?: object; readonly audience?: string };
const token = ({ key, kid, claims = { kungfu_agent: agent }, audience = 'kungfu' }: Token): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(Math.floor(now / 1_000))
    .setExpirationTime(Math.floor(now / 1_000) + 300)
    .sign(key);
const bearer = async (jwt: Promise<string> | string) => signIn.authenticate(`Bearer ${await jwt}`);
const unauthenticated = { kind: 'refused', code: 'unauthenticated' };

describe('signing in with a JWT', () => {
  it('[A-2] is the agent that the token names, also a deactivated one; keys go on working', async () => {
    const key = await make('one');
    expect(await bearer(token({ key, kid: 'one' }))).toBe(agent);
    expect(await bearer('kfk_1')).toBe('agent_by_key');
    expect(trouble).toEqual([]);
  });

  it('is refused for another audience, no agent, an unknown agent, a foreign key, no signature and once it has expired', async () => {
    const key = await make('one');
    const { privateKey: foreign } = await generateKeyPair('ES256');
    const valid = await token({ key, kid: 'one' });
    const [head = '', body = ''] = valid.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const unknown = { kungfu_agent: 'agent_00000000000000000000000002' };
    for (const jwt of [
      token({ key, kid: 'one', audience: 'another' }),
      token({ key, kid: 'one', claims: {} }),
      token({ key, kid: 'one', claims: { kungfu_agent: 'administration' } }),
      token({ key, kid: 'one', claims: unknown }),
      token({ key: foreign, kid: 'one' }),
      token({ key: foreign, kid: 'two' }),
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${head}.${body}.AAAA`,
      'a.b.c',
    ])
      expect(await bearer(jwt)).toEqual(unauthenticated);
    now += 300_000 + 31_000;
    expect(await bearer(valid)).toEqual(unauthenticated);
    expect(trouble).toEqual([]);
  });

  it('asks to try again while the issuer cannot be asked, and goes on when it is back', async () => {
    const key = await make('one');
    const jwt = await token({ key, kid: 'one' });
    away = true;
    expect(await bearer(jwt)).toMatchObject({ kind: 'refused', code: 'overloaded', retryAfter: 5 });
    expect(trouble).toHaveLength(1);
    away = false;
    expect(await bearer(jwt)).toBe(agent);
  });

  it('is no way in where no issuer is configured', async () => {
    const alone = new AgentSignIn({ agentOf: async () => undefined });
    expect(await alone.authenticate('Bearer a.b.c')).toEqual(unauthenticated);
  });
});
