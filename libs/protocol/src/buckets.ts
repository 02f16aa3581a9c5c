/**
 * A map from texts to values that grows to many and is kept in buckets, so that a change copies one bucket and a store writes
 * one. In which bucket a key lies depends on a seed that those who choose keys do not know: else they could fill one.
 */
export type Buckets<T> = readonly Bucket<T>[];
type Bucket<T> = readonly (readonly [key: string, value: T])[];

const bucketCount = 1_024;
const empty: Bucket<never> = [];
export const noBuckets: Buckets<never> = Array.from({ length: bucketCount }, () => empty);

export const lookUp = <T>(buckets: Buckets<T>, seed: number, key: string): T | undefined =>
  bucketOf(buckets, seed, key).find(([other]) => other === key)?.[1];

/** With this value under the key, in place of the one that was there. */
export const put = <T>(buckets: Buckets<T>, seed: number, key: string, value: T): Buckets<T> => {
  const bucket = bucketOf(buckets, seed, key);
  const at = bucket.findIndex(([other]) => other === key);
  const entry = [key, value] as const;
  return buckets.with(numberOf(seed, key), at < 0 ? [...bucket, entry] : bucket.with(at, entry));
};

export const remove = <T>(buckets: Buckets<T>, seed: number, key: string): Buckets<T> =>
  buckets.with(
    numberOf(seed, key),
    bucketOf(buckets, seed, key).filter(([other]) => other !== key),
  );

/** Every value, in an order that depends on nothing but what was put and removed. */
export const valuesOf = <T>(buckets: Buckets<T>): readonly T[] => buckets.flatMap((bucket) => bucket.map(([, v]) => v));

/** The buckets that hold something, as pieces of a store: `ids.17`, `ids.1003`, … */
export const bucketPieces = <T>(name: string, buckets: Buckets<T>): readonly (readonly [string, unknown])[] =>
  buckets.flatMap((bucket, i) => (bucket.length === 0 ? [] : [[`${name}.${i}`, bucket] as const]));
export const bucketsFrom = <T>(name: string, pieces: ReadonlyMap<string, unknown>): Buckets<T> =>
  noBuckets.map((none, i) => (pieces.get(`${name}.${i}`) as Bucket<T> | undefined) ?? none);

const bucketOf = <T>(buckets: Buckets<T>, seed: number, key: string): Bucket<T> => buckets[numberOf(seed, key)]!;

/** Multiplies and mixes, character by character, from the seed on. */
const numberOf = (seed: number, key: string): number => {
  let hash = seed | 0;
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x9e3779b1);
  return (hash ^ (hash >>> 16)) & (bucketCount - 1);
};
