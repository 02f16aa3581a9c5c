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

/** Without the items up to the n-th, as far as whole chunks go; the last chunk stays, so that the count does. */
export const dropTo = <T>(chunks: Chunks<T>, n: number): Chunks<T> => {
  const whole = Math.min(Math.floor(n / chunkItems), chunks.length - 1);
  return chunks.map((chunk, i) => (i < whole && chunk.length > 0 ? [] : chunk));
};

/** The chunks as pieces of a store: `events.0`, `events.1`, … */
export const chunkPieces = <T>(name: string, chunks: Chunks<T>): readonly (readonly [string, unknown])[] =>
  chunks.map((chunk, i) => [`${name}.${i}`, chunk] as const);
export const chunksFrom = <T>(name: string, pieces: ReadonlyMap<string, unknown>): Chunks<T> => {
  const chunks: (readonly T[])[] = [];
  for (let i = 0; pieces.has(`${name}.${i}`); i++) chunks.push(pieces.get(`${name}.${i}`) as readonly T[]);
  return chunks;
};
