export * from './postgres-log.ts';
