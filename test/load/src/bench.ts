/**
 * npm run bench: how fast posting is, beside the least that any Kungfu on the same log has to do (the raw pipeline). With
 * --waiters: how soon agents that wait hear of their turn; with --reads: how much longer reads take where there is more that they do not hand out.
 *
 * Everything runs on this machine, on loopback, with data in temporary folders. See options.ts for the flags.
 */
import { writeFile } from 'node:fs/promises';
import { benchLog, type LogReport } from './bench-log.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { measureReads } from './reads/measure.ts';
import { measureWaiters } from './waiters/measure.ts';
import { machine, readsTable, tableOf, waitersTable } from './report.ts';

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2));
  const { table, ...report } = await measure(options);
  const json = JSON.stringify({ at: new Date().toISOString(), machine: machine(), options, ...report }, null, 2);
  console.log(`\n${table}\n`);
  if (options.json === undefined) console.log(json);
  else await writeFile(options.json, `${json}\n`);
};

const measure = (options: Options) => {
  if (options.waiters !== undefined) return waiting(options, options.waiters);
  return options.readCalls === undefined ? posts(options) : reads(options.readCalls);
};

const waiting = async ({ rate, warmupMs, measureMs }: Options, waiters: number) => {
  const measured = await measureWaiters({ waiters, rate, warmupMs, measureMs });
  return { table: waitersTable(measured), waiters: measured };
};

const posts = async (options: Options) => {
  const reports: LogReport[] = [];
  for (const log of options.logs) reports.push(await benchLog(log, options));
  return { table: reports.map(tableOf).join('\n\n'), reports };
};

const reads = async (calls: number) => {
  const measured = await measureReads(calls);
  return { table: readsTable(measured), reads: measured };
};

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
});
