export * from './examples.ts';
export * from './mac.ts';
export * from './seal.ts';
