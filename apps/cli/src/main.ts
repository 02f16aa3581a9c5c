#!/usr/bin/env node
import { explain } from '@kungfu/service';
import { Command } from 'commander';
import { agentsCommand } from './commands/agents.ts';
import { demoCommand, demoSessionCommand } from './commands/demo.ts';
import { factsCommand } from './commands/facts.ts';
import { lookCommands } from './commands/look.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { topicsCommand } from './commands/topics.ts';
import { upCommand } from './commands/up.ts';
import { verifyCommand } from './commands/verify.ts';
import { workCommands } from './commands/work.ts';

const program = new Command('kungfu')
  .description(
    'Works with a Kungfu as one of its agents (KUNGFU_URL, KUNGFU_KEY), and operates it: topics, tables, accounts. Settings come from the environment, as those of the services.',
  )
  .option(
    '--data <folder>',
    'data folder of a running `npm start`: finds its database and its administration (KUNGFU_DATA)',
  )
  .showHelpAfterError()
  .addCommand(topicsCommand())
  .addCommand(migrateCommand())
  .addCommand(rebuildCommand())
  .addCommand(verifyCommand())
  .addCommand(agentsCommand())
  .addCommand(factsCommand())
  .addCommand(mcpCommand())
  .addCommand(upCommand())
  .addCommand(demoCommand())
  .addCommand(demoSessionCommand(), { hidden: true });
for (const command of [...lookCommands(), ...workCommands()]) program.addCommand(command);

program.parseAsync().then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    console.error(explain(error) ?? error);
    process.exit(1);
  },
);
