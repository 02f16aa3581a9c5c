import { beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf } from '@kungfu/log-port';
import type { DueDeadline, DueDeadlines } from './due-deadlines.ts';
import { SchedulerLoop } from './scheduler-loop.ts';
import { SchedulerRig } from './testing/rig.ts';

/** What is due, as the read model would say. */
class Deadlines implements DueDeadlines {
  open: DueDeadline[] = [];
  away = false;
  async due({ now, after, limit }: Parameters<DueDeadlines['due']>[0]) {
    if (this.away) throw new Error('away');
    const isAfter = (d: DueDeadline) =>
      after === undefined || d.dueAt > after.dueAt || (d.dueAt === after.dueAt && d.object > after.object);
    return [...this.open]
      .sort((a, b) => a.dueAt - b.dueAt || (a.object < b.object ? -1 : 1))
      .filter((d) => d.dueAt <= now && isAfter(d))
      .slice(0, limit);
  }
}

let rig: SchedulerRig;
let deadlines: Deadlines;
let scheduler: SchedulerLoop;
beforeEach(async () => {
  rig = new SchedulerRig();
  deadlines = new Deadlines();
  scheduler = new SchedulerLoop({ ...rig.ports, deadlines });
});
const due = (object: string, inMs: number): DueDeadline => ({ kind: 'thread', object, dueAt: rig.time.now() + inMs });

describe('the scheduler', () => {
  it('[L4-3] sends an input when a deadline is due and not before, to the partition of its object', async () => {
    deadlines.open = [due('thread_a', 10_000)];
    await scheduler.start();
    await rig.pass(9_000);
    expect(await rig.sent()).toEqual([]);
    await rig.pass(2_000);
    expect(await rig.sent()).toEqual([
      { kind: 'thread', partition: partitionOf('thread_a', 4), input: { kind: 'deadline', object: 'thread_a' } },
    ]);
  });

  it('sends it again every few seconds while it stays open, and no more once it has been recorded', async () => {
    deadlines.open = [due('thread_a', 0)];
    await scheduler.start();
    await rig.pass(21_000);
    expect(await rig.sent()).toHaveLength(5);
    deadlines.open = [];
    await rig.pass(60_000);
    expect(await rig.sent()).toHaveLength(5);
  });

  it('sends one input for all deadlines of an object', async () => {
    deadlines.open = [due('thread_a', -2_000), due('thread_a', -1_000)];
    await scheduler.start();
    await rig.pass(1_000);
    expect(await rig.sent()).toHaveLength(1);
  });

  it('[K-15] sends for a deadline of the same object that falls due soon after, without waiting', async () => {
    deadlines.open = [due('task_a', 0), due('task_a', 1_000)];
    await scheduler.start();
    await rig.pass(2_000);
    expect(await rig.sent()).toHaveLength(2);
  });

  it('reaches all that is due, however much stays open before it', async () => {
    deadlines.open = Array.from({ length: 12_345 }, (_, i) => due(`thread_${String(i).padStart(5, '0')}`, -1));
    await scheduler.start();
    await rig.pass(3_000);
    expect(
      new Set((await rig.sent()).map(({ input }) => (input.kind === 'deadline' ? input.object : ''))),
    ).toHaveProperty('size', 12_345);
  });

  it.each(['drop', 'lose-ack'] as const)('sends again what may not have landed: %s', async (fate) => {
    deadlines.open = [due('thread_a', 0)];
    rig.fates = [fate];
    await scheduler.start();
    await rig.pass(1_000);
    expect(await rig.sent()).toHaveLength(fate === 'drop' ? 1 : 2);
    expect(rig.events).toContainEqual({ type: 'failed', loop: 'scheduler', error: expect.any(Error) });
  });

  it('goes on when the database is back', async () => {
    deadlines.open = [due('thread_a', 0)];
    deadlines.away = true;
    await scheduler.start();
    await rig.pass(30_000);
    expect(rig.events.length).toBeLessThan(20);
    deadlines.away = false;
    await rig.pass(6_000);
    expect((await rig.sent()).length).toBeGreaterThan(0);
  });

  it('does nothing without a fresh lease, and gives it back when stopped', async () => {
    rig.fresh = false;
    deadlines.open = [due('thread_a', 0)];
    await scheduler.start();
    await rig.pass(5_000);
    expect(await rig.sent()).toEqual([]);
    await rig.finish(scheduler.stop());
    expect(rig.released).toBe(1);
  });
});
