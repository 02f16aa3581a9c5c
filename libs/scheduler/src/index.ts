export * from './account-coordinator.ts';
export * from './account-walks.ts';
export * from './due-deadlines.ts';
export * from './generation-fence.ts';
export * from './generations.ts';
export * from './leased-loop.ts';
export * from './scheduler-loop.ts';
export * from './scheduler.module.ts';
