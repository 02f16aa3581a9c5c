import { describe, it } from '@jest/globals';
import {
  ada,
  agentNumber,
  begin,
  bob,
  contentNumber,
  cyd,
  dan,
  eve,
  hashNumber,
  memoryNumber,
  specFor,
  taskNumber,
  threadNumber,
} from '../testing/index.ts';
import type { ThreadAction } from './actions.ts';
import { threadKind } from './decide.ts';
import type { Role, ThreadEffect } from './effects.ts';

const { given } = specFor(threadKind, threadNumber(1));
const day = 86_400_000;

// What happened.
const created: ThreadEffect = { type: 'thread.created', creator: ada };
const closed: ThreadEffect = { type: 'thread.closed', how: 'governor' };
const issued = (grant: number, role: Role = 'speaker'): ThreadEffect => ({
  type: 'grant.issued',
  grant,
  role,
  hash: hashNumber(grant),
  by: ada,
});
const voided = (grant: number, how: 'superseded' | 'revoked' | 'closed'): ThreadEffect => ({
  type: 'grant.voided',
  grant,
  how,
});
const joined = (membership: number, agent: typeof ada, role: Role = 'speaker'): ThreadEffect => ({
  type: 'member.joined',
  membership,
  agent,
  role,
  grant: 1,
});
const left = (
  membership: number,
  agent: typeof ada,
  how: 'left' | 'removed' | 'deactivated' = 'left',
): ThreadEffect => ({ type: 'membership.ended', membership, agent, how });
const roleSet = (membership: number, agent: typeof ada, role: Role): ThreadEffect => ({
  type: 'member.role-set',
  membership,
  agent,
  role,
});
const entry = (n: number, author: typeof ada, membership: number, replyTo?: number): ThreadEffect => ({
  type: 'entry.posted',
  entry: n,
  author,
  membership,
  memory: { id: memoryNumber(n), version: 1 },
  ...(replyTo === undefined ? {} : { replyTo }),
});
const owed = (n: number, agent: typeof ada): ThreadEffect => ({ type: 'response.owed', entry: n, agent });
type How = Extract<ThreadEffect, { type: 'response.ended' }>['how'];
const ended = (n: number, agent: typeof ada, how: How): ThreadEffect => ({
  type: 'response.ended',
  entry: n,
  agent,
  how,
});
const assigned = (n: number, inEntry: number, creator: typeof ada, assignee: typeof ada): ThreadEffect => ({
  type: 'assignment.created',
  assignment: n,
  entry: inEntry,
  creator,
  assignee,
  content: contentNumber(n),
  structured: false,
  deliverySeconds: 100,
  judgmentSeconds: 200,
});
const taken = (n: number, taker: typeof ada, at = begin): ThreadEffect => ({
  type: 'assignment.taken',
  assignment: n,
  taker,
  deliverBy: at + 100_000,
});
const delivered = (n: number, judge: typeof ada, at = begin): ThreadEffect => ({
  type: 'assignment.delivered',
  assignment: n,
  content: contentNumber(90),
  memories: [],
  judge,
  judgeBy: at + 200_000,
});
const over = (n: number, type: 'adopted' | 'dropped' | 'timed-out' | 'undecided'): ThreadEffect => ({
  type: `assignment.${type}`,
  assignment: n,
});
const void_ = (
  n: number,
  how: 'creator' | 'taker-gone' | 'creator-gone' | 'closed',
  taker?: typeof ada,
): ThreadEffect => ({
  type: 'assignment.voided',
  assignment: n,
  how,
  ...(taker === undefined ? {} : { taker }),
});
const forfeited = (n: number, agent: typeof ada): ThreadEffect => ({
  type: 'judgment.forfeited',
  assignment: n,
  agent,
});

// What is asked for.
const pinned = (n: number) => ({ kind: 'reference', pin: { id: memoryNumber(n), version: 1 } }) as const;
type Post = Extract<ThreadAction, { type: 'thread.post' }>;
const post = (n: number, more: Partial<Post> = {}): ThreadAction => ({
  type: 'thread.post',
  memory: pinned(n),
  ...more,
});
const assign = (to: typeof ada, redoes?: number) => ({
  to,
  content: contentNumber(1),
  structured: false,
  deliverySeconds: 100,
  judgmentSeconds: 200,
  ...(redoes === undefined ? {} : { redoes }),
});
const on = (type: 'take' | 'drop' | 'void' | 'adopt', assignment: number): ThreadAction => ({
  type: `assignment.${type}`,
  assignment,
});
const delivery = { content: contentNumber(90), memories: [] };
const deliver = (assignment: number): ThreadAction => ({ type: 'assignment.deliver', assignment, delivery });
const reject = (assignment: number): ThreadAction => ({
  type: 'assignment.reject',
  assignment,
  content: contentNumber(91),
});
const join = (grant: number): ThreadAction => ({ type: 'thread.join', hash: hashNumber(grant) });
const remove = (member: typeof ada): ThreadAction => ({ type: 'thread.remove', member });
const setRole = (member: typeof ada, role: Role): ThreadAction => ({ type: 'thread.set-role', member, role });
const grant = (n: number, role: Role = 'speaker'): ThreadAction => ({
  type: 'thread.grant',
  role,
  hash: hashNumber(n),
});
const handle = (n: number): ThreadAction => ({ type: 'thread.handle', entry: n });
const retract = (n: number): ThreadAction => ({ type: 'thread.retract', entry: n });
const [leave, close, revoke] = [
  { type: 'thread.leave' },
  { type: 'thread.close' },
  { type: 'thread.revoke-grant' },
] as const;

/** Ada governs, Bob and Cyd speak, Dan observes. */
const room: readonly ThreadEffect[] = [created, issued(1), joined(2, bob), joined(3, cyd), joined(4, dan, 'observer')];
/** Ada governs, Bob speaks. */
const pair: readonly ThreadEffect[] = [created, issued(1), joined(2, bob)];
/** An assignment of Ada's for Bob. */
const offered: readonly ThreadEffect[] = [...room, entry(1, ada, 1), assigned(1, 1, ada, bob)];

const byMembers: readonly ThreadAction[] = [
  grant(2),
  revoke,
  leave,
  close,
  remove(bob),
  setRole(bob, 'observer'),
  post(1),
  handle(1),
  retract(1),
  on('take', 1),
  deliver(1),
  on('drop', 1),
  on('void', 1),
  on('adopt', 1),
  reject(1),
];

describe('creating a thread', () => {
  it('[T-1] makes its creator governor', () => {
    given().when(ada, { type: 'thread.create' }).then(created);
    given(created).when(ada, grant(1)).then(issued(1));
    given()
      .when(ada, { type: 'thread.create', content: contentNumber(5) })
      .then({ ...created, content: contentNumber(5) } as ThreadEffect);
  });
  it('[L2-2] with a grant is the two in order', () => {
    given()
      .when(ada, { type: 'thread.create', grant: { role: 'observer', hash: hashNumber(1) } })
      .then(created, issued(1, 'observer'));
  });
  it('[A-1] is for active agents, as is everything else', () => {
    given()
      .when(ada, { type: 'thread.create' }, { inactive: [ada] })
      .thenRefused('agent_inactive');
    given(...pair)
      .when(cyd, join(1), { inactive: [cyd] })
      .thenRefused('agent_inactive');
    for (const action of byMembers)
      given(...room)
        .when(ada, action, { inactive: [ada] })
        .thenRefused('agent_inactive');
  });
  it('[L2-3] happens once', () => {
    given(created).when(ada, { type: 'thread.create' }).thenRefused('wrong_state');
  });
});

describe('knowing a thread', () => {
  it('[V-14] is for current members: to others it does not exist, whatever they ask for', () => {
    for (const action of byMembers) {
      given().when(eve, action).thenRefused('not_found');
      given(...offered)
        .when(eve, action)
        .thenRefused('not_found');
      given(...room, left(2, bob))
        .when(bob, action)
        .thenRefused('not_found');
      given(...room, left(2, bob), closed)
        .when(bob, action)
        .thenRefused('not_found');
    }
  });
});

describe('admission', () => {
  it('[T-2] [T-10] is granted and voided by a governor', () => {
    for (const agent of [bob, dan]) {
      given(...room)
        .when(agent, grant(2))
        .thenRefused('not_permitted');
      given(...room)
        .when(agent, revoke)
        .thenRefused('not_permitted');
    }
    given(created).when(ada, grant(1, 'governor')).then(issued(1, 'governor'));
  });
  it('[T-3] has one live grant: a new one voids the old, and it can be voided alone', () => {
    given(created, issued(1)).when(ada, grant(2, 'observer')).then(voided(1, 'superseded'), issued(2, 'observer'));
    given(created, issued(1)).when(ada, revoke).then(voided(1, 'revoked'));
    given(created, issued(1), voided(1, 'revoked')).when(ada, grant(2)).then(issued(2));
  });
  it('[L2-4] voiding without a live grant is refused', () => {
    given(created).when(ada, revoke).thenRefused('no_effect');
    given(created, issued(1), voided(1, 'revoked')).when(ada, revoke).thenRefused('no_effect');
  });
  it('[T-5] [T-17] joining takes the role of the live grant and records it', () => {
    given(created, issued(1, 'observer'))
      .when(bob, join(1))
      .then(joined(2, bob, 'observer'));
    given(...pair, left(2, bob))
      .when(bob, join(1))
      .then(joined(3, bob));
  });
  it('[T-6] [L2-4] joining again returns the membership as it is, before capacity is looked at', () => {
    const again = given(...pair, roleSet(2, bob, 'governor')).when(bob, join(1), { limits: { membersMax: 1 } });
    again.thenExisting({ type: 'membership', membership: 2, role: 'governor' });
  });
  it('[T-7] unknown, superseded, voided and closed grants are refused alike', () => {
    given().when(bob, join(1)).thenRefused('grant_invalid');
    given(created).when(bob, join(1)).thenRefused('grant_invalid');
    given(created, issued(1)).when(bob, join(2)).thenRefused('grant_invalid');
    given(created, issued(1), voided(1, 'superseded'), issued(2)).when(bob, join(1)).thenRefused('grant_invalid');
    given(created, issued(1), voided(1, 'revoked')).when(bob, join(1)).thenRefused('grant_invalid');
    given(created, issued(1), voided(1, 'closed'), closed).when(bob, join(1)).thenRefused('grant_invalid');
    given(...pair, voided(1, 'revoked'))
      .when(bob, join(1))
      .thenRefused('grant_invalid');
  });
  it('[L4-4] a full thread takes nobody more', () => {
    given(...pair)
      .when(cyd, join(1), { limits: { membersMax: 2 } })
      .thenRefused('capacity_members');
    given(...pair)
      .when(cyd, join(1), { limits: { membersMax: 3 } })
      .then(joined(3, cyd));
    given(...pair, left(2, bob))
      .when(cyd, join(1), { limits: { membersMax: 2 } })
      .then(joined(3, cyd));
  });
});

describe('roles', () => {
  it('[T-10] [T-12] a governor changes roles and removes others, in an open thread', () => {
    given(...room)
      .when(ada, setRole(dan, 'speaker'))
      .then(roleSet(4, dan, 'speaker'));
    given(...room)
      .when(ada, remove(bob))
      .then(left(2, bob, 'removed'));
    for (const action of [setRole(dan, 'speaker'), remove(cyd), close]) {
      given(...room)
        .when(bob, action)
        .thenRefused('not_permitted');
      given(...room, closed)
        .when(bob, action)
        .thenRefused('not_permitted');
      given(...room, closed)
        .when(ada, action)
        .thenRefused('thread_closed');
    }
  });
  it('[T-12] removing leaves the grant as it is', () => {
    given(...pair, left(2, bob, 'removed'))
      .when(bob, join(1))
      .then(joined(3, bob));
  });
  it('[T-12] names a member, and removing names another', () => {
    given(...room)
      .when(ada, remove(eve))
      .thenRefused('invalid_target');
    given(...room)
      .when(ada, remove(ada))
      .thenRefused('invalid_target');
    given(...room)
      .when(ada, setRole(eve, 'observer'))
      .thenRefused('invalid_target');
    given(...room)
      .when(ada, setRole(bob, 'observer'), { inactive: [bob] })
      .thenRefused('invalid_target');
  });
  it('[L2-4] the role a member has already is refused', () => {
    given(...room)
      .when(ada, setRole(bob, 'speaker'))
      .thenRefused('no_effect');
    given(created).when(ada, setRole(ada, 'governor')).thenRefused('no_effect');
  });
  it('[T-13] the last governor cannot leave or be demoted while the thread is open', () => {
    given(...room)
      .when(ada, leave)
      .thenRefused('last_governor');
    given(...room)
      .when(ada, setRole(ada, 'speaker'))
      .thenRefused('last_governor');
    given(...room, roleSet(2, bob, 'governor'))
      .when(ada, leave)
      .then(left(1, ada));
    given(...room, roleSet(2, bob, 'governor'))
      .when(ada, setRole(ada, 'observer'))
      .then(roleSet(1, ada, 'observer'));
    given(...room, roleSet(2, bob, 'governor'))
      .when(bob, remove(ada))
      .then(left(1, ada, 'removed'));
    given(...room, roleSet(2, bob, 'governor'))
      .when(bob, setRole(bob, 'speaker'))
      .then(roleSet(2, bob, 'speaker'));
  });
  it('[T-11] anyone else may leave at any time, and all may leave a closed thread', () => {
    given(...room)
      .when(dan, leave)
      .then(left(4, dan));
    given(...room, closed)
      .when(ada, leave)
      .then(left(1, ada));
    given(...room, closed)
      .when(bob, leave)
      .then(left(2, bob));
  });
  it('[T-14] demotion to observer ends pending responses and leaves assignments running', () => {
    given(...offered, owed(1, bob), taken(1, bob))
      .when(ada, setRole(bob, 'observer'))
      .then(ended(1, bob, 'demoted'), roleSet(2, bob, 'observer'));
    given(...offered, taken(1, bob), roleSet(2, bob, 'observer'))
      .when(bob, deliver(1))
      .then(delivered(1, ada));
    given(...room, roleSet(2, bob, 'governor'), entry(1, ada, 1), owed(1, bob))
      .when(ada, setRole(bob, 'speaker'))
      .then(roleSet(2, bob, 'speaker'));
  });
});

describe('posting', () => {
  it('[T-20] is for members who may speak, in an open thread', () => {
    given(...room)
      .when(dan, post(1))
      .thenRefused('not_permitted');
    given(...room, closed)
      .when(dan, post(1))
      .thenRefused('not_permitted');
    given(...room, closed)
      .when(ada, post(1))
      .thenRefused('thread_closed');
  });
  it('[T-21] gives rising numbers and pins one version', () => {
    given(...room)
      .when(ada, post(1))
      .then(entry(1, ada, 1));
    given(...room, entry(1, ada, 1))
      .when(bob, post(2))
      .then(entry(2, bob, 2));
  });
  it('[L2-2] of content makes a Memory in the same fact', () => {
    given(...room)
      .when(ada, { type: 'thread.post', memory: { kind: 'born', id: memoryNumber(7), content: contentNumber(7) } })
      .then(
        { type: 'memory.created', memory: memoryNumber(7), author: ada, content: contentNumber(7), entry: 1 },
        { type: 'entry.posted', entry: 1, author: ada, membership: 1, memory: { id: memoryNumber(7), version: 1 } },
      );
  });
  it('[M-7] [M-10] of what cannot be referenced is refused last', () => {
    for (const code of ['invalid_target', 'memory_withdrawn'] as const) {
      const unusable = { type: 'thread.post', memory: { kind: 'unusable', code } } as const;
      given(...room)
        .when(ada, unusable)
        .thenRefused(code);
      given(...room)
        .when(eve, unusable)
        .thenRefused('not_found');
      given(...room)
        .when(dan, unusable)
        .thenRefused('not_permitted');
      given(...room, closed)
        .when(ada, unusable)
        .thenRefused('thread_closed');
      given(...room)
        .when(ada, { ...unusable, ask: [bob] }, { limits: { openResponsesMax: 0 } })
        .thenRefused('capacity_responses');
    }
  });
  it('[K-16] [V-14] of a Task that its author may not know is refused last of all', () => {
    const unknown = { task: taskNumber(1), unusableTask: true } as const;
    given(...room)
      .when(ada, post(1, unknown))
      .thenRefused('invalid_target');
    given(...room)
      .when(ada, post(1, { unusableTask: true }))
      .thenRefused('invalid_target');
    given(...room)
      .when(eve, post(1, unknown))
      .thenRefused('not_found');
    given(...room)
      .when(dan, post(1, unknown))
      .thenRefused('not_permitted');
    given(...room, closed)
      .when(ada, post(1, unknown))
      .thenRefused('thread_closed');
    given(...room)
      .when(ada, post(1, { ...unknown, ask: [bob] }), { limits: { openResponsesMax: 0 } })
      .thenRefused('capacity_responses');
    given(...room)
      .when(ada, post(1, { ...unknown, assign: assign(bob) }), { limits: { liveAssignmentsMax: 0 } })
      .thenRefused('capacity_assignments');
    given(...room)
      .when(ada, { ...post(1, unknown), memory: { kind: 'unusable', code: 'memory_withdrawn' } } as ThreadAction)
      .thenRefused('memory_withdrawn');
  });
  it('[K-16] an entry that refers to a Task asks and answers as any other: the reference adds nothing', () => {
    const task = taskNumber(1);
    given(...pair, entry(1, bob, 2), owed(1, ada))
      .when(ada, post(2, { replyTo: 1, task, assign: assign(bob) }))
      .then({ ...entry(2, ada, 1, 1), task } as ThreadEffect, ended(1, ada, 'reply'), owed(2, bob), {
        ...assigned(1, 2, ada, bob),
        content: contentNumber(1),
      } as ThreadEffect);
  });
  it('[T-22] a reply names an existing entry', () => {
    given(...room, entry(1, ada, 1))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1));
    given(...room, entry(1, ada, 1))
      .when(ada, post(2, { replyTo: 2 }))
      .thenRefused('invalid_target');
    given(...room)
      .when(ada, post(1, { replyTo: 1 }))
      .thenRefused('invalid_target');
  });
  it('[T-23] asks members who may speak, never the author; duplicates count once', () => {
    given(...room)
      .when(ada, post(1, { ask: [bob, cyd, bob] }))
      .then(entry(1, ada, 1), owed(1, bob), owed(1, cyd));
    for (const ask of [[ada], [dan], [eve], [bob, dan]])
      given(...room)
        .when(ada, post(1, { ask }))
        .thenRefused('invalid_target');
    given(...room, left(2, bob))
      .when(ada, post(1, { ask: [bob] }))
      .thenRefused('invalid_target');
  });
  it('[A-7] asks nobody who is being deactivated', () => {
    given(...room)
      .when(ada, post(1, { ask: [bob] }), { inactive: [bob] })
      .thenRefused('invalid_target');
    given(...pair)
      .when(ada, post(1), { inactive: [bob] })
      .then(entry(1, ada, 1));
    given(...room, entry(1, bob, 2))
      .when(ada, post(2, { replyTo: 1 }), { inactive: [bob] })
      .then(entry(2, ada, 1, 1));
    given(...room)
      .when(ada, post(1, { assign: assign(bob) }), { inactive: [bob] })
      .thenRefused('invalid_target');
  });
  it('[T-24] a stated ask decides, an empty one means nobody', () => {
    given(...pair, entry(1, bob, 2))
      .when(ada, post(2, { replyTo: 1, ask: [] }))
      .then(entry(2, ada, 1, 1));
    given(...pair)
      .when(ada, post(1, { ask: [] }))
      .then(entry(1, ada, 1));
    given(...room, entry(1, bob, 2))
      .when(ada, post(2, { replyTo: 1, ask: [cyd] }))
      .then(entry(2, ada, 1, 1), owed(2, cyd));
  });
  it('[T-25] else a reply asks the other’s author, or nobody if it can no longer speak', () => {
    given(...room, entry(1, bob, 2))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1), owed(2, bob));
    given(...room, entry(1, bob, 2), roleSet(2, bob, 'observer'))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1));
    given(...room, entry(1, bob, 2), left(2, bob), left(4, dan))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1));
    given(...room, entry(1, bob, 2), left(2, bob), joined(5, bob))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1), owed(2, bob));
  });
  it('[T-26] else, with exactly two who may speak, the other; a reply to oneself comes here', () => {
    given(...pair, joined(3, dan, 'observer'))
      .when(ada, post(1))
      .then(entry(1, ada, 1), owed(1, bob));
    given(...pair)
      .when(bob, post(1))
      .then(entry(1, bob, 2), owed(1, ada));
    given(...pair, entry(1, ada, 1))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1), owed(2, bob));
  });
  it('[T-27] else nobody', () => {
    given(...room)
      .when(ada, post(1))
      .then(entry(1, ada, 1));
    given(created)
      .when(ada, post(1))
      .then(entry(1, ada, 1));
    given(...room, entry(1, ada, 1))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1));
  });
  it('[T-28] responders are fixed: who joins or is promoted later owes nothing', () => {
    given(created, issued(1), entry(1, ada, 1), joined(2, bob))
      .when(bob, handle(1))
      .thenRefused('not_pending');
    given(...pair, joined(3, dan, 'observer'), entry(1, ada, 1), owed(1, bob), roleSet(3, dan, 'speaker'))
      .when(dan, handle(1))
      .thenRefused('not_pending');
  });
  it('[T-29] replying ends one’s own pending response, and whom the reply asks is separate', () => {
    given(...room, entry(1, ada, 1), owed(1, bob), owed(1, cyd))
      .when(bob, post(2, { replyTo: 1, ask: [] }))
      .then(entry(2, bob, 2, 1), ended(1, bob, 'reply'));
    given(...room, entry(1, ada, 1), owed(1, bob))
      .when(bob, post(2, { replyTo: 1 }))
      .then(entry(2, bob, 2, 1), ended(1, bob, 'reply'), owed(2, ada));
    given(...room, entry(1, ada, 1), owed(1, bob), entry(2, ada, 1))
      .when(bob, post(3, { replyTo: 2, ask: [] }))
      .then(entry(3, bob, 2, 2));
  });
  it('[T-30] replying without a pending response is allowed', () => {
    given(...room, entry(1, ada, 1))
      .when(cyd, post(2, { replyTo: 1, ask: [] }))
      .then(entry(2, cyd, 3, 1));
  });
  it('[T-33] [T-34] nothing else ends a response: no action edits, deletes or reads an entry', () => {
    given(...room, entry(1, ada, 1), owed(1, bob))
      .when(bob, post(2, { ask: [] }))
      .then(entry(2, bob, 2));
  });
  it('[L4-4] open responses are bounded; one that the post itself ends makes room', () => {
    const full = [...room, entry(1, ada, 1), owed(1, bob), owed(1, cyd)];
    given(...full)
      .when(ada, post(2, { ask: [bob] }), { limits: { openResponsesMax: 2 } })
      .thenRefused('capacity_responses');
    given(...full)
      .when(ada, post(2, { ask: [bob] }), { limits: { openResponsesMax: 3 } })
      .then(entry(2, ada, 1), owed(2, bob));
    given(...full)
      .when(bob, post(2, { replyTo: 1 }), { limits: { openResponsesMax: 2 } })
      .then(entry(2, bob, 2, 1), ended(1, bob, 'reply'), owed(2, ada));
    given(...full, ended(1, cyd, 'handled'))
      .when(ada, post(2, { ask: [bob] }), { limits: { openResponsesMax: 2 } })
      .then(entry(2, ada, 1), owed(2, bob));
  });
  it('[L4-4] a thread over its limit takes what adds no response, so that it can come below', () => {
    const over = [...room, entry(1, ada, 1), owed(1, bob), owed(1, cyd)];
    const limits = { openResponsesMax: 0 };
    given(...over)
      .when(ada, post(2, { ask: [] }), { limits })
      .then(entry(2, ada, 1));
    given(...over)
      .when(bob, post(2, { replyTo: 1, ask: [] }), { limits })
      .then(entry(2, bob, 2, 1), ended(1, bob, 'reply'));
    given(...over)
      .when(bob, post(2, { replyTo: 1, ask: [ada] }), { limits })
      .then(entry(2, bob, 2, 1), ended(1, bob, 'reply'), owed(2, ada));
    given(...over)
      .when(bob, post(2, { replyTo: 1, ask: [ada, cyd] }), { limits })
      .thenRefused('capacity_responses');
  });
});

describe('ending a response without an entry', () => {
  const asked = [...room, entry(1, ada, 1), owed(1, bob), owed(1, cyd)];
  it('[T-31] a responder handles its own, optionally with a note', () => {
    given(...asked)
      .when(bob, handle(1))
      .then(ended(1, bob, 'handled'));
    given(...asked)
      .when(bob, { type: 'thread.handle', entry: 1, note: contentNumber(3) })
      .then({ ...ended(1, bob, 'handled'), note: contentNumber(3) } as ThreadEffect);
    given(...asked)
      .when(ada, handle(1))
      .thenRefused('not_pending');
    given(...asked, ended(1, bob, 'handled'))
      .when(bob, handle(1))
      .thenRefused('not_pending');
    given(...asked)
      .when(bob, handle(2))
      .thenRefused('not_found');
  });
  it('[T-32] the author retracts all that are pending, and undoes none given', () => {
    given(...asked)
      .when(ada, retract(1))
      .then(ended(1, bob, 'retracted'), ended(1, cyd, 'retracted'));
    given(...asked, ended(1, bob, 'reply'))
      .when(ada, retract(1))
      .then(ended(1, cyd, 'retracted'));
    given(...asked)
      .when(bob, retract(1))
      .thenRefused('not_permitted');
    given(...asked)
      .when(ada, retract(2))
      .thenRefused('not_found');
  });
  it('[L2-4] retracting with nothing pending is refused', () => {
    given(...asked, ended(1, bob, 'reply'), ended(1, cyd, 'reply'))
      .when(ada, retract(1))
      .thenRefused('not_pending');
  });
  it('[T-32] demoted too, but only under the membership that posted', () => {
    const ofBob = [...room, entry(1, bob, 2), owed(1, cyd)];
    given(...ofBob, roleSet(2, bob, 'observer'))
      .when(bob, retract(1))
      .then(ended(1, cyd, 'retracted'));
    given(...ofBob, left(2, bob), joined(5, bob))
      .when(bob, retract(1))
      .thenRefused('not_permitted');
  });
});

describe('an assignment', () => {
  it('[T-40] is created with an entry, for one member who may speak, possibly oneself', () => {
    given(...room)
      .when(ada, post(1, { assign: assign(bob) }))
      .then(entry(1, ada, 1), assigned(1, 1, ada, bob));
    given(...room)
      .when(bob, post(1, { assign: assign(bob) }))
      .then(entry(1, bob, 2), assigned(1, 1, bob, bob));
    for (const to of [dan, eve])
      given(...room)
        .when(ada, post(1, { assign: assign(to) }))
        .thenRefused('invalid_target');
    given(...room)
      .when(dan, post(1, { assign: assign(bob) }))
      .thenRefused('not_permitted');
    given(...room)
      .when(ada, post(1, { ask: [bob], assign: assign(bob) }))
      .then(entry(1, ada, 1), owed(1, bob), assigned(1, 1, ada, bob));
  });
  it('[T-48] may redo an earlier one of the thread', () => {
    given(...offered)
      .when(ada, post(2, { assign: assign(bob, 1) }))
      .then(entry(2, ada, 1), { ...assigned(2, 2, ada, bob), content: contentNumber(1), redoes: 1 } as ThreadEffect);
    given(...offered)
      .when(ada, post(2, { assign: assign(bob, 2) }))
      .thenRefused('invalid_target');
  });
  it('[L4-4] live ones are bounded', () => {
    given(...offered)
      .when(ada, post(2, { assign: assign(bob) }), { limits: { liveAssignmentsMax: 1 } })
      .thenRefused('capacity_assignments');
    given(...offered, void_(1, 'creator'))
      .when(ada, post(2, { assign: assign(bob) }), { limits: { liveAssignmentsMax: 1 } })
      .then(entry(2, ada, 1), { ...assigned(2, 2, ada, bob), content: contentNumber(1) } as ThreadEffect);
  });
  it('[T-42] binds nobody before it is taken: no deadline runs', () => {
    given(...offered)
      .dueAt(begin + 1_000 * day)
      .then();
  });
  it('[T-43] is taken by its addressee: the delivery deadline runs, and the response to its entry ends', () => {
    given(...offered)
      .when(bob, on('take', 1), { at: begin + 5 })
      .then(taken(1, bob, begin + 5));
    given(...offered, owed(1, bob))
      .when(bob, on('take', 1))
      .then(taken(1, bob), ended(1, bob, 'taken'));
    given(...offered, entry(2, ada, 1), owed(2, bob))
      .when(bob, on('take', 1))
      .then(taken(1, bob));
    for (const other of [ada, cyd])
      given(...offered)
        .when(other, on('take', 1))
        .thenRefused('not_permitted');
    given(...offered)
      .when(bob, on('take', 2))
      .thenRefused('not_found');
  });
  it('[L2-2] take and deliver is the two in order, or nothing', () => {
    given(...offered)
      .when(bob, { type: 'assignment.take', assignment: 1, delivery })
      .then(taken(1, bob), delivered(1, ada));
    given(...offered)
      .when(bob, { type: 'assignment.take', assignment: 1, delivery: { ...delivery, unusable: 'schema_mismatch' } })
      .thenRefused('schema_mismatch');
  });
  it('[T-44] is delivered by the taker, which starts the judgment deadline', () => {
    given(...offered, taken(1, bob))
      .when(bob, deliver(1), { at: begin + 7 })
      .then(delivered(1, ada, begin + 7));
    const pins: ThreadAction = {
      type: 'assignment.deliver',
      assignment: 1,
      delivery: { memories: [{ id: memoryNumber(4), version: 2 }] },
    };
    given(...offered, taken(1, bob))
      .when(bob, pins)
      .then({
        type: 'assignment.delivered',
        assignment: 1,
        memories: [{ id: memoryNumber(4), version: 2 }],
        judge: ada,
        judgeBy: begin + 200_000,
      });
    given(...offered)
      .when(bob, deliver(1))
      .thenRefused('wrong_state');
    given(...offered, taken(1, bob))
      .when(ada, deliver(1))
      .thenRefused('not_permitted');
    for (const unusable of ['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed'] as const) {
      given(...offered, taken(1, bob))
        .when(bob, { type: 'assignment.deliver', assignment: 1, delivery: { ...delivery, unusable } })
        .thenRefused(unusable);
      given(...offered)
        .when(bob, { type: 'assignment.take', assignment: 1, delivery: { ...delivery, unusable } })
        .thenRefused(unusable);
      given(...offered)
        .when(bob, { type: 'assignment.deliver', assignment: 1, delivery: { ...delivery, unusable } })
        .thenRefused('wrong_state');
    }
  });
  it('[T-45] is adopted or rejected by its creator, once delivered', () => {
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(ada, on('adopt', 1))
      .then(over(1, 'adopted'));
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(ada, reject(1))
      .then({ type: 'assignment.rejected', assignment: 1, content: contentNumber(91) });
    for (const action of [on('adopt', 1), reject(1)]) {
      given(...offered, taken(1, bob), delivered(1, ada))
        .when(bob, action)
        .thenRefused('not_permitted');
      given(...offered)
        .when(ada, action)
        .thenRefused('wrong_state');
      given(...offered, taken(1, bob))
        .when(ada, action)
        .thenRefused('wrong_state');
    }
  });
  it('[T-46] is dropped by the taker, before delivery only', () => {
    given(...offered, taken(1, bob))
      .when(bob, on('drop', 1))
      .then(over(1, 'dropped'));
    given(...offered)
      .when(bob, on('drop', 1))
      .thenRefused('wrong_state');
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(bob, on('drop', 1))
      .thenRefused('wrong_state');
    given(...offered, taken(1, bob))
      .when(ada, on('drop', 1))
      .thenRefused('not_permitted');
  });
  it('[T-47] is voided by its creator while undelivered, taken or not', () => {
    given(...offered)
      .when(ada, on('void', 1))
      .then(void_(1, 'creator'));
    given(...offered, taken(1, bob))
      .when(ada, on('void', 1))
      .then(void_(1, 'creator', bob));
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(ada, on('void', 1))
      .thenRefused('wrong_state');
    given(...offered)
      .when(bob, on('void', 1))
      .thenRefused('not_permitted');
  });
  it('[T-48] has one taking and one delivery', () => {
    given(...offered, taken(1, bob))
      .when(bob, on('take', 1))
      .thenRefused('wrong_state');
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(bob, deliver(1))
      .thenRefused('wrong_state');
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(bob, on('take', 1))
      .thenRefused('wrong_state');
  });
  it('[T-18] needs membership of its parties, not the right to speak', () => {
    const quiet = [...offered, roleSet(2, bob, 'governor'), roleSet(1, ada, 'observer'), roleSet(2, bob, 'governor')];
    given(...quiet)
      .when(ada, on('void', 1))
      .then(void_(1, 'creator'));
    given(...offered, roleSet(2, bob, 'observer'))
      .when(bob, on('take', 1))
      .then(taken(1, bob));
    given(...offered, taken(1, bob), roleSet(2, bob, 'observer'))
      .when(bob, on('drop', 1))
      .then(over(1, 'dropped'));
    given(...quiet, taken(1, bob), delivered(1, ada))
      .when(ada, on('adopt', 1))
      .then(over(1, 'adopted'));
  });
  it('[T-49] [L4-3] ends at its deadlines: timed out, or undecided; at them, not before', () => {
    given(...offered, taken(1, bob))
      .dueAt(begin + 99_999)
      .then();
    given(...offered, taken(1, bob))
      .dueAt(begin + 100_000)
      .then(over(1, 'timed-out'));
    given(...offered, taken(1, bob), delivered(1, ada))
      .dueAt(begin + 199_999)
      .then();
    given(...offered, taken(1, bob), delivered(1, ada))
      .dueAt(begin + 200_000)
      .then(over(1, 'undecided'));
  });
  it('[T-49] [L5-2] what a deadline ended says so to every later action', () => {
    for (const [action, agent] of [
      [deliver(1), bob],
      [on('drop', 1), bob],
      [on('take', 1), bob],
      [on('void', 1), ada],
      [on('adopt', 1), ada],
      [reject(1), ada],
    ] as const) {
      given(...offered, taken(1, bob), over(1, 'timed-out'))
        .when(agent, action)
        .thenRefused('deadline_passed');
      given(...offered, taken(1, bob), delivered(1, ada), over(1, 'undecided'))
        .when(agent, action)
        .thenRefused('deadline_passed');
    }
    given(...offered, taken(1, bob), over(1, 'timed-out'))
      .when(cyd, deliver(1))
      .thenRefused('not_permitted');
  });
  it('[T-50] terminal states are irreversible', () => {
    const rejected = { type: 'assignment.rejected', assignment: 1, content: contentNumber(91) } as const;
    for (const end of [
      [taken(1, bob), delivered(1, ada), over(1, 'adopted')],
      [taken(1, bob), delivered(1, ada), rejected],
      [taken(1, bob), over(1, 'dropped')],
      [void_(1, 'creator')],
    ]) {
      for (const action of [deliver(1), on('drop', 1), on('take', 1)])
        given(...offered, ...end)
          .when(bob, action)
          .thenRefused('wrong_state');
      for (const action of [on('void', 1), on('adopt', 1), reject(1)])
        given(...offered, ...end)
          .when(ada, action)
          .thenRefused('wrong_state');
      given(...offered, ...end)
        .dueAt(begin + 1_000 * day)
        .then();
    }
  });
  it('[K-15] [T-49] several due at once fire in the order of due time, then of number', () => {
    const three = [...offered, entry(2, ada, 1), assigned(2, 2, ada, cyd), entry(3, ada, 1), assigned(3, 3, ada, bob)];
    given(...three, taken(3, bob, begin - 5_000), taken(1, bob), taken(2, cyd))
      .dueAt(begin + day)
      .then(over(3, 'timed-out'), over(1, 'timed-out'), over(2, 'timed-out'));
  });
});

describe('a membership that ends', () => {
  it('[T-15] ends what it owes, voids what it took or created undelivered, forfeits judgment', () => {
    const busy = [
      ...room,
      entry(1, ada, 1),
      owed(1, bob),
      assigned(1, 1, ada, bob),
      taken(1, bob),
      entry(2, bob, 2),
      assigned(2, 2, bob, cyd),
      entry(3, bob, 2),
      assigned(3, 3, bob, cyd),
      taken(3, cyd),
      entry(4, bob, 2),
      assigned(4, 4, bob, cyd),
      taken(4, cyd),
      delivered(4, bob),
    ];
    given(...busy)
      .when(bob, leave)
      .then(
        ended(1, bob, 'left'),
        void_(1, 'taker-gone', bob),
        void_(2, 'creator-gone'),
        void_(3, 'creator-gone', cyd),
        forfeited(4, bob),
        left(2, bob),
      );
    given(...busy)
      .when(ada, remove(bob))
      .then(
        ended(1, bob, 'removed'),
        void_(1, 'taker-gone', bob),
        void_(2, 'creator-gone'),
        void_(3, 'creator-gone', cyd),
        forfeited(4, bob),
        left(2, bob, 'removed'),
      );
  });
  it('[T-15] forfeited judgment settles as undecided at its deadline', () => {
    const gone = [
      ...room,
      entry(1, bob, 2),
      assigned(1, 1, bob, cyd),
      taken(1, cyd),
      delivered(1, bob),
      forfeited(1, bob),
      left(2, bob),
    ];
    given(...gone)
      .dueAt(begin + 200_000)
      .then(over(1, 'undecided'));
  });
  it('[T-15] leaves untouched: what was delivered by it, untaken ones for it, responses others owe it', () => {
    given(...offered, taken(1, bob), delivered(1, ada))
      .when(bob, leave)
      .then(left(2, bob));
    given(...offered)
      .when(bob, leave)
      .then(left(2, bob));
    given(...offered, left(2, bob))
      .when(ada, on('void', 1))
      .then(void_(1, 'creator'));
    given(...room, entry(1, bob, 2), owed(1, cyd))
      .when(bob, leave)
      .then(left(2, bob));
    given(...room, entry(1, bob, 2), owed(1, cyd), left(2, bob))
      .when(cyd, handle(1))
      .then(ended(1, cyd, 'handled'));
  });
  it('[T-15] voids once what it both created and took', () => {
    given(...room, entry(1, bob, 2), assigned(1, 1, bob, bob), taken(1, bob))
      .when(bob, leave)
      .then(void_(1, 'taker-gone', bob), left(2, bob));
  });
  it('[T-16] rejoining is a new membership and revives none of it', () => {
    const back = [
      ...room,
      entry(1, bob, 2),
      assigned(1, 1, bob, cyd),
      taken(1, cyd),
      delivered(1, bob),
      forfeited(1, bob),
      left(2, bob),
      joined(5, bob),
    ];
    for (const action of [on('adopt', 1), reject(1)])
      given(...back)
        .when(bob, action)
        .thenRefused('not_permitted');
    given(...back)
      .when(bob, leave)
      .then(left(5, bob));
    given(...offered, left(2, bob), joined(5, bob))
      .when(bob, on('take', 1))
      .then(taken(1, bob));
  });
});

describe('a creator that is back after the deadline', () => {
  it('[T-16] has no right to judge what it forfeited, whatever ended it', () => {
    const settled = [
      ...room,
      entry(1, bob, 2),
      assigned(1, 1, bob, cyd),
      taken(1, cyd),
      delivered(1, bob),
      forfeited(1, bob),
      left(2, bob),
      over(1, 'undecided'),
      joined(5, bob),
    ];
    for (const action of [on('adopt', 1), reject(1)])
      given(...settled)
        .when(bob, action)
        .thenRefused('not_permitted');
    given(...settled)
      .when(bob, on('void', 1))
      .thenRefused('deadline_passed');
    given(...settled)
      .when(cyd, deliver(1))
      .thenRefused('deadline_passed');
  });
});

describe('closing', () => {
  it('[T-60] ends responses, voids the undelivered and the grant, keeps memberships and judgments', () => {
    const busy = [
      ...offered,
      owed(1, bob),
      owed(1, cyd),
      entry(2, ada, 1),
      assigned(2, 2, ada, cyd),
      taken(2, cyd),
      entry(3, ada, 1),
      assigned(3, 3, ada, cyd),
      taken(3, cyd),
      delivered(3, ada),
    ];
    const fact = [
      ended(1, bob, 'closed'),
      ended(1, cyd, 'closed'),
      void_(1, 'closed'),
      void_(2, 'closed', cyd),
      voided(1, 'closed'),
      closed,
    ];
    given(...busy)
      .when(ada, close)
      .then(...fact);
    given(...busy, ...fact)
      .when(ada, on('adopt', 3))
      .then(over(3, 'adopted'));
    given(...busy, ...fact)
      .dueAt(begin + 200_000)
      .then(over(3, 'undecided'));
    given(...busy, ...fact)
      .when(cyd, leave)
      .then(left(3, cyd));
  });
  it('[L2-4] a closed thread is not closed again', () => {
    given(created, closed).when(ada, close).thenRefused('thread_closed');
  });
  it('[T-61] a closed thread takes nothing more and is never opened again', () => {
    for (const action of [grant(2), revoke, post(1), post(1, { replyTo: 1 }), setRole(bob, 'observer'), remove(bob)])
      given(...room, entry(1, ada, 1), closed)
        .when(ada, action)
        .thenRefused('thread_closed');
    given(...offered, void_(1, 'closed'), closed)
      .when(bob, on('take', 1))
      .thenRefused('wrong_state');
  });
  it('[T-60] a closed thread says so to who handles or retracts, after part and permission', () => {
    const shut = [...room, entry(1, ada, 1), owed(1, bob), ended(1, bob, 'closed'), closed];
    for (const [agent, action] of [
      [bob, handle(1)],
      [cyd, handle(1)],
      [ada, retract(1)],
    ] as const)
      given(...shut)
        .when(agent, action)
        .thenRefused('thread_closed');
    given(...shut)
      .when(bob, handle(2))
      .thenRefused('not_found');
    given(...shut)
      .when(ada, retract(2))
      .thenRefused('not_found');
    given(...shut)
      .when(bob, retract(1))
      .thenRefused('not_permitted');
  });
});

describe('deactivation', () => {
  it('[A-7] gives nothing new to an agent that is going; removing it takes only away', () => {
    given(...room, entry(1, ada, 1), owed(1, bob))
      .when(ada, remove(bob), { inactive: [bob] })
      .then(ended(1, bob, 'removed'), left(2, bob, 'removed'));
    given(...room, left(2, bob, 'removed'))
      .whenDeactivated(bob)
      .then();
  });
  it('[A-4] ends the membership with all its effects, in a closed thread too', () => {
    given(...offered, owed(1, bob), taken(1, bob))
      .whenDeactivated(bob)
      .then(ended(1, bob, 'deactivated'), void_(1, 'taker-gone', bob), left(2, bob, 'deactivated'));
    given(...room, closed)
      .whenDeactivated(ada)
      .then(left(1, ada, 'deactivated'));
    given(...room)
      .whenDeactivated(eve)
      .then();
    given().whenDeactivated(eve).then();
  });
  it('[A-6] closes a thread left without a governor, for all its members', () => {
    const busy = [...offered, owed(1, bob), entry(2, bob, 2), assigned(2, 2, bob, cyd), taken(2, cyd)];
    given(...busy)
      .whenDeactivated(ada)
      .then(
        void_(1, 'creator-gone'),
        left(1, ada, 'deactivated'),
        ended(1, bob, 'closed'),
        void_(2, 'closed', cyd),
        voided(1, 'closed'),
        { type: 'thread.closed', how: 'no-governor' },
      );
    given(...busy, roleSet(3, cyd, 'governor'))
      .whenDeactivated(ada)
      .then(void_(1, 'creator-gone'), left(1, ada, 'deactivated'));
  });
  it('[A-3] erases nothing: what it wrote keeps its author', () => {
    given(...room, entry(1, bob, 2), left(2, bob, 'deactivated'), joined(5, bob))
      .when(ada, post(2, { replyTo: 1 }))
      .then(entry(2, ada, 1, 1), owed(2, bob));
  });
});

describe('a large thread', () => {
  it('[T-21] keeps counting, and its state survives its store in pieces', () => {
    const many = Array.from({ length: 700 }, (_, i) => entry(i + 1, ada, 1));
    given(created, ...many)
      .when(ada, post(701, { replyTo: 700 }))
      .then(entry(701, ada, 1, 700));
    given(created, ...many)
      .when(ada, post(701, { replyTo: 701 }))
      .thenRefused('invalid_target');
    given(created, issued(1), ...Array.from({ length: 300 }, (_, i) => joined(i + 2, agentNumber(i + 10))))
      .when(agentNumber(309), leave)
      .then(left(301, agentNumber(309)));
  });
});

describe('what does not happen', () => {
  it('[L2-5] nothing repairs or undoes by itself: what ended stays so, however much time passes', () => {
    for (const end of [
      [taken(1, bob), over(1, 'dropped')],
      [taken(1, bob), over(1, 'timed-out')],
      [void_(1, 'creator')],
    ]) {
      given(...offered, ...end)
        .dueAt(begin + 1_000 * day)
        .then();
      given(...offered, ...end)
        .when(bob, deliver(1))
        .thenRefused(end.some(({ type }) => type === 'assignment.timed-out') ? 'deadline_passed' : 'wrong_state');
    }
  });
  it('[C-2] a reference to a Memory or a Task gives nobody a membership, an obligation or anything else', () => {
    const task = 'task_00000000000000000000000001' as const;
    given(...room)
      .when(ada, post(1, { task }))
      .then({ ...entry(1, ada, 1), task } as ThreadEffect);
    given(...room)
      .when(ada, post(9))
      .then({ ...entry(1, ada, 1), memory: { id: memoryNumber(9), version: 1 } } as ThreadEffect);
  });
});
