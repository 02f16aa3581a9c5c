import { describe, expect, it } from '@jest/globals';
import type { AnyEffect, Cause, Fact } from '@kungfu/protocol';
import { contentOf, hashOf, idOf } from '../testing/index.ts';
import { planBatch } from './fold.ts';
import type { Effect } from './folding.ts';
import type { FactAdvance } from './port.ts';
import type { Plan } from './rows.ts';

const at = Date.UTC(2030, 0, 1);
const [ada, bob] = [idOf('agent', 1), idOf('agent', 2)];
const thread = idOf('thread', 1);
const memory = idOf('memory', 1);
const action = (name: string): Cause => ({
  kind: 'action',
  id: idOf('action', 1),
  attempt: 1,
  agent: ada,
  action: name,
  binding: hashOf(1),
  fingerprint: `v1:${hashOf(1)}`,
});
const deadline: Cause = { kind: 'deadline', dueAt: at };
const place = (offset: number, effect: number) => ({ at, kind: 'thread', partition: 3, offset, effect });

type Given = { kind?: 'agent' | 'memory' | 'thread' | 'task'; id?: string; cause?: Cause };
const factOf = (
  effects: readonly AnyEffect[],
  { kind = 'thread', id = thread, cause = deadline }: Given = {},
): Fact => ({
  object: { kind, id },
  revision: 7,
  at,
  cause,
  effects: [...effects],
});
const advance = (kind: string, ...facts: readonly Fact[]): FactAdvance => ({
  from: 0,
  to: {
    topic: `kungfu.facts.${kind}`,
    partition: 3,
    next: facts.length,
    epoch: 'e',
    n: 1,
    logAt: at,
    decidedUpTo: 0,
    generation: 0,
  },
  facts: facts.map((fact, i) => ({ offset: 10 + i, fact })),
  refused: [],
});
/** The plan of one fact on the thread (or another object) with these effects. */
const planned = (effects: readonly AnyEffect[], given: Given = {}): Plan => {
  const { plan, unfoldable } = planBatch([advance(given.kind ?? 'thread', factOf(effects, given))]);
  expect(unfoldable).toEqual([]);
  return plan;
};

const created: Effect<'assignment.created'> = {
  type: 'assignment.created',
  assignment: 1,
  entry: 4,
  creator: ada,
  assignee: bob,
  content: contentOf(9),
  structured: true,
  deliverySeconds: 60,
  judgmentSeconds: 90,
};
const taken: Effect<'assignment.taken'> = {
  type: 'assignment.taken',
  assignment: 1,
  taker: bob,
  deliverBy: at + 60_000,
};
const delivered: Effect<'assignment.delivered'> = {
  type: 'assignment.delivered',
  assignment: 1,
  content: contentOf(3),
  memories: [{ id: memory, version: 2 }],
  judge: ada,
  judgeBy: at + 90_000,
};
const ids = { thread, assignment: 1 };

describe('effects on a thread', () => {
  it('[T-1] creation: the thread, its creator as membership 1', () => {
    const plan = planned([{ type: 'thread.created', creator: ada, content: contentOf(2) }]);
    expect(plan.threads.made).toEqual([
      {
        id: thread,
        status: 'open',
        creator: ada,
        content: contentOf(2).id,
        createdAt: at,
        revision: 7,
        entries: 0,
        assignments: 0,
        lastAt: at,
      },
    ]);
    expect(plan.memberships.made).toEqual([{ thread, membership: 1, agent: ada, role: 'governor', joinedAt: at }]);
  });
  it('[T-3] grants: issued live, voided', () => {
    expect(
      planned([{ type: 'grant.issued', grant: 2, role: 'speaker', hash: hashOf(5), by: ada }]).grants.made,
    ).toEqual([{ thread, number: 2, role: 'speaker', hash: hashOf(5), by: ada, issuedAt: at }]);
    expect(planned([{ type: 'grant.voided', grant: 2, how: 'superseded' }]).grants.changed).toEqual([
      { thread, number: 2, voidedAt: at, voidedHow: 'superseded' },
    ]);
  });
  it('[T-17] memberships: joined through a grant, role set, ended', () => {
    expect(
      planned([{ type: 'member.joined', membership: 2, agent: bob, role: 'observer', grant: 1 }]).memberships.made,
    ).toEqual([{ thread, membership: 2, agent: bob, role: 'observer', grant: 1, joinedAt: at }]);
    expect(
      planned([{ type: 'member.role-set', membership: 2, agent: bob, role: 'governor' }]).memberships.changed,
    ).toEqual([{ thread, membership: 2, role: 'governor' }]);
    expect(planned([{ type: 'membership.ended', membership: 2, agent: bob, how: 'left' }]).memberships.changed).toEqual(
      [{ thread, membership: 2, endedAt: at, endedHow: 'left' }],
    );
  });
  it('[T-21] an entry, and what it asks: the response is owed to its author', () => {
    const plan = planned([
      { type: 'entry.posted', entry: 4, author: ada, membership: 1, replyTo: 2, memory: { id: memory, version: 3 } },
      { type: 'response.owed', entry: 4, agent: bob },
    ]);
    expect(plan.entries.made).toEqual([
      { thread, entry: 4, author: ada, membership: 1, replyTo: 2, memory: { id: memory, version: 3 }, at },
    ]);
    expect(plan.threads.changed).toEqual([{ id: thread, entries: 4, revision: 7, lastAt: at }]);
    expect(plan.responses.made).toEqual([{ thread, entry: 4, agent: bob, from: ada, place: place(10, 1) }]);
  });
  it('[T-31] a response that ends keeps how, and the note', () => {
    expect(
      planned([{ type: 'response.ended', entry: 4, agent: bob, how: 'handled', note: contentOf(8) }]).responses.changed,
    ).toEqual([{ thread, entry: 4, agent: bob, endedAt: at, how: 'handled', note: contentOf(8).id }]);
  });
  it('[T-60] closing', () => {
    expect(planned([{ type: 'thread.closed', how: 'governor' }]).threads.changed).toEqual([
      { id: thread, status: 'closed', closedAt: at, revision: 7, lastAt: at },
    ]);
  });
});

describe('effects on an assignment', () => {
  it('[O-5] created it is an opportunity of its addressee and no duty', () => {
    const plan = planned([created]);
    const { type: _, content, ...contract } = created;
    expect(plan.assignments.made).toEqual([
      { thread, ...contract, content: content.id, status: 'open', memories: [], place: place(10, 0) },
    ]);
    expect(plan.duties.made).toEqual([]);
    expect(plan.deadlines.made).toEqual([]);
  });
  it('[T-43] taken it is the duty of the taker until its deadline, and no opportunity any more', () => {
    const plan = planned([taken]);
    expect(plan.assignments.changed).toEqual([
      { ...ids, status: 'taken', takenAt: at, deliverBy: taken.deliverBy, opportunityEndedAt: at },
    ]);
    expect(plan.duties.made).toEqual([
      { ...ids, obligation: 'deliver', holder: bob, deadline: taken.deliverBy, place: place(10, 0) },
    ]);
    expect(plan.deadlines.made).toEqual([
      { kind: 'thread', object: thread, part: 1, what: 'deliver', dueAt: taken.deliverBy },
    ]);
  });
  it('[T-44] delivered it is the duty of the judge', () => {
    const plan = planned([delivered]);
    expect(plan.assignments.changed).toEqual([
      {
        ...ids,
        status: 'delivered',
        deliveredAt: at,
        payload: contentOf(3),
        memories: delivered.memories,
        judge: ada,
        judgeBy: delivered.judgeBy,
      },
    ]);
    expect(plan.duties.changed).toEqual([{ ...ids, obligation: 'deliver', endedAt: at }]);
    expect(plan.duties.made).toEqual([
      { ...ids, obligation: 'judge', holder: ada, deadline: delivered.judgeBy, place: place(10, 0) },
    ]);
    expect(plan.deadlines.changed).toEqual([{ kind: 'thread', object: thread, part: 1, what: 'deliver', endedAt: at }]);
  });
  it.each([
    [
      { type: 'assignment.adopted', assignment: 1 },
      { status: 'adopted', endedHow: 'adopted' },
    ],
    [
      { type: 'assignment.rejected', assignment: 1, content: contentOf(6) },
      { status: 'rejected', endedHow: 'rejected', reason: contentOf(6).id },
    ],
    [
      { type: 'assignment.undecided', assignment: 1 },
      { status: 'undecided', endedHow: 'undecided' },
    ],
  ] as const)('[T-45] [T-49] judged or not in time it ends, and the duty to judge: $0.type', (effect, ended) => {
    const plan = planned([effect]);
    expect(plan.assignments.changed).toEqual([{ ...ids, endedAt: at, ...ended }]);
    expect(plan.duties.changed).toEqual([{ ...ids, obligation: 'judge', endedAt: at }]);
    expect(plan.deadlines.changed).toEqual([{ kind: 'thread', object: thread, part: 1, what: 'judge', endedAt: at }]);
  });
  it.each([
    [
      { type: 'assignment.dropped', assignment: 1 },
      { status: 'dropped', endedHow: 'dropped' },
    ],
    [
      { type: 'assignment.timed-out', assignment: 1 },
      { status: 'timed-out', endedHow: 'timed-out' },
    ],
    [
      { type: 'assignment.voided', assignment: 1, how: 'taker-gone', taker: bob },
      { status: 'voided', endedHow: 'taker-gone' },
    ],
  ] as const)('[T-46] [T-47] [T-49] undelivered it ends, and the duty to deliver: $0.type', (effect, ended) => {
    const plan = planned([effect]);
    expect(plan.assignments.changed).toEqual([{ ...ids, endedAt: at, ...ended }]);
    expect(plan.duties.changed).toEqual([{ ...ids, obligation: 'deliver', endedAt: at }]);
    expect(plan.deadlines.changed).toEqual([{ kind: 'thread', object: thread, part: 1, what: 'deliver', endedAt: at }]);
  });
  it('[T-42] voided untaken it ends as an opportunity; no duty was there', () => {
    const plan = planned([{ type: 'assignment.voided', assignment: 1, how: 'creator' }]);
    expect(plan.assignments.changed).toEqual([
      { ...ids, status: 'voided', endedAt: at, endedHow: 'creator', opportunityEndedAt: at },
    ]);
    expect(plan.duties.changed).toEqual([]);
  });
  it('[T-15] forfeited the judgment leaves the turn, and its deadline goes on', () => {
    const plan = planned([{ type: 'judgment.forfeited', assignment: 1, agent: ada }]);
    expect(plan.assignments.changed).toEqual([{ ...ids, judge: null }]);
    expect(plan.duties.changed).toEqual([{ ...ids, obligation: 'judge', endedAt: at }]);
    expect(plan.deadlines.changed).toEqual([]);
  });
  it('[L5-2] a duty ends once: a forfeited one keeps its end when the deadline settles the assignment', () => {
    const forfeit = factOf([{ type: 'judgment.forfeited', assignment: 1, agent: ada }]);
    const settle = { ...factOf([{ type: 'assignment.undecided', assignment: 1 }]), at: at + 5_000 };
    const { plan } = planBatch([advance('thread', forfeit, settle)]);
    expect(plan.duties.changed).toEqual([{ ...ids, obligation: 'judge', endedAt: at }]);
    expect(plan.assignments.changed).toMatchObject([{ judge: null, status: 'undecided', endedAt: at + 5_000 }]);
  });
  it('created, taken, delivered and adopted in one batch it is one row, and every duty has ended', () => {
    const { plan } = planBatch([
      advance(
        'thread',
        factOf([created]),
        factOf([taken, delivered]),
        factOf([{ type: 'assignment.adopted', assignment: 1 }]),
      ),
    ]);
    expect(plan.assignments.made).toMatchObject([
      { status: 'adopted', opportunityEndedAt: at, endedAt: at, judge: ada },
    ]);
    expect(plan.assignments.changed).toEqual([]);
    expect(plan.duties.made.map(({ obligation, endedAt }) => [obligation, endedAt])).toEqual([
      ['deliver', at],
      ['judge', at],
    ]);
    expect(plan.deadlines.made.map(({ what, endedAt }) => [what, endedAt])).toEqual([
      ['deliver', at],
      ['judge', at],
    ]);
  });
});

describe('effects on a Memory', () => {
  const ofMemory = { kind: 'memory', id: memory } as const;
  it('[M-1] creation: valid, private, version 1', () => {
    const plan = planned([{ type: 'memory.created', memory, author: ada, content: contentOf(1) }], ofMemory);
    expect(plan.memories.made).toEqual([
      { id: memory, author: ada, createdAt: at, status: 'valid', visibility: 'private', version: 1, revision: 7 },
    ]);
    expect(plan.versions.made).toEqual([{ memory, version: 1, content: contentOf(1), at }]);
  });
  it('[L1-1] born in an entry: the thread owns where and when, the memory its state', () => {
    const entry = { type: 'memory.created', memory, author: ada, content: contentOf(1), entry: 4 } as const;
    const born = planned([entry]);
    expect(born.bornMemories.made).toEqual([{ id: memory, author: ada, at, thread, entry: 4 }]);
    expect(born.memories.made).toEqual([]);
    expect(born.versions.made).toEqual([{ memory, version: 1, content: contentOf(1), at }]);
    const genesis = { author: ada, content: contentOf(1), thread, entry: 4 };
    const acted = planned([{ type: 'memory.born', genesis }, { type: 'memory.published' }], ofMemory);
    expect(acted.memories.made).toEqual([
      { id: memory, author: ada, status: 'valid', visibility: 'public', version: 1, revision: 7 },
    ]);
    expect(acted.versions.made).toEqual([]);
  });
  it.each([
    [{ type: 'memory.updated', version: 2, content: contentOf(2) }, { version: 2 }],
    [{ type: 'memory.published' }, { visibility: 'public' }],
    [{ type: 'memory.unpublished' }, { visibility: 'private' }],
    [{ type: 'memory.withdrawn' }, { status: 'withdrawn' }],
  ] as const)('[M-2] $0.type', (effect, change) => {
    expect(planned([effect], ofMemory).memories.changed).toEqual([{ id: memory, ...change, revision: 7 }]);
  });
});

describe('effects on a Task', () => {
  const task = idOf('task', 1);
  const ofTask = { kind: 'task', id: task } as const;
  const engagement = idOf('engagement', 1);
  const onEngagement = { engagement, number: 3 };
  const here = { task, number: 3 };
  const placed = (offset: number, effect: number) => ({ ...place(offset, effect), kind: 'task' });
  const stated: Effect<'contract.stated'> = {
    type: 'contract.stated',
    version: 1,
    content: contentOf(4),
    structured: true,
    requiredInputs: [{ id: memory, version: 2 }],
    informative: [],
    deliverySeconds: 60,
    judgmentSeconds: 90,
    withoutJudgment: 'adopted',
    judge: ada,
    eligibility: ['a'],
    maxAdoptions: 2,
    adoptedReaders: 'audience',
  };
  const confirmed: Effect<'engagement.confirmed'> = {
    type: 'engagement.confirmed',
    ...onEngagement,
    agent: bob,
    author: ada,
    judge: ada,
    version: 1,
    inputs: [{ id: memory, version: 2 }],
    deliverBy: at + 60_000,
    redoes: idOf('engagement', 9),
  };
  const handedIn: Effect<'engagement.delivered'> = {
    type: 'engagement.delivered',
    ...onEngagement,
    agent: bob,
    content: contentOf(5),
    memories: [{ id: memory, version: 1 }],
    judge: ada,
    judgeBy: at + 90_000,
  };
  const deadlineOf = (what: 'deliver' | 'judge') => ({ kind: 'task', object: task, part: 3, what });

  it('[K-1] [K-6] creation and contract: a Task at version 1, nobody’s duty', () => {
    const plan = planned([{ type: 'task.created', author: ada, audience: { kind: 'open' } }, stated], ofTask);
    expect(plan.tasks.made).toEqual([
      {
        id: task,
        author: ada,
        audience: 'open',
        paused: false,
        version: 1,
        adoptions: 0,
        createdAt: at,
        revision: 7,
        lastAt: at,
      },
    ]);
    const { type: _, ...terms } = stated;
    expect(plan.contracts.made).toEqual([{ task, ...terms, content: contentOf(4).id, at }]);
    expect([plan.audiences.made, plan.offers.made, plan.engagementDuties.made, plan.deadlines.made]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });
  it('[O-5] restricted it is an opportunity of each agent that it names', () => {
    const audience = { kind: 'restricted' as const, agents: [bob, idOf('agent', 3)] };
    const plan = planned([{ type: 'task.created', author: ada, audience }, stated], ofTask);
    expect(plan.audiences.made).toEqual(audience.agents.map((agent) => ({ task, agent })));
    expect(plan.offers.made).toEqual(
      audience.agents.map((agent) => ({ task, agent, from: ada, place: placed(10, 0) })),
    );
  });
  it('[K-5] revised it has a further version; the one before stays', () => {
    const plan = planned([{ ...stated, version: 2 }], ofTask);
    expect(plan.contracts.made).toMatchObject([{ task, version: 2 }]);
    expect(plan.contracts.changed).toEqual([]);
    expect(plan.tasks.changed).toEqual([{ id: task, version: 2, revision: 7, lastAt: at }]);
  });
  it.each([
    ['task.paused', true],
    ['task.resumed', false],
  ] as const)('[K-18] [K-13] %s changes the Task and no engagement', (type, paused) => {
    const plan = planned([{ type }], ofTask);
    expect(plan.tasks.changed).toEqual([{ id: task, paused, revision: 7, lastAt: at }]);
    expect(plan.engagements.changed).toEqual([]);
    expect(plan.engagementDuties.changed).toEqual([]);
  });
  it('[K-8] taken it binds agent, version and inputs, and is the duty of the engaged agent until its deadline', () => {
    const plan = planned([confirmed], ofTask);
    const { type: _, engagement: id, ...bound } = confirmed;
    expect(plan.engagements.made).toEqual([{ task, id, ...bound, status: 'taken', takenAt: at, memories: [] }]);
    expect(plan.engagementDuties.made).toEqual([
      {
        ...here,
        obligation: 'deliver',
        engagement,
        holder: bob,
        from: ada,
        deadline: confirmed.deliverBy,
        place: placed(10, 0),
      },
    ]);
    expect(plan.deadlines.made).toEqual([{ ...deadlineOf('deliver'), dueAt: confirmed.deliverBy }]);
    expect(plan.offers.changed).toEqual([]);
  });
  it('[K-10] [K-11] delivered it is the duty of the judge', () => {
    const plan = planned([handedIn], ofTask);
    expect(plan.engagements.changed).toEqual([
      {
        ...here,
        status: 'delivered',
        deliveredAt: at,
        memories: handedIn.memories,
        judgeBy: handedIn.judgeBy,
        payload: contentOf(5),
      },
    ]);
    expect(plan.engagementDuties.changed).toEqual([{ ...here, obligation: 'deliver', endedAt: at }]);
    expect(plan.engagementDuties.made).toEqual([
      {
        ...here,
        obligation: 'judge',
        engagement,
        holder: ada,
        from: bob,
        deadline: handedIn.judgeBy,
        place: placed(10, 0),
      },
    ]);
    expect(plan.deadlines.changed).toEqual([{ ...deadlineOf('deliver'), endedAt: at }]);
    expect(plan.deadlines.made).toEqual([{ ...deadlineOf('judge'), dueAt: handedIn.judgeBy }]);
  });
  it('[K-10] delivered as Memories alone it has no payload', () => {
    const { content: _, ...bare } = handedIn;
    expect(planned([bare], ofTask).engagements.changed[0]).not.toHaveProperty('payload');
  });
  it.each(['judge', 'deadline'] as const)('[K-12] [K-15] adopted by the %s it counts', (by) => {
    const plan = planned([{ type: 'engagement.adopted', ...onEngagement, by, adoptions: 2 }], ofTask);
    expect(plan.engagements.changed).toEqual([{ ...here, status: 'adopted', endedAt: at, endedHow: by }]);
    expect(plan.tasks.changed).toEqual([{ id: task, adoptions: 2, revision: 7, lastAt: at }]);
    expect(plan.engagementDuties.changed).toEqual([{ ...here, obligation: 'judge', endedAt: at }]);
    expect(plan.deadlines.changed).toEqual([{ ...deadlineOf('judge'), endedAt: at }]);
  });
  it.each([
    [
      { type: 'engagement.rejected', ...onEngagement, content: contentOf(6) },
      'judge',
      { status: 'rejected', endedHow: 'judge', reason: contentOf(6).id },
    ],
    [{ type: 'engagement.undecided', ...onEngagement }, 'judge', { status: 'undecided', endedHow: 'deadline' }],
    [{ type: 'engagement.dropped', ...onEngagement }, 'deliver', { status: 'dropped', endedHow: 'dropped' }],
    [{ type: 'engagement.timed-out', ...onEngagement }, 'deliver', { status: 'timed-out', endedHow: 'deadline' }],
  ] as const)('[K-14] $0.type ends the engagement, its duty and its deadline', (effect, duty, ended) => {
    const plan = planned([effect], ofTask);
    expect(plan.engagements.changed).toEqual([{ ...here, endedAt: at, ...ended }]);
    expect(plan.engagementDuties.changed).toEqual([{ ...here, obligation: duty, endedAt: at }]);
    expect(plan.deadlines.changed).toEqual([{ ...deadlineOf(duty), endedAt: at }]);
    expect(plan.tasks.changed).toEqual([{ id: task, revision: 7, lastAt: at }]);
  });
  it('[L2-2] taken and delivered in one fact it is one row, one duty ended and one open', () => {
    const plan = planned([confirmed, handedIn], ofTask);
    expect(plan.engagements.made).toMatchObject([{ status: 'delivered', takenAt: at, deliveredAt: at }]);
    expect(plan.engagements.changed).toEqual([]);
    expect(plan.engagementDuties.made.map(({ obligation, endedAt }) => [obligation, endedAt])).toEqual([
      ['deliver', at],
      ['judge', undefined],
    ]);
  });
});

describe('effects on an account', () => {
  const ofAgent = { kind: 'agent', id: ada } as const;
  it('[A-8] creation with labels and a key', () => {
    const effects: AnyEffect[] = [
      { type: 'agent.created' },
      { type: 'agent.labels-set', labels: ['a'] },
      { type: 'agent.key-issued', key: idOf('key', 1), hash: hashOf(2) },
    ];
    const plan = planned(effects, ofAgent);
    expect(plan.agents.made).toEqual([
      { id: ada, status: 'active', walk: 0, labels: ['a'], createdAt: at, revision: 7 },
    ]);
    expect(plan.keys.made).toEqual([{ id: idOf('key', 1), agent: ada, hash: hashOf(2), issuedAt: at }]);
    expect(planned([{ type: 'agent.key-revoked', key: idOf('key', 1) }], ofAgent).keys.changed).toEqual([
      { id: idOf('key', 1), revokedAt: at },
    ]);
  });
  it.each([
    ['agent.deactivating', 'deactivate', 'deactivating'],
    ['agent.activating', 'activate', 'activating'],
  ] as const)('[A-4] %s lists the partitions of the walk', (type, change, status) => {
    const plan = planned([{ type, walk: 2, partitions: [{ kind: 'thread', partition: 1 }] }], ofAgent);
    expect(plan.agents.changed).toEqual([{ id: ada, status, walk: 2, revision: 7 }]);
    expect(plan.walks.made).toEqual([{ agent: ada, walk: 2, change, kind: 'thread', partition: 1 }]);
  });
  it.each([
    ['agent.deactivated', 'deactivated'],
    ['agent.activated', 'active'],
  ] as const)('[A-8] %s', (type, status) => {
    expect(planned([{ type, walk: 2 }], ofAgent).agents.changed).toEqual([{ id: ada, status, revision: 7 }]);
  });
  it('[A-4] in a partition of threads a walk leaves only that it has been applied', () => {
    const cause: Cause = { kind: 'account', agent: ada, walk: 2, change: 'deactivate' };
    const plan = planned(
      [
        { type: 'account.inactive', agent: ada, walk: 2 },
        { type: 'account.applied', agent: ada, walk: 2 },
      ],
      { id: ada, cause },
    );
    expect(plan.walksApplied.made).toEqual([{ agent: ada, walk: 2, kind: 'thread', partition: 3 }]);
    expect(plan.threads.changed).toEqual([]);
  });
});

describe('a fact', () => {
  it('[L3-1] of an action leaves a receipt, one without effects too; others leave none', () => {
    const existing = { type: 'membership', membership: 2, role: 'speaker' } as const;
    const again = { ...factOf([], { cause: action('thread.join') }), existing };
    const { plan } = planBatch([advance('thread', again)]);
    expect(plan.receipts.made).toMatchObject([
      { binding: hashOf(1), agent: ada, action: 'thread.join', fingerprint: `v1:${hashOf(1)}`, at },
    ]);
    expect(plan.threads.changed).toEqual([{ id: thread, revision: 7, lastAt: at }]);
    expect(planned([taken]).receipts.made).toEqual([]);
  });
  it('that cannot be folded stops its partition alone, and leaves nothing of it in the plan', () => {
    const bad = advance('thread', factOf([created]), factOf([{ type: 'response.owed', entry: 1, agent: bob }]));
    const good = advance('memory', factOf([{ type: 'memory.published' }], { kind: 'memory', id: memory }));
    const { plan, folded, unfoldable } = planBatch([bad, good]);
    expect(unfoldable).toEqual([{ topic: 'kungfu.facts.thread', partition: 3, offset: 11, error: expect.any(Error) }]);
    expect(folded).toEqual([good]);
    expect(plan.assignments.made).toEqual([]);
    expect(plan.memories.changed).toHaveLength(1);
  });
});
