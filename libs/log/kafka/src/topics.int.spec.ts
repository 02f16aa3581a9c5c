import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TopicMismatch, type TopicSettings } from '@kungfu/log-port';
import kafkajs, { type Admin } from 'kafkajs';
import { clientFor } from './settings.ts';
import { kafkaForTests } from './testing/index.ts';
import { createKafkaTopicAdmin } from './topics.ts';

/** Why it is refused, once it is: brokers hear of a change after it was made. */
const refusal = async (ask: () => Promise<void>): Promise<string> => {
  for (;;) {
    try {
      await ask();
    } catch (error) {
      return String(error);
    }
  }
};

const kafka = await kafkaForTests();
('skip' in kafka ? describe.skip : describe)('the topics on Kafka', () => {
  const address = { brokers: 'skip' in kafka ? [] : kafka.brokers, clientId: 'topics-spec' };
  const topics = createKafkaTopicAdmin({ ...address, replication: 1 });
  const settingsOf = (change: Partial<TopicSettings> = {}): TopicSettings => ({
    topic: `topics.${Math.random().toString(36).slice(2, 10)}`,
    partitions: 4,
    time: 'LogAppendTime',
    retentionMs: 604_800_000,
    compacted: false,
    ...change,
  });
  let admin: Admin;

  beforeAll(async () => {
    admin = clientFor(address).admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin.disconnect();
    if (!('skip' in kafka)) await kafka.stop();
  });

  it('makes each as engine.md §2 says, and again changes nothing', async () => {
    const actions = settingsOf();
    const facts = settingsOf({ retentionMs: -1, partitions: 2 });
    const content = settingsOf({ retentionMs: -1, time: 'CreateTime', compacted: true });
    await topics.ensure([actions, facts, content]);
    await topics.ensure([actions, facts, content]);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [actions, facts, content].map(({ topic }) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: topic,
      })),
    });
    const names = [
      'message.timestamp.type',
      'retention.ms',
      'retention.bytes',
      'cleanup.policy',
      'max.message.bytes',
      'min.insync.replicas',
      'unclean.leader.election.enable',
    ];
    const found = [actions, facts, content].map(({ topic }) => {
      const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
      return names.map((name) => entries.find(({ configName }) => configName === name)?.configValue);
    });
    expect(found).toEqual([
      ['LogAppendTime', '604800000', '-1', 'delete', '4194304', '1', 'false'],
      ['LogAppendTime', '-1', '-1', 'delete', '4194304', '1', 'false'],
      ['CreateTime', '-1', '-1', 'compact', '4194304', '1', 'false'],
    ]);
  });

  it('names every difference of one that exists, and changes nothing of it', async () => {
    const before = settingsOf();
    await topics.ensure([before]);
    const wanted: TopicSettings = { ...before, partitions: 8, time: 'CreateTime', retentionMs: -1, compacted: true };
    const refused = topics.ensure([wanted]);
    await expect(refused).rejects.toBeInstanceOf(TopicMismatch);
    await expect(refused).rejects.toThrow(
      [
        `${before.topic}: partitions is 4, has to be 8`,
        `${before.topic}: message.timestamp.type is LogAppendTime, has to be CreateTime`,
        `${before.topic}: retention.ms is 604800000, has to be -1`,
        `${before.topic}: cleanup.policy is delete, has to be compact`,
      ].join('; '),
    );
    await topics.ensure([before]);
  });

  it('refuses a setting that somebody has changed since, though the topic does not state it', async () => {
    const settings = settingsOf();
    await topics.ensure([settings]);
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: settings.topic,
          configEntries: [{ name: 'retention.bytes', value: '1000' }],
        },
      ],
    });
    await expect(refusal(() => topics.ensure([settings]))).resolves.toContain('retention.bytes is 1000, has to be -1');
  });

  it('is as good made by several at once', async () => {
    const settings = [settingsOf(), settingsOf()];
    await Promise.all([topics.ensure(settings), topics.ensure(settings), topics.ensure([...settings].reverse())]);
    await topics.ensure(settings);
  });

  it('refuses another number of copies', async () => {
    const settings = settingsOf();
    await topics.ensure([settings]);
    const three = createKafkaTopicAdmin({ ...address, replication: 3 });
    await expect(three.ensure([settings])).rejects.toThrow(
      `${settings.topic}: replication is 1, has to be 3; ${settings.topic}: min.insync.replicas is 1, has to be 2`,
    );
  });
});
