import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionName, actionCatalogue, actionNames } from '@kungfu/protocol';
import { type Client, type Done, doneOf, type System, startSecondGateway, startStandalone } from './index.ts';
import { cases, type Ready } from './replay/cases.ts';
import { Hall } from './replay/hall.ts';
import { expectRefused } from './requests/refused.ts';
import { allFacts } from './truth/facts.ts';
import { loggedErrors } from './truth/output.ts';

const startMsMax = 120_000;
const catalogue = actionCatalogue();

/** A request that has succeeded, and what it was answered. */
type Sent = { readonly name: ActionName; readonly key: string; readonly ready: Ready<ActionName>; readonly done: Done };

/** Every action of the catalogue, asked for again in every way there is (L3). */
describe('a replay', () => {
  let system: System;
  let hall: Hall;
  const sent: Sent[] = [];

  beforeAll(async () => {
    system = await startStandalone({
      rateLimits: true,
      limits: { actionsPerMinute: 100_000, creationsPerHour: 100_000 },
    });
    hall = await Hall.open(system);
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  const readyFor = (name: ActionName): Promise<Ready<ActionName>> => cases[name](hall) as Promise<Ready<ActionName>>;

  /** The same request again: the same bytes, told to be a replay, and no secret in it. */
  const expectReplayed = async ({ name, key, ready, done }: Sent, client: Client = ready.client): Promise<void> => {
    const again = doneOf(name, await client.settle(name, ready.on, ready.input, key));
    expect([name, again.receiptText, again.replayed, again.secret]).toEqual([name, done.receiptText, true, undefined]);
  };

  describe.each(actionNames)('of %s', (name) => {
    let one: Sent;

    it('[L3-1] [L3-3] gives the receipt byte for byte, at once and after the object has changed', async () => {
      const ready = await readyFor(name);
      const key = randomUUID();
      const done = await ready.client.settled(name, ready.on, ready.input, key);
      one = { name, key, ready, done };
      sent.push(one);
      expect(done.replayed).toBe(false);
      await expectReplayed(one);
      await ready.change();
      await expectReplayed(one);
    }, 60_000);

    it('[L3-4] carries the fingerprint of a secret, which only the first success told', () => {
      const { secret } = catalogue[name];
      expect([name, one.done.secret !== undefined]).toEqual([name, secret]);
      expect([name, one.done.receipt.secretFingerprint !== undefined]).toEqual([name, secret]);
    });

    it('[L3-2] is none of another request or another object under the same key, which is refused without effect', async () => {
      const { ready, key } = one;
      const { on, input } = ready.other;
      expectRefused(await ready.client.settle(name, on, input, key), 'idempotency_conflict');
      await expectReplayed(one);
    });

    it('[L3-7] [L5-1] gives two in parallel one effect, equal receipts and one secret', async () => {
      const ready = await readyFor(name);
      const key = randomUUID();
      const both = await Promise.all([1, 2].map(() => ready.client.settled(name, ready.on, ready.input, key)));
      const [first, second] = both as [Done, Done];
      expect(first.receiptText).toBe(second.receiptText);
      expect(both.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(both.filter(({ secret }) => secret !== undefined)).toHaveLength(catalogue[name].secret ? 1 : 0);
      sent.push({ name, key, ready, done: first });
    }, 60_000);
  });

  it('[L3-5] is none after a refusal: the same request under its key succeeds once it can', async () => {
    const memory = await hall.memory();
    const { client } = hall.ada;
    const key = randomUUID();
    await client.act('memory.publish', memory, {});
    expectRefused(await client.settle('memory.publish', memory, {}, key), 'no_effect');
    await client.act('memory.unpublish', memory, {});
    const done = await client.settled('memory.publish', memory, {}, key);
    expect([done.replayed, done.receipt.action]).toEqual([false, 'memory.publish']);
  });

  it('[V-12] stands in the reads of its own agent, and in nobody else’s', async () => {
    for (const { name, key, ready, done } of sent.filter(({ name }) => catalogue[name].door === 'agents')) {
      const path = `/v1/receipts/${key}?action=${name}`;
      expect((await ready.client.get(path)).text).toBe(`{"receipt":${done.receiptText}}`);
      const other = ready.client === hall.ada.client ? hall.bob.client : hall.ada.client;
      expectRefused(await other.get(path), 'not_found');
    }
  });

  it('[L3-1] [L3-6] is the same on another gateway, where the agents are over every rate', async () => {
    const second = await startSecondGateway(system, { actionsPerMinute: 1, creationsPerHour: 1 });
    const { anyone, administration } = second;
    try {
      const there = ({ ready }: Sent): Client => {
        if (ready.client === system.administration) return administration;
        return anyone.as(ready.client === hall.ada.client ? hall.ada.secret : hall.bob.secret);
      };
      for (const { secret } of [hall.ada, hall.bob]) {
        const fresh = await anyone.as(secret).attempt('memory.create', undefined, { content: { body: 'b' } });
        expectRefused(fresh, 'rate_limited');
        expect(fresh.json.retryAfter).toBeGreaterThan(0);
      }
      for (const one of sent) await expectReplayed(one, there(one));
    } finally {
      await second.stop();
    }
  }, 120_000);

  it('[L3-1] is the same after kill -9 and a new start', async () => {
    await system.kill('standalone');
    await system.start('standalone');
    for (const one of sent) await expectReplayed(one);
  }, 120_000);

  it('[L3-6] is the same when the agent has been deactivated', async () => {
    for (const { id } of [hall.ada, hall.bob]) await system.administration.settled('agent.deactivate', id, {});
    const fresh = await hall.ada.client.settle('memory.create', undefined, { content: { body: 'b' } });
    expectRefused(fresh, 'agent_inactive');
    for (const one of sent) await expectReplayed(one);
  }, 120_000);

  it('[L2-1] [L3-7] has left one fact a request, and no error in the logs', async () => {
    const log = await system.openLog();
    const facts = await allFacts(log);
    await log.close();
    const bindings = facts.flatMap(({ fact }) => (fact.cause.kind === 'action' ? [fact.cause.binding] : []));
    expect(bindings.length).toBeGreaterThan(sent.length);
    expect(new Set(bindings).size).toBe(bindings.length);
    expect(await loggedErrors(system)).toEqual([]);
  });
});
