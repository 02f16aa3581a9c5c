/** Checks any running Kungfu from outside, by the public contract alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { allCases } from './cases/index.ts';
import { Service } from './client.ts';
import { runAll } from './runner.ts';
import { type Rule, statementOf, textOf } from './statement.ts';

type Options = {
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly json?: string;
  readonly only?: string;
  readonly deadlines: boolean;
};

/** The name that the implementation of this repository gives itself. */
const ownName = 'kungfu';

type Rules = {
  readonly rules: readonly Rule[];
  readonly deviations: readonly string[];
  readonly notes: readonly string[];
};

const rulesFile = new URL('../../../docs/protocol/rules.json', import.meta.url);
const known = JSON.parse(readFileSync(rulesFile, 'utf8')) as Rules;
/** What this repository says of its own implementation is nothing that another one has said. */
const notesOf = (implementation: string): readonly string[] =>
  implementation === ownName ? [...known.deviations, ...known.notes] : [];

const main = async ({ url, adminUrl, adminToken, json, only, deadlines }: Options): Promise<number> => {
  const service = new Service({ url, adminUrl, adminToken });
  const about = await service.anyone.read('/v1');
  const cases = allCases.filter((one) => only === undefined || one.rules.includes(only));
  const results = await runAll(service, cases, {
    deadlines,
    told: ({ status, rules: ids, says }) => console.log(`${status}  [${ids.join('] [')}] ${says}`),
  });
  const statement = statementOf(about, known.rules, results, notesOf(about.implementation.name));
  console.log(`\n${textOf(statement)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(statement, undefined, 2)}\n`);
  return statement.failed === 0 ? 0 : 1;
};

const program = new Command('conformance')
  .description('checks a running Kungfu from outside; makes agents of its own through the administration')
  .requiredOption('--url <url>', 'interface of the agents')
  .requiredOption('--admin-url <url>', 'interface of the administration')
  .requiredOption('--admin-token <token>', 'token of the administration')
  .option('--only <rule>', 'the cases of one rule')
  .option('--no-deadlines', 'leave out the cases that wait for a deadline')
  .option('--json <file>', 'write the statement there as JSON')
  .action(async (options: Options) => process.exit(await main(options)));

program.parseAsync().catch((error: unknown) => {
  console.error(error);
  process.exit(2);
});
