import { type TopicAdmin, TopicMismatch, type TopicSettings } from '@kungfu/log-port';
import kafkajs, { type Admin } from 'kafkajs';
import { clientFor, type KafkaAddress, kafkaLimits } from './settings.ts';

export type KafkaTopicAdminOptions = KafkaAddress & {
  /** Copies of every partition: 3 in production, 1 on a single broker. */
  readonly replication: number;
};

/** Makes and verifies topics (engine.md §2). Connects for each call, so there is nothing to close. */
export const createKafkaTopicAdmin = (options: KafkaTopicAdminOptions): TopicAdmin => ({
  ensure: async (topics) => {
    const admin = clientFor(options).admin();
    await admin.connect();
    try {
      await make(admin, topics, options.replication);
      await verify(admin, topics, options.replication);
    } finally {
      await admin.disconnect();
    }
  },
});

/** The settings that a topic states, as Kafka writes them. */
const configOf = (
  { time, retentionMs, compacted }: TopicSettings,
  replication: number,
): Readonly<Record<string, string>> => ({
  'message.timestamp.type': time,
  'retention.ms': String(retentionMs),
  'retention.bytes': '-1',
  'cleanup.policy': compacted ? 'compact' : 'delete',
  'max.message.bytes': String(kafkaLimits.messageBytesMax),
  'min.insync.replicas': replication >= 3 ? '2' : '1',
  'unclean.leader.election.enable': 'false',
});

const make = async (admin: Admin, topics: readonly TopicSettings[], replication: number): Promise<void> => {
  const existing = await admin.listTopics();
  const missing = topics.filter(({ topic }) => !existing.includes(topic));
  if (missing.length === 0) return;
  // Answers false for a topic that another has made meanwhile; it is verified like the others.
  for (const settings of missing) {
    const { topic, partitions } = settings;
    const configEntries = Object.entries(configOf(settings, replication)).map(([name, value]) => ({ name, value }));
    await admin.createTopics({
      topics: [{ topic, numPartitions: partitions, replicationFactor: replication, configEntries }],
      // kafkajs's own waiting throws when the broker it asks has not heard of the topic yet.
      waitForLeaders: false,
    });
  }
  // Until every partition has a leader that answers: a topic that has just been made takes nothing yet.
  for (const { topic } of missing) await onceKnown(() => admin.fetchTopicOffsets(topic));
};

/** Asks until the brokers have heard of a topic that was just made, within topicMs. */
const onceKnown = async <T>(ask: () => Promise<T>): Promise<T> => {
  const until = performance.now() + kafkaLimits.topicMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

const mayPass = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded || (error instanceof kafkajs.KafkaJSError && error.retriable);

const verify = async (admin: Admin, topics: readonly TopicSettings[], replication: number): Promise<void> => {
  const names = topics.map(({ topic }) => topic);
  const { topics: described } = await onceKnown(() => admin.fetchTopicMetadata({ topics: names }));
  const asked = names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name }));
  const { resources } = await onceKnown(() => admin.describeConfigs({ includeSynonyms: false, resources: asked }));
  const differences = topics.flatMap((settings) => {
    const partitions = described.find(({ name }) => name === settings.topic)?.partitions ?? [];
    const config = resources.find(({ resourceName }) => resourceName === settings.topic)?.configEntries ?? [];
    const found = new Map(config.map(({ configName, configValue }) => [configName, configValue]));
    return [
      ...differs(settings.topic, 'partitions', partitions.length, settings.partitions),
      ...[...new Set(partitions.map(({ replicas }) => replicas.length))].flatMap((count) =>
        differs(settings.topic, 'replication', count, replication),
      ),
      ...Object.entries(configOf(settings, replication)).flatMap(([name, wanted]) =>
        differs(settings.topic, name, found.get(name), wanted),
      ),
    ];
  });
  if (differences.length > 0) throw new TopicMismatch(differences.join('; '));
};

const differs = <T extends string | number>(
  topic: string,
  name: string,
  found: T | undefined,
  wanted: T,
): readonly string[] => (found === wanted ? [] : [`${topic}: ${name} is ${found ?? 'not set'}, has to be ${wanted}`]);
