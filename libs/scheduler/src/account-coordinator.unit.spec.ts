import { beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf } from '@kungfu/log-port';
import { AccountCoordinator } from './account-coordinator.ts';
import type { AccountWalk } from './account-walks.ts';
import { SchedulerRig } from './testing/rig.ts';

const agent = 'agent_00000000000000000000000001';
const apply = (walk: number, change: 'deactivate' | 'activate' = 'deactivate') => ({
  kind: 'account',
  agent,
  walk,
  change,
  step: 'apply',
});

let rig: SchedulerRig;
let walks: AccountWalk[];
const begin = async (): Promise<AccountCoordinator> => {
  const underWay = async ({ after, limit }: { after: string; limit: number }) =>
    walks.filter((walk) => walk.agent > after).slice(0, limit);
  const coordinator = new AccountCoordinator({ ...rig.ports, walks: { underWay } });
  await coordinator.start();
  return coordinator;
};
beforeEach(() => {
  rig = new SchedulerRig();
  walks = [];
});

describe('the account coordinator', () => {
  it('[A-4] sends the walk to every partition that misses it, whatever the agent hashes to', async () => {
    walks = [
      {
        agent,
        walk: 1,
        change: 'deactivate',
        missing: [
          { kind: 'memory', partition: 3 },
          { kind: 'thread', partition: 0 },
          { kind: 'thread', partition: 2 },
        ],
      },
    ];
    await begin();
    await rig.pass(1_000);
    expect(await rig.sent()).toEqual([
      { kind: 'memory', partition: 3, input: apply(1) },
      { kind: 'thread', partition: 0, input: apply(1) },
      { kind: 'thread', partition: 2, input: apply(1) },
    ]);
  });

  it('[A-7] completes the walk only when no partition misses it, in the partition of the account', async () => {
    walks = [{ agent, walk: 2, change: 'activate', missing: [{ kind: 'thread', partition: 1 }] }];
    await begin();
    await rig.pass(10_000);
    const own = partitionOf(agent, 4);
    expect((await rig.sent()).some(({ kind }) => kind === 'agent')).toBe(false);
    walks = [{ agent, walk: 2, change: 'activate', missing: [] }];
    await rig.pass(1_000);
    expect((await rig.sent()).filter(({ kind }) => kind === 'agent')).toEqual([
      {
        kind: 'agent',
        partition: own,
        input: { kind: 'account', agent, walk: 2, change: 'activate', step: 'complete' },
      },
    ]);
  });

  it('repeats a step every few seconds while it is missing', async () => {
    walks = [{ agent, walk: 1, change: 'deactivate', missing: [{ kind: 'thread', partition: 1 }] }];
    await begin();
    await rig.pass(10_000);
    expect(await rig.sent()).toEqual(
      Array.from({ length: 4 }, () => ({ kind: 'thread', partition: 1, input: apply(1) })),
    );
  });

  it('finishes, after its death at any step, what another began', async () => {
    walks = [{ agent, walk: 1, change: 'deactivate', missing: [{ kind: 'thread', partition: 1 }] }];
    rig.fates = ['lose-ack', 'drop'];
    const first = await begin();
    await rig.pass(50);
    await rig.finish(first.stop());
    await begin();
    await rig.pass(2_000);
    const sent = await rig.sent();
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(sent.every(({ partition }) => partition === 1)).toBe(true);
  });

  it('serves all walks, also more than a page of them', async () => {
    walks = Array.from({ length: 250 }, (_, i) => ({
      agent: `agent_${String(i).padStart(26, '0')}`,
      walk: 1,
      change: 'deactivate' as const,
      missing: [{ kind: 'thread' as const, partition: 0 }],
    }));
    await begin();
    await rig.pass(1_000);
    expect(await rig.sent()).toHaveLength(250);
  });
});
