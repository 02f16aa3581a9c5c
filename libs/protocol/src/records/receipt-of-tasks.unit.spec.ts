import { describe, expect, it } from '@jest/globals';
import { hintsFor, receiptSchema } from '../catalogue/results.ts';
import { ada, bob, contentNumber, dan, engagementNumber, memoryNumber, taskNumber } from '../testing/index.ts';
import type { TaskEffect } from '../task/effects.ts';
import type { Fact } from './facts.ts';
import { type Receipt, receiptOf } from './receipt.ts';

const task = taskNumber(1);
const engagement = engagementNumber(5);
const ref = `${task}/engagements/${engagement}`;
const at = Date.parse('2026-11-30T20:00:00.000Z');
const [hour, hours] = [at + 3_600_000, at + 7_200_000];
/** Numbers that stand nowhere else, so that a receipt that tells one is seen. */
const on = { engagement, number: 4_711 };
const input = { id: memoryNumber(1), version: 2 };

const created: TaskEffect = { type: 'task.created', author: ada, audience: { kind: 'restricted', agents: [bob] } };
const stated = (version: number): TaskEffect => ({
  type: 'contract.stated',
  version,
  content: contentNumber(1),
  structured: true,
  requiredInputs: [input],
  informative: [],
  deliverySeconds: 3_600,
  judgmentSeconds: 7_200,
  withoutJudgment: 'adopted',
  judge: dan,
  eligibility: ['translator'],
  maxAdoptions: 815,
  adoptedReaders: 'audience',
});
const confirmed: TaskEffect = {
  type: 'engagement.confirmed',
  ...on,
  agent: bob,
  author: ada,
  judge: dan,
  version: 3,
  inputs: [input],
  deliverBy: hour,
  redoes: engagementNumber(2),
};
const delivered: TaskEffect = {
  type: 'engagement.delivered',
  ...on,
  agent: bob,
  content: contentNumber(2),
  memories: [{ id: memoryNumber(4), version: 1 }],
  judge: dan,
  judgeBy: hours,
};

const fact = (
  action: string,
  agent: typeof ada,
  effects: readonly TaskEffect[],
  existing?: Fact['existing'],
): Fact => ({
  object: { kind: 'task', id: task },
  revision: 17,
  at,
  cause: {
    kind: 'action',
    id: 'action_00000000000000000000000001',
    attempt: 1,
    agent,
    action,
    binding: 'ab'.repeat(32),
    fingerprint: `v1:${'cd'.repeat(32)}`,
  },
  effects: [...effects],
  content: [{ partition: 0, next: 5 }],
  ...(existing === undefined ? {} : { existing }),
});
const text = (value: Fact): string => new TextDecoder().decode(receiptOf(value));
const head = (action: string, agent: string, about: string): string =>
  `{"receipt":"v1","action":"${action}","agent":"${agent}","object":"${task}","ref":"${about}","at":"2026-11-30T20:00:00.000Z",`;
const inputs = `"inputs":["${input.id}/versions/2"],`;
const memories = `"memories":["${memoryNumber(4)}/versions/1"],`;
const begunDelivering = `{"obligation":"deliver","ref":"${ref}","agent":"${bob}","deadline":"2026-11-30T21:00:00.000Z"}`;
const begunJudging = `{"obligation":"judge","ref":"${ref}","agent":"${dan}","deadline":"2026-11-30T22:00:00.000Z"}`;
const over = (obligation: string, agent: string, how: string): string =>
  `{"obligation":"${obligation}","ref":"${ref}","agent":"${agent}","how":"${how}"}`;
const became = (what: string, to: string): string => `{"ref":"${what}","became":"${to}"}`;
const tail = (transitions: string, begun = '', ended = ''): string =>
  `"transitions":[${transitions}],"begun":[${begun}],"ended":[${ended}]}`;

/** Every action on a Task with its receipt, byte for byte, and what is hinted after it. */
const receipts: readonly (readonly [string, Fact, string, readonly string[]])[] = [
  [
    'task.create',
    fact('task.create', ada, [created, stated(1)]),
    `${head('task.create', ada, task)}"version":1,${tail(`${became(task, 'created')},${became(`${task}/versions/1`, 'stated')}`)}`,
    [],
  ],
  [
    'task.revise',
    fact('task.revise', ada, [stated(3)]),
    `${head('task.revise', ada, `${task}/versions/3`)}"version":3,${tail(became(`${task}/versions/3`, 'stated'))}`,
    [],
  ],
  [
    'task.pause',
    fact('task.pause', ada, [{ type: 'task.paused' }]),
    `${head('task.pause', ada, task)}${tail(became(task, 'paused'))}`,
    [],
  ],
  [
    'task.resume',
    fact('task.resume', ada, [{ type: 'task.resumed' }]),
    `${head('task.resume', ada, task)}${tail(became(task, 'resumed'))}`,
    [],
  ],
  [
    'task.take',
    fact('task.take', bob, [confirmed]),
    `${head('task.take', bob, ref)}"version":3,"engagement":"${engagement}",${inputs}${tail(became(ref, 'confirmed'), begunDelivering)}`,
    ['engagement.deliver', 'engagement.drop'],
  ],
  [
    'task.take with a delivery',
    fact('task.take', bob, [confirmed, delivered]),
    `${head('task.take', bob, ref)}"version":3,${memories}"engagement":"${engagement}",${inputs}` +
      tail(
        `${became(ref, 'confirmed')},${became(ref, 'delivered')}`,
        `${begunDelivering},${begunJudging}`,
        over('deliver', bob, 'delivered'),
      ),
    [],
  ],
  [
    'task.take with a delivery on an engagement that was there',
    fact('task.take', bob, [delivered]),
    `${head('task.take', bob, ref)}${memories}"engagement":"${engagement}",` +
      tail(became(ref, 'delivered'), begunJudging, over('deliver', bob, 'delivered')),
    [],
  ],
  [
    'task.take again',
    fact('task.take', bob, [], { type: 'engagement', ...on }),
    `${head('task.take', bob, ref)}"existing":{"type":"engagement","engagement":"${engagement}"},${tail('')}`,
    [],
  ],
  [
    'engagement.deliver',
    fact('engagement.deliver', bob, [delivered]),
    `${head('engagement.deliver', bob, ref)}${memories}"engagement":"${engagement}",` +
      tail(became(ref, 'delivered'), begunJudging, over('deliver', bob, 'delivered')),
    [],
  ],
  [
    'engagement.drop',
    fact('engagement.drop', bob, [{ type: 'engagement.dropped', ...on }]),
    `${head('engagement.drop', bob, ref)}"engagement":"${engagement}",` +
      tail(became(ref, 'dropped'), '', over('deliver', bob, 'dropped')),
    [],
  ],
  [
    'engagement.adopt',
    fact('engagement.adopt', dan, [{ type: 'engagement.adopted', ...on, by: 'judge', adoptions: 815 }]),
    `${head('engagement.adopt', dan, ref)}"engagement":"${engagement}",` +
      tail(became(ref, 'adopted'), '', over('judge', dan, 'adopted')),
    [],
  ],
  [
    'engagement.reject',
    fact('engagement.reject', dan, [{ type: 'engagement.rejected', ...on, content: contentNumber(3) }]),
    `${head('engagement.reject', dan, ref)}"engagement":"${engagement}",` +
      tail(became(ref, 'rejected'), '', over('judge', dan, 'rejected')),
    [],
  ],
];

describe('a receipt of a Task', () => {
  it.each(receipts)('[L3-1] is the same bytes for ever: %s', (_, value, bytes) => expect(text(value)).toBe(bytes));

  it.each(receipts)('has the shape that documents describe: %s', (_, value) =>
    expect(receiptSchema.strict().safeParse(JSON.parse(text(value)))).toMatchObject({ success: true }),
  );

  it.each(receipts)(
    '[L3-3] [V-10] [C-3] tells no content, audience or terms, nor how many others engage: %s',
    (_, value) => {
      for (const trace of ['4711', '815', 'content', 'number', 'adoptions', 'audience', 'translator', 'redoes', 'cdcd'])
        expect(text(value)).not.toContain(trace);
    },
  );

  it.each(receipts)('[O-8] is followed by hints that go by it alone, three at most: %s', (_, value, __, hints) =>
    expect(hintsFor(JSON.parse(text(value)) as Receipt)).toEqual(hints.map((action) => ({ action, ref }))),
  );

  it('[K-12] exists for nothing that a deadline ended', () => {
    for (const effect of [
      { type: 'engagement.timed-out', ...on },
      { type: 'engagement.undecided', ...on },
      { type: 'engagement.adopted', ...on, by: 'deadline', adoptions: 1 },
    ] satisfies TaskEffect[])
      expect(
        receiptOf({ ...fact('engagement.drop', bob, [effect]), cause: { kind: 'deadline', dueAt: at } }),
      ).toBeUndefined();
  });
});
