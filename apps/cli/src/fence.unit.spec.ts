import { describe, expect, it } from '@jest/globals';
import { InMemoryLog } from '@kungfu/log-in-memory';
import { actionsTopic, decodeInput, factsTopic, kinds, topicSettings } from '@kungfu/protocol';
import type { Platform } from '@kungfu/service';
import { liftFence } from './fence.ts';

type Row = { generation: number; fenced: boolean };

/** A database with the two rows that matter, and a projector that passes `passed` more with each look. */
const rig = (row: Row, passed: number) => {
  let now = 0;
  let looks = 0;
  const clock = { now: () => now };
  const timers = {
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const log = new InMemoryLog({ topics: topicSettings({ partitions: 2 }), clock, timers });
  const query = async (sql: string, values: readonly unknown[] = []) => {
    if (sql.startsWith('select generation')) return { rows: [row] };
    if (sql.startsWith('select topic')) {
      looks += 1;
      return {
        rows: kinds.flatMap((kind) =>
          [0, 1].map((partition) => ({ topic: factsTopic(kind), partition, decided_up_to: String(passed * looks) })),
        ),
      };
    }
    const lifts = row.generation === values[0];
    if (lifts) row.fenced = false;
    return { rowCount: lifts ? 1 : 0 };
  };
  return { log, row, ports: { log, clock, timers, pool: { query } as unknown as Platform['pool'] } };
};

describe('lifting the fence after a rebuild', () => {
  it('does nothing where there is none', async () => {
    const { log, ports } = rig({ generation: 3, fenced: false }, 1);
    expect(await liftFence(ports, 10_000)).toBe('not fenced');
    expect(await log.end({ topic: actionsTopic('thread'), partition: 0 })).toBe(0);
  });
  it('fences every actions partition at the raised generation and waits until each is decided and projected', async () => {
    const { log, row, ports } = rig({ generation: 4, fenced: true }, 1);
    expect(await liftFence(ports, 10_000)).toBe('lifted');
    expect(row.fenced).toBe(false);
    for (const kind of kinds) {
      for (const partition of [0, 1]) {
        const records = await log.read({ topic: actionsTopic(kind), partition, offset: 0 }, 10);
        expect(records.map(decodeInput)).toEqual([{ kind: 'fence', generation: 4 }]);
      }
    }
  });
  it('lets it stand while nobody passes it', async () => {
    const { row, ports } = rig({ generation: 4, fenced: true }, 0);
    expect(await liftFence(ports, 1_000)).toBe('standing');
    expect(row.fenced).toBe(true);
  });
});
