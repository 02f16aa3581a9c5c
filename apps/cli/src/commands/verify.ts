import { kindsWith } from '@kungfu/protocol';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';
import { withPlatform } from '../settings.ts';
import { show, table } from '../show.ts';
import { type Verified, verifyFacts } from '../verify.ts';

/** Reads all facts as every reader does and tells what is wrong; ends with 1 if anything is. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description(
      'read every fact from the beginning: validity, shape, revisions, log time; what is void, parked or wrong',
    )
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withPlatform(command, async ({ log, config }) => {
        const all: Verified[] = [];
        await verifyFacts(log, kindsWith({ akep: config.KUNGFU_AKEP }), (verified) => all.push(verified));
        show(options, all, textOf(all));
        const problems = all.flatMap((partition) => partition.problems);
        if (problems.length > 0)
          throw new Complaint(`${problems.length} problem${problems.length === 1 ? '' : 's'} found`);
      }),
    );

const textOf = (all: readonly Verified[]): string => {
  const rows = all.map(({ topic, partition, facts, decided, claims, voids }) => [
    topic,
    ...[partition, facts, decided, claims, voids].map(String),
  ]);
  const parked = all.flatMap(({ failed }) => failed.map((place) => `parked: ${place}`));
  const problems = all.flatMap(({ topic, partition, problems: found }) =>
    found.map((problem) => `PROBLEM ${topic}/${partition}/${problem}`),
  );
  return [table(['topic', 'partition', 'facts', 'decided', 'claims', 'void'], rows), ...parked, ...problems].join('\n');
};
