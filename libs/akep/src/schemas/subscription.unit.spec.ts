import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { subscription, withAt } from '../testing/examples.ts';
import { checkSubscription } from './check.ts';
import { eventSchema } from './event.ts';
import { subscriptionSchema } from './subscription.ts';

const faults = (value: unknown): readonly string[] => {
  const checked = checkSubscription(value);
  return checked.kind === 'ok' ? [] : checked.errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
};
const faultsWith = (path: string, value: unknown): readonly string[] => faults(withAt(subscription, path, value));
const filters = (value: unknown): readonly string[] => faultsWith('/filters', value);
const long = (length: number): string => 'x'.repeat(length);

describe('a subscription', () => {
  it('[S-1] passes as a whole', () => {
    expect(checkSubscription(subscription)).toEqual({ kind: 'ok', value: subscription });
  });
  it.each(['spec', 'sink', 'event_types', 'filters', 'delivery', 'security', 'capabilities'])(
    '[S-1] needs %s',
    (name) => {
      expect(faultsWith(`/${name}`, undefined)).toEqual([`/${name} required`]);
    },
  );
  it.each(['/x', '/delivery/x', '/security/accepted_producers', '/capabilities/x'])(
    '[S-1] has no other field, at any level: %s',
    (path) => {
      expect(faultsWith(path, ['x'])).toEqual([`${path} unknown`]);
    },
  );
  it.each([
    ['/spec', 'akep.v2', 'format'],
    ['/sink', '', 'minLength'],
    ['/event_types', [], 'minItems'],
    ['/event_types', ['tool.failed', 'tool.failed'], 'format'],
    ['/security/accepted_producer_ids', [], 'minItems'],
    ['/security/accepted_source_names', [], 'minItems'],
    ['/security/signature_key_ids', [], 'minItems'],
    ['/security/accepted_producer_ids', 'prod_survey_01', 'type'],
    ['/capabilities/resume_policies', undefined, 'required'],
    ['/capabilities/resume_policies', [], 'minItems'],
    ['/capabilities/max_payload_bytes', 0, 'minimum'],
    ['/delivery/ack_required', 'yes', 'type'],
    ['/delivery/type', 'carrier-pigeon', 'enum'],
  ])('[S-1] is refused with the failing path: %s %j', (path, value, keyword) => {
    expect(faultsWith(path, value)).toContain(`${path} ${keyword}`);
  });
  it('[S-1] is refused with the failing item of a list', () => {
    expect(faultsWith('/event_types', ['tool.failed', 'tool.*'])).toEqual(['/event_types/1 format']);
    expect(faultsWith('/capabilities/resume_policies', ['never', 'always'])).toEqual([
      '/capabilities/resume_policies/1 enum',
    ]);
  });
  it('[R-5] keeps events for 1 to 30 days', () => {
    for (const seconds of [86_400, 2_592_000])
      expect(faultsWith('/delivery/replay_retention_seconds', seconds)).toEqual([]);
    expect(faultsWith('/delivery/replay_retention_seconds', 86_399)).toEqual([
      '/delivery/replay_retention_seconds minimum',
    ]);
    expect(faultsWith('/delivery/replay_retention_seconds', 2_592_001)).toEqual([
      '/delivery/replay_retention_seconds maximum',
    ]);
  });
  it('[S-1] names an address if events are pushed to one, and only then', () => {
    expect(faultsWith('/delivery', { type: 'webhook' })).toEqual(['/delivery/url required']);
    expect(faultsWith('/delivery', { type: 'relay' })).toEqual([]);
    expect(faultsWith('/delivery', { type: 'queue' })).toEqual([]);
    expect(faultsWith('/delivery', { type: 'relay', url: 'https://x.example/' })).toEqual(['/delivery/url unknown']);
    expect(faultsWith('/delivery/url', 'ftp://x.example/')).toEqual(['/delivery/url format']);
  });
});

describe('filters of a subscription', () => {
  it.each(['subject.task_id', 'knowledge.content.measures', 'extensions.x y', 'event_type', 'knowledge.a.b.c.d.e.f.g'])(
    '[S-2] look at %s',
    (path) => {
      expect(filters({ [path]: 'x' })).toEqual([]);
    },
  );
  it.each([
    '',
    'subject',
    'task_id',
    'subject.',
    'subject..x',
    '.subject',
    'spec.x',
    'knowledge.a.b.c.d.e.f.g.h',
    `subject.${long(65)}`,
  ])('[S-2] do not look at %j', (path) => {
    expect(filters({ [path]: 'x' })).toEqual([`/filters/${path} format`]);
  });
  it('[S-2] ask for scalars, or for one of several', () => {
    expect(filters({ 'subject.a': 'x', 'subject.b': 1, 'subject.c': false, 'subject.d': ['x', 1, true] })).toEqual([]);
    expect(filters({ 'subject.a': { $ne: 'x' } })).toEqual(['/filters/subject.a type']);
    expect(filters({ 'subject.a': null })).toEqual(['/filters/subject.a type']);
    expect(filters({ 'subject.a': ['x', ['y']] })).toEqual(['/filters/subject.a/1 type']);
    expect(filters({ 'subject.a': [] })).toEqual(['/filters/subject.a minItems']);
  });
  it('[S-2] are bounded', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`subject.x${n}`, n]));
    expect(filters(many(32))).toEqual([]);
    expect(filters(many(33))).toEqual(['/filters maxItems']);
    expect(filters({ 'subject.a': Array.from({ length: 101 }, (_, n) => n) })).toEqual(['/filters/subject.a maxItems']);
    expect(filters({ 'subject.a': long(1_025) })).toEqual(['/filters/subject.a maxLength']);
  });
});

describe('the schemas', () => {
  it('[E-9] are JSON Schema 2020-12, by addresses that can be served, and the same after a way over the wire', () => {
    for (const schema of [eventSchema, subscriptionSchema]) {
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(new Ajv2020().validateSchema(schema)).toBe(true);
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    }
    expect(eventSchema['$id']).toBe('/akep/schemas/event.json');
    expect(subscriptionSchema['$id']).toBe('/akep/schemas/subscription.json');
  });
});
