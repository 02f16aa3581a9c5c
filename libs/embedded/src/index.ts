export * from './embedded-postgres.ts';
export { DataFolderInUse } from './folder-lock.ts';
export * from './test-database.ts';
