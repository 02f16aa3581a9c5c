export * from './fixtures.ts';
export * from './spec-for.ts';
