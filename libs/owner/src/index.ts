export * from './batch.ts';
export * from './decide-input.ts';
export * from './owner.ts';
export * from './partition-state.ts';
export * from './store.ts';
