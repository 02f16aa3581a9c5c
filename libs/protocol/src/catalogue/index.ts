export * from './actions.ts';
export type { Keyword } from './fields.ts';
export * from './inputs.ts';
export * from './parse.ts';
export * from './reads.ts';
export * from './references.ts';
export * from './results.ts';
export * from './types.ts';
