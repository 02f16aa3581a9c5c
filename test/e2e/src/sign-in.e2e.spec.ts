import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAgent, type SecondGateway, type System, startSecondGateway, startStandalone, until } from './index.ts';
import { expectRefused } from './requests/refused.ts';
import { allFacts } from './truth/facts.ts';

const startMsMax = 120_000;
const believedMsMax = 5_000;

describe('signing in', () => {
  let system: System;
  let second: SecondGateway;
  beforeAll(async () => {
    system = await startStandalone({ rateLimits: true });
    second = await startSecondGateway(system);
  }, startMsMax);
  afterAll(async () => {
    await second?.stop();
    await system?.stop();
  }, startMsMax);

  it('with a key that was revoked on one gateway is refused there at once, and on the other as soon', async () => {
    const { id, secret, client } = await makeAgent(system);
    const there = second.anyone.as(secret);
    const { items } = { items: (await system.administration.read(`/admin/v1/agents/${id}`)).keys };
    expect([(await client.get('/v1/me')).status, (await there.get('/v1/me')).status]).toEqual([200, 200]);
    await system.administration.act('agent.revoke-key', id, { key: items[0].key });
    expectRefused(await client.get('/v1/me'), 'unauthenticated');
    const refused = await until('the other gateway to refuse the key', believedMsMax, async () => {
      const answer = await there.get('/v1/me');
      return answer.status === 401 ? answer : undefined;
    });
    expectRefused(refused, 'unauthenticated');
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  it('with another key of the same agent goes on, through any gateway', async () => {
    const { id } = await makeAgent(system);
    const { secret } = await second.administration.act('agent.issue-key', id, {});
    expect(await system.anyone.as(secret).read('/v1/me')).toMatchObject({ agent: id, state: 'active' });
  });

  it('[L4-4] is weighed by rates that all gateways share', async () => {
    const { secret, client } = await makeAgent(system);
    const there = second.anyone.as(secret);
    const limit = (await client.read('/v1/me')).rates['failed-joins'].limit;
    const join = (door: typeof there) => door.attempt('thread.join', undefined, { secret: 'kfg_wrong' });
    for (let i = 0; i < limit; i++) expectRefused(await join(i % 2 === 0 ? client : there), 'grant_invalid');
    for (const door of [client, there]) expectRefused(await join(door), 'rate_limited');
  });

  it('[L1-3] [A-8] leaves of every act of the administration a fact that names it', async () => {
    const { id } = await makeAgent(system, ['first']);
    await system.administration.act('agent.set-labels', id, { labels: ['second'] });
    const log = await system.openLog();
    const facts = await allFacts(log);
    await log.close();
    const acts = facts.filter(({ fact }) => fact.object.id === id).map(({ fact }) => fact.cause);
    expect(acts).toMatchObject([
      { kind: 'action', agent: 'administration', action: 'agent.create' },
      { kind: 'action', agent: 'administration', action: 'agent.set-labels' },
    ]);
  });
});
