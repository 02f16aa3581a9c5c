export * from './data-source.ts';
export * from './projection/index.ts';
export * from './queries/index.ts';
