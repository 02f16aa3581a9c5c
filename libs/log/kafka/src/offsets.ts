import type { TopicPartition } from '@kungfu/log-port';
import type { Admin, Kafka } from 'kafkajs';

export type Range = { readonly start: number; readonly end: number };

const attemptsMax = 3;
const pauseMs = 300;

/** Asks the brokers which topics, partitions and offsets there are. A connection that failed is thrown away. */
export class Offsets {
  readonly #client: Kafka;
  readonly #counts = new Map<string, number>();
  #admin: Promise<Admin> | undefined;

  constructor(client: Kafka) {
    this.#client = client;
  }

  /** How many partitions a topic has; throws if there is no such topic. Asked once: it never changes (engine.md §2). */
  async partitions(topic: string): Promise<number> {
    const known = this.#counts.get(topic);
    if (known !== undefined) return known;
    const names = await this.#ask((admin) => admin.listTopics());
    if (!names.includes(topic)) throw new Error(`there is no topic ${topic}`);
    const { topics } = await this.#ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    const count = topics[0]!.partitions.length;
    this.#counts.set(topic, count);
    return count;
  }

  /** First offset held and next offset given of every partition, as of some moment within the call. */
  async ranges(topic: string): Promise<ReadonlyMap<number, Range>> {
    await this.partitions(topic);
    const offsets = await this.#ask((admin) => admin.fetchTopicOffsets(topic));
    return new Map(offsets.map(({ partition, low, high }) => [partition, { start: Number(low), end: Number(high) }]));
  }

  async range({ topic, partition }: TopicPartition): Promise<Range> {
    const range = (await this.ranges(topic)).get(partition);
    if (range === undefined) throw new Error(`the topic ${topic} has no partition ${partition}`);
    return range;
  }

  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = undefined;
    await (await admin)?.disconnect();
  }

  /** Asks again, over a new connection, a few times: brokers restart and partitions move. */
  async #ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      this.#admin ??= this.#connect();
      const admin = this.#admin;
      try {
        return await question(await admin);
      } catch (error) {
        if (this.#admin === admin) this.#admin = undefined;
        void closed(admin);
        if (attempt === attemptsMax) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  async #connect(): Promise<Admin> {
    const admin = this.#client.admin();
    await admin.connect();
    return admin;
  }
}

/** Closes a connection that has failed, if it came to be; that it cannot be closed tidily says nothing new. */
const closed = async (connecting: Promise<Admin>): Promise<void> => {
  const [connected] = await Promise.allSettled([connecting]);
  if (connected.status === 'fulfilled') await Promise.allSettled([connected.value.disconnect()]);
};
