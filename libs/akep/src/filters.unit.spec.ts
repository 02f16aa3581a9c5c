import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Arrival, filtersHold, matches } from './filters.ts';
import type { AkepEvent } from './schemas/event.ts';
import type { Filters, Subscription } from './schemas/subscription.ts';
import { fullEvent, subscription, withAt } from './testing/examples.ts';

const event = withAt(fullEvent, '/knowledge/content', {
  text: 'a',
  zero: 0,
  empty: '',
  no: false,
  nothing: null,
  list: ['a', 'b'],
  deep: { er: { still: 'here' } },
  'with space': 'b',
}) as AkepEvent;
const holds = (filters: unknown): boolean => filtersHold(event, filters as Filters);

describe('filters', () => {
  it('[S-2] hold for a scalar that is equal', () => {
    expect(holds({ 'knowledge.content.text': 'a' })).toBe(true);
    expect(holds({ 'knowledge.content.deep.er.still': 'here' })).toBe(true);
    expect(holds({ 'knowledge.content.zero': 0, 'knowledge.content.empty': '', 'knowledge.content.no': false })).toBe(
      true,
    );
    expect(holds({ event_type: 'knowledge.acquired', 'routing.sequence': 42, 'knowledge.confidence': 0.82 })).toBe(
      true,
    );
  });
  it('[S-2] do not hold for one that is not, nor for another type', () => {
    expect(holds({ 'knowledge.content.text': 'b' })).toBe(false);
    expect(holds({ 'knowledge.content.zero': '0' })).toBe(false);
    expect(holds({ 'knowledge.content.zero': false })).toBe(false);
    expect(holds({ 'knowledge.content.no': '' })).toBe(false);
  });
  it('[S-2] hold for a member of a list', () => {
    expect(holds({ 'knowledge.content.text': ['b', 'a'] })).toBe(true);
    expect(holds({ 'knowledge.content.text': ['b', 'c'] })).toBe(false);
    expect(holds({ 'knowledge.content.text': [] })).toBe(false);
    expect(holds({ 'knowledge.content.zero': ['0', 1] })).toBe(false);
  });
  it('[S-2] are all needed', () => {
    expect(holds({})).toBe(true);
    expect(holds({ 'knowledge.content.text': 'a', 'knowledge.content.zero': 1 })).toBe(false);
  });
  it.each([
    'subject.order_id',
    'subject.task_id.x',
    'knowledge.content.nothing',
    'knowledge.content.list',
    'knowledge.content.list.0',
    'knowledge.content.list.length',
    'knowledge.content.text.length',
    'knowledge.content.deep',
    'knowledge.content.toString',
    'knowledge.content.__proto__',
    'knowledge.content.constructor.name',
    'subject.hasOwnProperty',
    '__proto__.x',
    'constructor.name',
    'toString',
    '',
    '.',
    'knowledge..content',
  ])('[S-2] hold for nothing at %j, where no scalar of the event is', (path) => {
    for (const term of ['a', 0, 1, 2, '', false, 'Object', null, undefined, ['a', 'Object', null, undefined, 2]])
      expect(holds({ [path]: term })).toBe(false);
  });
  it('[S-2] hold for no more and no deeper than they may', () => {
    const deep = (steps: number): string => `extensions${'.x'.repeat(steps - 1)}`;
    const nested = (steps: number): unknown => (steps === 1 ? 'found' : { x: nested(steps - 1) });
    const of = (steps: number) => withAt(event, '/extensions', nested(steps)) as AkepEvent;
    expect(filtersHold(of(8), { [deep(8)]: 'found' })).toBe(true);
    expect(filtersHold(of(9), { [deep(9)]: 'found' })).toBe(false);
    const subject = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`x${n}`, n]));
    const filters = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`subject.x${n}`, n]));
    const many = withAt(event, '/subject', subject) as AkepEvent;
    expect(filtersHold(many, filters(32))).toBe(true);
    expect(filtersHold(many, filters(33))).toBe(false);
  });

  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  const name = fc.stringMatching(/^[a-zA-Z_]{1,12}$/);
  it('[S-2] hold for what an event has, and for no more than that', () => {
    fc.assert(
      fc.property(fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 10 }), name, scalar, (content, other, value) => {
        const of = withAt(fullEvent, '/knowledge/content', content) as AkepEvent;
        const own = Object.fromEntries(
          Object.entries(content).map(([key, term]) => [`knowledge.content.${key}`, term]),
        );
        expect(filtersHold(of, own)).toBe(true);
        expect(filtersHold(of, { ...own, [`knowledge.content.${other}`]: value })).toBe(
          Object.hasOwn(content, other) && content[other] === value,
        );
      }),
    );
  });
  it('[S-2] say of a list what they say of one of its members', () => {
    fc.assert(
      fc.property(scalar, fc.array(scalar, { maxLength: 10 }), (value, members) => {
        const of = withAt(fullEvent, '/subject/x', value) as AkepEvent;
        expect(filtersHold(of, { 'subject.x': members })).toBe(
          members.some((member) => filtersHold(of, { 'subject.x': member })),
        );
      }),
    );
  });
});

const arrival: Arrival = { producer: 'prod_survey_01', keyId: '2026-05' };
const matchesWith = (path: string, value: unknown, came = arrival, of: AkepEvent = fullEvent): boolean =>
  matches(withAt(subscription, path, value) as Subscription, of, came);

describe('an event and a subscription', () => {
  it('[W-7] match if all agrees', () => {
    expect(matches(subscription, fullEvent, arrival)).toBe(true);
  });
  it.each([
    ['/event_types', ['tool.completed']],
    ['/event_types', ['knowledge.acquire']],
    ['/filters', { 'subject.task_id': 'task_124' }],
    ['/filters', { 'subject.order_id': 'x' }],
    ['/security/accepted_source_names', ['other']],
    ['/security/accepted_producer_ids', ['prod_other_01']],
    ['/security/signature_key_ids', ['2026-04']],
    ['/security/accepted_source_names', []],
    ['/security/accepted_producer_ids', []],
    ['/security/signature_key_ids', []],
  ])('[W-7] do not match if one thing does not: %s %j', (path, value) => {
    expect(matchesWith(path, value)).toBe(false);
  });
  it('[W-1] do not match if a key id is asked for and none was named', () => {
    expect(matches(subscription, fullEvent, { producer: 'prod_survey_01' })).toBe(false);
    expect(matchesWith('/security/signature_key_ids', undefined, { producer: 'prod_survey_01' })).toBe(true);
  });
  it('[W-7] do not match if the body names another producer than the secret belongs to', () => {
    const claimed = withAt(fullEvent, '/source/producer_id', 'prod_other_01') as AkepEvent;
    expect(matches(subscription, claimed, arrival)).toBe(false);
    expect(matchesWith('/security', {}, arrival, claimed)).toBe(false);
    expect(matches(subscription, fullEvent, { producer: 'prod_other_01', keyId: '2026-05' })).toBe(false);
  });
  it('[W-7] match whatever verified, where no list is given', () => {
    expect(matchesWith('/security', {})).toBe(true);
  });
});
