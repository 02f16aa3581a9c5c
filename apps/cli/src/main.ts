#!/usr/bin/env node
import { explain } from '@kungfu/service';
import { Command } from 'commander';
import { agentsCommand } from './commands/agents.ts';
import { migrateCommand } from './commands/migrate.ts';
import { rebuildCommand } from './commands/rebuild.ts';
import { topicsCommand } from './commands/topics.ts';
import { turnCommand } from './commands/turn.ts';
import { verifyCommand } from './commands/verify.ts';

const program = new Command('kungfu')
  .description(
    'Operates a Kungfu: its topics, tables and accounts. Settings come from the environment, as those of the services.',
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
  .addCommand(turnCommand());

program.parseAsync().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(explain(error) ?? error);
    process.exit(1);
  },
);
