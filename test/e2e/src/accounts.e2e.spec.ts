import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAgent, type System, startStandalone, type TestAgent } from './index.ts';
import { expectRefused } from './requests/refused.ts';
import { allFacts } from './truth/facts.ts';
import { loggedErrors } from './truth/output.ts';

const startMsMax = 120_000;
const id = (agent: TestAgent) => agent.id as `agent_${string}`;

describe('the deactivation of an agent', () => {
  let system: System;
  beforeAll(async () => {
    system = await startStandalone();
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  /** A thread of Ada's in which Bob speaks. */
  const shared = async (ada: TestAgent, bob: TestAgent): Promise<string> => {
    const { receipt, secret } = await ada.client.act('thread.create', undefined, { grant: {} });
    await bob.client.act('thread.join', undefined, { secret: String(secret) });
    return receipt.object;
  };

  it('[A-3] [A-4] [A-8] ends its memberships with what hangs on them, erases nothing, and activation revives nothing', async () => {
    const [ada, bob] = [await makeAgent(system), await makeAgent(system)];
    const threads = [await shared(ada, bob), await shared(ada, bob), await shared(ada, bob)];
    const assign = { to: id(bob), content: { wanted: 'w', criteria: 'c' } };
    for (const thread of threads) {
      await ada.client.act('thread.post', thread, { content: { body: 'Asked.' }, ask: [id(bob)] });
      await ada.client.act('thread.post', thread, { content: { body: 'Assigned.' }, ask: [], assign });
      await bob.client.act('assignment.take', thread, { assignment: 1 });
    }
    const key = 'before-the-end';
    const before = await bob.client.act('thread.post', threads[0]!, { content: { body: 'Still here.' }, ask: [] }, key);
    expect((await bob.client.read('/v1/turn')).items).toHaveLength(6);

    await system.administration.settled('agent.deactivate', bob.id, {});
    expect((await bob.client.read('/v1/turn')).items).toEqual([]);
    expect(await bob.client.read('/v1/me')).toMatchObject({ state: 'deactivated' });
    for (const thread of threads) {
      expect(
        (await ada.client.read(`/v1/threads/${thread}/members`)).items.map(({ agent }: { agent: string }) => agent),
      ).toEqual([ada.id]);
      expect((await ada.client.read(`/v1/threads/${thread}/assignments/1`)).status).toBe('voided');
      expectRefused(await bob.client.get(`/v1/threads/${thread}`), 'not_found');
    }
    expect(await ada.client.read(`/v1/threads/${threads[0]}/entries/3`)).toMatchObject({
      author: bob.id,
      content: { body: 'Still here.' },
    });
    expectRefused(await bob.client.attempt('memory.create', undefined, { content: { body: 'x' } }), 'agent_inactive');
    expectRefused(
      await ada.client.attempt('thread.post', threads[0]!, { content: { body: 'x' }, ask: [id(bob)] }),
      'invalid_target',
    );
    const replay = await bob.client.act('thread.post', threads[0]!, { content: { body: 'Still here.' }, ask: [] }, key);
    expect(replay).toMatchObject({ receiptText: before.receiptText, replayed: true });

    await system.administration.settled('agent.activate', bob.id, {});
    expect((await bob.client.read('/v1/turn')).items).toEqual([]);
    expect((await bob.client.read('/v1/threads?mine=true')).items).toEqual([]);
    await bob.client.act('memory.create', undefined, { content: { body: 'Back.' } });
  });

  it('[A-6] closes a thread that is left without a governor, for all members', async () => {
    const [ada, bob] = [await makeAgent(system), await makeAgent(system)];
    const thread = await shared(ada, bob);
    await ada.client.act('thread.post', thread, { content: { body: 'Asked.' }, ask: [id(bob)] });
    await system.administration.settled('agent.deactivate', ada.id, {});
    expect(await bob.client.read(`/v1/threads/${thread}`)).toMatchObject({ status: 'closed', role: 'speaker' });
    expect((await bob.client.read('/v1/turn')).items).toEqual([]);
    expectRefused(await bob.client.attempt('thread.post', thread, { content: { body: 'x' } }), 'thread_closed');
  });

  it('[A-7] leaves nothing on it, whoever is just asking, assigning or admitting it', async () => {
    const bob = await makeAgent(system);
    const adas = await Promise.all(Array.from({ length: 8 }, () => makeAgent(system)));
    const threads = await Promise.all(adas.map((ada) => shared(ada, bob)));
    const admissions = await Promise.all(
      adas.map((ada, n) => ada.client.act('thread.create', undefined, { content: { title: `${n}` }, grant: {} })),
    );
    const assign = { to: id(bob), content: { wanted: 'w', criteria: 'c' } };
    let over = false;
    // Each goes on until the deactivation has been answered, so that some of it is always under way.
    const race = adas.map(async (ada, n) => {
      for (let round = 0; !over && round < 200; round++) {
        const content = { body: `Round ${round}.` };
        await ada.client.settle(
          'thread.post',
          threads[n]!,
          round % 2 === 0 ? { content, ask: [id(bob)] } : { content, ask: [], assign },
        );
      }
    });
    const own = admissions.map(async ({ secret }, n) => {
      await bob.client.settle('thread.join', undefined, { secret: String(secret) });
      for (let assignment = 1; !over && assignment < 50; assignment++)
        await bob.client.settle('assignment.take', threads[n]!, { assignment });
    });
    await system.administration.settled('agent.deactivate', bob.id, {});
    over = true;
    await Promise.all([...race, ...own]);

    expect((await bob.client.read('/v1/turn')).items).toEqual([]);
    expect((await bob.client.read('/v1/threads?mine=true')).items).toEqual([]);
    for (const [n, ada] of adas.entries()) {
      const { items } = await ada.client.read('/v1/waiting?limit=100');
      expect(items.filter(({ holder }: { holder: string }) => holder === bob.id)).toEqual([]);
      const { items: taken } = await ada.client.read(`/v1/threads/${threads[n]}/assignments?status=taken`);
      expect(taken).toEqual([]);
    }
    const log = await system.openLog();
    const facts = await allFacts(log);
    await log.close();
    for (const partition of Map.groupBy(facts, ({ topic, partition: number }) => `${topic}/${number}`).values()) {
      const end = partition.findIndex(({ fact }) =>
        fact.effects.some((effect) => effect.type === 'account.inactive' && effect.agent === bob.id),
      );
      const after =
        end < 0
          ? []
          : partition.slice(end + 1).filter(({ fact }) => fact.cause.kind === 'action' && fact.cause.agent === bob.id);
      expect(after).toEqual([]);
    }
  }, 60_000);

  it('logs no error in all of this', async () => {
    expect(await loggedErrors(system)).toEqual([]);
  });
});
