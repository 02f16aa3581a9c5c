import type { TopicPartition } from '@kungfu/log-port';
import kafkajs, { type Assigner, type Batch, type Consumer, type EachBatchPayload, type KafkaMessage } from 'kafkajs';
import { clientFor, type KafkaAddress, type KafkajsLogEntry, kafkaLimits } from './settings.ts';

/** What kafkajs hands to eachBatch and does not declare. */
export type FetchedBatch = Omit<Batch, 'messages'> & {
  readonly fetchedOffset: string;
  readonly messages: readonly FetchedMessage[];
};
export type FetchedMessage = KafkaMessage & {
  readonly batchContext?: { readonly firstOffset: string; readonly lastOffsetDelta: number };
};

export type ConsumptionOptions = {
  readonly address: KafkaAddress;
  readonly topics: readonly string[];
  /** No other consumer has or had it. */
  readonly groupId: string;
  readonly fetchWaitMs: number;
};

export type ConsumptionEvents = {
  /** It has (again) got all partitions, all of them without a position: place() every one, before the next fetch. */
  joined(partitions: readonly TopicPartition[]): void;
  /** Answers the offset to fetch next, or undefined to leave the position alone. */
  fetched(batch: FetchedBatch): number | undefined;
  /** The log has no such offset as is being fetched; kafkajs is about to go on from the first one it has. */
  outOfRange(partition: TopicPartition): void;
  /** It will fetch nothing any more. Called once, never after retire(). */
  ended(reason: unknown): void;
  /** It could not be closed tidily. */
  notClosed(reason: unknown): void;
};

/** Gives every member everything: there is one member, and kafkajs knows no assignment without a group. */
const everything: (
  topics: readonly string[],
) => (config: { cluster: { findTopicPartitionMetadata(topic: string): { partitionId: number }[] } }) => Assigner =
  (topics) =>
  ({ cluster }) => ({
    name: 'everything',
    version: 0,
    assign: async ({ members }) => {
      const assignment = Object.fromEntries(
        topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)]),
      );
      const memberAssignment = kafkajs.AssignerProtocol.MemberAssignment.encode({
        version: 0,
        assignment,
        userData: Buffer.alloc(0),
      });
      return members.map(({ memberId }) => ({ memberId, memberAssignment }));
    },
    protocol: () => ({
      name: 'everything',
      metadata: kafkajs.AssignerProtocol.MemberMetadata.encode({
        version: 0,
        topics: [...topics],
        userData: Buffer.alloc(0),
      }),
    }),
  });

/**
 * One kafkajs consumer from its start to its end. It is never restarted: after a crash another takes its place, in a group of
 * its own, since the old group waits for the dead member until its session has run out (a minute).
 */
export class Consumption {
  readonly #events: ConsumptionEvents;
  readonly #topics: readonly string[];
  readonly #consumer: Consumer;
  /** When it was made or last joined: from then on a fetch is due. */
  #begun = performance.now();
  /** When each broker last answered a fetch. */
  readonly #fetchedAt = new Map<string, number>();
  #run: Promise<void> | undefined;
  #over = false;
  #joined = false;

  constructor({ address, topics, groupId, fetchWaitMs }: ConsumptionOptions, events: ConsumptionEvents) {
    this.#events = events;
    this.#topics = topics;
    const client = clientFor(address, (entry) => this.#heard(entry));
    this.#consumer = client.consumer({
      groupId,
      partitionAssigners: [everything(topics) as never],
      sessionTimeout: kafkaLimits.sessionMs,
      rebalanceTimeout: kafkaLimits.rebalanceMs,
      heartbeatInterval: kafkaLimits.heartbeatMs,
      maxWaitTimeInMs: fetchWaitMs,
      maxBytesPerPartition: kafkaLimits.fetchBytesPerPartition,
      metadataMaxAge: kafkaLimits.metadataAgeMsMax,
      allowAutoTopicCreation: false,
      readUncommitted: true,
      retry: { restartOnFailure: async () => false },
    });
    this.#listen();
  }

  /** Connects and joins in the background. */
  start(): void {
    this.#run = this.#start();
  }

  /** Fetches no more for anyone; resolves when it has left and is closed. */
  async retire(): Promise<void> {
    this.#over = true;
    // Closed while it is joining, kafkajs would forget the consumer and let it run on.
    await this.#run;
    try {
      await this.#consumer.disconnect();
    } catch (error) {
      this.#events.notClosed(error);
    }
  }

  /** Milliseconds since the broker that has been silent the longest answered a fetch, or since the start. */
  silentMs(): number {
    const oldest = this.#fetchedAt.size === 0 ? this.#begun : Math.min(...this.#fetchedAt.values());
    return performance.now() - oldest;
  }

  get fetching(): boolean {
    return this.#fetchedAt.size > 0;
  }

  /** Fetches from here (or on from where it is), or not at all. Without effect until joined(), which asks for everything again. */
  place({ topic, partition }: TopicPartition, fetch: boolean, offset?: number): void {
    if (!this.#joined || this.#over) return;
    try {
      if (offset !== undefined) this.#consumer.seek({ topic, partition, offset: String(offset) });
      if (fetch) this.#consumer.resume([{ topic, partitions: [partition] }]);
      else this.#consumer.pause([{ topic, partitions: [partition] }]);
    } catch (error) {
      // It is crashing; whatever takes its place is told everything anew.
      if (!(error instanceof kafkajs.KafkaJSNonRetriableError)) throw error;
    }
  }

  async #start(): Promise<void> {
    try {
      await this.#consumer.connect();
      await this.#consumer.subscribe({ topics: [...this.#topics], fromBeginning: true });
      await this.#consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.#eachBatch(payload),
      });
    } catch (error) {
      this.#end(error);
    }
  }

  #listen(): void {
    const { GROUP_JOIN, FETCH_START, FETCH, CRASH } = this.#consumer.events;
    // Called within the join, before the first fetch.
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      this.#fetchedAt.clear();
      this.#begun = performance.now();
      this.#joined = true;
      if (this.#over) return;
      this.#events.joined(
        Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
          partitions.map((partition) => ({ topic, partition })),
        ),
      );
    });
    this.#consumer.on(FETCH_START, ({ payload }) => {
      const node = String(payload.nodeId);
      if (!this.#fetchedAt.has(node)) this.#fetchedAt.set(node, performance.now());
    });
    this.#consumer.on(FETCH, ({ payload }) => {
      this.#fetchedAt.set(String((payload as { nodeId?: unknown }).nodeId), performance.now());
    });
    this.#consumer.on(CRASH, ({ payload }) => this.#end(payload.error));
  }

  async #eachBatch({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    if (this.#over || !isRunning() || isStale()) return;
    const next = this.#events.fetched(batch as unknown as FetchedBatch);
    if (next !== undefined) resolveOffset(String(next - 1));
  }

  #heard({ message, topic, partition }: KafkajsLogEntry): void {
    if (this.#over || !message.startsWith('Offset out of range')) return;
    this.#events.outOfRange({ topic: String(topic), partition: Number(partition) });
  }

  #end(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#joined = false;
    this.#events.ended(reason);
  }
}
