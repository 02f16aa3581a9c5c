import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultLimits, type Limits } from '@kungfu/protocol';
import { type System, startStandalone } from './index.ts';
import { LimitHall, limitCases, small } from './limits/cases.ts';
import { loggedErrors } from './truth/output.ts';

const startMsMax = 120_000;

/** Every limit of contract.md at n and at n + 1, set small. */
describe('the limit', () => {
  let system: System;
  let hall: LimitHall;
  beforeAll(async () => {
    system = await startStandalone({ rateLimits: true, limits: small });
    hall = new LimitHall(system);
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  it.each(Object.keys(defaultLimits) as (keyof Limits)[])(
    '[L4-4] [O-7] %s bounds, and refuses one beyond with no effect',
    async (name) => limitCases[name](hall),
    60_000,
  );

  it('[L4-4] is served', async () => {
    expect((await system.anyone.read('/v1')).limits).toEqual(small);
  });

  it('logs no error in all of this', async () => {
    expect(await loggedErrors(system)).toEqual([]);
  });
});
