import { describe, expect, it } from '@jest/globals';
import type { Reader } from '@kungfu/read-model';
import { bearerToken, hashOf, sameSecret } from './bearer.ts';
import { Keys } from './keys.ts';
import { AdministrationToken } from './principal.ts';

describe('a bearer token', () => {
  it('is read as RFC 6750 writes it', () => {
    expect(bearerToken('Bearer abc')).toBe('abc');
    expect(bearerToken('bearer   a.b-c_d~e+f/g==')).toBe('a.b-c_d~e+f/g==');
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      'Bearer a b',
      'Bearer ü',
      ` Bearer a`,
      `Bearer ${'x'.repeat(8193)}`,
    ])
      expect([header, bearerToken(header)]).toEqual([header, undefined]);
  });
  it('is kept as its hash', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect([sameSecret('abc', 'abc'), sameSecret('abc', 'abcd'), sameSecret('', 'a')]).toEqual([true, false, false]);
  });
});

describe('the administration', () => {
  it('has one token', async () => {
    const token = new AdministrationToken('administration-token');
    expect(await token.authenticate('Bearer administration-token')).toBe('administration');
    for (const header of [
      undefined,
      'Bearer administration-toke',
      'Bearer administration-tokens',
      'administration-token',
    ]) {
      expect(await token.authenticate(header)).toEqual({ kind: 'refused', code: 'unauthenticated' });
    }
  });
});

describe('keys', () => {
  const over = () => {
    const holders = new Map([[hashOf('k1'), 'agent_1']]);
    const state = { now: 0, asked: 0, holders, hold: undefined as Promise<void> | undefined };
    const query = async ({ values: [hashes = []] }: { values: readonly (readonly string[])[] }) => {
      state.asked += 1;
      const rows = hashes.flatMap((hash) => {
        const agent = holders.get(hash);
        return agent === undefined ? [] : [{ hash, agent, key: 'key_1' }];
      });
      await state.hold;
      return { rows };
    };
    return { state, keys: new Keys({ query } as unknown as Reader, { now: () => state.now }) };
  };

  it('are believed for half a second', async () => {
    const { keys, state } = over();
    expect([await keys.agentOf('k1'), await keys.agentOf('k1'), state.asked]).toEqual(['agent_1', 'agent_1', 1]);
    state.holders.clear();
    state.now = 499;
    expect(await keys.agentOf('k1')).toBe('agent_1');
    state.now = 500;
    expect(await keys.agentOf('k1')).toBeUndefined();
  });
  it('are forgotten at once after a revocation here, also one that is being looked up', async () => {
    const { keys, state } = over();
    let answer: (() => void) | undefined;
    state.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const asking = keys.agentOf('k1');
    await Promise.resolve();
    expect(state.asked).toBe(1);
    state.holders.clear();
    keys.forget();
    answer?.();
    expect(await asking).toBe('agent_1');
    expect(await keys.agentOf('k1')).toBeUndefined();
  });
  it('of requests in flight share a statement', async () => {
    const { keys, state } = over();
    state.holders.set(hashOf('k2'), 'agent_2');
    expect(await Promise.all(['k1', 'k2', 'k3', 'k1'].map((key) => keys.agentOf(key)))).toEqual([
      'agent_1',
      'agent_2',
      undefined,
      'agent_1',
    ]);
    expect(state.asked).toBe(1);
  });
  it('that are unknown are never remembered', async () => {
    const { keys, state } = over();
    expect(await keys.agentOf('k2')).toBeUndefined();
    state.holders.set(hashOf('k2'), 'agent_2');
    expect(await keys.agentOf('k2')).toBe('agent_2');
  });
});
