export * from './account-coordinator.ts';
export * from './account-walks.ts';
export * from './due-deadlines.ts';
export * from './leased-loop.ts';
export * from './scheduler-loop.ts';
export * from './scheduler.module.ts';
