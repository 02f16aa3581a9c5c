import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { makeAgent, type System, startStandalone, type TestAgent } from './index.ts';
import { connect } from './mcp/connect.ts';
import { Driver } from './mcp/driver.ts';

const startMsMax = 120_000;
const words = { content: { body: 'Words.' } };
const contract = { content: { wanted: 'The sum of 1 and 1.', criteria: 'It is right.' } };
const delivery = { delivery: { content: { payload: { sum: 2 } } } };

describe('an agent that has lost everything but its key', () => {
  let system: System;
  let [ada, bob]: TestAgent[] = [];
  let client: Client | undefined;
  beforeAll(async () => {
    system = await startStandalone();
    [ada, bob] = [await makeAgent(system), await makeAgent(system)];
  }, startMsMax);
  afterAll(async () => {
    await client?.close();
    await system?.stop();
  }, startMsMax);

  /** Ada owes a response, two deliveries, two judgments, and what an offered assignment asks of her. */
  const prepared = async (): Promise<readonly string[]> => {
    const { receipt: made, secret } = await bob!.client.act('thread.create', undefined, { grant: {} });
    const thread = made.object;
    await ada!.client.act('thread.join', undefined, { secret: String(secret) });
    const post = (by: TestAgent, input: object) =>
      by.client.act('thread.post', thread, { ...words, ...input } as never);
    const assigned = async (by: TestAgent, to: TestAgent) => {
      const { receipt } = await post(by, { ask: [], assign: { to: to.id, ...contract } });
      return { assignment: receipt.assignment!, ref: `${thread}/assignments/${receipt.assignment}` };
    };
    const asked = await post(bob!, { ask: [ada!.id] });
    const mine = await assigned(bob!, ada!);
    await ada!.client.act('assignment.take', thread, { assignment: mine.assignment });
    const yours = await assigned(ada!, bob!);
    await bob!.client.act('assignment.take', thread, { assignment: yours.assignment, ...delivery } as never);
    const engaged = async (author: TestAgent, by: TestAgent, more: object) => {
      const { receipt } = await author.client.act('task.create', undefined, contract);
      return (await by.client.act('task.take', receipt.object, more as never)).receipt.ref;
    };
    const taken = await engaged(bob!, ada!, {});
    const delivered = await engaged(ada!, bob!, delivery);
    return [
      `respond ${asked.receipt.ref}`,
      `deliver ${mine.ref}`,
      `judge ${yours.ref}`,
      `deliver ${taken}`,
      `judge ${delivered}`,
    ];
  };

  it('[O-1] [O-4] [O-6] [C-5] does all that it owes through MCP, by references, next steps and schemas alone', async () => {
    const owed = await prepared();
    const turn = async () =>
      (await ada!.client.read('/v1/turn')).items.map(
        ({ obligation, ref }: { obligation: string; ref: string }) => `${obligation} ${ref}`,
      );
    expect([...(await turn())].sort()).toEqual([...owed].sort());
    client = await connect(`${system.anyone.origin}/mcp`, ada!.secret);
    const driver = new Driver(client);
    await driver.recover(20);
    expect(await turn()).toEqual([]);
    expect(driver.done.map((one) => one.split(':')[0])).toEqual(owed.map((one) => one.split(' ')[0]));
    const waiting = (await bob!.client.read('/v1/turn')).items;
    expect(waiting.map(({ obligation }: { obligation: string }) => obligation).sort()).toEqual([
      'judge',
      'judge',
      'respond',
    ]);
  });
});
