export * from './leases.ts';
export * from './log.ts';
export * from './partitioner.ts';
export * from './ports.ts';
