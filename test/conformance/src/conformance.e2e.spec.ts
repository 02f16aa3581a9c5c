import { expect, it } from '@jest/globals';
import { startStandalone } from '@kungfu/e2e';
import { check, failuresOf, options, runMsMax } from './testing/check.ts';

it(
  '[C-1] the black-box program finds nothing wrong with the standalone, on the Postgres log',
  async () => {
    const system = await startStandalone(options);
    try {
      const statement = await check(system);
      expect(failuresOf(statement)).toEqual([]);
      expect([statement.notRun, statement.unmet]).toEqual([0, []]);
      expect(statement.profiles).toContain('Full');
    } finally {
      await system.stop();
    }
  },
  2 * runMsMax,
);
