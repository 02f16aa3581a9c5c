/**
 * npm run bench: how fast posting is, beside the least that any Kungfu on the same log has to do (the raw pipeline).
 *
 * Everything runs on this machine, on loopback, with data in temporary folders. See options.ts for the flags.
 */
import { writeFile } from 'node:fs/promises';
import { benchLog, type LogReport } from './bench-log.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { machine, tableOf } from './report.ts';

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2));
  const reports: LogReport[] = [];
  for (const log of options.logs) reports.push(await benchLog(log, options));
  const json = JSON.stringify({ at: new Date().toISOString(), machine: machine(), options, reports }, null, 2);
  console.log(`\n${reports.map(tableOf).join('\n\n')}\n`);
  if (options.json === undefined) console.log(json);
  else await writeFile(options.json, `${json}\n`);
};

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
});
