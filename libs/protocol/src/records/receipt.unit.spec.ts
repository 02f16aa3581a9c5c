import { describe, expect, it } from '@jest/globals';
import type { AnyEffect, Fact } from './facts.ts';
import { receiptOf } from './receipt.ts';

const ada = 'agent_00000000000000000000000001';
const bob = 'agent_00000000000000000000000002';
const thread = 'thread_00000000000000000000000001';
const memory = 'memory_00000000000000000000000001';
const hash = 'ab'.repeat(32);
const content = { id: 'content_00000000000000000000000001', bytes: 12, sha256: 'cd'.repeat(32) } as const;
const at = Date.parse('2026-11-30T20:00:00.000Z');

const fact = (
  action: string,
  agent: typeof ada | 'administration',
  id: string,
  effects: readonly AnyEffect[],
  more: Partial<Fact> = {},
): Fact => ({
  object: { kind: id.startsWith('thread') ? 'thread' : id.startsWith('memory') ? 'memory' : 'agent', id },
  revision: 17,
  at,
  cause: {
    kind: 'action',
    id: 'action_00000000000000000000000001',
    attempt: 1,
    agent,
    action,
    binding: hash,
    fingerprint: `v1:${hash}`,
  },
  effects: [...effects],
  content: [{ partition: 0, next: 5 }],
  ...more,
});
const text = (value: Fact): string | undefined => {
  const bytes = receiptOf(value);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
};
const read = (value: Fact): Record<string, unknown> => JSON.parse(text(value) ?? 'null') as Record<string, unknown>;

const post = fact('thread.post', ada, thread, [
  { type: 'entry.posted', entry: 9, author: ada, membership: 1, replyTo: 7, memory: { id: memory, version: 1 } },
  { type: 'memory.created', memory, author: ada, content, entry: 9 },
  { type: 'response.ended', entry: 7, agent: ada, how: 'reply' },
  { type: 'response.owed', entry: 9, agent: bob },
  {
    type: 'assignment.created',
    assignment: 2,
    entry: 9,
    creator: ada,
    assignee: bob,
    content,
    structured: false,
    deliverySeconds: 60,
    judgmentSeconds: 60,
  },
]);

describe('a receipt', () => {
  it('[L3-1] is the same bytes for ever: a posted entry', () => {
    expect(text(post)).toBe(
      `{"receipt":"v1","action":"thread.post","agent":"${ada}","object":"${thread}","ref":"${thread}/entries/9","at":"2026-11-30T20:00:00.000Z",` +
        `"entry":9,"replyTo":"${thread}/entries/7","memory":"${memory}/versions/1","assignment":2,` +
        `"transitions":[{"ref":"${thread}/entries/9","became":"posted"},{"ref":"${memory}/versions/1","became":"created"},` +
        `{"ref":"${thread}/assignments/2","became":"created","agent":"${bob}"}],` +
        `"begun":[{"obligation":"respond","ref":"${thread}/entries/9","agent":"${bob}"}],` +
        `"ended":[{"obligation":"respond","ref":"${thread}/entries/7","agent":"${ada}","how":"reply"}]}`,
    );
  });

  it('[L3-1] is the same bytes for ever: a thread with a grant', () => {
    const created = fact('thread.create', ada, thread, [
      { type: 'thread.created', creator: ada, content },
      { type: 'grant.issued', grant: 1, role: 'speaker', hash, by: ada },
    ]);
    expect(text(created)).toBe(
      `{"receipt":"v1","action":"thread.create","agent":"${ada}","object":"${thread}","ref":"${thread}","at":"2026-11-30T20:00:00.000Z",` +
        `"membership":1,"role":"governor","secretFingerprint":"${hash}",` +
        `"transitions":[{"ref":"${thread}","became":"created"},{"ref":"${thread}/grants/1","became":"issued","role":"speaker"}],"begun":[],"ended":[]}`,
    );
  });

  it('[L3-3] holds neither content, nor its hashes, nor places in the log', () => {
    for (const trace of [content.id, content.sha256, 'binding', 'fingerprint":"v1', 'partition', 'revision', 'attempt'])
      expect(text(post)).not.toContain(trace);
  });

  it('[L2-4] tells what was there already when joining again', () => {
    const again = fact('thread.join', bob as typeof ada, thread, [], {
      existing: { type: 'membership', membership: 3, role: 'observer' },
    });
    expect(read(again)).toMatchObject({
      ref: `${thread}/members/${bob}`,
      existing: { type: 'membership', membership: 3, role: 'observer' },
      transitions: [],
    });
  });

  it('begins and ends what a combined taking and delivery begins and ends', () => {
    const taken = fact('assignment.take', bob as typeof ada, thread, [
      { type: 'assignment.taken', assignment: 2, taker: bob, deliverBy: at + 60_000 },
      { type: 'response.ended', entry: 9, agent: bob, how: 'taken' },
      {
        type: 'assignment.delivered',
        assignment: 2,
        memories: [{ id: memory, version: 4 }],
        judge: ada,
        judgeBy: at + 120_000,
      },
    ]);
    expect(read(taken)).toMatchObject({
      ref: `${thread}/assignments/2`,
      memories: [`${memory}/versions/4`],
      begun: [
        { obligation: 'deliver', ref: `${thread}/assignments/2`, agent: bob, deadline: '2026-11-30T20:01:00.000Z' },
        { obligation: 'judge', ref: `${thread}/assignments/2`, agent: ada, deadline: '2026-11-30T20:02:00.000Z' },
      ],
      ended: [
        { obligation: 'respond', ref: `${thread}/entries/9`, agent: bob, how: 'taken' },
        { obligation: 'deliver', ref: `${thread}/assignments/2`, agent: bob, how: 'delivered' },
      ],
    });
  });

  it('[T-15] lists what leaving ended', () => {
    const left = fact('thread.leave', ada, thread, [
      { type: 'membership.ended', membership: 1, agent: ada, how: 'left' },
      { type: 'response.ended', entry: 3, agent: ada, how: 'left' },
      { type: 'assignment.voided', assignment: 1, how: 'taker-gone', taker: ada },
      { type: 'assignment.voided', assignment: 2, how: 'creator-gone' },
      { type: 'judgment.forfeited', assignment: 4, agent: ada },
    ]);
    expect(read(left)).toMatchObject({
      ref: `${thread}/members/${ada}`,
      membership: 1,
      ended: [
        { obligation: 'respond', ref: `${thread}/entries/3`, agent: ada, how: 'left' },
        { obligation: 'deliver', ref: `${thread}/assignments/1`, agent: ada, how: 'voided' },
        { obligation: 'judge', ref: `${thread}/assignments/4`, agent: ada, how: 'forfeited' },
      ],
    });
    expect(read(left)).not.toHaveProperty('assignment');
  });

  it('refers to the entry that was handled, without the note', () => {
    const handled = fact('thread.handle', ada, thread, [
      { type: 'response.ended', entry: 7, agent: ada, how: 'handled', note: content },
    ]);
    expect(read(handled)).toMatchObject({ ref: `${thread}/entries/7`, entry: 7 });
    expect(text(handled)).not.toContain('note');
  });

  it('[L3-4] carries the fingerprint of a key, never the key', () => {
    const agent = fact('agent.create', 'administration', ada, [
      { type: 'agent.created' },
      { type: 'agent.labels-set', labels: ['x'] },
      { type: 'agent.key-issued', key: 'key_00000000000000000000000001', hash },
    ]);
    expect(read(agent)).toMatchObject({
      agent: 'administration',
      ref: ada,
      key: 'key_00000000000000000000000001',
      secretFingerprint: hash,
    });
  });

  it('refers to the version of a Memory that was made', () => {
    expect(
      read(fact('memory.create', ada, memory, [{ type: 'memory.created', memory, author: ada, content }])),
    ).toMatchObject({ ref: `${memory}/versions/1`, version: 1 });
    expect(read(fact('memory.update', ada, memory, [{ type: 'memory.updated', version: 2, content }]))).toMatchObject({
      ref: `${memory}/versions/2`,
      version: 2,
    });
    expect(read(fact('memory.publish', ada, memory, [{ type: 'memory.published' }]))).toMatchObject({ ref: memory });
  });

  it('exists only for what an action caused', () => {
    expect(receiptOf(fact('thread.post', ada, thread, [], { cause: { kind: 'deadline', dueAt: at } }))).toBeUndefined();
    expect(
      receiptOf(
        fact('thread.post', ada, thread, [], { cause: { kind: 'account', agent: ada, walk: 1, change: 'deactivate' } }),
      ),
    ).toBeUndefined();
  });
});
