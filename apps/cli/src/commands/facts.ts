import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, TopicPartition } from '@kungfu/log-port';
import {
  type Chain,
  decodeFactRecord,
  emptyChain,
  type Fact,
  factsTopic,
  type KindName,
  kindsWith,
  validity,
} from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { withPlatform } from '../settings.ts';

type Options = {
  readonly kind?: string;
  readonly object?: string;
  readonly from?: string;
  readonly to?: string;
  readonly follow?: true;
};
type Wanted = { readonly object: string | undefined; readonly from: number; readonly to: number };

/** Prints facts as JSON lines: partition by partition, each in its order; void records are left out as by every reader. */
export const factsCommand = (): Command =>
  new Command('facts')
    .description('print facts as JSON lines, as every reader takes them')
    .option('--kind <kind>', `one of ${kindsWith({ akep: false }).join(', ')}; all if absent`)
    .option('--object <id>', 'of this object alone')
    .option('--from <time>', 'log time from (ISO 8601)')
    .option('--to <time>', 'log time before (ISO 8601)')
    .option('--follow', 'go on with facts as they come, until interrupted')
    .action((options: Options, command: Command) =>
      withPlatform(command, ({ log, config }) =>
        print(log, kindsOf(options.kind, config.KUNGFU_AKEP), options, (line) => console.log(line)),
      ),
    );

const followMs = 300;

const print = async (
  log: Log,
  kinds: readonly KindName[],
  options: Options,
  say: (line: string) => void,
): Promise<void> => {
  const wanted = { object: options.object, from: timeOf(options.from, 0), to: timeOf(options.to, Infinity) };
  const readers = (await partitionsOf(log, kinds)).map((place) => new FactReader(log, place));
  for (;;) {
    for (const reader of readers) await reader.pass((fact) => isWanted(fact, wanted) && say(JSON.stringify(fact)));
    if (!options.follow) return;
    await sleep(followMs);
  }
};

const isWanted = ({ object, at }: Fact, wanted: Wanted): boolean =>
  (wanted.object === undefined || object.id === wanted.object) && at >= wanted.from && at < wanted.to;

const kindsOf = (name: string | undefined, akep: boolean): readonly KindName[] => {
  const kinds = kindsWith({ akep });
  if (name === undefined) return kinds;
  const kind = kinds.find((one) => one === name);
  if (kind === undefined) throw new Complaint(`--kind is one of ${kinds.join(', ')}`);
  return [kind];
};

const timeOf = (text: string | undefined, absent: number): number => {
  const time = text === undefined ? absent : Date.parse(text);
  if (Number.isNaN(time)) throw new Complaint(`${text} is no time: write it as 2026-11-30T20:00:00Z`);
  return time;
};

const partitionsOf = async (log: Log, names: readonly KindName[]): Promise<readonly TopicPartition[]> => {
  const places = names.map(async (kind) => {
    const topic = factsTopic(kind);
    return Array.from({ length: await log.partitions(topic) }, (_, partition) => ({ topic, partition }));
  });
  return (await Promise.all(places)).flat();
};

const recordsAtOnce = 500;

/** One partition from its beginning, as far as it goes; a next pass goes on. */
class FactReader {
  readonly #log: Log;
  readonly #place: TopicPartition;
  #offset = 0;
  #chain: Chain = emptyChain;

  constructor(log: Log, place: TopicPartition) {
    this.#log = log;
    this.#place = place;
  }

  async pass(take: (fact: Fact) => void): Promise<void> {
    for (;;) {
      const records = await this.#log.read({ ...this.#place, offset: this.#offset }, recordsAtOnce);
      if (records.length === 0) return;
      for (const record of records) {
        const decoded = decodeFactRecord(record);
        const verdict = validity(this.#chain, decoded);
        if (verdict.kind === 'gap')
          throw new Complaint(`${this.#place.topic}/${this.#place.partition} has a gap: kungfu verify tells more`);
        if (verdict.kind === 'valid') this.#chain = verdict.chain;
        if (verdict.kind === 'valid' && decoded.type === 'fact') take(decoded.fact);
        this.#offset = record.offset + 1;
      }
    }
  }
}
