import type { Log, LogRecord } from '@kungfu/log-port';
import { type Chain, decodeFactRecord, emptyChain, type Fact, factsTopic, kinds, validity } from '@kungfu/protocol';

/** A fact that counts, and where it stands. */
export type Recorded = {
  readonly fact: Fact;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
};

const pageRecords = 500;

/** Every valid fact of every kind, in the order of each partition (engine.md §3, Validity). Throws at a gap. */
export const allFacts = async (log: Log): Promise<readonly Recorded[]> => {
  const found: Recorded[] = [];
  for (const kind of kinds) {
    const topic = factsTopic(kind);
    const partitions = await log.partitions(topic);
    for (let partition = 0; partition < partitions; partition++) found.push(...(await factsOf(log, topic, partition)));
  }
  return found;
};

const factsOf = async (log: Log, topic: string, partition: number): Promise<readonly Recorded[]> => {
  const found: Recorded[] = [];
  let chain: Chain = emptyChain;
  for (const record of await allRecords(log, topic, partition)) {
    const read = decodeFactRecord(record);
    const verdict = validity(chain, read);
    if (verdict.kind === 'gap')
      throw new Error(`${topic}/${partition}@${record.offset}: number ${verdict.found} after ${verdict.expected - 1}`);
    if (verdict.kind === 'void') continue;
    chain = verdict.chain;
    if (read.type === 'fact') found.push({ fact: read.fact, topic, partition, offset: record.offset });
  }
  return found;
};

/** Every record of a partition, control records and void ones too. */
export const allRecords = async (log: Log, topic: string, partition: number): Promise<readonly LogRecord[]> => {
  const records: LogRecord[] = [];
  const end = await log.end({ topic, partition });
  let offset = await log.start({ topic, partition });
  while (offset < end) {
    const page = await log.read({ topic, partition, offset }, pageRecords);
    if (page.length === 0) throw new Error(`${topic}/${partition} ends at ${offset} and should at ${end}`);
    records.push(...page);
    offset = page.at(-1)!.offset + 1;
  }
  return records;
};

/** Facts by the action that caused them: how often each binding has been accepted. */
export const factsByBinding = (facts: readonly Recorded[]): ReadonlyMap<string, readonly Recorded[]> =>
  Map.groupBy(
    facts.filter(({ fact }) => fact.cause.kind === 'action'),
    ({ fact }) => (fact.cause.kind === 'action' ? fact.cause.binding : ''),
  );
