export * from './process.ts';
export * from './random.ts';
export * from './virtual-time.ts';
