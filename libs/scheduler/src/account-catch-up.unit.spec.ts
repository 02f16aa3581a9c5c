import { beforeEach, describe, expect, it } from '@jest/globals';
import { kindsWith } from '@kungfu/protocol';
import { AccountCatchUp } from './account-catch-up.ts';
import type { AccountWalk } from './account-walks.ts';
import { SchedulerRig } from './testing/rig.ts';
import type { UnseenWalks, WalkedPartition } from './unseen-walks.ts';

const agentOf = (n: number): string => `agent_${String(n).padStart(26, '0')}`;
const tasks = [0, 1].map((partition) => ({ kind: 'task' as const, partition }));

let rig: SchedulerRig;
let walks: AccountWalk[];
let asked: WalkedPartition[];
const table: UnseenWalks = {
  over: async ({ partitions, after, limit }) => {
    asked = [...partitions];
    return walks.filter(({ agent }) => agent > after).slice(0, limit);
  },
};
beforeEach(() => {
  rig = new SchedulerRig();
  walks = [];
  asked = [];
});
/** Begins, and lets so many milliseconds pass. */
const pass = async (ms: number): Promise<AccountCatchUp> => {
  const catchUp = new AccountCatchUp({ ...rig.ports, walks: table });
  await catchUp.start();
  await rig.pass(ms);
  return catchUp;
};

describe('catching up with account walks', () => {
  it('[A-4] asks for every partition of every kind but that of the accounts', async () => {
    await pass(1_000);
    expect(asked).toEqual(
      (['memory', 'thread', 'task'] as const).flatMap((kind) => [0, 1, 2, 3].map((partition) => ({ kind, partition }))),
    );
    expect(await rig.sent()).toEqual([]);
  });

  it('[A-4] asks for the partitions of inboxes too where there are any', async () => {
    rig = new SchedulerRig({ akep: true });
    const catchUp = new AccountCatchUp({ ...rig.ports, kinds: kindsWith({ akep: true }), walks: table });
    await catchUp.start();
    await rig.pass(1_000);
    expect(asked.map(({ kind }) => kind).filter((kind) => kind === 'akep.inbox')).toHaveLength(4);
  });

  it('[A-4] tells a kind that is younger than a deactivation of it, under its own number; [A-7] and of an activation', async () => {
    walks = [
      { agent: agentOf(1), walk: 1, change: 'deactivate', missing: tasks },
      { agent: agentOf(2), walk: 4, change: 'activate', missing: tasks.slice(1) },
    ];
    await pass(1_000);
    const apply = { kind: 'account', step: 'apply' };
    const gone = { ...apply, agent: agentOf(1), walk: 1, change: 'deactivate' };
    const back = { ...apply, agent: agentOf(2), walk: 4, change: 'activate' };
    expect(await rig.sent()).toEqual([
      { kind: 'task', partition: 0, input: gone },
      { kind: 'task', partition: 1, input: gone },
      { kind: 'task', partition: 1, input: back },
    ]);
  });

  it('[A-4] tells again, every minute, while a partition has not applied it', async () => {
    walks = [{ agent: agentOf(1), walk: 1, change: 'deactivate', missing: tasks.slice(1) }];
    await pass(150_000);
    expect(await rig.sent()).toHaveLength(3);
    walks = [];
    await rig.pass(150_000);
    expect(await rig.sent()).toHaveLength(3);
  });

  it('[A-4] tries again when the log is away, and serves more than a page', async () => {
    walks = Array.from({ length: 250 }, (_, n) => ({
      agent: agentOf(n + 1),
      walk: 1,
      change: 'deactivate' as const,
      missing: tasks.slice(1),
    }));
    rig.fates = ['drop'];
    await pass(10_000);
    expect(rig.events.some(({ type }) => type === 'failed')).toBe(true);
    expect(await rig.sent()).toHaveLength(250);
  });

  it('[A-4] gives its lease back when it stops', async () => {
    const catchUp = await pass(1_000);
    await rig.finish(catchUp.stop());
    expect(rig.released).toBe(1);
  });
});
