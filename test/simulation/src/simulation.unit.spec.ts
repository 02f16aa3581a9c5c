import { describe, expect, it } from '@jest/globals';
import { simulate } from './world.ts';

const blocks = Array.from({ length: 20 }, (_, i) => 1 + i * 10);

describe('the simulation', () => {
  it('is one trace for one seed', async () => {
    expect(await simulate({ seed: 7 })).toEqual(await simulate({ seed: 7 }));
  }, 120_000);

  it.each(blocks)(
    '[O1] [O2] [O3] [O4] [O5] [O6] [L2-1] [L3-1] [L3-4] [L3-7] [L5-1] [A-7] [K-14] [K-15] holds for seeds %i and the nine after it',
    async (first) => {
      const reports = [];
      for (let seed = first; seed < first + 10; seed++) reports.push(await simulate({ seed }));
      // A world in which nothing went wrong would prove nothing.
      expect(
        reports.reduce(
          (sum, { deaths }) => sum + deaths.gateway + deaths.owner + deaths.projector + deaths.scheduler,
          0,
        ),
      ).toBeGreaterThan(0);
      expect(reports.reduce((sum, { retried }) => sum + retried, 0)).toBeGreaterThan(0);
    },
    300_000,
  );
});
