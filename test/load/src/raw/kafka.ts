import net from 'node:net';
import kafkajs, { type Consumer, type ISocketFactoryArgs, type Kafka, type Producer } from 'kafkajs';
import type { Parcel, RawLog, RawTopic } from './pipeline.ts';
import { rawTopics } from './pipeline.ts';

const followMsMax = 30_000;

/** As kafkajs's own, but a request goes out at once instead of waiting for more bytes. */
const socketFactory = ({ host, port, onConnect }: ISocketFactoryArgs): net.Socket =>
  net.connect({ host, port }, onConnect).setNoDelay(true).setKeepAlive(true, 60_000);

/** Kafka as kafkajs offers it, without anything of ours between. */
export class RawKafka implements RawLog {
  readonly #kafka: Kafka;
  readonly #producers = new Map<RawTopic, Producer>();
  readonly #consumers: Consumer[] = [];
  readonly #group: string;

  private constructor(kafka: Kafka, group: string) {
    this.#kafka = kafka;
    this.#group = group;
  }

  /** Makes the two topics afresh and connects. `run` names this run among others on the same broker. */
  static async open(brokers: readonly string[], partitions: number, run: string): Promise<RawKafka> {
    const kafka = new kafkajs.Kafka({
      clientId: run,
      brokers: [...brokers],
      socketFactory,
      logLevel: kafkajs.logLevel.ERROR,
    });
    const raw = new RawKafka(kafka, run);
    const admin = kafka.admin();
    await admin.connect();
    const topics = rawTopics.map((topic) => ({ topic: raw.#nameOf(topic), numPartitions: partitions }));
    await admin.createTopics({ topics, waitForLeaders: true });
    await admin.disconnect();
    for (const topic of rawTopics) {
      const producer = kafka.producer({
        createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
        retry: { retries: 0 },
      });
      await producer.connect();
      raw.#producers.set(topic, producer);
    }
    return raw;
  }

  async append(topic: RawTopic, parcels: readonly Parcel[]): Promise<void> {
    const messages = parcels.map(({ id, partition, text }) => ({ key: id, value: text, partition }));
    await this.#producers.get(topic)!.send({ topic: this.#nameOf(topic), acks: -1, messages });
  }

  async follow(topic: RawTopic, receive: (parcels: readonly Parcel[]) => void): Promise<void> {
    const consumer = this.#kafka.consumer({
      groupId: this.#nameOf(topic),
      maxWaitTimeInMs: 250,
      sessionTimeout: 60_000,
    });
    this.#consumers.push(consumer);
    await consumer.connect();
    await consumer.subscribe({ topic: this.#nameOf(topic), fromBeginning: true });
    const joined = new Promise<void>((done, failed) => {
      const late = setTimeout(() => failed(new Error(`${topic} has not been joined in time`)), followMsMax);
      consumer.on(consumer.events.GROUP_JOIN, () => {
        clearTimeout(late);
        done();
      });
    });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 64,
      eachBatch: async ({ batch, resolveOffset }) => {
        receive(
          batch.messages.map(({ key, value }) => ({
            id: String(key),
            partition: batch.partition,
            text: String(value),
          })),
        );
        resolveOffset(batch.lastOffset());
      },
    });
    await joined;
  }

  async close(): Promise<void> {
    for (const consumer of this.#consumers) await consumer.disconnect();
    for (const producer of this.#producers.values()) await producer.disconnect();
  }

  #nameOf(topic: RawTopic): string {
    return `${this.#group}.${topic}`;
  }
}
