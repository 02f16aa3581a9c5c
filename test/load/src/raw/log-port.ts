import type { Append, Log, LogRecord, NewRecord, Position, Producer, Reader } from '@kungfu/log-port';
import type { Parcel, RawLog, RawTopic } from './pipeline.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();
const poll = { records: 2_000, bytes: 1_048_576, waitMs: 250 };

/** Any log behind our port: the Postgres log, which has no other client than ours. */
export class RawLogPort implements RawLog {
  readonly #log: Log;
  readonly #partitions: number;
  readonly #producers = new Map<RawTopic, Promise<Producer>>();
  readonly #following: Promise<void>[] = [];
  readonly #readers: Reader[] = [];
  readonly #closeDriver: () => Promise<void>;
  #closed = false;

  /** The two topics exist, with so many partitions each. `closeDriver` is called last. */
  constructor(log: Log, partitions: number, closeDriver: () => Promise<void>) {
    this.#closeDriver = closeDriver;
    this.#log = log;
    this.#partitions = partitions;
  }

  async append(topic: RawTopic, parcels: readonly Parcel[]): Promise<void> {
    const producer = this.#producers.get(topic) ?? this.#log.producer();
    this.#producers.set(topic, producer);
    const appends = Map.groupBy(parcels, ({ partition }) => partition);
    await (await producer).append(
      [...appends].map(([partition, some]): Append => ({ topic, partition, records: some.map(recordOf) })),
    );
  }

  async follow(topic: RawTopic, receive: (parcels: readonly Parcel[]) => void): Promise<void> {
    const reader = await this.#log.reader();
    this.#readers.push(reader);
    for (let partition = 0; partition < this.#partitions; partition++) reader.follow(await this.#end(topic, partition));
    this.#following.push(this.#read(reader, receive));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#following);
    for (const reader of this.#readers) await reader.close();
    for (const producer of this.#producers.values()) await (await producer).close();
    await this.#log.close();
    await this.#closeDriver();
  }

  async #end(topic: RawTopic, partition: number): Promise<Position> {
    return { topic, partition, offset: await this.#log.end({ topic, partition }) };
  }

  async #read(reader: Reader, receive: (parcels: readonly Parcel[]) => void): Promise<void> {
    while (!this.#closed) receive((await reader.poll(poll)).map(parcelOf));
  }
}

const recordOf = ({ id, text: value }: Parcel): NewRecord => ({ key: id, value: utf8.encode(value) });
const parcelOf = ({ key, partition, value }: LogRecord): Parcel => ({
  id: key,
  partition,
  text: text.decode(value ?? undefined),
});
