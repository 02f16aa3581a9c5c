import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppendFailed, type Producer, type TopicSettings } from '@kungfu/log-port';
import { createKafkaLog, type KafkaLog } from './kafka-log.ts';
import { type OwnKafka, ownKafkaForTests, whyNoOwnKafka } from './testing/index.ts';
import { createKafkaTopicAdmin } from './topics.ts';

const partitions = 3;
const settingsOf = (topic: string): TopicSettings => ({
  topic,
  partitions,
  time: 'LogAppendTime',
  retentionMs: -1,
  compacted: false,
});
const patienceMs = 120_000;

/** Waits for something that has to come; how fast is no matter of a test's. */
const until = async (what: string, isSo: () => boolean): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** Appends a record after the other, with a new producer after each failure, and follows all of them. */
class Traffic {
  /** `partition/offset` and key of every record acknowledged, and of every record read. */
  readonly acknowledged = new Map<string, string>();
  readonly seen = new Map<string, string>();
  readonly failures: unknown[] = [];
  readonly disorder: string[] = [];
  readonly #log: KafkaLog;
  readonly #topic: string;
  #appending = true;
  #following = true;
  #loops: readonly Promise<void>[] = [];

  constructor(log: KafkaLog, topic: string) {
    this.#log = log;
    this.#topic = topic;
  }

  start(): void {
    this.#loops = [this.#append(), this.#follow()];
  }

  /** Appends no more; resolves when all that was acknowledged has been read. */
  async stop(): Promise<void> {
    this.#appending = false;
    await this.#loops[0];
    await until('all read', () => [...this.acknowledged.keys()].every((place) => this.seen.has(place)));
    this.#following = false;
    await this.#loops[1];
  }

  /** Resolves when something has been acknowledged from here on, and has been read. */
  async flows(): Promise<void> {
    const before = this.acknowledged.size;
    await until('another record acknowledged', () => this.acknowledged.size > before);
    const newest = [...this.acknowledged.keys()].at(-1)!;
    await until(`${newest} read`, () => this.seen.has(newest));
  }

  async #append(): Promise<void> {
    let producer: Producer | undefined;
    for (let n = 0; this.#appending; n++) {
      try {
        producer ??= await this.#log.producer();
        const record = { key: `${n}`, value: new Uint8Array(100) };
        const [appended] = await producer.append([
          { topic: this.#topic, partition: n % partitions, records: [record] },
        ]);
        this.acknowledged.set(`${n % partitions}/${appended!.firstOffset}`, `${n}`);
      } catch (error) {
        if (producer !== undefined) this.failures.push(error);
        await producer?.close();
        producer = undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await producer?.close();
  }

  async #follow(): Promise<void> {
    const reader = await this.#log.reader();
    const next = Array.from({ length: partitions }, () => 0);
    for (let partition = 0; partition < partitions; partition++)
      reader.follow({ topic: this.#topic, partition, offset: 0 });
    while (this.#following) {
      for (const { partition, offset, key } of await reader.poll({ records: 100, bytes: 1_000_000, waitMs: 100 })) {
        if (offset !== next[partition]) this.disorder.push(`${partition}: ${offset} came for ${next[partition]}`);
        next[partition] = offset + 1;
        this.seen.set(`${partition}/${offset}`, key);
      }
    }
    await reader.close();
  }
}

/** Under traffic, kills one node after the other, each time for longer, and starts it again. */
const killInTurn = async (
  traffic: Traffic,
  kafka: OwnKafka,
  nodes: 1 | 3,
  absencesMs: readonly number[],
): Promise<void> => {
  traffic.start();
  await traffic.flows();
  for (const [round, absenceMs] of absencesMs.entries()) {
    const node = (round % nodes) + 1;
    await kafka.kill(node);
    await new Promise((resolve) => setTimeout(resolve, absenceMs));
    if (nodes === 3) await traffic.flows(); // two are enough
    await kafka.revive(node);
    await traffic.flows();
  }
  await traffic.stop();
};

const expectNothingLost = (traffic: Traffic): void => {
  expect(traffic.disorder).toEqual([]);
  expect(traffic.failures.filter((failure) => !(failure instanceof AppendFailed))).toEqual([]);
  expect([...traffic.acknowledged].filter(([place, key]) => traffic.seen.get(place) !== key)).toEqual([]);
};

const describeWithKafka = whyNoOwnKafka() === undefined ? describe : describe.skip;

describeWithKafka('one broker', () => {
  let kafka: OwnKafka;
  const openLog = async (topic: string): Promise<KafkaLog> => {
    const address = { brokers: kafka.brokers, clientId: 'restart' };
    await createKafkaTopicAdmin({ ...address, replication: 1 }).ensure([settingsOf(topic)]);
    return createKafkaLog({ ...address, topics: [topic] });
  };

  beforeAll(async () => {
    kafka = await ownKafkaForTests();
  }, patienceMs);
  beforeEach(() => kafka.revive(), patienceMs); // a test that failed may have left it dead
  afterAll(() => kafka.stop(), 60_000);

  it('killed and started again, loses nothing acknowledged, repeats nothing to a reader, and all flows again', async () => {
    const log = await openLog('restarts');
    const traffic = new Traffic(log, 'restarts');
    await killInTurn(traffic, kafka, 1, [0, 500, 3_000]);
    expectNothingLost(traffic);
    await log.close();
  }, 300_000);

  it('gone, fails the producer for good, shows the silence of its reader, and the log closes all the same', async () => {
    const topic = `gone.${Date.now()}`; // tried again, it begins with nothing
    const log = await openLog(topic);
    const producer = await log.producer();
    const append = () => producer.append([{ topic, partition: 0, records: [{ key: 'k', value: null }] }]);
    await append();
    expect(log.lastFetchAgeMs()).toBe(0);
    const reader = await log.reader();
    reader.follow({ topic, partition: 0, offset: 0 });
    expect(await reader.poll({ records: 1, bytes: 1, waitMs: patienceMs })).toHaveLength(1);
    await kafka.kill();
    await expect(append()).rejects.toBeInstanceOf(AppendFailed);
    await expect(append()).rejects.toThrow('this producer has failed before');
    await expect(log.producer()).rejects.toThrow();
    await expect(log.end({ topic, partition: 0 })).rejects.toThrow();
    await until('seen to be silent', () => log.lastFetchAgeMs() > 5_000);
    expect(await reader.poll({ records: 1, bytes: 1, waitMs: 0 })).toEqual([]);
    await kafka.revive();
    await until('heard again', () => log.lastFetchAgeMs() < 1_000);
    await expect(append()).rejects.toThrow('this producer has failed before');
    await kafka.kill();
    await log.close();
  }, 180_000);
});

describeWithKafka('a cluster of three', () => {
  let kafka: OwnKafka;

  beforeAll(async () => {
    kafka = await ownKafkaForTests(3);
  }, patienceMs);
  afterAll(() => kafka.stop(), 60_000);

  it('of which one after the other is killed and started again, loses nothing and goes on with two', async () => {
    const topic = 'cluster';
    const address = { brokers: kafka.brokers, clientId: 'cluster' };
    await createKafkaTopicAdmin({ ...address, replication: 3 }).ensure([settingsOf(topic)]);
    const log = await createKafkaLog({ ...address, topics: [topic] });
    const traffic = new Traffic(log, topic);
    await killInTurn(traffic, kafka, 3, [0, 0]);
    expectNothingLost(traffic);
    await log.close();
  }, 300_000);
});
