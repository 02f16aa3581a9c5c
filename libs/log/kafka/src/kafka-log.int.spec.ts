import { afterAll, describe, expect, it } from '@jest/globals';
import { type LogSetup, logContract } from '@kungfu/log-contract';
import { type NewRecord, partitionOf, type TopicSettings } from '@kungfu/log-port';
import kafkajs from 'kafkajs';
import { createKafkaLog, type KafkaLog } from './kafka-log.ts';
import { clientFor, kafkaLimits } from './settings.ts';
import { kafkaForTests, ownKafkaForTests, whyNoOwnKafka } from './testing/index.ts';
import { createKafkaTopicAdmin } from './topics.ts';

const kafka = await kafkaForTests();
const address = { brokers: 'skip' in kafka ? [] : kafka.brokers, clientId: 'spec' };

const contractSetup = (brokers: readonly string[]): Pick<LogSetup, 'open' | 'recordBytesMax'> => {
  const at = { brokers, clientId: 'contract' };
  const admin = createKafkaTopicAdmin({ ...at, replication: 1 });
  return {
    recordBytesMax: kafkaLimits.messageBytesMax,
    open: async (topics) => {
      await admin.ensure(topics);
      return { log: await createKafkaLog({ ...at, topics: topics.map(({ topic }) => topic) }), admin };
    },
  };
};

if (whyNoOwnKafka() === undefined) {
  logContract('Kafka', async () => {
    const own = await ownKafkaForTests();
    const restart = async (): Promise<void> => {
      await own.kill();
      await own.revive();
    };
    return { ...contractSetup(own.brokers), restart, close: own.stop };
  });
} else if (!('skip' in kafka)) {
  logContract('Kafka', async () => ({ ...contractSetup(kafka.brokers), close: async () => {} }));
}

('skip' in kafka ? describe.skip : describe)('the log on Kafka', () => {
  const logs: KafkaLog[] = [];
  const open = async (settings: Partial<TopicSettings> = {}): Promise<{ topic: string; log: KafkaLog }> => {
    const topic = `spec.${Math.random().toString(36).slice(2, 10)}`;
    const whole: TopicSettings = {
      topic,
      partitions: 8,
      time: 'LogAppendTime',
      retentionMs: -1,
      compacted: false,
      ...settings,
    };
    await createKafkaTopicAdmin({ ...address, replication: 1 }).ensure([whole]);
    const log = await createKafkaLog({ ...address, topics: [topic] });
    logs.push(log);
    return { topic, log };
  };
  const record = (key: string, bytes = 1): NewRecord => ({ key, value: new Uint8Array(bytes) });

  afterAll(async () => {
    await Promise.all(logs.map((log) => log.close()));
    if (!('skip' in kafka)) await kafka.stop();
  });

  it('places records where any Kafka client does: murmur2 of the key', async () => {
    const { topic, log } = await open();
    const keys = [
      'thread_01',
      'memory_ä☃',
      '',
      'a',
      'ab',
      'abc',
      'abcd',
      'ключ',
      ...Array.from({ length: 50 }, (_, i) => `agent_${i * i}`),
    ];
    const producer = clientFor(address).producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    await producer.connect();
    await producer.send({ topic, messages: keys.map((key) => ({ key: Buffer.from(key), value: 'x' })) });
    await producer.disconnect();
    const found = new Map<string, number>();
    for (let partition = 0; partition < 8; partition++) {
      for (const { key } of await log.read({ topic, partition, offset: 0 }, 100)) found.set(key, partition);
    }
    expect(found).toEqual(new Map(keys.map((key) => [key, partitionOf(key, 8)])));
  });

  it('fails a position below what is still kept, and serves the others', async () => {
    const { topic, log } = await open();
    const producer = await log.producer();
    for (const partition of [0, 1])
      await producer.append([{ topic, partition, records: [record('a'), record('b'), record('c')] }]);
    const reader = await log.reader();
    const admin = clientFor(address).admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '2' }] });
    await admin.disconnect();
    expect(await log.start({ topic, partition: 0 })).toBe(2);
    await expect(log.read({ topic, partition: 0, offset: 1 }, 1)).rejects.toThrow(
      `${topic}/0 holds 2 to 3, asked for 1`,
    );
    reader.follow({ topic, partition: 0, offset: 1 });
    await expect(reader.poll({ records: 1, bytes: 1, waitMs: 20_000 })).rejects.toThrow(
      `${topic}/0 holds 2 to 3, asked for 1`,
    );
    reader.follow({ topic, partition: 1, offset: 2 });
    reader.follow({ topic, partition: 0, offset: 2 });
    const offsets: string[] = [];
    while (offsets.length < 2) {
      for (const { partition, offset } of await reader.poll({ records: 10, bytes: 100, waitMs: 20_000 }))
        offsets.push(`${partition}/${offset}`);
    }
    expect(offsets.sort()).toEqual(['0/2', '1/2']);
  });

  it('sends an append larger than a batch in several, in one piece', async () => {
    const { topic, log } = await open();
    const producer = await log.producer();
    await producer.append([{ topic, partition: 3, records: [record('first')] }]);
    const large = Array.from({ length: 5 }, (_, i) => record(`large${i}`, 2_000_000));
    const appended = await producer.append([
      { topic, partition: 3, records: large },
      { topic, partition: 4, records: [record('elsewhere')] },
      { topic, partition: 3, records: [record('last')] },
    ]);
    expect(appended.map(({ firstOffset }) => firstOffset)).toEqual([1, 0, 6]);
    const keys = (await log.read({ topic, partition: 3, offset: 0 }, 10)).map(({ key }) => key);
    expect(keys).toEqual(['first', 'large0', 'large1', 'large2', 'large3', 'large4', 'last']);
  });

  it('goes on behind records that a transaction has left', async () => {
    const { topic, log } = await open();
    const reader = await log.reader();
    reader.follow({ topic, partition: 0, offset: 0 });
    const foreign = clientFor(address).producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 });
    await foreign.connect();
    const transaction = await foreign.transaction();
    await transaction.send({ topic, messages: [{ key: 'a', value: 'x', partition: 0 }] });
    await transaction.commit();
    await foreign.disconnect();
    while ((await log.end({ topic, partition: 0 })) < 2) await new Promise((resolve) => setTimeout(resolve, 20)); // the marker
    const producer = await log.producer();
    await producer.append([{ topic, partition: 0, records: [record('b')] }]);
    const seen: (string | number)[] = [];
    while (seen.length < 4) {
      for (const { key, offset } of await reader.poll({ records: 10, bytes: 100, waitMs: 20_000 }))
        seen.push(key, offset);
    }
    expect(seen).toEqual(['a', 0, 'b', 2]);
    // Begun at the marker itself, which is no record.
    reader.follow({ topic, partition: 0, offset: 1 });
    expect((await reader.poll({ records: 10, bytes: 100, waitMs: 20_000 })).map(({ offset }) => offset)).toEqual([2]);
  });

  it('bounds what waits to be polled, and hands out everything all the same', async () => {
    const { topic, log } = await open();
    const producer = await log.producer();
    const count = 40;
    for (let i = 0; i < count; i++)
      await producer.append([{ topic, partition: 0, records: [record(`${i}`, 500_000)] }]);
    const reader = await log.reader();
    reader.follow({ topic, partition: 0, offset: 0 });
    const offsets: number[] = [];
    while (offsets.length < count) {
      for (const { offset } of await reader.poll({ records: 3, bytes: 10_000_000, waitMs: 20_000 }))
        offsets.push(offset);
    }
    expect(offsets).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('fails a partition that does not exist, and a log over a topic that does not exist', async () => {
    const { topic, log } = await open();
    const reader = await log.reader();
    reader.follow({ topic, partition: 8, offset: 0 });
    await expect(reader.poll({ records: 1, bytes: 1, waitMs: 20_000 })).rejects.toThrow(
      `there is no partition ${topic}/8`,
    );
    await expect(createKafkaLog({ ...address, topics: [`${topic}.none`] })).rejects.toThrow(
      `there is no topic ${topic}.none`,
    );
  });
});
