import { type Append, type Appended, AppendFailed, type Producer } from '@kungfu/log-port';
import kafkajs, { type Producer as KafkajsProducer } from 'kafkajs';
import { type PartitionBatch, type Round, roundsOf } from './batches.ts';
import { clientFor, type KafkaAddress, type KafkaTrouble, kafkaLimits } from './settings.ts';

export type ProducerEvents = {
  readonly trouble: (trouble: KafkaTrouble) => void;
  /** Nothing is held any more. */
  readonly closed: (producer: KafkaProducer) => void;
};

/** Appends over connections of its own, acknowledged by all in-sync replicas; never repeats a request. */
export class KafkaProducer implements Producer {
  readonly #producer: KafkajsProducer;
  readonly #events: ProducerEvents;
  #failure: unknown;
  #closing: Promise<void> | undefined;

  constructor(address: KafkaAddress, events: ProducerEvents) {
    this.#events = events;
    this.#producer = clientFor(address).producer({
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: false,
      metadataMaxAge: kafkaLimits.metadataAgeMsMax,
      retry: { retries: 0 },
    });
  }

  async connect(): Promise<void> {
    await this.#producer.connect();
  }

  async append(appends: readonly Append[]): Promise<readonly Appended[]> {
    if (this.#failure !== undefined)
      throw new AppendFailed('this producer has failed before', { cause: this.#failure });
    const rounds = roundsOf(appends, kafkaLimits.messageBytesMax);
    try {
      return await this.#send(appends, rounds);
    } catch (error) {
      this.#failure ??= error;
      void this.close();
      throw error instanceof AppendFailed
        ? error
        : new AppendFailed('the append failed or its outcome is not known', { cause: error });
    }
  }

  /** Also when it has failed: safe to repeat. */
  close(): Promise<void> {
    this.#failure ??= new Error('closed');
    this.#closing ??= this.#disconnect();
    return this.#closing;
  }

  async #send(appends: readonly Append[], rounds: readonly Round[]): Promise<readonly Appended[]> {
    const firstOffsets = new Map<number, number>();
    for (const round of rounds) {
      const baseOffsets = await this.#sendRound(round);
      for (const batch of round) noteOffsets(batch, baseOffsets, firstOffsets);
    }
    return appends.map(({ topic, partition }, i) => ({ topic, partition, firstOffset: firstOffsets.get(i) ?? -1 }));
  }

  /** One request a leader, in all one call. Answers where each batch begins. */
  async #sendRound(round: Round): Promise<ReadonlyMap<string, number>> {
    const topicMessages = round.map(({ topic, partition, pieces }) => ({
      topic,
      messages: pieces.flatMap(({ records }) =>
        records.map(({ key, value, headers }) => ({
          key,
          partition,
          value: value === null ? null : bufferOf(value),
          headers: { ...headers },
        })),
      ),
    }));
    const sent = this.#producer.sendBatch({ acks: -1, timeout: kafkaLimits.requestMs, topicMessages });
    const answers = await within(kafkaLimits.requestMs, sent);
    return new Map(
      answers.map(({ topicName, partition, baseOffset }) => [`${topicName}/${partition}`, Number(baseOffset)]),
    );
  }

  async #disconnect(): Promise<void> {
    try {
      await this.#producer.disconnect();
    } catch (reason) {
      this.#events.trouble({ what: 'producer not closed', reason });
    }
    this.#events.closed(this);
  }
}

/** Notes where each append begins. One that went out in parts has to have landed in one piece. */
const noteOffsets = (
  { topic, partition, pieces }: PartitionBatch,
  baseOffsets: ReadonlyMap<string, number>,
  firstOffsets: Map<number, number>,
): void => {
  const base = baseOffsets.get(`${topic}/${partition}`);
  if (base === undefined || !(base >= 0)) throw new AppendFailed(`${topic}/${partition} was not acknowledged`);
  let offset = base;
  for (const { append, first, records } of pieces) {
    const firstOffset = firstOffsets.get(append) ?? offset - first;
    if (firstOffset + first !== offset)
      throw new AppendFailed(`another record landed between those of an append to ${topic}/${partition}`);
    firstOffsets.set(append, firstOffset);
    offset += records.length;
  }
};

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** The outcome of a send, or a failure after so long: kafkajs may itself only have begun to reconnect. */
const within = async <T>(ms: number, sending: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppendFailed(`no acknowledgement after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
};
