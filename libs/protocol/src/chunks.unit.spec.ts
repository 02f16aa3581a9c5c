import { describe, expect, it } from '@jest/globals';
import { append, type Chunks, chunkPieces, chunksFrom, countOf, dropTo, nth } from './chunks.ts';

const upTo = (n: number): Chunks<number> => {
  let chunks: Chunks<number> = [];
  for (let i = 1; i <= n; i++) chunks = append(chunks, i);
  return chunks;
};

describe('chunks', () => {
  it('are dropped whole, the last one never, so that the count stays', () => {
    const full = upTo(600);
    const dropped = dropTo(full, 520);
    expect(countOf(dropped)).toBe(600);
    expect([nth(dropped, 1), nth(dropped, 512), nth(dropped, 513), nth(dropped, 600)]).toEqual([
      undefined,
      undefined,
      513,
      600,
    ]);
    expect(dropped[2]).toBe(full[2]);
    expect(nth(dropTo(full, 511), 257)).toBe(257);
    expect(dropTo(upTo(256), 256)).toEqual(upTo(256));
    expect(countOf(append(dropTo(upTo(512), 512), 513))).toBe(513);
    expect(dropTo([], 5)).toEqual([]);
  });

  it('[L1-1] dropped again, and stored, are what they were', () => {
    const dropped = dropTo(upTo(600), 300);
    const again = dropTo(dropped, 300);
    expect(again).toEqual(dropped);
    for (const [i, chunk] of again.entries()) expect(chunk).toBe(dropped[i]);
    expect(chunksFrom('numbers', new Map(chunkPieces('numbers', dropped)))).toEqual(dropped);
    expect(chunkPieces('numbers', dropped).map(([name]) => name)).toEqual(['numbers.0', 'numbers.1', 'numbers.2']);
  });
});
