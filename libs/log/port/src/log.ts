/** A partition of a topic. */
export type TopicPartition = { readonly topic: string; readonly partition: number };
/** The next offset to read. */
export type Position = TopicPartition & { readonly offset: number };

/** A record as it is appended. Headers are text. A null value erases the key on a compacted topic. */
export type NewRecord = {
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A record as it is read. `timestamp` in milliseconds since the epoch: when the log accepted it (LogAppendTime). */
export type LogRecord = TopicPartition & {
  readonly offset: number;
  readonly timestamp: number;
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
};

/** Records for one partition; they land next to one another, in order, or (a failure) not all of them. */
export type Append = TopicPartition & { readonly records: readonly NewRecord[] };

/** The records of one Append have got the offsets firstOffset, firstOffset + 1, … */
export type Appended = TopicPartition & { readonly firstOffset: number };

/**
 * The append failed or its outcome is not known: its records may have landed whole, in part, not at all, or may still land
 * later. The producer is not used again.
 */
export class AppendFailed extends Error {
  override readonly name = 'AppendFailed';
}

/** A record is larger than the log takes. Nothing of the call has been appended; the producer stays usable. */
export class RecordTooLarge extends Error {
  override readonly name = 'RecordTooLarge';
}

/** A reader asked for offsets that the log no longer has (retention), or that it never had. Never answered by a silent restart. */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
  constructor(
    readonly position: Position,
    readonly start: number,
    readonly end: number,
  ) {
    super(`${position.topic}/${position.partition} holds ${start} to ${end}, asked for ${position.offset}`);
  }
}

/** Appends, acknowledged only once durable. Never retries by itself; after AppendFailed throw it away and make another. */
export interface Producer {
  /** One request for all: every Append acknowledged, or AppendFailed. Throws RecordTooLarge before anything is sent. */
  append(appends: readonly Append[]): Promise<readonly Appended[]>;
  close(): Promise<void>;
}

export type PollLimits = {
  /** At most so many records. */
  readonly records: number;
  /** About so many bytes of values; at least one record is handed out. */
  readonly bytes: number;
  /** Answer [] after so long without a record. */
  readonly waitMs: number;
};

/**
 * Follows partitions from given offsets, several at a time. Records of a partition come in offset order without gaps or
 * repeats; a paused partition holds back its own records only. Everything survives a broker or server that dies and returns:
 * the reader then goes on where it stood. Not safe for concurrent polls.
 */
export interface Reader {
  /** Starts to follow, or seeks: records handed out from here on start at this offset. */
  follow(position: Position): void;
  unfollow(partition: TopicPartition): void;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** Whatever waits in the partitions followed and not paused. Throws OffsetOutOfRange. */
  poll(limits: PollLimits): Promise<readonly LogRecord[]>;
  close(): Promise<void>;
}

/** What holds the truth: topics of partitions of records. Adapters: in memory, Postgres, Kafka; one contract suite. */
export interface Log {
  /** One producer a partition owner; each is thrown away after an error. */
  producer(): Promise<Producer>;
  reader(): Promise<Reader>;
  /** Reads without following: up to `records` from `offset`. Throws OffsetOutOfRange. */
  read(position: Position, records: number): Promise<readonly LogRecord[]>;
  /** The first offset still held. */
  start(partition: TopicPartition): Promise<number>;
  /** The offset that the next record will get. */
  end(partition: TopicPartition): Promise<number>;
  /** How many partitions the topic has; throws if there is no such topic. */
  partitions(topic: string): Promise<number>;
  close(): Promise<void>;
}

/** What a topic has to be like; made and verified by `kungfu topics` (engine.md §2). */
export type TopicSettings = {
  readonly topic: string;
  readonly partitions: number;
  readonly time: 'LogAppendTime' | 'CreateTime';
  /** Milliseconds; -1: for ever. */
  readonly retentionMs: number;
  readonly compacted: boolean;
};

/** Makes topics, verifies those that exist and refuses to start over one with other settings. */
export interface TopicAdmin {
  /** Idempotent. Throws TopicMismatch naming every difference; changes nothing of a topic that exists. */
  ensure(topics: readonly TopicSettings[]): Promise<void>;
}

export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
}
