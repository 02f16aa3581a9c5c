import { describe, expect, it } from '@jest/globals';
import { inboxAction } from '../inbox/actions.ts';
import { defaultAkepLimits, defaultLimits } from '../limits.ts';
import { refusals } from '../refusals.ts';
import { actionCatalogue } from './actions.ts';
import { akepActionNames, akepCatalogue, akepServiceActions, isAkepActionName } from './akep.ts';
import { bodySchema } from './json-schema.ts';
import { parseShape } from './parse.ts';
import { readCatalogue } from './reads.ts';
import { hintsFor } from './results.ts';

const catalogue = akepCatalogue();
const actions = Object.values(catalogue);
const subscription = 'subscription_00000000000000000000000001';

const errors = (name: (typeof akepActionNames)[number], body: unknown): readonly string[] => {
  const result = parseShape(catalogue[name].input, body);
  return result.kind === 'ok' ? [] : result.errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
};

describe('the catalogue of AKEP', () => {
  it('[B-3] stands apart from that of Kungfu: no name, route or limit is in both', () => {
    const kungfu = [
      ...Object.values(actionCatalogue()).map(({ method, path }) => `${method} ${path}`),
      ...Object.values(readCatalogue()).map(({ path }) => `GET ${path}`),
    ];
    const own = actions.map(({ method, path }) => `${method} ${path}`);
    expect(new Set([...kungfu, ...own]).size).toBe(kungfu.length + own.length);
    expect(akepActionNames.filter((name) => name in actionCatalogue())).toEqual([]);
    expect(Object.keys(defaultAkepLimits).filter((name) => name in defaultLimits)).toEqual([]);
    expect(Object.keys(defaultAkepLimits).every((name) => name.startsWith('akep'))).toBe(true);
  });
  it('has every action of the inbox, by a route or of services alone', () => {
    const types = inboxAction.options.map(({ shape }) => shape.type.value);
    expect([...akepActionNames, ...Object.keys(akepServiceActions)].sort()).toEqual([...types].sort());
    expect(isAkepActionName('akep.claim')).toBe(true);
    expect(isAkepActionName('akep.delivered')).toBe(false);
    expect(isAkepActionName('thread.post')).toBe(false);
  });
  it('[S-4] names no inbox: the object is always the caller’s own', () => {
    for (const definition of actions) {
      expect(definition).toMatchObject({ kind: 'akep.inbox', door: 'akep' });
      expect(definition).not.toHaveProperty('object');
      expect(definition.path).toMatch(/^\/akep\//);
    }
  });
  it('takes every path parameter as a field of the input, and no other part', () => {
    for (const { name, parts, path, input } of actions) {
      expect([name, path.match(/\{[a-z]+\}/g) ?? []]).toEqual([name, parts.map((part) => `{${part}}`)]);
      for (const part of parts) expect([name, part, part in input.shape]).toEqual([name, part, true]);
      for (const part of parts) expect(bodySchema(catalogue[name])['properties']).not.toHaveProperty(part);
    }
    expect(catalogue['akep.ack']).toMatchObject({ method: 'POST', path: '/akep/events/{event}/ack', parts: ['event'] });
  });
  it('describes each in four sentences and names only refusals that exist, each once', () => {
    for (const { name, description, refusals: codes } of actions) {
      for (const sentence of Object.values(description)) expect(sentence).toMatch(/^[A-Z`].*\.$/);
      for (const code of codes) expect(refusals).toHaveProperty(code);
      expect([name, new Set(codes).size]).toEqual([name, codes.length]);
    }
  });
  it('[S-3] knows which answers carry a secret', () => {
    expect(actions.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'akep.issue-secret',
      'akep.rotate-secret',
    ]);
  });
  it('[S-1] takes a subscription as it comes: its schema is AKEP’s own', () => {
    expect(errors('akep.subscribe', { spec: 'akep.v1', anything: [1] })).toEqual([]);
    expect(errors('akep.revise-subscription', { subscription, anything: [1] })).toEqual([]);
    expect(errors('akep.revise-subscription', { anything: [1] })).toEqual(['/subscription required']);
  });
  it('[W-5] bounds what a rotation and a lease may ask for', () => {
    const rotation = { subscription, producer_id: 'prod_1' };
    expect(errors('akep.rotate-secret', { ...rotation, overlap_seconds: 0 })).toEqual([]);
    expect(errors('akep.rotate-secret', { ...rotation, overlap_seconds: 2_592_001 })).toEqual([
      '/overlap_seconds maximum',
    ]);
    expect(errors('akep.issue-secret', { subscription, producer_id: 'p' })).toEqual(['/producer_id minLength']);
    expect(errors('akep.issue-secret', { ...rotation, key_id: 'a b' })).toEqual(['/key_id format']);
  });
  it('[P-2] leases for one minute to one hour', () => {
    expect(errors('akep.claim', {})).toEqual([]);
    expect(errors('akep.claim', { lease_seconds: 60 })).toEqual([]);
    expect(errors('akep.claim', { lease_seconds: 3_600, task_id: 'task_1' })).toEqual([]);
    expect(errors('akep.claim', { lease_seconds: 59 })).toEqual(['/lease_seconds minimum']);
    expect(errors('akep.claim', { lease_seconds: 3_601 })).toEqual(['/lease_seconds maximum']);
    expect(errors('akep.complete', { resume: 1 })).toEqual(['/lease required']);
  });
  it('[P-1] takes what a task waits for: types, subjects, interrupts', () => {
    const task = { task: 'task_123' };
    expect(errors('akep.wait', task)).toEqual([]);
    expect(
      errors('akep.wait', {
        ...task,
        event_types: ['human.approved'],
        subjects: [{ thread_id: 'thread_456' }, { floor: 7 }],
        interrupt_ids: ['interrupt_1'],
        after: 'cur_42',
      }),
    ).toEqual([]);
    expect(errors('akep.wait', { ...task, subjects: [{ a: 1, b: 2 }] })).toEqual(['/subjects/0 format']);
    expect(errors('akep.wait', { ...task, subjects: [{}] })).toEqual(['/subjects/0 format']);
    expect(errors('akep.wait', { ...task, event_types: Array.from({ length: 101 }, () => 'a.b') })).toEqual([
      '/event_types maxItems',
    ]);
    expect(catalogue['akep.wait'].sets).toEqual(['/event_types', '/subjects', '/interrupt_ids']);
  });
  it('[B-3] gives no hints, which are actions of Kungfu', () => {
    const receipt = { receipt: 'v1', action: 'akep.claim', agent: 'a', object: 'a', ref: 'resumes/1', at: '' } as const;
    expect(hintsFor({ ...receipt, transitions: [], begun: [], ended: [] })).toEqual([]);
  });
  it('[R-4] takes the three ways to acknowledge', () => {
    for (const status of ['stored', 'applied', 'rejected'])
      expect(errors('akep.ack', { event: 'event_01', status })).toEqual([]);
    expect(errors('akep.ack', { event: 'event_01', status: 'seen' })).toEqual(['/status enum']);
  });
});
