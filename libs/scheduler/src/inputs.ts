import { AppendFailed, type Log, type Producer, type TopicPartition } from '@kungfu/log-port';
import { actionsTopic, encodeInput, type Input, type KindName } from '@kungfu/protocol';

/** Appends inputs that are safe to repeat, many in one request; a producer that failed is replaced by the next call. */
export class Inputs {
  readonly #log: Log;
  readonly #partitions = new Map<string, number>();
  #producer: Producer | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Number of partitions of a kind. Throws if there is no such topic. */
  async partitions(kind: KindName): Promise<number> {
    const topic = actionsTopic(kind);
    const known = this.#partitions.get(topic);
    if (known !== undefined) return known;
    const partitions = await this.#log.partitions(topic);
    this.#partitions.set(topic, partitions);
    return partitions;
  }

  /** Throws AppendFailed: they may have landed or not, and are to be sent again. */
  async append(
    inputs: readonly { readonly kind: KindName; readonly partition: number; readonly input: Input }[],
  ): Promise<void> {
    if (inputs.length === 0) return;
    const appends = new Map<string, TopicPartition & { records: ReturnType<typeof encodeInput>[] }>();
    for (const { kind, partition, input } of inputs) {
      const place = { topic: actionsTopic(kind), partition };
      const name = `${place.topic}/${partition}`;
      const append = appends.get(name) ?? { ...place, records: [] };
      append.records.push(encodeInput(input));
      appends.set(name, append);
    }
    this.#producer ??= await this.#log.producer();
    const producer = this.#producer;
    try {
      await producer.append([...appends.values()]);
    } catch (error) {
      if (error instanceof AppendFailed) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.close();
  }
}
