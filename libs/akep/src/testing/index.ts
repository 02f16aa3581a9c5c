export * from './examples.ts';
