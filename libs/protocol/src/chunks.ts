/** A list that grows to many items and is kept in chunks, so that a change copies one chunk and a store writes one. From 1. */
export type Chunks<T> = readonly (readonly T[])[];

const chunkItems = 256;

/** How many items there are, which is the number of the last. */
export const countOf = <T>(chunks: Chunks<T>): number =>
  chunks.length === 0 ? 0 : (chunks.length - 1) * chunkItems + chunks.at(-1)!.length;

/** The n-th item, from 1. */
export const nth = <T>(chunks: Chunks<T>, n: number): T | undefined =>
  chunks[Math.floor((n - 1) / chunkItems)]?.[(n - 1) % chunkItems];

/** With one more item at the end. */
export const append = <T>(chunks: Chunks<T>, item: T): Chunks<T> => {
  const last = chunks.at(-1);
  if (last === undefined || last.length === chunkItems) return [...chunks, [item]];
  return chunks.with(-1, [...last, item]);
};

/** With another n-th item, from 1; it has to exist. */
export const replace = <T>(chunks: Chunks<T>, n: number, item: T): Chunks<T> => {
  const chunk = Math.floor((n - 1) / chunkItems);
  return chunks.with(chunk, chunks[chunk]!.with((n - 1) % chunkItems, item));
};
