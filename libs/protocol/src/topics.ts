import type { KindName } from './kernel.ts';

/** Names and fixed settings of every topic (engine.md §2). */
export const kinds = ['agent', 'memory', 'thread', 'task'] as const satisfies readonly KindName[];
export const actionsTopic = (kind: KindName): string => `kungfu.actions.${kind}`;
export const factsTopic = (kind: KindName): string => `kungfu.facts.${kind}`;
export const contentTopic = 'kungfu.content';

/** As the log port's TopicSettings: what a topic has to be like. `retentionMs` -1: for ever. */
export type TopicSetting = {
  readonly topic: string;
  readonly partitions: number;
  readonly time: 'LogAppendTime' | 'CreateTime';
  readonly retentionMs: number;
  readonly compacted: boolean;
};

const actionsKeptMs = 7 * 86_400_000;
const forEver = -1;

/** Every topic with its settings. Actions and facts of a kind have the same number of partitions, fixed for ever (engine.md §2). */
export const topicSettings = ({ partitions }: { readonly partitions: number }): readonly TopicSetting[] => [
  ...kinds.flatMap((kind): TopicSetting[] => [
    { topic: actionsTopic(kind), partitions, time: 'LogAppendTime', retentionMs: actionsKeptMs, compacted: false },
    { topic: factsTopic(kind), partitions, time: 'LogAppendTime', retentionMs: forEver, compacted: false },
  ]),
  { topic: contentTopic, partitions, time: 'CreateTime', retentionMs: forEver, compacted: true },
];
