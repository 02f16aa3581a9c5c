export * from './embedded-postgres.ts';
export { DataFolderInUse } from './folder-lock.ts';
export { FolderClosed } from './server-user.ts';
export * from './test-database.ts';
