export { planBatch } from './fold.ts';
export * from './port.ts';
export { PostgresProjectionStore } from './postgres-projection-store.ts';
export { Plan } from './rows.ts';
