export * from './commands.module.ts';
export * from './lmdb-store.ts';
export * from './owner-host.ts';
