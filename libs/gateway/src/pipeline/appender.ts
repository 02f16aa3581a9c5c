import type { Log, NewRecord, Producer, TopicPartition } from '@kungfu/log-port';
import { type ActionInput, actionsTopic, contentTopic, encodeInput, type KindName } from '@kungfu/protocol';
import { partitionOf } from '@kungfu/log-port';
import { Batcher } from './batcher.ts';
import type { WrittenContent } from './identity.ts';

type Located = { readonly at: TopicPartition; readonly record: NewRecord };

/**
 * Appends what the gateway has to append: content first, then the action that refers to it (engine.md §4.5). Whatever waits
 * goes into one request; each append is sent once and never again. Throws AppendFailed: then nobody knows what landed.
 */
export class Appender {
  readonly #log: Log;
  readonly #partitions = new Map<string, number>();
  readonly #producers = new Set<Producer>();
  readonly #contents: Batcher<readonly Located[], readonly { partition: number; next: number }[]>;
  readonly #actions: Batcher<readonly Located[], readonly { partition: number; next: number }[]>;

  constructor(log: Log) {
    this.#log = log;
    this.#contents = this.#appending();
    this.#actions = this.#appending();
  }

  get waiting(): number {
    return this.#contents.waiting + this.#actions.waiting;
  }

  /** Resolves when the action is in the log, and its content before it. */
  async append(kind: KindName, action: ActionInput, contents: readonly WrittenContent[]): Promise<void> {
    const partitions = await this.#count(contentTopic);
    const located = contents.map(({ ref, value }) => ({
      at: { topic: contentTopic, partition: partitionOf(ref.id, partitions) },
      record: { key: ref.id, value },
    }));
    const content = located.length === 0 ? undefined : await this.#contents.do(located);
    const topic = actionsTopic(kind);
    const at = { topic, partition: partitionOf(action.object, await this.#count(topic)) };
    const record = encodeInput(content === undefined ? action : { ...action, content: [...content] });
    await this.#actions.do([{ at, record }]);
  }

  /** Closes the producers; only once nothing is appended any more. */
  async close(): Promise<void> {
    const open = [...this.#producers];
    this.#producers.clear();
    await Promise.all(open.map((producer) => producer.close()));
  }

  async #count(topic: string): Promise<number> {
    const known = this.#partitions.get(topic) ?? (await this.#log.partitions(topic));
    this.#partitions.set(topic, known);
    return known;
  }

  #appending(): Batcher<readonly Located[], readonly { partition: number; next: number }[]> {
    let producer: Producer | undefined;
    return new Batcher(async (items) => {
      producer ??= await this.#log.producer();
      this.#producers.add(producer);
      const groups = new Map<string, { at: TopicPartition; records: NewRecord[] }>();
      const places = items.map((located) => located.map(({ at, record }) => place(groups, at, record)));
      try {
        const appended = await producer.append([...groups.values()].map(({ at, records }) => ({ ...at, records })));
        const first = new Map(
          appended.map(({ topic, partition, firstOffset }) => [`${topic}/${partition}`, firstOffset]),
        );
        return places.map((own) =>
          newest(own.map(({ group, index, partition }) => ({ partition, next: first.get(group)! + index + 1 }))),
        );
      } catch (error) {
        const broken = producer;
        producer = undefined;
        this.#producers.delete(broken);
        await broken.close();
        throw error;
      }
    });
  }
}

type Place = { readonly group: string; readonly index: number; readonly partition: number };

const place = (
  groups: Map<string, { at: TopicPartition; records: NewRecord[] }>,
  at: TopicPartition,
  record: NewRecord,
): Place => {
  const name = `${at.topic}/${at.partition}`;
  const group = groups.get(name) ?? { at, records: [] };
  groups.set(name, group);
  group.records.push(record);
  return { group: name, index: group.records.length - 1, partition: at.partition };
};

/** One position a partition: the furthest. */
const newest = (
  positions: readonly { partition: number; next: number }[],
): readonly { partition: number; next: number }[] => {
  const furthest = new Map<number, number>();
  for (const { partition, next } of positions) furthest.set(partition, Math.max(next, furthest.get(partition) ?? 0));
  return [...furthest].map(([partition, next]) => ({ partition, next }));
};
