export * from './examples.ts';
export * from './mac.ts';
