import { beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '@kungfu/protocol';
import { GenerationFence } from './generation-fence.ts';
import type { Generations, Raised } from './generations.ts';
import { SchedulerRig } from './testing/rig.ts';

class Table implements Generations {
  now: Raised | undefined;
  lowered: number[] = [];
  async raised() {
    return this.now;
  }
  async lower(generation: number) {
    this.lowered.push(generation);
    this.now = undefined;
  }
}

let rig: SchedulerRig;
let table: Table;
beforeEach(async () => {
  rig = new SchedulerRig();
  table = new Table();
  await new GenerationFence({ ...rig.ports, generations: table }).start();
});

const everywhere = kinds.flatMap((kind) => [0, 1, 2, 3].map((partition) => ({ kind, partition })));

describe('the fence of a raised generation', () => {
  it('[L3-7] is sent to every actions partition, and is lowered only when the projector has passed it in all', async () => {
    await rig.pass(5_000);
    expect(await rig.sent()).toEqual([]);
    table.now = { generation: 3, passed: [] };
    await rig.pass(1_000);
    expect(await rig.sent()).toEqual(
      everywhere.map((place) => ({ ...place, input: { kind: 'fence', generation: 3 } })),
    );
    table.now = { generation: 3, passed: everywhere.slice(1) };
    await rig.pass(5_000);
    expect(table.lowered).toEqual([]);
    expect(
      (await rig.sent()).filter(({ kind, partition }) => kind === 'agent' && partition === 0).length,
    ).toBeGreaterThan(1);
    table.now = { generation: 3, passed: everywhere };
    await rig.pass(1_000);
    expect(table.lowered).toEqual([3]);
  });
});
