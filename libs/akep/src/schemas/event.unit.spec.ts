import { describe, expect, it } from '@jest/globals';
import { fullEvent, leastEvent, withAt } from '../testing/examples.ts';
import { checkEvent } from './check.ts';
import { coreEventTypes, knowledgeKinds, sourceTypes, subjectKeys } from './event.ts';

/** `pointer keyword` of each place that does not fit. */
const faults = (value: unknown): readonly string[] => {
  const checked = checkEvent(value);
  return checked.kind === 'ok' ? [] : checked.errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
};
const faultsWith = (path: string, value: unknown): readonly string[] => faults(withAt(fullEvent, path, value));
const long = (length: number): string => 'x'.repeat(length);

describe('an event', () => {
  it('[E-1] passes with every field, and with the required ones only', () => {
    expect(checkEvent(fullEvent)).toEqual({ kind: 'ok', value: fullEvent });
    expect(checkEvent(leastEvent)).toEqual({ kind: 'ok', value: leastEvent });
  });
  it.each(['spec', 'event_id', 'event_type', 'occurred_at', 'source', 'subject', 'knowledge', 'routing'])(
    '[E-1] needs %s',
    (name) => {
      expect(faultsWith(`/${name}`, undefined)).toEqual([`/${name} required`]);
    },
  );
  it.each(['command', 'data', '__proto__x', 'Spec'])('[E-1] takes no other field: %s', (name) => {
    expect(faultsWith(`/${name}`, {})).toEqual([`/${name} unknown`]);
  });
  it('[E-1] is an object', () => {
    for (const value of [null, [], 'event', 1, true]) expect(faults(value)).toEqual([' type']);
  });

  it.each(['akep.v1', 'akep.v1.0', 'akep.v1.7', 'akep.v1.12'])('[E-2] may be of version %s', (spec) => {
    expect(faultsWith('/spec', spec)).toEqual([]);
  });
  it.each(['akep.v2', 'akep.v1.', 'akep.v1.01', 'akep.v1.x', 'akep.v11', 'akep_v1', ' akep.v1', 'akep.v1\n', ''])(
    '[E-2] may not be of version %j',
    (spec) => {
      expect(faultsWith('/spec', spec)).toEqual(['/spec format']);
    },
  );
  it.each(['evt_0001', long(128), 'A:b-c_D9', '12345678'])('[E-2] may have the id %s', (id) => {
    expect(faultsWith('/event_id', id)).toEqual([]);
  });
  it.each(['evt_001', long(129), 'evt.00001', 'evt 00001', 'evt_0001\n', 'évt_0001'])(
    '[E-2] may not have the id %j',
    (id) => {
      expect(faultsWith('/event_id', id)).toEqual(['/event_id format']);
    },
  );

  it.each(coreEventTypes)('[E-7] may be %s', (type) => {
    expect(faultsWith('/event_type', type)).toEqual([]);
  });
  it('[E-7] core types are nine', () => {
    expect(coreEventTypes).toHaveLength(9);
  });
  it.each(['ai.sense2.task.completed', 'com.acme', 'a.b', 'org.example-shop.stock_low.v2', `a.${long(126)}`])(
    '[E-2] may be of a vendor: %s',
    (type) => {
      expect(faultsWith('/event_type', type)).toEqual([]);
    },
  );
  it.each([
    ['knowledge.lost', 'format'],
    ['tool.completed.twice', 'format'],
    ['human.x', 'format'],
    ['Knowledge.acquired', 'format'],
    ['com.Acme', 'format'],
    ['acme', 'format'],
    ['.acme', 'format'],
    ['com..acme', 'format'],
    ['com.acme.', 'format'],
    ['knowledgeXacquired', 'format'],
    [`a.${long(127)}`, 'maxLength'],
  ])('[E-2] is no other type under the names of AKEP, nor anything else: %s', (type, keyword) => {
    expect(faultsWith('/event_type', type)).toEqual([`/event_type ${keyword}`]);
  });
  it.each(['2026-05-17T03:00:00Z', '2026-05-17T03:00:00.123456789-11:30', '2024-02-29T23:59:59+00:00'])(
    '[E-1] occurred at %s',
    (at) => {
      expect(faultsWith('/occurred_at', at)).toEqual([]);
    },
  );
  it.each(['2026-05-17', '2026-05-17 03:00:00Z', '2026-05-17T03:00:00', '2026-02-30T03:00:00Z', 'now', '1778157296'])(
    '[E-1] did not occur at %s',
    (at) => {
      expect(faultsWith('/occurred_at', at)).toEqual(['/occurred_at format']);
    },
  );

  it.each(['producer_id', 'name', 'type'])('[E-3] needs %s of its source', (name) => {
    expect(faultsWith(`/source/${name}`, undefined)).toEqual([`/source/${name} required`]);
  });
  it.each([
    ['producer_id', 'ab', 'minLength'],
    ['producer_id', long(129), 'maxLength'],
    ['name', '', 'minLength'],
    ['name', long(81), 'maxLength'],
    ['type', 'robot', 'enum'],
    ['source_event_id', long(257), 'maxLength'],
    ['producer_id', 7, 'type'],
  ])('[E-3] has bounds for %s of its source: %s', (name, value, keyword) => {
    expect(faultsWith(`/source/${name}`, value)).toEqual([`/source/${name} ${keyword}`]);
  });
  it('[E-3] comes from one of nine types of sources', () => {
    expect(sourceTypes).toHaveLength(9);
    for (const type of sourceTypes) expect(faultsWith('/source/type', type)).toEqual([]);
    expect(faultsWith('/source/producer_id', long(128))).toEqual([]);
    expect(faultsWith('/source/name', long(80))).toEqual([]);
    expect(faultsWith('/source/source_event_id', long(256))).toEqual([]);
  });

  it.each(subjectKeys)('[E-4] concerns something when its subject has %s', (key) => {
    expect(faultsWith('/subject', { [key]: 'x' })).toEqual([]);
  });
  it('[E-4] concerns something', () => {
    expect(faultsWith('/subject', {})).toEqual(['/subject required']);
    expect(faultsWith('/subject', { order_id: 'x' })).toEqual(['/subject required']);
    expect(faultsWith('/subject', { task_id: '' })).toEqual(['/subject/task_id minLength']);
    expect(faultsWith('/subject', { task_id: 7 })).toEqual(['/subject/task_id type']);
    expect(faultsWith('/subject', [])).toEqual(['/subject type']);
  });
  it('[E-4] has scalars only in its subject', () => {
    expect(faultsWith('/subject/order', { id: 1 })).toEqual(['/subject/order type']);
    expect(faultsWith('/subject/orders', ['x'])).toEqual(['/subject/orders type']);
    for (const scalar of ['x', 1, 0.5, false, null]) expect(faultsWith('/subject/order', scalar)).toEqual([]);
  });

  it.each(['kind', 'content_type', 'summary'])('[E-5] needs %s of its knowledge', (name) => {
    expect(faultsWith(`/knowledge/${name}`, undefined)).toEqual([`/knowledge/${name} required`]);
  });
  it('[E-5] carries one of seven kinds of knowledge', () => {
    expect(knowledgeKinds).toEqual([
      'observation',
      'tool_result',
      'approval',
      'document',
      'artifact',
      'message',
      'memory',
    ]);
    for (const kind of knowledgeKinds) expect(faultsWith('/knowledge/kind', kind)).toEqual([]);
  });
  it.each([
    ['kind', 'order', 'enum'],
    ['content_type', 'json', 'format'],
    ['content_type', 'text/plain\nx', 'format'],
    ['summary', '', 'minLength'],
    ['summary', long(4_001), 'maxLength'],
    ['uri', 'not an address', 'format'],
    ['confidence', 1.01, 'maximum'],
    ['confidence', -0.01, 'minimum'],
    ['confidence', '0.5', 'type'],
    ['expires_at', 'tomorrow', 'format'],
    ['hash', 'sha256', 'format'],
    ['hash', 'sha256:', 'format'],
    ['hash', ':abc', 'format'],
  ])('[E-5] has bounds for %s of its knowledge: %j', (name, value, keyword) => {
    expect(faultsWith(`/knowledge/${name}`, value)).toEqual([`/knowledge/${name} ${keyword}`]);
  });
  it('[E-5] counts a summary in characters', () => {
    expect(faultsWith('/knowledge/summary', '🙂'.repeat(4_000))).toEqual([]);
  });
  it.each([[null], ['text'], [[1, { a: [] }]], [{ command: 'x' }], [0]])('[E-5] carries any content: %j', (content) => {
    expect(faultsWith('/knowledge/content', content)).toEqual([]);
  });

  it('[E-6] needs advice on how to resume', () => {
    expect(faultsWith('/routing', {})).toEqual(['/routing/resume_policy required']);
    for (const policy of ['never', 'append_only', 'resume_if_waiting', 'resume_immediately'])
      expect(faultsWith('/routing', { resume_policy: policy })).toEqual([]);
    for (const priority of ['low', 'normal', 'high', 'urgent'])
      expect(faultsWith('/routing/priority', priority)).toEqual([]);
  });
  it.each([
    ['resume_policy', 'now', 'enum'],
    ['priority', 'highest', 'enum'],
    ['sequence', -1, 'minimum'],
    ['sequence', 1.5, 'type'],
    ['interrupt_id', '', 'minLength'],
    ['causation_id', 7, 'type'],
  ])('[E-6] has bounds for %s of its routing: %s', (name, value, keyword) => {
    expect(faultsWith(`/routing/${name}`, value)).toEqual([`/routing/${name} ${keyword}`]);
  });

  it('[P-7] carries links as addresses, which are only looked at as text', () => {
    expect(faultsWith('/links/self', 'http://x.example/a b')).toEqual(['/links/self format']);
    expect(faultsWith('/links/self', { href: 'http://x.example/' })).toEqual(['/links/self type']);
    expect(faultsWith('/links/other', 'urn:isbn:0451450523')).toEqual([]);
  });
});

describe('what is wrong with an event', () => {
  it('[E-1] is told by place and keyword, never by value', () => {
    const checked = checkEvent(withAt(fullEvent, '/knowledge/kind', 'secret words'));
    expect(checked).toEqual({
      kind: 'refused',
      errors: [{ pointer: '/knowledge/kind', keyword: 'enum', detail: 'The value is none of those allowed.' }],
    });
  });
  it('[E-1] is told for every place, up to twenty', () => {
    expect(faults({ ...fullEvent, spec: 1, event_id: 'x' })).toEqual(['/spec type', '/event_id format']);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x${n}`, 1]));
    expect(faults({ ...fullEvent, ...many })).toHaveLength(20);
  });
  it('[E-1] escapes names as JSON pointers do, and does not repeat long ones', () => {
    expect(faults({ ...fullEvent, 'a/b~c': 1 })).toEqual(['/a~1b~0c unknown']);
    expect(faults({ ...fullEvent, [long(101)]: 1 })).toEqual([' unknown']);
    expect(faultsWith(`/subject/${long(101)}`, {})).toEqual(['/subject type']);
  });
  it('[E-9] is found in time that grows with the size of the body only', () => {
    const hostile = [
      'a:'.repeat(200_000),
      `http://${'a.'.repeat(200_000)}`,
      `http://${'%41'.repeat(150_000)} `,
      long(500_000),
    ];
    for (const text of hostile)
      for (const path of [
        '/knowledge/uri',
        '/event_type',
        '/knowledge/content_type',
        '/knowledge/hash',
        '/occurred_at',
      ])
        expect(faultsWith(path, text)).not.toEqual([]);
  });
});
