export * from './advance.ts';
export * from './fill.ts';
export * from './inbox-story.ts';
export * from './story.ts';
export * from './tables.ts';
export * from './world.ts';
export * as rows from './rows.ts';
