import { type Append, type NewRecord, RecordTooLarge } from '@kungfu/log-port';

/** Consecutive records of one Append that are sent together. */
export type Piece = { readonly append: number; readonly first: number; readonly records: readonly NewRecord[] };
/** What one request holds for one partition: one Kafka batch. */
export type PartitionBatch = { readonly topic: string; readonly partition: number; readonly pieces: readonly Piece[] };
/** What is sent in one request, everything acknowledged before the next. */
export type Round = readonly PartitionBatch[];

const headerBytes = 61;
const recordBytes = 35;
const recordHeaderBytes = 10;
const utf8 = (text: string): number => Buffer.byteLength(text);

/** At most so many bytes in a batch: its key, value and headers, and more than their lengths, times and counts take. */
export const bytesOf = ({ key, value, headers }: NewRecord): number => {
  let bytes = recordBytes + utf8(key) + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers ?? {})) bytes += recordHeaderBytes + utf8(name) + utf8(text);
  return bytes;
};

/**
 * Lays out appends as requests: one, unless the records of a partition are together larger than a batch may be. Kafka bounds
 * batches, not records. Throws RecordTooLarge for a record that fits no batch.
 */
export const roundsOf = (appends: readonly Append[], batchBytesMax: number): readonly Round[] => {
  const rounds: PartitionBatch[][] = [];
  for (const [name, ofPartition] of byPartition(appends)) {
    for (const [round, batch] of batchesOf(name, ofPartition, batchBytesMax).entries()) {
      rounds[round] ??= [];
      rounds[round].push(batch);
    }
  }
  return rounds;
};

type Numbered = Append & { readonly append: number };

const byPartition = (appends: readonly Append[]): ReadonlyMap<string, readonly Numbered[]> => {
  const grouped = new Map<string, Numbered[]>();
  for (const [append, one] of appends.entries()) {
    const name = `${one.topic}/${one.partition}`;
    const group = grouped.get(name);
    if (group === undefined) grouped.set(name, [{ ...one, append }]);
    else group.push({ ...one, append });
  }
  return grouped;
};

/** Fills one batch after the other with the records of one partition. */
const batchesOf = (name: string, appends: readonly Numbered[], batchBytesMax: number): readonly PartitionBatch[] => {
  const batches: {
    topic: string;
    partition: number;
    pieces: { append: number; first: number; records: NewRecord[] }[];
  }[] = [];
  let left = 0;
  for (const { append, topic, partition, records } of appends) {
    for (const [first, record] of records.entries()) {
      const bytes = bytesOf(record);
      if (headerBytes + bytes > batchBytesMax)
        throw new RecordTooLarge(`a record for ${name} takes ${bytes} bytes of ${batchBytesMax}`);
      if (bytes > left) {
        batches.push({ topic, partition, pieces: [] });
        left = batchBytesMax - headerBytes;
      }
      left -= bytes;
      const { pieces } = batches.at(-1)!;
      const piece = pieces.at(-1);
      if (piece?.append === append) piece.records.push(record);
      else pieces.push({ append, first, records: [record] });
    }
  }
  return batches;
};
