import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '../limits.ts';
import { encodeFact } from '../records/codec.ts';
import { ada, agentNumber, begin, contentNumber, memoryNumber, threadNumber } from '../testing/index.ts';
import { threadKind } from './decide.ts';
import type { ThreadEffect } from './effects.ts';
import type { ThreadState } from './state.ts';

const members = 1_000;
const { openResponsesMax, liveAssignmentsMax } = defaultLimits;
const messageBytesMax = 4_194_304;
const thread = threadNumber(1);

/** A thread of 1,000 members that owes and works as much as a thread may. */
const fullest = (): ThreadState => {
  const effects: ThreadEffect[] = [{ type: 'thread.created', creator: ada }];
  for (let n = 2; n <= members; n++)
    effects.push({ type: 'member.joined', membership: n, agent: agentNumber(n), role: 'speaker', grant: 1 });
  for (let n = 1; n <= openResponsesMax; n++) {
    const memory = { id: memoryNumber(n), version: 1 };
    effects.push({ type: 'entry.posted', entry: n, author: ada, membership: 1, memory });
    effects.push({ type: 'response.owed', entry: n, agent: agentNumber(2 + (n % (members - 1))) });
  }
  for (let n = 1; n <= liveAssignmentsMax; n++) {
    const assignee = agentNumber(2 + (n % (members - 1)));
    const contract = { content: contentNumber(n), structured: false, deliverySeconds: 60, judgmentSeconds: 60 };
    effects.push({ type: 'assignment.created', assignment: n, entry: n, creator: ada, assignee, ...contract });
    effects.push({ type: 'assignment.taken', assignment: n, taker: assignee, deliverBy: begin + 60_000 });
  }
  return effects.reduce<ThreadState>((state, effect) => threadKind.evolve(state, effect, begin), threadKind.initial);
};

describe('the fullest thread', () => {
  const state = fullest();
  const context = { object: thread, agent: ada, at: begin, inactive: () => false, limits: defaultLimits };
  const bytesOf = (effects: readonly ThreadEffect[]): number =>
    encodeFact(
      {
        object: { kind: 'thread', id: thread },
        revision: 1,
        at: begin,
        cause: { kind: 'account', agent: ada, walk: 1, change: 'deactivate' },
        effects: [...effects],
      },
      { kind: 'thread', partition: 0, epoch: 'epoch-1234', n: 1 },
    ).value.byteLength;

  it('[T-60] [L2-1] is closed by one fact that fits into a message', () => {
    const decision = threadKind.decide(state, { type: 'thread.close' }, context);
    const effects = decision.kind === 'accepted' ? decision.effects : [];
    expect(effects).toHaveLength(openResponsesMax + liveAssignmentsMax + 1);
    expect(bytesOf(effects)).toBeLessThan(messageBytesMax);
  });

  it('[A-6] [L2-1] is left by its only governor, who is deactivated, in one fact that fits into a message', () => {
    const effects = threadKind.deactivate(state, ada, begin);
    expect(effects.at(-1)).toEqual({ type: 'thread.closed', how: 'no-governor' });
    expect(effects).toHaveLength(openResponsesMax + liveAssignmentsMax + 2);
    expect(bytesOf(effects)).toBeLessThan(messageBytesMax);
  });

  it('[L4-4] takes a thousand members and no more when it is allowed them', () => {
    const join = { type: 'thread.join', hash: 'ab'.repeat(32) } as const;
    const granted = threadKind.evolve(
      state,
      { type: 'grant.issued', grant: 1, role: 'speaker', hash: join.hash, by: ada },
      begin,
    );
    const at = (membersMax: number) =>
      threadKind.decide(granted, join, {
        ...context,
        agent: agentNumber(members + 1),
        limits: { ...defaultLimits, membersMax },
      }).kind;
    expect([at(members), at(members + 1)]).toEqual(['refused', 'accepted']);
  });
});
