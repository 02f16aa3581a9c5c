import type { Log, NewRecord, Producer, TopicPartition } from '@kungfu/log-port';
import { type ActionInput, actionsTopic, contentTopic, encodeInput, type KindName } from '@kungfu/protocol';
import { partitionOf } from '@kungfu/log-port';
import { Batcher } from './batcher.ts';
import type { WrittenContent } from './identity.ts';

/** Where the next record of a content partition will lie: what an action refers to lies before. */
export type ContentPosition = { readonly partition: number; readonly next: number };
type Located = { readonly at: TopicPartition; readonly record: NewRecord };

/**
 * Appends what the gateway has to append: content first, then the action that refers to it (engine.md §4.5). Whatever waits
 * goes into one request; each append is sent once and never again. Throws AppendFailed: then nobody knows what landed.
 */
export class Appender {
  readonly #log: Log;
  readonly #partitions = new Map<string, number>();
  readonly #producers = new Set<Producer>();
  readonly #contents: Batcher<readonly Located[], readonly ContentPosition[]>;
  readonly #actions: Batcher<readonly Located[], readonly ContentPosition[]>;

  constructor(log: Log) {
    this.#log = log;
    this.#contents = this.#appending();
    this.#actions = this.#appending();
  }

  get waiting(): number {
    return this.#contents.waiting + this.#actions.waiting;
  }

  /** Resolves when the contents are in the log: with a position a partition, for the action that refers to them. */
  async contents(contents: readonly WrittenContent[]): Promise<readonly ContentPosition[]> {
    if (contents.length === 0) return [];
    const partitions = await this.#count(contentTopic);
    const located = contents.map(({ ref, value }) => ({
      at: { topic: contentTopic, partition: partitionOf(ref.id, partitions) },
      record: { key: ref.id, value },
    }));
    return this.#contents.do(located);
  }

  /** Resolves when the action is in the log. */
  async action(kind: KindName, action: ActionInput): Promise<void> {
    const topic = actionsTopic(kind);
    const at = { topic, partition: partitionOf(action.object, await this.#count(topic)) };
    await this.#actions.do([{ at, record: encodeInput(action) }]);
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

  #appending(): Batcher<readonly Located[], readonly ContentPosition[]> {
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
const newest = (positions: readonly ContentPosition[]): readonly ContentPosition[] => {
  const furthest = new Map<number, number>();
  for (const { partition, next } of positions) furthest.set(partition, Math.max(next, furthest.get(partition) ?? 0));
  return [...furthest].map(([partition, next]) => ({ partition, next }));
};
