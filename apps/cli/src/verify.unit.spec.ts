import { describe, expect, it } from '@jest/globals';
import { InMemoryLog } from '@kungfu/log-in-memory';
import type { NewRecord } from '@kungfu/log-port';
import {
  type Decided,
  encodeClaim,
  encodeDecided,
  encodeFact,
  type Fact,
  factsTopic,
  kinds,
  topicSettings,
} from '@kungfu/protocol';
import { type Verified, verifyFacts } from './verify.ts';

const clock = { now: () => 1_000 };
const timers = { sleep: async () => {} };
const agent = `agent_${'0'.repeat(26)}` as const;
const topic = factsTopic('agent');
const [first, second] = ['epoch-one', 'epoch-two'];

const claim = (nonce: string): NewRecord =>
  encodeClaim({ nonce, format: 1 }, { kind: 'agent', partition: 0, at: 1_000 });
const placed = (epoch: string, n: number) => ({ kind: 'agent', partition: 0, epoch, n });
const fact = (epoch: string, n: number, revision: number, at = 1_000): NewRecord => {
  const value: Fact = {
    object: { kind: 'agent', id: agent },
    revision,
    at,
    cause: { kind: 'account', agent, walk: 1, change: 'activate' },
    effects: [],
  };
  return encodeFact(value, placed(epoch, n));
};
const decided = (epoch: string, n: number, refused: Decided['refused'] = []): NewRecord =>
  encodeDecided({ upTo: 9, at: 1_000, generation: 0, refused }, placed(epoch, n));

/** What verify says of the only partition of agents. */
const verified = async (...records: readonly NewRecord[]): Promise<Omit<Verified, 'topic' | 'partition'>> => {
  const log = new InMemoryLog({ topics: topicSettings({ partitions: 1 }), clock, timers });
  const producer = await log.producer();
  if (records.length > 0) await producer.append([{ topic, partition: 0, records }]);
  const all: Verified[] = [];
  await verifyFacts(log, kinds, (partition) => all.push(partition));
  expect(all.map((partition) => partition.topic)).toEqual(kinds.map(factsTopic));
  const { topic: _, partition: __, ...found } = all[0]!;
  return found;
};

describe('kungfu verify', () => {
  it('counts what a sound partition holds', async () => {
    expect(
      await verified(
        claim(first),
        fact(first, 2, 1),
        fact(first, 3, 2),
        decided(first, 4),
        claim(second),
        fact(second, 6, 3),
      ),
    ).toEqual({
      records: 6,
      facts: 3,
      decided: 1,
      claims: 2,
      voids: 0,
      failed: [],
      problems: [],
    });
    expect(await verified()).toEqual({
      records: 0,
      facts: 0,
      decided: 0,
      claims: 0,
      voids: 0,
      failed: [],
      problems: [],
    });
  });
  it('[O4] passes what an owner wrote that no longer owned', async () => {
    expect(await verified(claim(first), claim(second), fact(first, 2, 1), fact(second, 3, 1))).toMatchObject({
      facts: 1,
      voids: 1,
      problems: [],
    });
  });
  it('tells of a gap and reads no further, as no reader does', async () => {
    expect(await verified(claim(first), fact(first, 3, 1), fact(first, 4, 2))).toMatchObject({
      facts: 0,
      problems: ['1: number 3 where 2 has to follow'],
    });
  });
  it('tells of a record that cannot be read', async () => {
    const broken = { ...fact(first, 2, 1), value: new TextEncoder().encode('{') };
    expect(await verified(claim(first), broken)).toMatchObject({
      problems: ['1: cannot be read: a record that is no JSON in UTF-8'],
    });
  });
  it('[L1-2] tells of a fact that is missing from its object', async () => {
    expect(await verified(claim(first), fact(first, 2, 1), fact(first, 3, 3))).toMatchObject({
      facts: 2,
      problems: [`2: revision 3 of ${agent}, where 2 has to follow`],
    });
  });
  it('[O5] tells of log time that goes back', async () => {
    expect(await verified(claim(first), fact(first, 2, 1, 2_000), fact(first, 3, 2, 1_999))).toMatchObject({
      problems: ['2: log time 1999 after 2000'],
    });
  });
  it('names the places of parked inputs', async () => {
    const refusal = {
      input: 7,
      action: `action_${'0'.repeat(26)}` as const,
      attempt: 1,
      binding: 'a'.repeat(64),
      notAfter: 1,
    };
    expect(
      await verified(
        claim(first),
        decided(first, 2, [
          { ...refusal, code: 'failed' },
          { ...refusal, input: 8, code: 'not_found' },
        ]),
      ),
    ).toMatchObject({
      failed: ['kungfu.actions.agent/0/7'],
      problems: [],
    });
  });
});
