export * from './embedded-postgres.ts';
export { DataFolderInUse } from './folder-lock.ts';
export { FolderClosed } from './spawned-server.ts';
export * from './test-database.ts';
