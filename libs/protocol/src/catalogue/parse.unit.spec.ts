import { describe, expect, it } from '@jest/globals';
import { actionCatalogue } from './actions.ts';
import type { ActionName } from './inputs.ts';
import { parseInput } from './parse.ts';

const catalogue = actionCatalogue();
const thread = 'thread_00000000000000000000000001';
const other = 'thread_00000000000000000000000002';
const bob = 'agent_00000000000000000000000002';
const memory = 'memory_00000000000000000000000001';
const parse = (name: ActionName, body: unknown, object?: string) => parseInput(catalogue[name], object, body);
const errors = (name: ActionName, body: unknown) => {
  const result = parse(name, body, thread);
  return result.kind === 'ok'
    ? []
    : result.errors.map(({ pointer, keyword }) => `${result.code} ${pointer} ${keyword}`);
};
const task = 'task_00000000000000000000000001';
const engagement = 'engagement_00000000000000000000000001';
const work = { wanted: 'a list', criteria: 'it is complete' };

describe('the public shape of an action', () => {
  it('takes what the contract lists', () => {
    expect(parse('memory.create', { content: { title: 'T', body: 'B' } })).toEqual({
      kind: 'ok',
      value: { content: { title: 'T', body: 'B' } },
    });
    expect(
      errors('thread.post', { content: { body: 'B' }, ask: [bob], replyTo: 7, assign: { to: bob, content: work } }),
    ).toEqual([]);
    expect(errors('thread.post', { memory: `${memory}/versions/4` })).toEqual([]);
    expect(errors('thread.create', {})).toEqual([]);
    expect(errors('assignment.deliver', { assignment: 2, delivery: { memories: [memory] } })).toEqual([]);
    expect(errors('thread.handle', { entry: 2, content: { note: 'seen' } })).toEqual([]);
  });

  it('takes null for absent, but never inside a payload or a schema', () => {
    expect(parse('thread.post', { content: { title: null, body: 'B' }, ask: null, memory: null }, thread)).toEqual({
      kind: 'ok',
      value: { content: { body: 'B' } },
    });
    expect(parse('assignment.deliver', { assignment: 1, delivery: { content: { payload: { a: null } } } })).toEqual({
      kind: 'ok',
      value: { assignment: 1, delivery: { content: { payload: { a: null } } } },
    });
    expect(errors('thread.set-role', { member: bob, role: null })).toEqual(['invalid /role required']);
    expect(errors('assignment.deliver', { assignment: 1, delivery: { content: { payload: null } } })).toEqual([
      'invalid /delivery/content/payload required',
    ]);
  });

  it('[L3-8] keeps absent and empty apart', () => {
    expect(parse('thread.post', { content: { body: 'B' }, ask: [] }, thread)).toEqual({
      kind: 'ok',
      value: { content: { body: 'B' }, ask: [] },
    });
  });

  it('refuses unknown fields at their place', () => {
    expect(errors('thread.post', { content: { body: 'B', html: '<b>' } })).toEqual(['invalid /content/html unknown']);
    expect(errors('thread.leave', { 'a/b~c': 1 })).toEqual(['invalid /a~1b~0c unknown']);
    expect(errors('thread.leave', { [`x${'y'.repeat(200)}`]: 1 })).toEqual(['invalid  unknown']);
    expect(errors('thread.post', { content: { body: 'B' }, taskId: 'task_00000000000000000000000001' })).toEqual([
      'invalid /taskId unknown',
    ]);
  });

  it('refuses wrong types, missing fields and alternatives', () => {
    expect(errors('memory.create', {})).toEqual(['invalid /content required']);
    expect(errors('memory.create', { content: 'B' })).toEqual(['invalid /content type']);
    expect(errors('memory.create', 'text')).toEqual(['invalid  type']);
    expect(errors('memory.create', { content: { body: '' } })).toEqual(['invalid /content/body minLength']);
    expect(errors('thread.post', {})).toEqual(['invalid  oneOf']);
    expect(errors('thread.post', { content: { body: 'B' }, memory })).toEqual(['invalid  oneOf']);
    expect(parse('thread.post', {}, thread)).toMatchObject({ errors: [{ alternatives: ['/content', '/memory'] }] });
    expect(errors('thread.post', { memory: 'memory_1/versions/0' })).toEqual(['invalid /memory format']);
    expect(errors('thread.post', { memory: `${memory}/versions/2147483648` })).toEqual(['invalid /memory format']);
    expect(errors('thread.set-role', { member: bob, role: 'owner' })).toEqual(['invalid /role enum']);
    expect(errors('thread.post', { content: { body: 'B' }, ask: ['bob'] })).toEqual(['invalid /ask/0 format']);
    expect(errors('thread.post', { content: { body: 'B' }, replyTo: 1.5 })).toEqual(['invalid /replyTo type']);
    expect(errors('assignment.deliver', { assignment: 1, delivery: {} })).toEqual(['invalid /delivery required']);
    expect(errors('assignment.deliver', { assignment: 1, delivery: { memories: [] } })).toEqual([
      'invalid /delivery/memories minItems',
    ]);
    expect(errors('thread.handle', { entry: 1, content: { note: 'two\nlines' } })).toEqual([
      'invalid /content/note oneLine',
    ]);
  });

  it('[L4-2] refuses deadlines that are zero, negative or out of range', () => {
    const assign = (deliverySeconds: number) =>
      errors('thread.post', { content: { body: 'B' }, assign: { to: bob, content: work, deliverySeconds } });
    expect(assign(60)).toEqual([]);
    expect(assign(2_592_000)).toEqual([]);
    expect(assign(0)).toEqual(['invalid /assign/deliverySeconds minimum']);
    expect(assign(-60)).toEqual(['invalid /assign/deliverySeconds minimum']);
    expect(assign(59)).toEqual(['invalid /assign/deliverySeconds minimum']);
    expect(assign(2_592_001)).toEqual(['invalid /assign/deliverySeconds maximum']);
    expect(assign(60.5)).toEqual(['invalid /assign/deliverySeconds type']);
  });

  it('measures text as the limits say: characters, or bytes of UTF-8', () => {
    expect(errors('memory.create', { content: { title: '😀'.repeat(200), body: 'B' } })).toEqual([]);
    expect(errors('memory.create', { content: { title: 'x'.repeat(201), body: 'B' } })).toEqual([
      'too_large /content/title maxLength',
    ]);
    expect(errors('memory.create', { content: { body: 'é'.repeat(51_200) } })).toEqual([]);
    expect(errors('memory.create', { content: { body: 'é'.repeat(51_201) } })).toEqual([
      'too_large /content/body maxLength',
    ]);
    expect(errors('memory.create', { content: { body: 'é'.repeat(51_201), x: 1 } })).toEqual(
      ['too_large /content/body maxLength', 'invalid /content/x unknown'].map((e) => e.replace('too_large', 'invalid')),
    );
    expect(
      errors('assignment.deliver', { assignment: 1, delivery: { content: { payload: 'x'.repeat(262_143) } } }),
    ).toEqual(['too_large /delivery/content/payload maxLength']);
    expect(errors('assignment.reject', { assignment: 1, content: { reason: 'x'.repeat(4_001) } })).toEqual([
      'too_large /content/reason maxLength',
    ]);
    expect(errors('thread.post', { content: { body: 'B' }, ask: Array.from({ length: 51 }, () => bob) })).toEqual([
      'invalid /ask maxItems',
    ]);
  });

  it('bounds the depth of an output structure', () => {
    const nested = (levels: number): unknown => (levels === 1 ? {} : { not: nested(levels - 1) });
    const post = (outputSchema: unknown) =>
      errors('thread.post', { content: { body: 'B' }, assign: { to: bob, content: { ...work, outputSchema } } });
    expect(post(nested(32))).toEqual([]);
    expect(post(true)).toEqual([]);
    expect(post(nested(33))).toEqual(['invalid /assign/content/outputSchema maxDepth']);
    expect(post('string')).toEqual(['invalid /assign/content/outputSchema type']);
    expect(post({ description: 'x'.repeat(32_768) })).toEqual(['too_large /assign/content/outputSchema maxLength']);
  });

  it('makes one form of a reference to a part of the same thread; another thread stays to be refused', () => {
    const reply = (replyTo: unknown) => parse('thread.post', { content: { body: 'B' }, replyTo }, thread);
    expect(reply(`${thread}/entries/7`)).toEqual(reply(7));
    expect(reply(`${other}/entries/7`)).toEqual({
      kind: 'ok',
      value: { content: { body: 'B' }, replyTo: `${other}/entries/7` },
    });
    const redo = (redoes: unknown) =>
      parse('thread.post', { content: { body: 'B' }, assign: { to: bob, content: work, redoes } }, thread);
    expect(redo(`${thread}/assignments/2`)).toEqual(redo(2));
  });

  it('lists no more than twenty places', () => {
    expect(
      errors('thread.leave', Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]))),
    ).toHaveLength(20);
  });

  it('[K-16] takes a reference to a Task with an entry, and to nothing else', () => {
    const post = (reference: unknown) => errors('thread.post', { content: { body: 'B' }, task: reference });
    expect(post(task)).toEqual([]);
    expect(post(null)).toEqual([]);
    for (const other of [`${task}/versions/1`, `${task}/engagements/${engagement}`, thread, 'task', 7])
      expect(post(other)).toEqual([`invalid /task ${typeof other === 'string' ? 'format' : 'type'}`]);
  });
});

describe('the public shape of an action on a Task', () => {
  const contract = { content: work };

  it('[K-1] [K-4] takes a contract, whole or with everything that has a default left out', () => {
    const whole = {
      content: { title: 'T', ...work, outputSchema: { type: 'object' } },
      requiredInputs: [memory, `${memory}/versions/4`],
      informative: [memory],
      deliverySeconds: 60,
      judgmentSeconds: 2_592_000,
      withoutJudgment: 'adopted',
      judge: bob,
      eligibility: ['translator', 'a b'],
      maxAdoptions: 1,
      adoptedReaders: 'audience',
    };
    expect(errors('task.create', contract)).toEqual([]);
    expect(errors('task.create', { ...whole, audience: { restricted: [bob] } })).toEqual([]);
    expect(errors('task.create', { ...whole, audience: 'open', adoptedReaders: 'anyone' })).toEqual([]);
    expect(errors('task.revise', whole)).toEqual([]);
    expect(parse('task.create', { ...contract, judge: null, maxAdoptions: null, audience: null })).toEqual({
      kind: 'ok',
      value: contract,
    });
  });
  it('[L3-8] keeps absent and empty apart', () => {
    expect(parse('task.revise', { ...contract, eligibility: [] })).toEqual({
      kind: 'ok',
      value: { ...contract, eligibility: [] },
    });
  });
  it('[K-6] revises no audience', () => {
    expect(errors('task.revise', { ...contract, audience: 'open' })).toEqual(['invalid /audience unknown']);
  });
  it('[K-1] refuses a contract that says too little, or what there is not', () => {
    expect(errors('task.create', {})).toEqual(['invalid /content required']);
    expect(errors('task.create', { content: { wanted: 'a list' } })).toEqual(['invalid /content/criteria required']);
    for (const [field, value, keyword] of [
      ['withoutJudgment', 'rejected', 'enum'],
      ['adoptedReaders', 'all', 'enum'],
      ['judge', 'bob', 'format'],
      ['maxAdoptions', 0, 'minimum'],
      ['maxAdoptions', 1.5, 'type'],
      ['deliverySeconds', 59, 'minimum'],
      ['judgmentSeconds', 2_592_001, 'maximum'],
      ['audience', 'closed', 'type'],
      ['approval', true, 'unknown'],
    ] as const)
      expect(errors('task.create', { ...contract, [field]: value })).toEqual([`invalid /${field} ${keyword}`]);
    expect(errors('task.create', { ...contract, requiredInputs: [task] })).toEqual([
      'invalid /requiredInputs/0 format',
    ]);
    expect(errors('task.create', { ...contract, audience: { restricted: [] } })).toHaveLength(1);
  });
  it('[V-11] gives nobody but its audience the deliveries of a restricted Task', () => {
    expect(errors('task.create', { ...contract, audience: { restricted: [bob] }, adoptedReaders: 'anyone' })).toEqual([
      'invalid /adoptedReaders enum',
    ]);
  });
  it('[L4-4] bounds inputs, material, labels and audience', () => {
    const many = <T>(n: number, item: T): readonly T[] => Array.from({ length: n }, () => item);
    for (const field of ['requiredInputs', 'informative']) {
      expect(errors('task.create', { ...contract, [field]: many(20, memory) })).toEqual([]);
      expect(errors('task.create', { ...contract, [field]: many(21, memory) })).toEqual([`invalid /${field} maxItems`]);
    }
    expect(errors('task.create', { ...contract, eligibility: many(51, 'a') })).toEqual([
      'invalid /eligibility maxItems',
    ]);
    expect(errors('task.create', { ...contract, eligibility: [' a'] })).toEqual(['invalid /eligibility/0 format']);
    expect(errors('task.create', { ...contract, audience: { restricted: many(100, bob) } })).toEqual([]);
    expect(errors('task.create', { ...contract, audience: { restricted: many(101, bob) } })).toHaveLength(1);
  });
  it('[K-8] [O-13] takes a Task, bare, for a version, redoing, with a delivery', () => {
    expect(errors('task.take', {})).toEqual([]);
    const redoes = `${task}/engagements/${engagement}`;
    expect(parse('task.take', { version: 2, redoes, delivery: { memories: [memory] } }, task)).toEqual({
      kind: 'ok',
      value: { version: 2, redoes, delivery: { memories: [memory] } },
    });
    expect(errors('task.take', { redoes: 1 })).toEqual(['invalid /redoes type']);
    expect(errors('task.take', { redoes: engagement })).toEqual(['invalid /redoes format']);
    expect(errors('task.take', { redoes: task })).toEqual(['invalid /redoes format']);
    expect(errors('task.take', { version: 0 })).toEqual(['invalid /version minimum']);
    expect(errors('task.take', { delivery: {} })).toEqual(['invalid /delivery required']);
  });
  it('[K-10] [K-11] acts on an engagement', () => {
    expect(errors('engagement.deliver', { engagement, delivery: { content: { payload: { a: null } } } })).toEqual([]);
    expect(errors('engagement.deliver', { engagement })).toEqual(['invalid /delivery required']);
    expect(errors('engagement.deliver', { engagement, delivery: {} })).toEqual(['invalid /delivery required']);
    for (const name of ['engagement.drop', 'engagement.adopt'] as const) {
      expect(errors(name, { engagement })).toEqual([]);
      expect(errors(name, { engagement: 1 })).toEqual(['invalid /engagement type']);
      expect(errors(name, { engagement: task })).toEqual(['invalid /engagement format']);
    }
    expect(errors('engagement.reject', { engagement, content: { reason: 'It misses the list.' } })).toEqual([]);
    expect(errors('engagement.reject', { engagement })).toEqual(['invalid /content required']);
    expect(errors('engagement.reject', { engagement, content: { reason: '' } })).toEqual([
      'invalid /content/reason minLength',
    ]);
  });
});
