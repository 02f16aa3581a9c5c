import { createDataSource, migrate } from '@kungfu/read-model';
import { Command } from 'commander';
import { configOf } from '../settings.ts';

/** Brings the tables up to date. Safe to repeat. */
export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('bring the tables in Postgres up to date')
    .action(async (_options: object, command: Command) => {
      const dataSource = createDataSource({ url: configOf(command).DATABASE_URL });
      try {
        await migrate(dataSource);
      } finally {
        if (dataSource.isInitialized) await dataSource.destroy();
      }
      console.log('the tables are up to date');
    });
