import { describe, expect, it } from '@jest/globals';
import { topicSettings } from './topics.ts';

describe('topics', () => {
  it('are made like this: facts are kept for ever and never compacted, content can be erased', () => {
    expect(
      topicSettings({ partitions: 8 }).map(({ topic, partitions, time, retentionMs, compacted }) => [
        topic,
        partitions,
        time,
        retentionMs,
        compacted,
      ]),
    ).toEqual([
      ['kungfu.actions.agent', 8, 'LogAppendTime', 604_800_000, false],
      ['kungfu.facts.agent', 8, 'LogAppendTime', -1, false],
      ['kungfu.actions.memory', 8, 'LogAppendTime', 604_800_000, false],
      ['kungfu.facts.memory', 8, 'LogAppendTime', -1, false],
      ['kungfu.actions.thread', 8, 'LogAppendTime', 604_800_000, false],
      ['kungfu.facts.thread', 8, 'LogAppendTime', -1, false],
      ['kungfu.actions.task', 8, 'LogAppendTime', 604_800_000, false],
      ['kungfu.facts.task', 8, 'LogAppendTime', -1, false],
      ['kungfu.content', 8, 'CreateTime', -1, true],
    ]);
  });
  it('[B-3] of AKEP exist only where it is on, and are like the others', () => {
    const off = topicSettings({ partitions: 8 });
    expect(topicSettings({ partitions: 8, akep: false })).toEqual(off);
    const on = topicSettings({ partitions: 8, akep: true });
    expect(on.filter(({ topic }) => !off.some((other) => other.topic === topic))).toEqual([
      {
        topic: 'kungfu.actions.akep.inbox',
        partitions: 8,
        time: 'LogAppendTime',
        retentionMs: 604_800_000,
        compacted: false,
      },
      { topic: 'kungfu.facts.akep.inbox', partitions: 8, time: 'LogAppendTime', retentionMs: -1, compacted: false },
    ]);
    expect(on).toHaveLength(off.length + 2);
  });
});
