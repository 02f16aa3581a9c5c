import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Buckets, bucketPieces, bucketsFrom, lookUp, noBuckets, put, remove, valuesOf } from './buckets.ts';

const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', ''), fc.string({ maxLength: 3 }));
const step = fc.record({ key, value: fc.option(fc.nat()) });

describe('buckets', () => {
  it('[L1-1] are a map: what was put last is found, also after a store', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer(), (steps, seed) => {
        let buckets: Buckets<number> = noBuckets;
        const map = new Map<string, number>();
        for (const { key: k, value } of steps) {
          buckets = value === null ? remove(buckets, seed, k) : put(buckets, seed, k, value);
          if (value === null) map.delete(k);
          else map.set(k, value);
        }
        for (const { key: k } of steps) expect(lookUp(buckets, seed, k)).toBe(map.get(k));
        expect([...valuesOf(buckets)].sort()).toEqual([...map.values()].sort());
        const stored = JSON.parse(JSON.stringify(bucketPieces('x', buckets))) as [string, unknown][];
        expect(bucketsFrom('x', new Map(stored))).toEqual(buckets);
      }),
    ));

  it('change one bucket at a time and leave the others as they are', () => {
    let buckets: Buckets<number> = noBuckets;
    for (let i = 0; i < 5_000; i++) buckets = put(buckets, 7, `event_${i}`, i);
    const after = put(buckets, 7, 'event_5000', 5_000);
    expect(after.filter((bucket, i) => bucket !== buckets[i])).toHaveLength(1);
    expect(noBuckets.every((bucket) => bucket.length === 0)).toBe(true);
  });

  it('are filled evenly, whatever the seed', () => {
    for (const seed of [0, 1, 0x7fffffff, -5]) {
      let buckets: Buckets<number> = noBuckets;
      for (let i = 0; i < 20_480; i++) buckets = put(buckets, seed, `evt_${String(i).padStart(26, '0')}`, i);
      // Twenty on average: with a fair hash no bucket of 1,024 comes near three times that.
      expect(Math.max(...buckets.map((bucket) => bucket.length))).toBeLessThan(60);
    }
  });
});
