export * from './in-memory-log.ts';
