import type { KindName } from './kernel.ts';

/** Names and fixed settings of every topic (engine.md §2). */
export const kinds = ['agent', 'memory', 'thread'] as const satisfies readonly KindName[];
export const actionsTopic = (kind: KindName): string => `kungfu.actions.${kind}`;
export const factsTopic = (kind: KindName): string => `kungfu.facts.${kind}`;
export const contentTopic = 'kungfu.content';
