import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type System, startStandalone } from '@kungfu/e2e';
import { allCases } from './cases/index.ts';
import { Service } from './client.ts';
import { runAll } from './runner.ts';
import { options } from './testing/check.ts';
import { tamperedDoor, tamperings } from './testing/tampering.ts';

describe('a service that does something wrong', () => {
  let system: System;
  beforeAll(async () => {
    system = await startStandalone(options);
  }, 120_000);
  afterAll(() => system?.stop(), 60_000);

  /** How often each status came of the quick cases of a rule. */
  const failed = async (rule: string, url: string): Promise<number> => {
    const where = { url, adminUrl: system.administration.origin, adminToken: system.adminToken };
    const cases = allCases.filter(({ rules, deadline }) => rules.includes(rule) && deadline !== true);
    const results = await runAll(new Service(where), cases, { deadlines: false, told: () => {} });
    return results.filter(({ status }) => status === 'failed').length;
  };

  it('[C-1] is not seen in one that is passed through as it is', async () => {
    const door = await tamperedDoor(system.anyone.origin, {});
    for (const rule of ['L3-2', 'O-3', 'L2-3']) expect([rule, await failed(rule, door.url)]).toEqual([rule, 0]);
    await door.close();
  }, 60_000);

  it.each(tamperings)(
    '[C-1] is seen: %s fails when it %s',
    async (rule, _, how) => {
      const door = await tamperedDoor(system.anyone.origin, how);
      expect(await failed(rule, door.url)).toBeGreaterThan(0);
      await door.close();
    },
    60_000,
  );
});
