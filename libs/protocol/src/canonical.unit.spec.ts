import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical, withSets } from './canonical.ts';

const json = fc.jsonValue({ maxDepth: 4 });

/** The same value with the members of every object in another order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

describe('the canonical text of a request', () => {
  it('[L3-8] is JSON of the value, with members in the order of their names', () => {
    expect(canonical({ b: 1, a: [true, null, 'x'], c: { z: 1.5, y: '"' } })).toBe(
      '{"a":[true,null,"x"],"b":1,"c":{"y":"\\"","z":1.5}}',
    );
    expect(canonical({ B: 1, a: 2, A: 3 })).toBe('{"A":3,"B":1,"a":2}');
  });
  it('[L3-8] leaves absent members out, so absent differs from empty', () => {
    expect(canonical({ a: undefined, b: 1 })).toBe('{"b":1}');
    const different = [
      {},
      { ask: [] },
      { ask: null },
      { ask: '' },
      { ask: {} },
      { ask: 0 },
      { ask: false },
      { ask: [[]] },
      { ask: [''] },
    ];
    expect(new Set(different.map(canonical)).size).toBe(different.length);
  });
  it('[L3-8] keeps places of a list: an absent item is null', () => {
    expect(canonical([1, undefined, 2])).toBe('[1,null,2]');
    expect(canonical(undefined)).toBe('null');
  });
  it('[L3-8] does not depend on the order of members, and loses nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonical(reversed(value))).toBe(canonical(value));
        expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
  it('[L3-8] is the same for two values only if they are equal: nothing joined can collide', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ':', '{', '}', '[', ']', '\\', ' '), maxLength: 6 });
    const small = fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }),
      fc.dictionary(text, text, { maxKeys: 2, noNullPrototype: true }),
    );
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonical(a) === canonical(b)).toBe(isDeepStrictEqual(a, b));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('sets in a request', () => {
  it('[L3-8] the order and the repetition of their members do not matter', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), (items) => {
        const set = canonical(withSets({ ask: items }, ['/ask']));
        expect(canonical(withSets({ ask: [...items].reverse() }, ['/ask']))).toBe(set);
        expect(canonical(withSets({ ask: [...items, ...items] }, ['/ask']))).toBe(set);
      }),
    );
  });
  it('[L3-8] the order of a list does', () => {
    expect(withSets({ ask: ['b', 'a', 'b'], list: ['b', 'a', 'b'] }, ['/ask'])).toEqual({
      ask: ['a', 'b'],
      list: ['b', 'a', 'b'],
    });
    expect(withSets({ deep: { ask: [2, 1], more: [2, 1] } }, ['/deep/ask'])).toEqual({
      deep: { ask: [1, 2], more: [2, 1] },
    });
    expect(withSets({ a: [2, 1], b: [4, 3] }, ['/a', '/b'])).toEqual({ a: [1, 2], b: [3, 4] });
    expect(withSets([2, 1, 2], [''])).toEqual([1, 2]);
  });
  it('[L3-8] what a pointer does not find stays as it is, absent too', () => {
    for (const value of [{}, { ask: 'a' }, { ask: null }, null, 'ask', 7])
      expect(withSets(value, ['/ask'])).toEqual(value);
    expect(withSets({ deep: 1 }, ['/deep/ask'])).toEqual({ deep: 1 });
    expect(withSets({ deep: null }, ['/deep/ask'])).toEqual({ deep: null });
    expect(Object.hasOwn(withSets({}, ['/toString']) as object, 'toString')).toBe(false);
  });
  it('changes nothing in place', () => {
    const given = Object.freeze({ ask: Object.freeze(['b', 'a']) });
    expect(withSets(given, ['/ask'])).toEqual({ ask: ['a', 'b'] });
    expect(given.ask).toEqual(['b', 'a']);
  });
});
