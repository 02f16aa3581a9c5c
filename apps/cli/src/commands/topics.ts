import { createKafkaTopicAdmin } from '@kungfu/log-kafka';
import { createPostgresLog } from '@kungfu/log-postgres';
import { topicSettings } from '@kungfu/protocol';
import { brokersOf, type Config } from '@kungfu/service';
import { Command } from 'commander';
import { configOf, withPlatform } from '../settings.ts';
import { show, table } from '../show.ts';

/** Makes and verifies topics; refuses to go on over one with other settings (engine.md §2). Safe to repeat. */
export const topicsCommand = (): Command =>
  new Command('topics')
    .description('make the topics that are missing and verify all; changes nothing of a topic that exists')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = configOf(command);
      const topics = topicSettings({ partitions: config.KUNGFU_PARTITIONS, akep: config.KUNGFU_AKEP });
      await ensure(config, command);
      const kept = (ms: number): string => (ms === -1 ? 'for ever' : `${ms / 86_400_000} days`);
      const rows = topics.map(({ topic, partitions, time, retentionMs, compacted }) => [
        topic,
        String(partitions),
        time,
        kept(retentionMs),
        compacted ? 'yes' : 'no',
      ]);
      show(options, topics, table(['topic', 'partitions', 'time', 'kept', 'compacted'], rows));
    });

const ensure = async (config: Config, command: Command): Promise<void> => {
  const topics = topicSettings({ partitions: config.KUNGFU_PARTITIONS, akep: config.KUNGFU_AKEP });
  switch (config.KUNGFU_LOG) {
    case 'kafka':
      return createKafkaTopicAdmin({
        brokers: brokersOf(config),
        clientId: 'kungfu-topics',
        replication: config.KUNGFU_REPLICATION,
      }).ensure(topics);
    case 'postgres':
      return withPlatform(command, async ({ pool }) => {
        const log = await createPostgresLog({ pool });
        await log.ensure(topics);
        await log.close();
      });
  }
};
