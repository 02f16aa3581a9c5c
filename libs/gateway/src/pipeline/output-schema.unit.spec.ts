import { describe, expect, it } from '@jest/globals';
import { misshapenPlace, missesOf, unboundedPlace } from './output-schema.ts';

const evil = '^(a+)+$';

describe('an output structure, when it is declared', () => {
  it('[T-44] is a JSON Schema 2020-12 and says nothing else of itself', () => {
    expect(misshapenPlace({ type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' })).toBeUndefined();
    expect(misshapenPlace({ type: 'nonsense' })).toBe('/type');
    for (const $schema of [5, 'http://json-schema.org/draft-07/schema#', ''])
      expect(misshapenPlace({ $schema })).toBe('/$schema');
  });

  it('[T-44] is looked through under every name, also one that is a keyword elsewhere', () => {
    for (const name of ['default', 'const', 'enum', 'examples', '$defs', 'x'])
      expect(unboundedPlace({ properties: { [name]: { pattern: evil } } })).toBe(`/properties/${name}/pattern`);
    expect(unboundedPlace({ properties: { uniqueItems: true, $id: { type: 'string' } } })).toBeUndefined();
  });

  it('[T-44] has only patterns with few ways through them', () => {
    for (const pattern of [
      evil,
      '\\s+$',
      `^${'x?'.repeat(28)}${'x'.repeat(28)}$`,
      '^(a|a){30}$',
      '^(x?){30}x{30}$',
      '(',
    ])
      expect(unboundedPlace({ pattern })).toBe('/pattern');
    for (const pattern of ['^[a-z]{1,64}$', '^[0-9a-f]{64}$', '^-?\\d+(\\.\\d+)?$'])
      expect(unboundedPlace({ pattern })).toBeUndefined();
  });
});

describe('a payload', () => {
  it('[T-44] misses its structure at places of its own, named as they are', () => {
    const schema = { properties: { 'ä/b': { type: 'integer' } } };
    expect(missesOf(schema, { 'ä/b': 1 }, '/payload')).toEqual([]);
    expect(missesOf(schema, { 'ä/b': 'x' }, '/payload')).toContainEqual({
      pointer: '/payload/ä~1b',
      keyword: 'type',
      detail: 'The payload misses the output structure here.',
    });
  });

  it('[T-44] that could never be checked to the end misses as a whole', () => {
    expect(missesOf({ pattern: evil }, `${'a'.repeat(60)}!`, '/payload')).toMatchObject([
      { pointer: '/payload', keyword: 'unbounded' },
    ]);
    expect(missesOf({ x: { id: 'http://[' } }, 1, '/payload')).toMatchObject([{ keyword: 'unbounded' }]);
  });
});
