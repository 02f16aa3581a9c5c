import { describe, expect, it } from '@jest/globals';
import { agentKind } from './agent/agent.ts';
import type { AgentEffect } from './agent/effects.ts';
import { inboxKind } from './inbox/decide.ts';
import type { Kind } from './kernel.ts';
import { kindOf } from './kind-of.ts';
import type { MemoryEffect } from './memory/effects.ts';
import { memoryKind } from './memory/memory.ts';
import { taskKind } from './task/decide.ts';
import {
  ada,
  begin,
  bob,
  contentNumber,
  cyd,
  hashNumber,
  memoryNumber,
  specFor,
  threadNumber,
} from './testing/index.ts';
import type { ThreadAction } from './thread/actions.ts';
import { threadKind } from './thread/decide.ts';
import type { ThreadEffect } from './thread/effects.ts';

const folded = <S, E>(kind: Kind<S, never, E>, ...effects: readonly E[]): S =>
  effects.reduce<S>((state, effect) => kind.evolve(state, effect, begin), kind.initial);
const key = 'key_00000000000000000000000001';

describe('every kind', () => {
  const kinds = ['agent', 'memory', 'thread', 'task', 'akep.inbox'] as const;
  it.each(kinds)('%s goes by its name', (name) => {
    expect(kindOf(name).name).toBe(name);
    expect([agentKind, memoryKind, threadKind, taskKind, inboxKind]).toContain(kindOf(name));
  });
  it.each(kinds)('[L1-1] %s begins absent, and an absent object has no pieces', (name) => {
    const kind = kindOf(name) as unknown as Kind<unknown, never, never>;
    expect(kind.initial).toEqual({ status: 'absent' });
    expect([...kind.pieces(kind.initial)]).toEqual([]);
    expect(kind.fromPieces(new Map())).toEqual(kind.initial);
    expect(kind.due(kind.initial, Number.MAX_SAFE_INTEGER)).toEqual([]);
    expect(kind.deactivate(kind.initial, ada, begin)).toEqual([]);
  });
});

describe('the state of an account', () => {
  const created: readonly AgentEffect[] = [
    { type: 'agent.created' },
    { type: 'agent.key-issued', key, hash: hashNumber(1) },
  ];
  it('[A-8] is what its facts have made of it', () => {
    expect(folded(agentKind, created[0]!)).toEqual({ status: 'active', labels: [], keys: {}, walk: 0 });
    expect(folded(agentKind, ...created)).toEqual({ status: 'active', labels: [], keys: { [key]: 'live' }, walk: 0 });
    expect(folded(agentKind, ...created, { type: 'agent.key-revoked', key })).toMatchObject({
      keys: { [key]: 'revoked' },
    });
  });
  it('[L1-1] cannot come from a fact on an account that is absent', () => {
    for (const effect of [
      created[1]!,
      { type: 'agent.deactivated', walk: 1 },
      { type: 'agent.labels-set', labels: [] },
    ] satisfies AgentEffect[])
      expect(() => folded(agentKind, effect)).toThrow('a fact on an agent that is absent');
  });
  it('[A-4] ties nobody: an account is no part of its own walk', () => expect(agentKind.ties(created[0]!)).toEqual([]));
});

describe('the state of a Memory', () => {
  const memory = memoryNumber(1);
  const created: MemoryEffect = { type: 'memory.created', memory, author: ada, content: contentNumber(1) };
  it('[M-4] cannot come from a fact on one that is absent or withdrawn', () => {
    const later: readonly MemoryEffect[] = [
      { type: 'memory.updated', version: 2, content: contentNumber(2) },
      { type: 'memory.published' },
      { type: 'memory.unpublished' },
      { type: 'memory.withdrawn' },
    ];
    for (const effect of later) {
      expect(() => folded(memoryKind, effect)).toThrow('a fact on a Memory that is absent');
      expect(() => folded(memoryKind, created, { type: 'memory.withdrawn' }, effect)).toThrow(
        'a fact on a Memory that is withdrawn',
      );
    }
  });
  it('[A-3] ties nobody: a deactivation leaves Memories as they are', () =>
    expect(memoryKind.ties(created)).toEqual([]));
});

describe('a thread', () => {
  const { given } = specFor(threadKind, threadNumber(1));
  const created: ThreadEffect = { type: 'thread.created', creator: ada };
  const joined = (membership: number, agent: typeof ada): ThreadEffect => ({
    type: 'member.joined',
    membership,
    agent,
    role: 'speaker',
    grant: 1,
  });
  const room: readonly ThreadEffect[] = [
    created,
    { type: 'grant.issued', grant: 1, role: 'speaker', hash: hashNumber(1), by: ada },
    joined(2, bob),
    joined(3, cyd),
  ];
  const assigned = (assignment: number, creator = ada): ThreadEffect => ({
    type: 'assignment.created',
    assignment,
    entry: 1,
    creator,
    assignee: cyd,
    content: contentNumber(1),
    structured: false,
    deliverySeconds: 60,
    judgmentSeconds: 60,
  });
  const taken = (assignment: number): ThreadEffect => ({
    type: 'assignment.taken',
    assignment,
    taker: cyd,
    deliverBy: begin + 60_000,
  });
  const delivered = (assignment: number, judge = ada): ThreadEffect => ({
    type: 'assignment.delivered',
    assignment,
    memories: [],
    content: contentNumber(2),
    judge,
    judgeBy: begin + 60_000,
  });
  const entry: ThreadEffect = {
    type: 'entry.posted',
    entry: 1,
    author: ada,
    membership: 1,
    memory: { id: memoryNumber(1), version: 1 },
  };
  const pinned = { kind: 'reference', pin: { id: memoryNumber(2), version: 1 } } as const;
  const post = (more: Partial<Extract<ThreadAction, { type: 'thread.post' }>> = {}): ThreadAction => ({
    type: 'thread.post',
    memory: pinned,
    ...more,
  });
  const posted: ThreadEffect = { type: 'entry.posted', entry: 2, author: ada, membership: 1, memory: pinned.pin };

  it('[T-60] that has no grant closes without voiding one', () => {
    given(created).when(ada, { type: 'thread.close' }).then({ type: 'thread.closed', how: 'governor' });
  });
  it('[A-6] that has no grant is closed by a deactivation without voiding one', () => {
    given(created)
      .whenDeactivated(ada)
      .then(
        { type: 'membership.ended', membership: 1, agent: ada, how: 'deactivated' },
        { type: 'thread.closed', how: 'no-governor' },
      );
  });
  it('[K-15] fires what is due at the same time in the order of its numbers', () => {
    const many = [12, 3, 7, 1, 2, 11, 4, 10, 5, 9, 6, 8];
    const offered = many.map((_, i) => assigned(i + 1));
    given(...room, entry, ...offered, ...many.map(taken))
      .dueAt(begin + 60_000)
      .then(...offered.map((_, i): ThreadEffect => ({ type: 'assignment.timed-out', assignment: i + 1 })));
  });
  it('[L4-4] full of live assignments still takes entries that assign nothing', () => {
    given(...room, entry, assigned(1))
      .when(ada, post(), { limits: { liveAssignmentsMax: 1 } })
      .then(posted);
    given(...room, entry, assigned(1))
      .when(ada, post({ replyTo: 1 }), { limits: { liveAssignmentsMax: 2 } })
      .then({ ...posted, replyTo: 1 } as ThreadEffect);
  });
  it('[L4-4] takes as many responses as it may hold, and one that ends in the same action makes room', () => {
    const owed: ThreadEffect = { type: 'response.owed', entry: 1, agent: bob };
    given(...room, entry)
      .when(ada, post({ ask: [bob, cyd] }), { limits: { openResponsesMax: 2 } })
      .then(posted, { type: 'response.owed', entry: 2, agent: bob }, { type: 'response.owed', entry: 2, agent: cyd });
    given(...room, entry, owed)
      .when(ada, post({ ask: [bob, cyd] }), { limits: { openResponsesMax: 2 } })
      .thenRefused('capacity_responses');
    given(...room, entry, owed)
      .when(bob, post({ replyTo: 1, ask: [cyd] }), { limits: { openResponsesMax: 1 } })
      .then(
        { ...posted, author: bob, membership: 2, replyTo: 1 } as ThreadEffect,
        { type: 'response.ended', entry: 1, agent: bob, how: 'reply' },
        { type: 'response.owed', entry: 2, agent: cyd },
      );
  });
  it('[T-31] ends the response that is handled and leaves the others pending', () => {
    const owed = (n: number): ThreadEffect => ({ type: 'response.owed', entry: n, agent: bob });
    const handled = (n: number): ThreadEffect => ({ type: 'response.ended', entry: n, agent: bob, how: 'handled' });
    const asked: readonly ThreadEffect[] = [...room, entry, owed(1), posted, owed(2)];
    given(...asked, handled(1))
      .when(bob, { type: 'thread.handle', entry: 2 })
      .then(handled(2));
    given(...asked, handled(2))
      .when(bob, { type: 'thread.handle', entry: 1 })
      .then(handled(1));
    given(...asked, handled(2))
      .when(bob, { type: 'thread.handle', entry: 2 })
      .thenRefused('not_pending');
  });
  it('[V-14] has no assignment where none was made', () => {
    given(...room, entry)
      .when(cyd, { type: 'assignment.take', assignment: 1 })
      .thenRefused('not_found');
    given(...room, entry, assigned(1))
      .when(cyd, { type: 'assignment.take', assignment: 300 })
      .thenRefused('not_found');
  });
  it('[K-16] an entry may refer to a Task, which adds nothing', () => {
    const task = 'task_00000000000000000000000001';
    given(...room, entry)
      .when(ada, post({ task }))
      .then({ ...posted, task } as ThreadEffect);
  });
  it('[T-16] [T-47] a creator that is back can void nothing delivered, and judges nothing that was forfeited', () => {
    const back: readonly ThreadEffect[] = [
      ...room,
      entry,
      assigned(1, bob),
      taken(1),
      delivered(1, bob),
      { type: 'judgment.forfeited', assignment: 1, agent: bob },
      { type: 'membership.ended', membership: 2, agent: bob, how: 'left' },
      joined(4, bob),
    ];
    given(...back)
      .when(bob, { type: 'assignment.void', assignment: 1 })
      .thenRefused('wrong_state');
    given(...back)
      .when(bob, { type: 'assignment.adopt', assignment: 1 })
      .thenRefused('not_permitted');
    given(...back)
      .when(ada, { type: 'assignment.void', assignment: 1 })
      .thenRefused('not_permitted');
    expect(given(...back).state).toMatchObject({ status: 'open' });
  });
  it('[T-21] counts across the chunks that its lists are kept in, to the item', () => {
    const posts = (n: number): readonly ThreadEffect[] =>
      Array.from({ length: n }, (_, i) => ({
        type: 'entry.posted',
        entry: i + 1,
        author: i % 2 === 0 ? ada : bob,
        membership: (i % 2) + 1,
        memory: pinned.pin,
      }));
    for (const n of [256, 257]) {
      const next = { ...posted, entry: n + 1 } as ThreadEffect;
      given(...room, ...posts(n))
        .when(ada, post())
        .then(next);
      given(...room, ...posts(n))
        .when(ada, post({ replyTo: n + 1 }))
        .thenRefused('invalid_target');
      const [author, other] = n % 2 === 0 ? [bob, ada] : [ada, bob];
      given(...room, ...posts(n))
        .when(cyd, post({ replyTo: n }))
        .then({ ...next, author: cyd, membership: 3, replyTo: n } as ThreadEffect, {
          type: 'response.owed',
          entry: n + 1,
          agent: author,
        });
      given(...room, ...posts(n))
        .when(other, { type: 'thread.retract', entry: n })
        .thenRefused('not_permitted');
      given(...room, ...posts(n))
        .when(author, { type: 'thread.retract', entry: n })
        .thenRefused('not_pending');
    }
  });
  it('[T-50] ends the right assignment among hundreds', () => {
    const offered = Array.from({ length: 300 }, (_, i) => assigned(i + 1));
    for (const n of [256, 257]) {
      const over: ThreadEffect = { type: 'assignment.voided', assignment: n, how: 'creator' };
      given(...room, entry, ...offered)
        .when(ada, { type: 'assignment.void', assignment: n })
        .then(over);
      given(...room, entry, ...offered, over)
        .when(ada, { type: 'assignment.void', assignment: n })
        .thenRefused('wrong_state');
      given(...room, entry, ...offered, over)
        .when(cyd, { type: 'assignment.take', assignment: n + 1 })
        .then({ ...taken(n + 1) });
    }
  });
});
