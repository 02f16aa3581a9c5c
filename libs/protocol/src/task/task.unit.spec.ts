import { describe, expect, it } from '@jest/globals';
import {
  ada,
  agentNumber,
  begin,
  bob,
  contentNumber,
  cyd,
  dan,
  engagementNumber,
  eve,
  memoryNumber,
  specFor,
  taskNumber,
} from '../testing/index.ts';
import type { TaskAction } from './actions.ts';
import { taskKind } from './decide.ts';
import type { Audience, TaskEffect } from './effects.ts';

const { given } = specFor(taskKind, taskNumber(1));
const day = 86_400_000;

// What happened. Ada is the author, Dan a judge that she designates, Bob and Cyd engage, Eve is a stranger.
type Contract = Omit<Extract<TaskEffect, { type: 'contract.stated' }>, 'type' | 'version'>;
const terms: Contract = {
  content: contentNumber(1),
  structured: false,
  requiredInputs: [],
  informative: [],
  deliverySeconds: 100,
  judgmentSeconds: 200,
  withoutJudgment: 'undecided',
  judge: ada,
  eligibility: [],
  adoptedReaders: 'parties',
};
const open: Audience = { kind: 'open' };
const only = (...agents: (typeof ada)[]): Audience => ({ kind: 'restricted', agents });
const created = (audience: Audience = open): TaskEffect => ({ type: 'task.created', author: ada, audience });
const stated = (version: number, more: Partial<Contract> = {}): TaskEffect => ({
  type: 'contract.stated',
  version,
  ...terms,
  ...more,
});
const offered = (more: Partial<Contract> = {}, audience: Audience = open): readonly TaskEffect[] => [
  created(audience),
  stated(1, more),
];
const [paused, resumed] = [{ type: 'task.paused' }, { type: 'task.resumed' }] as const;

const on = (n: number) => ({ engagement: engagementNumber(n), number: n });
type Confirmed = Extract<TaskEffect, { type: 'engagement.confirmed' }>;
const confirmed = (n: number, agent: typeof ada, more: Partial<Confirmed> = {}): TaskEffect => ({
  type: 'engagement.confirmed',
  ...on(n),
  agent,
  author: ada,
  judge: ada,
  version: 1,
  inputs: [],
  deliverBy: begin + 100_000,
  ...more,
});
type Delivered = Extract<TaskEffect, { type: 'engagement.delivered' }>;
const delivered = (n: number, agent: typeof ada, more: Partial<Delivered> = {}): TaskEffect => ({
  type: 'engagement.delivered',
  ...on(n),
  agent,
  content: contentNumber(90),
  memories: [],
  judge: ada,
  judgeBy: begin + 200_000,
  ...more,
});
const adopted = (n: number, adoptions: number, by: 'judge' | 'deadline' = 'judge'): TaskEffect => ({
  type: 'engagement.adopted',
  ...on(n),
  by,
  adoptions,
});
const rejected = (n: number): TaskEffect => ({ type: 'engagement.rejected', ...on(n), content: contentNumber(91) });
const over = (n: number, type: 'undecided' | 'dropped' | 'timed-out'): TaskEffect => ({
  type: `engagement.${type}`,
  ...on(n),
});

// What is asked for.
const create = (more: Partial<Extract<TaskAction, { type: 'task.create' }>> = {}): TaskAction => ({
  type: 'task.create',
  audience: open,
  ...terms,
  ...more,
});
const revise = (more: Partial<Extract<TaskAction, { type: 'task.revise' }>> = {}): TaskAction => ({
  type: 'task.revise',
  ...terms,
  ...more,
});
const [pause, resume] = [{ type: 'task.pause' }, { type: 'task.resume' }] as const;
const take = (n: number, more: Partial<Extract<TaskAction, { type: 'task.take' }>> = {}): TaskAction => ({
  type: 'task.take',
  engagement: engagementNumber(n),
  labels: [],
  ...more,
});
const delivery = { content: contentNumber(90), memories: [] };
const deliver = (n: number): TaskAction => ({
  type: 'engagement.deliver',
  engagement: engagementNumber(n),
  delivery,
});
const drop = (n: number): TaskAction => ({ type: 'engagement.drop', engagement: engagementNumber(n) });
const adopt = (n: number): TaskAction => ({ type: 'engagement.adopt', engagement: engagementNumber(n) });
const reject = (n: number): TaskAction => ({
  type: 'engagement.reject',
  engagement: engagementNumber(n),
  content: contentNumber(91),
});
const existing = (n: number) => ({ type: 'engagement', ...on(n) });

const onEngagement = (n: number): readonly TaskAction[] => [deliver(n), drop(n), adopt(n), reject(n)];
const onTask: readonly TaskAction[] = [revise(), pause, resume, take(9)];

/** Bob has taken, and has taken and delivered. */
const taken = [...offered(), confirmed(1, bob)];
const handedIn = [...taken, delivered(1, bob)];

describe('creating a Task', () => {
  it('[K-1] states the first version of its contract, whole', () => {
    given().when(ada, create()).then(created(), stated(1));
    const whole: Contract = {
      content: contentNumber(7),
      structured: true,
      requiredInputs: [{ id: memoryNumber(1), version: 2 }],
      informative: [{ id: memoryNumber(3), version: 4 }],
      deliverySeconds: 60,
      judgmentSeconds: 61,
      withoutJudgment: 'adopted',
      judge: dan,
      eligibility: ['a', 'b'],
      maxAdoptions: 3,
      adoptedReaders: 'anyone',
    };
    given().when(ada, create(whole)).then(created(), stated(1, whole));
  });
  it('[K-6] for all, or for the agents it names', () => {
    given()
      .when(ada, create({ audience: only(bob, cyd) }))
      .then(created(only(bob, cyd)), stated(1));
  });
  it('[K-7] [K-6] names others than its author', () => {
    given()
      .when(ada, create({ audience: only(bob, ada) }))
      .thenRefused('invalid_target');
  });
  it('[K-3] has its author or another agent as judge', () => {
    given()
      .when(ada, create({ judge: dan }))
      .then(created(), stated(1, { judge: dan }));
    given()
      .when(ada, create({ unusable: 'invalid_target' }))
      .thenRefused('invalid_target');
  });
  it('[A-7] names nobody who is being deactivated: neither judge nor audience', () => {
    given()
      .when(ada, create({ judge: dan }), { inactive: [dan] })
      .thenRefused('invalid_target');
    given()
      .when(ada, create({ audience: only(bob, cyd) }), { inactive: [cyd] })
      .thenRefused('invalid_target');
    given()
      .when(ada, create({ audience: only(bob) }), { inactive: [cyd, dan] })
      .then(created(only(bob)), stated(1));
  });
  it('[V-11] keeps the deliveries of a restricted Task from everyone', () => {
    const audience = only(bob);
    given()
      .when(ada, create({ audience, adoptedReaders: 'anyone' }))
      .thenRefused('invalid_target');
    for (const adoptedReaders of ['parties', 'audience'] as const)
      given().when(ada, create({ audience, adoptedReaders })).then(created(audience), stated(1, { adoptedReaders }));
    given()
      .when(ada, create({ adoptedReaders: 'anyone' }))
      .then(created(), stated(1, { adoptedReaders: 'anyone' }));
  });
  it('[K-2] [M-7] with references that cannot be used is refused last', () => {
    for (const unusable of ['invalid_target', 'memory_withdrawn'] as const) {
      given().when(ada, create({ unusable })).thenRefused(unusable);
      given(...offered())
        .when(ada, create({ unusable }))
        .thenRefused('wrong_state');
    }
    const unusable = 'memory_withdrawn';
    for (const wrong of [{ judge: dan }, { audience: only(dan) }] as const)
      given()
        .when(ada, create({ ...wrong, unusable }), { inactive: [dan] })
        .thenRefused('invalid_target');
    given()
      .when(ada, create({ audience: only(ada), unusable }))
      .thenRefused('invalid_target');
  });
  it('[L2-3] happens once', () => {
    given(...offered())
      .when(ada, create())
      .thenRefused('wrong_state');
    given(created()).when(ada, create()).thenRefused('wrong_state');
    given(...offered())
      .when(eve, create())
      .thenRefused('wrong_state');
  });
});

describe('who may act on a Task', () => {
  it('[A-1] an active agent, and nobody else', () => {
    given()
      .when(ada, create(), { inactive: [ada] })
      .thenRefused('agent_inactive');
    for (const action of [...onTask, ...onEngagement(1)])
      for (const agent of [ada, bob, eve])
        given(...handedIn)
          .when(agent, action, { inactive: [agent] })
          .thenRefused('agent_inactive');
    for (const action of onTask)
      given()
        .when(eve, action, { inactive: [eve] })
        .thenRefused('agent_inactive');
  });
  it('[V-14] a Task that is not there is not found', () => {
    for (const action of [...onTask, ...onEngagement(1)]) {
      given().when(ada, action).thenRefused('not_found');
      given(created()).when(ada, action).thenRefused('not_found');
    }
  });
  it('[V-14] [V-8] a restricted Task is not there for those it does not name', () => {
    for (const action of [...onTask, ...onEngagement(1), ...onEngagement(2)])
      given(...offered({ judge: dan }, only(bob)), confirmed(1, bob, { judge: dan }))
        .when(eve, action)
        .thenRefused('not_found');
  });
  it('[V-8] is there for its judge: of now, of what is to be judged, and of what was judged', () => {
    const restricted = [...offered({ judge: dan }, only(bob)), confirmed(1, bob, { judge: dan })];
    given(...offered({ judge: dan }, only(bob)))
      .when(dan, take(1))
      .thenRefused('own_task');
    given(...restricted, stated(2))
      .when(dan, take(2))
      .thenRefused('own_task');
    given(...restricted, over(1, 'dropped'), stated(2))
      .when(dan, take(2))
      .thenRefused('not_eligible');
    given(...restricted, over(1, 'dropped'), stated(2))
      .when(dan, pause)
      .thenRefused('not_permitted');
    given(...offered({ judge: dan }, only(bob)), stated(2))
      .when(dan, take(2))
      .thenRefused('not_found');
    given(...restricted, over(1, 'dropped'), stated(2), confirmed(2, bob, { version: 2 }))
      .when(dan, take(3))
      .thenRefused('not_eligible');
  });
  it('[V-8] is there for its author, whoever judges', () => {
    given(...offered({ judge: dan }, only(bob)))
      .when(ada, revise())
      .then(stated(2));
    given(...offered({ judge: dan }, only(bob)))
      .when(ada, pause)
      .then(paused);
  });
  it('[K-5] [K-18] its author alone revises, pauses and resumes it', () => {
    for (const action of [revise(), pause, resume]) {
      for (const agent of [bob, dan, eve])
        given(...offered({ judge: dan }), confirmed(1, bob, { judge: dan }))
          .when(agent, action)
          .thenRefused('not_permitted');
      given(...offered({}, only(bob)))
        .when(bob, action)
        .thenRefused('not_permitted');
    }
  });
});

describe('a revision', () => {
  it('[K-5] is the next version', () => {
    given(...offered())
      .when(ada, revise({ judge: dan, maxAdoptions: 2 }))
      .then(stated(2, { judge: dan, maxAdoptions: 2 }));
    given(...offered(), stated(2))
      .when(ada, revise())
      .then(stated(3));
    given(...offered(), paused)
      .when(ada, revise())
      .then(stated(2));
  });
  it('[K-5] binds later engagements only; those there are go by the version that they bound', () => {
    const revised = [
      ...taken,
      stated(2, { judge: dan, deliverySeconds: 300, judgmentSeconds: 400, withoutJudgment: 'adopted' }),
    ];
    given(...revised)
      .when(bob, deliver(1))
      .then(delivered(1, bob));
    given(...revised)
      .when(cyd, take(2))
      .then(confirmed(2, cyd, { judge: dan, version: 2, deliverBy: begin + 300_000 }));
    const both = [...revised, delivered(1, bob), confirmed(2, cyd, { judge: dan, version: 2 })];
    given(...both)
      .when(cyd, deliver(2))
      .then(delivered(2, cyd, { judge: dan, judgeBy: begin + 400_000 }));
    given(...both)
      .when(ada, adopt(1))
      .then(adopted(1, 1));
    given(...both)
      .when(dan, adopt(1))
      .thenRefused('not_found');
    given(...both, delivered(2, cyd, { judge: dan, judgeBy: begin + 400_000 }))
      .dueAt(begin + 400_000)
      .then(over(1, 'undecided'), adopted(2, 1, 'deadline'));
    given(...both, delivered(2, cyd, { judge: dan }))
      .when(ada, adopt(2))
      .thenRefused('not_permitted');
  });
  it('[K-6] [V-11] leaves the audience as it is, and has to fit it', () => {
    given(...offered({}, only(bob)), stated(2))
      .when(cyd, take(1))
      .thenRefused('not_found');
    given(...offered({}, only(bob)))
      .when(ada, revise({ adoptedReaders: 'anyone' }))
      .thenRefused('invalid_target');
    given(...offered())
      .when(ada, revise({ adoptedReaders: 'anyone' }))
      .then(stated(2, { adoptedReaders: 'anyone' }));
  });
  it('[A-7] names no judge that is being deactivated', () => {
    given(...offered())
      .when(ada, revise({ judge: dan }), { inactive: [dan] })
      .thenRefused('invalid_target');
    given(...offered({ judge: dan }))
      .when(ada, revise(), { inactive: [dan] })
      .then(stated(2));
  });
  it('[K-2] with references that cannot be used is refused last', () => {
    for (const unusable of ['invalid_target', 'memory_withdrawn'] as const) {
      given(...offered())
        .when(ada, revise({ unusable }))
        .thenRefused(unusable);
      given(...offered())
        .when(bob, revise({ unusable }))
        .thenRefused('not_permitted');
    }
    given(...offered())
      .when(ada, revise({ judge: dan, unusable: 'memory_withdrawn' }), { inactive: [dan] })
      .thenRefused('invalid_target');
  });
});

describe('pausing', () => {
  it('[K-18] keeps new engagements off until it is resumed', () => {
    given(...offered())
      .when(ada, pause)
      .then(paused);
    given(...offered(), paused)
      .when(ada, resume)
      .then(resumed);
    given(...offered(), paused)
      .when(bob, take(1))
      .thenRefused('task_paused');
    given(...offered(), paused, resumed)
      .when(bob, take(1))
      .then(confirmed(1, bob));
    given(...offered(), paused, stated(2))
      .when(bob, take(1))
      .thenRefused('task_paused');
  });
  it('[L2-4] what is so already is refused', () => {
    given(...offered(), paused)
      .when(ada, pause)
      .thenRefused('no_effect');
    given(...offered())
      .when(ada, resume)
      .thenRefused('no_effect');
    given(...offered(), paused, resumed)
      .when(ada, resume)
      .thenRefused('no_effect');
  });
});

describe('taking a Task', () => {
  it('[K-8] binds agent, version and inputs in one fact and starts the delivery deadline', () => {
    const inputs = [{ id: memoryNumber(1), version: 2 }];
    given(...offered(), stated(2, { requiredInputs: inputs, judge: dan, informative: [{ ...inputs[0]!, version: 9 }] }))
      .when(bob, take(1), { at: begin + 5 })
      .then(confirmed(1, bob, { version: 2, inputs, judge: dan, deliverBy: begin + 100_005 }));
  });
  it('[K-17] needs nobody’s approval', () => {
    given(...offered({ judge: dan }))
      .when(bob, take(1), { inactive: [dan] })
      .then(confirmed(1, bob, { judge: dan }));
  });
  it('[K-8] gives numbers that rise', () => {
    given(...taken)
      .when(cyd, take(2))
      .then(confirmed(2, cyd));
    given(...taken, over(1, 'dropped'))
      .when(bob, take(2))
      .then(confirmed(2, bob));
  });
  it('[K-7] is not for the author, nor for the judge of what it judges', () => {
    given(...offered())
      .when(ada, take(1))
      .thenRefused('own_task');
    given(...offered({ judge: dan }))
      .when(ada, take(1))
      .thenRefused('own_task');
    given(...offered({ judge: dan }))
      .when(dan, take(1))
      .thenRefused('own_task');
    given(...offered({ judge: dan }, only(bob, dan)))
      .when(dan, take(1))
      .thenRefused('own_task');
    const revised = [...offered({ judge: dan }), confirmed(1, bob, { judge: dan }), stated(2)];
    given(...revised)
      .when(dan, take(2))
      .thenRefused('own_task');
    given(...revised, over(1, 'timed-out'))
      .when(dan, take(2))
      .then(confirmed(2, dan, { version: 2 }));
    given(...offered(), confirmed(1, bob), stated(2, { judge: bob }))
      .when(bob, take(2))
      .thenRefused('own_task');
  });
  it('[K-7] [A-5] while the author is inactive it is as if paused', () => {
    given(...offered())
      .when(bob, take(1), { inactive: [ada] })
      .thenRefused('task_paused');
    given(...taken)
      .when(bob, take(2), { inactive: [ada] })
      .thenExisting(existing(1));
  });
  it('[K-4] needs every label that the contract asks for', () => {
    const asks = offered({ eligibility: ['a', 'b'] });
    for (const labels of [[], ['a'], ['b', 'c']])
      given(...asks)
        .when(bob, take(1, { labels }))
        .thenRefused('not_eligible');
    for (const labels of [
      ['a', 'b'],
      ['c', 'b', 'a'],
    ])
      given(...asks)
        .when(bob, take(1, { labels }))
        .then(confirmed(1, bob));
    given(...asks, stated(2))
      .when(bob, take(1))
      .then(confirmed(1, bob, { version: 2 }));
    given(...offered(), stated(2, { eligibility: ['a'] }))
      .when(bob, take(1))
      .thenRefused('not_eligible');
  });
  it('[K-6] is for the audience', () => {
    given(...offered({}, only(bob)))
      .when(bob, take(1))
      .then(confirmed(1, bob));
    given(...offered({}, only(bob)))
      .when(cyd, take(1))
      .thenRefused('not_found');
  });
  it('[K-9] [L2-4] again returns the engagement that is open, before pause, adoption limit and capacity', () => {
    given(...taken)
      .when(bob, take(2))
      .thenExisting(existing(1));
    given(...handedIn)
      .when(bob, take(2))
      .thenExisting(existing(1));
    given(...taken, paused)
      .when(bob, take(2), { limits: { openEngagementsMax: 0 } })
      .thenExisting(existing(1));
    given(...offered({ maxAdoptions: 1 }), confirmed(1, bob), confirmed(2, cyd), delivered(1, bob), adopted(1, 1))
      .when(cyd, take(3))
      .thenExisting(existing(2));
    given(...taken, stated(2))
      .when(bob, take(2, { version: 2 }))
      .thenExisting(existing(1));
    given(...taken, confirmed(2, cyd))
      .when(cyd, take(3))
      .thenExisting(existing(2));
  });
  it('[K-9] again, once no longer eligible, is refused', () => {
    given(...taken, stated(2, { eligibility: ['a'] }))
      .when(bob, take(2))
      .thenRefused('not_eligible');
    given(...taken, stated(2, { eligibility: ['a'] }))
      .when(bob, take(2, { labels: ['a'] }))
      .thenExisting(existing(1));
  });
  it('[K-9] makes a new engagement once the former has ended', () => {
    for (const end of [
      [delivered(1, bob), adopted(1, 1)],
      [delivered(1, bob), rejected(1)],
      [delivered(1, bob), over(1, 'undecided')],
      [over(1, 'dropped')],
      [over(1, 'timed-out')],
    ])
      given(...taken, ...end)
        .when(bob, take(2))
        .then(confirmed(2, bob));
  });
  it('[K-8] for a version that another would be bound instead of has changed', () => {
    given(...offered())
      .when(bob, take(1, { version: 1 }))
      .then(confirmed(1, bob));
    given(...offered(), stated(2))
      .when(bob, take(1, { version: 1 }))
      .thenRefused('changed');
    given(...offered())
      .when(bob, take(1, { version: 2 }))
      .thenRefused('changed');
  });
  it('[O-13] [T-48] may redo an own engagement of the Task that has ended', () => {
    const redoes = engagementNumber(1);
    given(...taken, over(1, 'dropped'))
      .when(bob, take(2, { redoes }))
      .then(confirmed(2, bob, { redoes }));
    given(...taken, delivered(1, bob), rejected(1))
      .when(bob, take(2, { redoes }))
      .then(confirmed(2, bob, { redoes }));
    given(...offered())
      .when(bob, take(2, { redoes }))
      .thenRefused('invalid_target');
    given(...taken)
      .when(cyd, take(2, { redoes }))
      .thenRefused('invalid_target');
    given(...taken, over(1, 'dropped'))
      .when(cyd, take(2, { redoes }))
      .thenRefused('invalid_target');
    given(...taken)
      .when(bob, take(2, { redoes }))
      .thenExisting(existing(1));
  });
  it('[L4-4] open engagements of a Task are bounded', () => {
    const limits = { openEngagementsMax: 2 };
    given(...taken)
      .when(cyd, take(2), { limits })
      .then(confirmed(2, cyd));
    given(...taken, confirmed(2, cyd))
      .when(eve, take(3), { limits })
      .thenRefused('capacity_engagements');
    given(...handedIn, confirmed(2, cyd))
      .when(eve, take(3), { limits })
      .thenRefused('capacity_engagements');
    given(...taken, confirmed(2, cyd), over(1, 'dropped'))
      .when(eve, take(3), { limits })
      .then(confirmed(3, eve));
  });
  it('[K-15] ends when the adoptions of the Task are used up, by the version of now', () => {
    const once = [...offered({ maxAdoptions: 1 }), confirmed(1, bob), delivered(1, bob), adopted(1, 1)];
    given(...once)
      .when(cyd, take(2))
      .thenRefused('adoption_limit');
    given(...once, stated(2, { maxAdoptions: 2 }))
      .when(cyd, take(2))
      .then(confirmed(2, cyd, { version: 2 }));
    given(...once, stated(2))
      .when(cyd, take(2))
      .then(confirmed(2, cyd, { version: 2 }));
    given(...offered({ maxAdoptions: 1 }), confirmed(1, bob), delivered(1, bob))
      .when(cyd, take(2))
      .then(confirmed(2, cyd));
    given(...offered({ maxAdoptions: 1 }), confirmed(1, bob), delivered(1, bob), rejected(1))
      .when(cyd, take(2))
      .then(confirmed(2, cyd));
  });
  it('[V-14] [L2-3] is refused in the order of account, knowing, permission, state, target, capacity, what was stamped', () => {
    const redoes = engagementNumber(8);
    const worst = {
      version: 9,
      redoes,
      delivery: { ...delivery, unusable: 'schema_mismatch' },
    } as const;
    const full = { limits: { openEngagementsMax: 0 } };
    const adoptedOnce = [
      ...offered({ maxAdoptions: 1, eligibility: ['a'] }, only(bob, cyd)),
      confirmed(1, bob),
      delivered(1, bob),
      adopted(1, 1),
    ];
    const labels = ['a'];
    given(...adoptedOnce, paused)
      .when(eve, take(2, worst), { ...full, inactive: [eve] })
      .thenRefused('agent_inactive');
    given(...adoptedOnce, paused)
      .when(eve, take(2, worst), full)
      .thenRefused('not_found');
    given(...adoptedOnce, paused)
      .when(ada, take(2, worst), full)
      .thenRefused('own_task');
    given(...adoptedOnce, paused)
      .when(cyd, take(2, worst), full)
      .thenRefused('not_eligible');
    given(...adoptedOnce, paused)
      .when(cyd, take(2, { ...worst, labels }), full)
      .thenRefused('task_paused');
    given(...adoptedOnce)
      .when(cyd, take(2, { ...worst, labels }), full)
      .thenRefused('adoption_limit');
    given(...offered())
      .when(cyd, take(2, worst), full)
      .thenRefused('invalid_target');
    const { redoes: _, ...fitting } = worst;
    given(...offered())
      .when(cyd, take(2, fitting), full)
      .thenRefused('capacity_engagements');
    given(...offered())
      .when(cyd, take(2, fitting))
      .thenRefused('changed');
    given(...offered())
      .when(cyd, take(2, { ...fitting, version: 1 }))
      .thenRefused('schema_mismatch');
  });
});

describe('taking with a delivery', () => {
  const now = { version: 1, delivery };
  it('[L2-2] [K-10] is the two in order', () => {
    given(...offered({ judge: dan }))
      .when(bob, take(1, now), { at: begin + 3 })
      .then(
        confirmed(1, bob, { judge: dan, deliverBy: begin + 100_003 }),
        delivered(1, bob, { judge: dan, judgeBy: begin + 200_003 }),
      );
    given(...offered(), stated(2, { judgmentSeconds: 7 }))
      .when(bob, take(1, { version: 2, delivery }))
      .then(confirmed(1, bob, { version: 2 }), delivered(1, bob, { judgeBy: begin + 7_000 }));
    given(...offered())
      .when(bob, take(1, { delivery }))
      .then(confirmed(1, bob), delivered(1, bob));
  });
  it('[L2-2] leaves nothing when the delivery is refused', () => {
    for (const unusable of ['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed'] as const)
      given(...offered())
        .when(bob, take(1, { version: 1, delivery: { ...delivery, unusable } }))
        .thenRefused(unusable);
  });
  it('[L2-2] [L2-4] delivers on the engagement that is open, if it bound the version that counts', () => {
    given(...taken)
      .when(bob, take(2, now), { at: begin + 9 })
      .then(delivered(1, bob, { judgeBy: begin + 200_009 }));
    given(...taken, paused, stated(2))
      .when(bob, take(2, now), { inactive: [ada], limits: { openEngagementsMax: 0 } })
      .then(delivered(1, bob));
    given(...taken, stated(2))
      .when(bob, take(2, { version: 2, delivery }))
      .thenRefused('changed');
    given(...taken)
      .when(bob, take(2, { delivery }))
      .thenRefused('changed');
    given(...taken)
      .when(bob, take(2, { version: 1, delivery: { ...delivery, unusable: 'schema_mismatch' } }))
      .thenRefused('schema_mismatch');
  });
  it('[K-10] replaces no delivery', () => {
    given(...handedIn)
      .when(bob, take(2, now))
      .thenRefused('wrong_state');
    given(...handedIn, stated(2))
      .when(bob, take(2, { version: 2, delivery }))
      .thenRefused('wrong_state');
  });
});

describe('an engagement', () => {
  it('[V-10] [V-14] is not found by others, on an open Task too, whether or not there is one', () => {
    for (const agent of [cyd, eve, dan])
      for (const n of [1, 2]) {
        for (const action of onEngagement(n)) {
          given(...taken)
            .when(agent, action)
            .thenRefused('not_found');
          given(...handedIn)
            .when(agent, action)
            .thenRefused('not_found');
          given(...handedIn, rejected(1))
            .when(agent, action)
            .thenRefused('not_found');
          given(...handedIn, over(1, 'undecided'))
            .when(agent, action)
            .thenRefused('not_found');
        }
      }
    for (const agent of [ada, bob])
      for (const action of onEngagement(2))
        given(...handedIn)
          .when(agent, action)
          .thenRefused('not_found');
    for (const action of onEngagement(1))
      given(...taken, confirmed(2, cyd))
        .when(cyd, action)
        .thenRefused('not_found');
  });
  it('[K-10] is delivered or dropped by the agent engaged, [K-11] judged by the judge of the version bound', () => {
    const designated = [...offered({ judge: dan }), confirmed(1, bob, { judge: dan })];
    const waiting = [...designated, delivered(1, bob, { judge: dan })];
    for (const action of [deliver(1), drop(1)])
      for (const agent of [ada, dan])
        given(...designated)
          .when(agent, action)
          .thenRefused('not_permitted');
    for (const action of [adopt(1), reject(1)])
      for (const agent of [ada, bob])
        given(...waiting)
          .when(agent, action)
          .thenRefused('not_permitted');
    given(...waiting)
      .when(dan, adopt(1))
      .then(adopted(1, 1));
    given(...waiting)
      .when(dan, reject(1))
      .then(rejected(1));
  });
  it('[L2-3] permission comes before state', () => {
    for (const end of [[], [delivered(1, bob)], [over(1, 'dropped')], [over(1, 'timed-out')]]) {
      for (const action of [adopt(1), reject(1)])
        given(...taken, ...end)
          .when(bob, action)
          .thenRefused('not_permitted');
      for (const action of [deliver(1), drop(1)])
        given(...taken, ...end)
          .when(ada, action)
          .thenRefused('not_permitted');
    }
  });
  it('[K-10] delivers a payload, Memories or both, which starts the judgment deadline', () => {
    given(...taken)
      .when(bob, deliver(1), { at: begin + 7 })
      .then(delivered(1, bob, { judgeBy: begin + 200_007 }));
    const memories = [{ id: memoryNumber(4), version: 2 }];
    const { content: _, ...without } = delivered(1, bob, { memories }) as Delivered;
    given(...taken)
      .when(bob, { type: 'engagement.deliver', engagement: engagementNumber(1), delivery: { memories } })
      .then(without);
    given(...taken)
      .when(bob, { type: 'engagement.deliver', engagement: engagementNumber(1), delivery: { ...delivery, memories } })
      .then(delivered(1, bob, { memories }));
  });
  it('[K-10] takes no delivery that cannot be used, which is said last', () => {
    for (const unusable of ['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed'] as const) {
      const action: TaskAction = {
        type: 'engagement.deliver',
        engagement: engagementNumber(1),
        delivery: { ...delivery, unusable },
      };
      given(...taken)
        .when(bob, action)
        .thenRefused(unusable);
      given(...handedIn)
        .when(bob, action)
        .thenRefused('wrong_state');
      given(...taken)
        .when(ada, action)
        .thenRefused('not_permitted');
      given(...taken)
        .when(eve, action)
        .thenRefused('not_found');
    }
  });
  it('[K-10] a delivery is fixed: neither replaced nor dropped', () => {
    for (const action of [deliver(1), drop(1)])
      given(...handedIn)
        .when(bob, action)
        .thenRefused('wrong_state');
  });
  it('[K-11] is judged once delivered, a rejection with its reason', () => {
    for (const action of [adopt(1), reject(1)])
      given(...taken)
        .when(ada, action)
        .thenRefused('wrong_state');
    given(...handedIn)
      .when(ada, adopt(1))
      .then(adopted(1, 1));
    given(...handedIn)
      .when(ada, reject(1))
      .then(rejected(1));
  });
  it('[L4-1] has exits that need nobody else: drop, adopt, reject', () => {
    given(...taken, paused, stated(2))
      .when(bob, drop(1), { inactive: [ada] })
      .then(over(1, 'dropped'));
    given(...handedIn, paused)
      .when(ada, reject(1), { inactive: [bob] })
      .then(rejected(1));
  });
  it('[K-14] [L5-2] ends once, irreversibly', () => {
    const parties = [
      [bob, deliver(1)],
      [bob, drop(1)],
      [ada, adopt(1)],
      [ada, reject(1)],
    ] as const;
    for (const [agent, action] of parties) {
      for (const end of [adopted(1, 1), rejected(1)])
        given(...handedIn, end)
          .when(agent, action)
          .thenRefused('wrong_state');
      given(...taken, over(1, 'dropped'))
        .when(agent, action)
        .thenRefused('wrong_state');
      for (const end of [over(1, 'undecided'), adopted(1, 1, 'deadline')])
        given(...handedIn, end)
          .when(agent, action)
          .thenRefused('deadline_passed');
      given(...taken, over(1, 'timed-out'))
        .when(agent, action)
        .thenRefused('deadline_passed');
    }
    for (const end of [[over(1, 'dropped')], [delivered(1, bob), adopted(1, 1)], [delivered(1, bob), rejected(1)]])
      given(...taken, ...end)
        .dueAt(begin + 1_000 * day)
        .then();
  });
  it('[V-10] is told apart from others that have ended', () => {
    const both = [...offered(), confirmed(1, bob), confirmed(2, cyd), over(1, 'dropped'), over(2, 'timed-out')];
    given(...both)
      .when(cyd, drop(2))
      .thenRefused('deadline_passed');
    given(...both)
      .when(bob, drop(1))
      .thenRefused('wrong_state');
    given(...both)
      .when(bob, drop(2))
      .thenRefused('not_found');
    given(...both)
      .when(cyd, take(3, { redoes: engagementNumber(2) }))
      .then(confirmed(3, cyd, { redoes: engagementNumber(2) }));
  });
  it('[K-13] is cancelled by nothing that its author does, nor by the author’s end', () => {
    const since = [...taken, paused, stated(2, { judge: dan, deliverySeconds: 1, eligibility: ['a'] })];
    given(...since)
      .when(bob, deliver(1), { inactive: [ada] })
      .then(delivered(1, bob));
    given(...since)
      .when(ada, drop(1))
      .thenRefused('not_permitted');
    for (const history of [taken, handedIn, since])
      for (const agent of [ada, bob, dan])
        given(...history)
          .whenDeactivated(agent)
          .then();
  });
});

describe('deadlines', () => {
  it('[L4-2] [L4-3] [K-12] end an engagement at them, not before', () => {
    given(...taken)
      .dueAt(begin + 99_999)
      .then();
    given(...taken)
      .dueAt(begin + 100_000)
      .then(over(1, 'timed-out'));
    given(...handedIn)
      .dueAt(begin + 199_999)
      .then();
    given(...handedIn)
      .dueAt(begin + 200_000)
      .then(over(1, 'undecided'));
    given().dueAt(begin).then();
    given(created()).dueAt(begin).then();
  });
  it('[K-12] end it as the bound version states', () => {
    given(...offered({ withoutJudgment: 'adopted' }), confirmed(1, bob), delivered(1, bob), stated(2))
      .dueAt(begin + 200_000)
      .then(adopted(1, 1, 'deadline'));
    given(...handedIn, stated(2, { withoutJudgment: 'adopted' }))
      .dueAt(begin + 200_000)
      .then(over(1, 'undecided'));
    given(...offered({ withoutJudgment: 'adopted' }), confirmed(1, bob))
      .dueAt(begin + 100_000)
      .then(over(1, 'timed-out'));
  });
  it('[L4-3] once passed, are what every later action is told', () => {
    given(...taken, over(1, 'timed-out'))
      .when(bob, drop(1), { at: begin + 100_000 })
      .thenRefused('deadline_passed');
    given(...taken, over(1, 'timed-out'))
      .when(bob, deliver(1), { at: begin + 100_001 })
      .thenRefused('deadline_passed');
    given(...handedIn, over(1, 'undecided'))
      .when(ada, reject(1), { at: begin + 200_000 })
      .thenRefused('deadline_passed');
    given(...taken, over(1, 'timed-out'))
      .when(bob, take(2, { redoes: engagementNumber(1) }), { at: begin + 100_000 })
      .then(confirmed(2, bob, { deliverBy: begin + 200_000, redoes: engagementNumber(1) }));
  });
  it('[K-15] several due at once fire in the order of due time, then of engagement', () => {
    const three = [confirmed(1, bob), confirmed(2, cyd), confirmed(3, eve)];
    given(...offered(), ...three)
      .dueAt(begin + day)
      .then(over(1, 'timed-out'), over(2, 'timed-out'), over(3, 'timed-out'));
    given(...offered(), ...three, delivered(1, bob), delivered(3, eve, { judgeBy: begin + 50_000 }))
      .dueAt(begin + day)
      .then(over(3, 'undecided'), over(2, 'timed-out'), over(1, 'undecided'));
    const many = Array.from({ length: 12 }, (_, i) => i + 1);
    given(...offered(), ...many.map((n) => confirmed(n, agentNumber(n + 10))))
      .dueAt(begin + 100_000)
      .then(...many.map((n) => over(n, 'timed-out')));
    given(...offered(), ...many.map((n) => confirmed(n, agentNumber(n + 10), { deliverBy: begin + 1_000 - n })))
      .dueAt(begin + 1_000)
      .then(...many.toReversed().map((n) => over(n, 'timed-out')));
  });
  it('[K-15] due at the same time go by the number of the engagement, however they are kept', () => {
    given(...offered(), confirmed(2, cyd), confirmed(1, bob))
      .dueAt(begin + 100_000)
      .then(over(1, 'timed-out'), over(2, 'timed-out'));
  });
  it('[K-15] fire only as far as they are due', () => {
    given(...offered(), confirmed(1, bob), confirmed(2, cyd, { deliverBy: begin + 50_000 }))
      .dueAt(begin + 50_000)
      .then(over(2, 'timed-out'));
  });
  it('[K-15] that would adopt over the limit end as undecided, those before them counted', () => {
    const both = (more: Partial<Contract>) => [
      ...offered({ withoutJudgment: 'adopted', ...more }),
      confirmed(1, bob),
      confirmed(2, cyd),
      confirmed(3, eve),
      delivered(1, bob, { judgeBy: begin + 30_000 }),
      delivered(2, cyd, { judgeBy: begin + 10_000 }),
      delivered(3, eve, { judgeBy: begin + 20_000 }),
    ];
    given(...both({ maxAdoptions: 1 }))
      .dueAt(begin + day)
      .then(adopted(2, 1, 'deadline'), over(3, 'undecided'), over(1, 'undecided'));
    given(...both({ maxAdoptions: 2 }))
      .dueAt(begin + day)
      .then(adopted(2, 1, 'deadline'), adopted(3, 2, 'deadline'), over(1, 'undecided'));
    given(...both({}))
      .dueAt(begin + day)
      .then(adopted(2, 1, 'deadline'), adopted(3, 2, 'deadline'), adopted(1, 3, 'deadline'));
    given(...both({ maxAdoptions: 1 }), adopted(1, 1))
      .dueAt(begin + day)
      .then(over(2, 'undecided'), over(3, 'undecided'));
    const judgedAnyway = [
      ...offered({ withoutJudgment: 'adopted', maxAdoptions: 2 }),
      confirmed(1, bob),
      delivered(1, bob),
      stated(2, { withoutJudgment: 'undecided' }),
      confirmed(2, cyd, { version: 2 }),
      delivered(2, cyd, { judgeBy: begin + 10_000 }),
    ];
    given(...judgedAnyway)
      .dueAt(begin + day)
      .then(over(2, 'undecided'), adopted(1, 1, 'deadline'));
  });
});

describe('the adoption limit', () => {
  const two = [confirmed(1, bob), confirmed(2, cyd), delivered(1, bob), delivered(2, cyd)];
  it('[K-15] is looked at when adopting, first come first served; rejecting stays possible', () => {
    const limited = [...offered({ maxAdoptions: 1 }), ...two];
    given(...limited)
      .when(ada, adopt(2))
      .then(adopted(2, 1));
    given(...limited, adopted(2, 1))
      .when(ada, adopt(1))
      .thenRefused('adoption_limit');
    given(...limited, adopted(2, 1))
      .when(ada, reject(1))
      .then(rejected(1));
    given(...limited, rejected(2))
      .when(ada, adopt(1))
      .then(adopted(1, 1));
    given(...offered({ maxAdoptions: 2 }), ...two, adopted(2, 1))
      .when(ada, adopt(1))
      .then(adopted(1, 2));
    given(...offered(), ...two, adopted(2, 1))
      .when(ada, adopt(1))
      .then(adopted(1, 2));
  });
  it('[K-15] of the bound version counts, against all adoptions of the Task', () => {
    const mixed = (first: Partial<Contract>, second: Partial<Contract>) => [
      ...offered(first),
      confirmed(1, bob),
      delivered(1, bob),
      stated(2, second),
      confirmed(2, cyd, { version: 2 }),
      delivered(2, cyd),
    ];
    given(...mixed({ maxAdoptions: 1 }, { maxAdoptions: 2 }), adopted(2, 1))
      .when(ada, adopt(1))
      .thenRefused('adoption_limit');
    given(...mixed({ maxAdoptions: 2 }, { maxAdoptions: 1 }), adopted(2, 1))
      .when(ada, adopt(1))
      .then(adopted(1, 2));
    given(...mixed({}, { maxAdoptions: 1 }), adopted(1, 1))
      .when(ada, adopt(2))
      .thenRefused('adoption_limit');
    given(...mixed({ withoutJudgment: 'adopted' }, { maxAdoptions: 1 }), adopted(2, 1))
      .dueAt(begin + day)
      .then(adopted(1, 2, 'deadline'));
    given(...mixed({ withoutJudgment: 'adopted', maxAdoptions: 1 }, {}), adopted(2, 1))
      .dueAt(begin + day)
      .then(over(1, 'undecided'));
  });
  it('[K-15] is no reason before the delivery is there', () => {
    given(...offered({ maxAdoptions: 1 }), confirmed(1, bob), confirmed(2, cyd), delivered(1, bob), adopted(1, 1))
      .when(ada, adopt(2))
      .thenRefused('wrong_state');
    given(...offered({ maxAdoptions: 1 }), confirmed(1, bob), confirmed(2, cyd), delivered(1, bob), adopted(1, 1))
      .when(cyd, deliver(2))
      .then(delivered(2, cyd));
  });
});

describe('accounts', () => {
  const designated = [...offered({ judge: dan, withoutJudgment: 'adopted' }), confirmed(1, bob, { judge: dan })];
  const waiting = [...designated, delivered(1, bob, { judge: dan })];
  it('[A-5] judgments of a deactivated judge run to their deadline and end as the contract states', () => {
    given(...waiting)
      .whenDeactivated(dan)
      .then();
    given(...waiting)
      .when(dan, adopt(1), { inactive: [dan] })
      .thenRefused('agent_inactive');
    given(...waiting)
      .dueAt(begin + 200_000)
      .then(adopted(1, 1, 'deadline'));
    given(...designated)
      .when(bob, deliver(1), { inactive: [dan, ada] })
      .then(delivered(1, bob, { judge: dan }));
  });
  it('[A-8] once active again, deliver and judge what ran on', () => {
    given(...designated)
      .when(bob, deliver(1), { inactive: [bob] })
      .thenRefused('agent_inactive');
    given(...designated)
      .when(bob, deliver(1))
      .then(delivered(1, bob, { judge: dan }));
    given(...waiting)
      .when(dan, adopt(1))
      .then(adopted(1, 1));
    given(...waiting, adopted(1, 1, 'deadline'))
      .when(dan, adopt(1))
      .thenRefused('deadline_passed');
  });
  it('[A-3] [K-13] are not tied to a Task: nothing of it ends with one', () => {
    for (const effect of [...waiting, adopted(1, 1)]) expect(taskKind.ties(effect)).toEqual([]);
  });
});

describe('a large Task', () => {
  const many = (n: number): readonly TaskEffect[] =>
    Array.from({ length: n }, (_, i) => confirmed(i + 1, agentNumber(i + 10)));
  it('[K-8] counts across the chunks that its engagements are kept in, to the item', () => {
    for (const n of [255, 256, 257, 512])
      given(...offered(), ...many(n))
        .when(bob, take(n + 1))
        .then(confirmed(n + 1, bob));
  });
  it('[K-14] ends the right engagement among hundreds', () => {
    for (const n of [256, 257]) {
      const agent = agentNumber(n + 9);
      given(...offered(), ...many(300))
        .when(agent, drop(n))
        .then(over(n, 'dropped'));
      given(...offered(), ...many(300), over(n, 'dropped'))
        .when(agent, drop(n))
        .thenRefused('wrong_state');
      given(...offered(), ...many(300), over(n, 'dropped'))
        .when(agentNumber(n + 10), drop(n + 1))
        .then(over(n + 1, 'dropped'));
    }
  });
});

describe('the state of a Task', () => {
  const fold = (...effects: readonly TaskEffect[]) =>
    effects.reduce((state, effect) => taskKind.evolve(state, effect, begin), taskKind.initial);
  it('[L5-2] [K-14] cannot come from a fact on what is absent, delivered or over', () => {
    for (const effect of [paused, resumed, confirmed(1, bob), delivered(1, bob), adopted(1, 1), rejected(1)]) {
      expect(() => fold(effect)).toThrow('a fact on a Task that is absent');
      expect(() => fold(created(), effect)).toThrow('a fact on a Task that is created');
    }
    for (const type of ['undecided', 'dropped', 'timed-out'] as const)
      expect(() => fold(over(1, type))).toThrow('a fact on a Task that is absent');
    expect(() => fold(stated(1))).toThrow('a contract of a Task that is absent');
    expect(() => fold(...handedIn, delivered(1, bob))).toThrow(`a second delivery of ${engagementNumber(1)}`);
    for (const end of [adopted(1, 1), rejected(1), over(1, 'undecided'), over(1, 'dropped'), over(1, 'timed-out')])
      expect(() => fold(...handedIn, rejected(1), end)).toThrow(`a fact on ${engagementNumber(1)}, which is not open`);
  });
  it('[L1-1] keeps what later decisions need and no words', () => {
    expect(fold(...offered({ maxAdoptions: 2, eligibility: ['a'] }), paused)).toEqual({
      status: 'open',
      author: ada,
      audience: open,
      paused: true,
      terms: {
        version: 1,
        requiredInputs: [],
        deliverySeconds: 100,
        judgmentSeconds: 200,
        withoutJudgment: 'undecided',
        judge: ada,
        eligibility: ['a'],
        maxAdoptions: 2,
      },
      adoptions: 0,
      engagements: [],
      live: new Map(),
    });
    expect(fold(...offered(), paused, stated(2), resumed)).toMatchObject({ paused: false, terms: { version: 2 } });
    expect(fold(...handedIn)).toMatchObject({
      engagements: [[null]],
      live: new Map([
        [
          engagementNumber(1),
          {
            engagement: engagementNumber(1),
            number: 1,
            agent: bob,
            version: 1,
            judge: ada,
            judgmentSeconds: 200,
            withoutJudgment: 'undecided',
            status: 'delivered',
            judgeBy: begin + 200_000,
          },
        ],
      ]),
    });
    expect(fold(...handedIn, adopted(1, 1))).toMatchObject({
      adoptions: 1,
      engagements: [[{ engagement: engagementNumber(1), agent: bob, judge: ada, byDeadline: false }]],
      live: new Map(),
    });
  });
  it('[L1-1] is kept in pieces: one for what is open, one for each chunk of what there was', () => {
    expect([...taskKind.pieces(fold(...taken)).keys()]).toEqual(['core', 'engagements.0']);
    const state = fold(...offered(), ...Array.from({ length: 257 }, (_, i) => confirmed(i + 1, agentNumber(i + 10))));
    expect([...taskKind.pieces(state).keys()]).toEqual(['core', 'engagements.0', 'engagements.1']);
  });
});
