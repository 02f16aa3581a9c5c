import { describe, expect, it } from '@jest/globals';
import type { Reader } from '@kungfu/read-model';
import { Keys } from '../auth/keys.ts';
import type { Outcome } from '../http/pipeline-port.ts';
import { WalkedPipeline, walkMsMax } from './walked-pipeline.ts';

const agent = 'agent_00000000000000000000000001';
const done: Outcome = { kind: 'done', receipt: Buffer.from('{}'), replayed: false };

/** The states that the account is seen in, one a look; the last one stays. Waiting passes the time. */
const over = (states: readonly string[], outcome: Outcome = done) => {
  let looks = 0;
  let now = 1_000;
  let forgotten = 0;
  const query = async () => ({
    rows: [
      { id: agent, status: states[Math.min(looks++, states.length - 1)], labels: [], created_at: new Date(0), walk: 1 },
    ],
  });
  const clock = { now: () => now };
  class Counted extends Keys {
    override forget(): void {
      forgotten += 1;
    }
  }
  const reader = { query } as unknown as Reader;
  const pipeline = new WalkedPipeline({
    pipeline: { execute: async () => outcome },
    reader,
    keys: new Counted(reader, clock),
    clock,
    wakes: {
      listening: false,
      register: () => ({
        wait: async (ms: number) => {
          now += ms;
          return false;
        },
        end: () => {},
      }),
    },
  });
  const act = (action: string) =>
    pipeline.execute({ agent: 'administration', action, key: 'k', object: agent, body: {} });
  return { act, looks: () => looks, forgotten: () => forgotten, waited: () => now - 1_000 };
};

describe('the administration', () => {
  it('[A-4] is answered when the walk is through', async () => {
    const walk = over(['deactivating', 'deactivating', 'deactivated']);
    expect(await walk.act('agent.deactivate')).toBe(done);
    expect(walk.looks()).toBe(3);
    expect(await over(['activating', 'active']).act('agent.activate')).toBe(done);
  });
  it('is told `pending` when the walk takes too long', async () => {
    const walk = over(['deactivating']);
    expect(await walk.act('agent.deactivate')).toEqual({ kind: 'refused', code: 'pending', retryAfter: 1 });
    expect(walk.waited()).toBe(walkMsMax);
  });
  it('waits for nothing else, and not after a refusal', async () => {
    const other = over(['deactivating']);
    expect(await other.act('agent.set-labels')).toBe(done);
    const refused: Outcome = { kind: 'refused', code: 'no_effect' };
    const again = over(['deactivating'], refused);
    expect(await again.act('agent.deactivate')).toBe(refused);
    expect([other.looks(), again.looks()]).toEqual([0, 0]);
  });
  it('makes this gateway look up every key again before it answers', async () => {
    const walk = over(['active']);
    await walk.act('agent.revoke-key');
    expect(walk.forgotten()).toBe(1);
  });
});
