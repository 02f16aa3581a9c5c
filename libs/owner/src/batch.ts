import type { LogRecord } from '@kungfu/log-port';
import {
  type Chain,
  type DecisionLimits,
  type Encoded,
  encodeDecided,
  encodeFact,
  type Input,
  readEnvelope,
  readInput,
  type Refused,
} from '@kungfu/protocol';
import { type DecidedInput, decideInput, refusal } from './decide-input.ts';
import type { ErasedKind, PartitionState } from './partition-state.ts';

/** A decided batch: its fact records and, last, its decided record. All of it is folded into the state's draft. */
export type Batch = {
  readonly records: readonly Encoded[];
  /** The chain of validity after the last record. */
  readonly chain: Chain;
  /** How many of the records given it covers. */
  readonly inputs: number;
  readonly facts: number;
  readonly refused: number;
};

export type BatchOptions = {
  readonly state: PartitionState;
  readonly kind: ErasedKind;
  readonly limits: DecisionLimits;
  readonly partition: number;
  readonly chain: Chain;
  readonly onParked: (record: LogRecord, error: unknown) => void;
};

/** Facts of one batch in bytes, about: an account walk may go over it, and is split when it is appended. */
const batchBytesMax = 2_097_152;

/** Decides inputs in order. Ends early before and after an account input, which is a batch of its own (engine.md §6). */
export const decideBatch = (inputs: readonly LogRecord[], options: BatchOptions): Batch => {
  const { state, kind, partition } = options;
  const records: Encoded[] = [];
  const refused: Refused[] = [];
  let { epoch, n } = options.chain;
  let bytes = 0;
  let taken = 0;
  for (const record of inputs) {
    const input = readInput(record);
    const alone = input?.kind === 'account';
    if (taken > 0 && (alone || bytes > batchBytesMax)) break;
    taken += 1;
    const result = decideOne(record, input, options);
    if (result.refused !== undefined) refused.push(result.refused);
    for (const fact of result.facts) {
      const encoded = encodeFact(fact, { kind: kind.name, partition, epoch, n: ++n });
      bytes += encoded.value.length;
      records.push(encoded);
    }
    if (alone) break;
  }
  const decided = { upTo: inputs[taken - 1]!.offset + 1, at: state.at, generation: state.generation, refused };
  state.foldDecided(decided);
  const facts = records.length;
  records.push(encodeDecided(decided, { kind: kind.name, partition, epoch, n: ++n }));
  return { records, chain: { epoch, n }, inputs: taken, facts, refused: refused.length };
};

/** Decides one record; what cannot be read is parked, and refused `failed` where it says at least which attempt it is. */
const decideOne = (
  record: LogRecord,
  input: Input | undefined,
  { state, kind, limits, onParked }: BatchOptions,
): DecidedInput => {
  const { offset, timestamp } = record;
  if (input !== undefined)
    return decideInput(state, { offset, timestamp, input }, { kind, limits }, ({ error }) => onParked(record, error));
  onParked(record, new Error('an input of an unknown shape'));
  state.reach(timestamp);
  const envelope = readEnvelope(record);
  return envelope === undefined ? { facts: [] } : { facts: [], refused: refusal(offset, envelope, 'failed') };
};
