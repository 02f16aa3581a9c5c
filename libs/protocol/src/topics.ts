import type { AkepKind, KindName, KungfuKind } from './kernel.ts';

/** Names and fixed settings of every topic (engine.md §2). */
export const kinds = ['agent', 'memory', 'thread', 'task'] as const satisfies readonly KungfuKind[];
/** The kinds of AKEP, whose topics exist only where AKEP is on. */
export const akepKinds = ['akep.inbox'] as const satisfies readonly AkepKind[];
/** The kinds that there are where AKEP is on, or off. */
export const kindsWith = ({ akep }: { readonly akep: boolean }): readonly KindName[] =>
  akep ? [...kinds, ...akepKinds] : kinds;
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

/**
 * Every topic with its settings, those of AKEP only where it is on. Actions and facts of a kind have the same number of
 * partitions, fixed for ever (engine.md §2).
 */
export const topicSettings = ({
  partitions,
  akep = false,
}: {
  readonly partitions: number;
  readonly akep?: boolean;
}): readonly TopicSetting[] => [
  ...kindsWith({ akep }).flatMap((kind): TopicSetting[] => [
    { topic: actionsTopic(kind), partitions, time: 'LogAppendTime', retentionMs: actionsKeptMs, compacted: false },
    { topic: factsTopic(kind), partitions, time: 'LogAppendTime', retentionMs: forEver, compacted: false },
  ]),
  { topic: contentTopic, partitions, time: 'CreateTime', retentionMs: forEver, compacted: true },
];
