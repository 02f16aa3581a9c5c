/** A list that grows to many items and is kept in chunks, so that a change copies one chunk and a store writes one. From 1. */
export type Chunks<T> = readonly (readonly T[])[];

/** Items of a full chunk: few enough to copy and write one for every fact, many enough that 100,000 items make few chunks. */
const chunkItems = 128;

/** How many items there are, which is the number of the last. */
export const countOf = <T>(chunks: Chunks<T>): number => {
  const last = chunks.at(-1);
  return last === undefined ? 0 : (chunks.length - 1) * chunkItems + last.length;
};

/** The number that the next item gets. */
export const nextOf = <T>(chunks: Chunks<T>): number => countOf(chunks) + 1;

/** The n-th item, from 1. */
export const nth = <T>(chunks: Chunks<T>, n: number): T | undefined => chunks[chunkOf(n)]?.[placeOf(n)];

/** With one more item at the end, whose number is `n`. Throws if that is not the next: a fact is missing, or there twice. */
export const append = <T>(chunks: Chunks<T>, n: number, item: T): Chunks<T> => {
  if (n !== nextOf(chunks)) throw new Error(`number ${n} after number ${countOf(chunks)}`);
  const last = chunks.at(-1);
  return last === undefined || last.length === chunkItems ? [...chunks, [item]] : chunks.with(-1, [...last, item]);
};

/** With another n-th item, from 1; it has to exist. */
export const replace = <T>(chunks: Chunks<T>, n: number, item: T): Chunks<T> =>
  chunks.with(chunkOf(n), chunks[chunkOf(n)]!.with(placeOf(n), item));

const chunkOf = (n: number): number => Math.floor((n - 1) / chunkItems);
const placeOf = (n: number): number => (n - 1) % chunkItems;
