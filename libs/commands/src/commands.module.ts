import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Leases, Log, LogRecord, Random, Timers, TopicPartition } from '@kungfu/log-port';
import { erase, type ErasedKind, InMemoryStore, type OwnerObserver, type Store } from '@kungfu/owner';
import { agentKind, memoryKind, taskKind, threadKind } from '@kungfu/protocol';
import { CLOCK, type Config, CONFIG, LEASES, LOG, LOGGER, RANDOM, TIMERS } from '@kungfu/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LmdbStore } from './lmdb-store.ts';
import { OwnerHost } from './owner-host.ts';

/** The kinds that have a command service. */
export type OwnedKind = 'agent' | 'memory' | 'thread' | 'task';

const kinds: Readonly<Record<OwnedKind, ErasedKind>> = {
  agent: erase(agentKind),
  memory: erase(memoryKind),
  thread: erase(threadKind),
  task: erase(taskKind),
};

/** Injection token of the OwnerHost of a kind. */
export const ownerHostOf = (kind: OwnedKind): string => `kungfu.owner-host.${kind}`;

/** The command service of some kinds: provides an OwnerHost for each, to be started and stopped by the transport. */
@Module({})
export class CommandsModule {
  static register(...names: readonly OwnedKind[]): DynamicModule {
    const providers = names.map((name) => ({
      provide: ownerHostOf(name),
      inject: [LOG, LEASES, CLOCK, TIMERS, RANDOM, LOGGER, CONFIG],
      useFactory: (
        log: Log,
        leases: Leases,
        clock: Clock,
        timers: Timers,
        random: Random,
        logger: Logger,
        config: Config,
      ) =>
        new OwnerHost({
          kind: kinds[name],
          limits: config.KUNGFU_LIMITS,
          log,
          leases,
          clock,
          timers,
          random,
          hash: (bytes) => createHash('sha256').update(bytes).digest('hex'),
          observer: observe(logger.child({ owner: name })),
          openStore: (kind, partition) => openStore(config, kind, partition),
        }),
    }));
    return { module: CommandsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

const openStore = ({ KUNGFU_STORE_DIR }: Config, kind: string, partition: number): Store =>
  KUNGFU_STORE_DIR === undefined ? new InMemoryStore() : new LmdbStore(join(KUNGFU_STORE_DIR, kind, String(partition)));

/** A parked input stands in the log with where it lies in the actions topic, where it is kept for seven days. */
const observe = (logger: Logger): OwnerObserver => ({
  parked: (input: LogRecord, error: unknown) =>
    logger.error(
      { topic: input.topic, partition: input.partition, offset: input.offset, object: input.key, err: error },
      'input parked',
    ),
  alarm: (partition: TopicPartition, error: unknown) =>
    logger.fatal({ ...partition, err: error }, 'partition needs attention'),
  lost: (partition: TopicPartition, reason: unknown) =>
    logger.warn({ ...partition, err: reason }, 'ownership lost, claiming again'),
  decided: (partition, batch) => logger.debug({ ...partition, ...batch }, 'decided'),
});
