import { randomBytes } from 'node:crypto';
import {
  type Log,
  type LogRecord,
  OffsetOutOfRange,
  type Position,
  type Producer,
  type Reader,
  type TopicPartition,
} from '@kungfu/log-port';
import { Consumption } from './consumption.ts';
import type { FeedPorts } from './feed.ts';
import { Feeds } from './feeds.ts';
import { Offsets } from './offsets.ts';
import { KafkaProducer } from './producer.ts';
import { KafkaReader } from './reader.ts';
import { clientFor, type KafkaAddress, type KafkaTrouble, kafkaLimits } from './settings.ts';

export type KafkaLogOptions = KafkaAddress & {
  /** All topics that will ever be read over this log; every one has to exist. */
  readonly topics: readonly string[];
  /** Hears what goes wrong underneath and is mended. */
  readonly trouble?: (trouble: KafkaTrouble) => void;
};

/** The log on Apache Kafka (engine.md §3, kafkajs recipe). */
export class KafkaLog implements Log {
  readonly #address: KafkaAddress;
  readonly #trouble: (trouble: KafkaTrouble) => void;
  readonly #offsets: Offsets;
  readonly #feeds: Feeds;
  /** For reading without following. */
  readonly #lookups: Feeds;
  readonly #readers = new Set<KafkaReader>();
  readonly #producers = new Set<KafkaProducer>();

  constructor(options: KafkaLogOptions, offsets: Offsets, partitions: ReadonlyMap<string, number>) {
    this.#address = options;
    this.#trouble = options.trouble ?? (() => {});
    this.#offsets = offsets;
    const topics = [...partitions.keys()];
    const newGroup = (): string => `${options.clientId}-${randomBytes(8).toString('hex')}`;
    const portsFor = (fetchWaitMs: number): FeedPorts => ({
      partitions,
      offsets,
      trouble: this.#trouble,
      consume: (events) => new Consumption({ address: options, topics, fetchWaitMs, groupId: newGroup() }, events),
    });
    this.#feeds = new Feeds(portsFor(kafkaLimits.fetchWaitMs), kafkaLimits.idleConsumerMs);
    this.#lookups = new Feeds(portsFor(kafkaLimits.readWaitMs), kafkaLimits.idleReadConsumerMs);
  }

  async producer(): Promise<Producer> {
    const producer = new KafkaProducer(this.#address, {
      trouble: this.#trouble,
      closed: (one) => this.#producers.delete(one),
    });
    this.#producers.add(producer);
    try {
      await producer.connect();
    } catch (error) {
      await producer.close();
      throw error;
    }
    return producer;
  }

  async reader(): Promise<Reader> {
    const reader = new KafkaReader(this.#feeds, (one) => this.#readers.delete(one));
    this.#readers.add(reader);
    return reader;
  }

  async read(position: Position, records: number): Promise<readonly LogRecord[]> {
    const { start, end } = await this.#offsets.range(position);
    if (position.offset < start || position.offset > end) throw new OffsetOutOfRange(position, start, end);
    if (position.offset === end || records <= 0) return [];
    const reader = new KafkaReader(this.#lookups, () => {});
    try {
      reader.follow(position);
      return await readUpTo(reader, records, end);
    } finally {
      await reader.close();
    }
  }

  async start(partition: TopicPartition): Promise<number> {
    return (await this.#offsets.range(partition)).start;
  }

  async end(partition: TopicPartition): Promise<number> {
    return (await this.#offsets.range(partition)).end;
  }

  async partitions(topic: string): Promise<number> {
    return this.#offsets.partitions(topic);
  }

  /**
   * Liveness: milliseconds since the brokers last answered a fetch, 0 while nothing is followed. A healthy log answers every
   * 250 ms; much more than 3,000 means that every replacement of the consumer has failed since.
   */
  lastFetchAgeMs(): number {
    return this.#feeds.silentMs();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers].map((reader) => reader.close()));
    const closing = Promise.allSettled([
      this.#feeds.close(),
      this.#lookups.close(),
      this.#offsets.close(),
      ...[...this.#producers].map((producer) => producer.close()),
    ]).then((outcomes) => {
      // Brokers that are away do not keep a service from ending.
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') this.#trouble({ what: 'log not closed', reason: outcome.reason });
    });
    await atMost(kafkaLimits.closeMs, closing);
  }
}

/** Polls until there are so many records, or the last one below `end`. */
const readUpTo = async (reader: Reader, count: number, end: number): Promise<readonly LogRecord[]> => {
  const read: LogRecord[] = [];
  const until = performance.now() + kafkaLimits.readMs;
  while (read.length < count && (read.at(-1)?.offset ?? -1) < end - 1) {
    const waitMs = until - performance.now();
    if (waitMs <= 0) throw new Error(`the brokers did not answer within ${kafkaLimits.readMs} ms`);
    read.push(...(await reader.poll({ records: count - read.length, bytes: Number.POSITIVE_INFINITY, waitMs })));
  }
  return read;
};

/** Waits for something, but no longer than so long: brokers that are gone must not keep a process alive. */
const atMost = async (ms: number, doing: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([doing, over]);
  } finally {
    clearTimeout(timer);
  }
};

/** Connects to the brokers; throws if they cannot be reached or a topic is missing. */
export const createKafkaLog = async (options: KafkaLogOptions): Promise<KafkaLog> => {
  const offsets = new Offsets(clientFor(options));
  try {
    const partitions = new Map<string, number>();
    for (const topic of options.topics) partitions.set(topic, await offsets.partitions(topic));
    return new KafkaLog(options, offsets, partitions);
  } catch (error) {
    await offsets.close();
    throw error;
  }
};
