export * from './fixtures.ts';
export * from './obligations.ts';
export * from './spec-for.ts';
export * from './thread-steps.ts';
export * from './task-steps.ts';
export * from './inbox-steps.ts';
