import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { gatewayEntities, readEntities } from './entities/index.ts';
import { ReadModel1767225600001 } from './migrations/0001-read-model.ts';
import { Gateway1767225600002 } from './migrations/0002-gateway.ts';
import { Tasks1767225600003 } from './migrations/0003-tasks.ts';
import { GatewaySecret1767225600004 } from './migrations/0004-gateway-secret.ts';
import { ReadScale1767225600005 } from './migrations/0005-read-scale.ts';
import { Akep1767225600006 } from './migrations/0006-akep.ts';

/** Migrations of the schema `read`: undone and done again by a rebuild. */
const readMigrations = [ReadModel1767225600001, Tasks1767225600003, ReadScale1767225600005, Akep1767225600006];
const gatewayMigrations = [Gateway1767225600002, GatewaySecret1767225600004];
const migrationsTable = 'kungfu_migration';
/** Two processes that start at once do not migrate at once: the key of an advisory lock. */
const migrationLock = 7_265_004_101;

/** A data source on the primary, not connected yet. For migrations and administration; hot paths use a pg pool. */
export const createDataSource = ({ url }: { readonly url: string }): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    entities: [...readEntities, ...gatewayEntities],
    migrations: [...readMigrations, ...gatewayMigrations],
    migrationsTableName: migrationsTable,
    installExtensions: false,
    poolSize: 2,
  });

/** Brings every table up to date; safe to repeat, also by several processes at once. Connects the data source if it is not. */
export const migrate = async (dataSource: DataSource): Promise<void> => {
  if (!dataSource.isInitialized) await dataSource.initialize();
  await locked(dataSource, async () => {
    await dataSource.runMigrations({ transaction: 'each' });
  });
};

/**
 * Drops the schema `read` with all it holds and makes it again, empty, in one transaction. Gateways then give receipts and
 * `pending` only, until the generation has been raised and passed (engine.md §4, 7).
 */
export const dropReadModel = async (dataSource: DataSource): Promise<void> => {
  if (!dataSource.isInitialized) await dataSource.initialize();
  await locked(dataSource, async () => {
    await dataSource.transaction(async ({ queryRunner }) => {
      const runner = queryRunner!;
      await runner.query('drop schema if exists read cascade');
      for (const Migration of readMigrations) await new Migration().up(runner);
      await runner.query('update gateway.generation set generation = generation + 1, fenced = true');
    });
  });
};

const locked = async (dataSource: DataSource, work: () => Promise<void>): Promise<void> => {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('select pg_advisory_lock($1)', [migrationLock]);
    await work();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [migrationLock]);
    await runner.release();
  }
};
