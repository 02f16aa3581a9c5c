import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FactRecord } from './codec.ts';
import { type Chain, emptyChain, validity } from './validity.ts';

const claim = (epoch: string): FactRecord => ({ type: 'claim', epoch, claim: { nonce: epoch, format: 1 } });
const decided = (epoch: string, n: number): FactRecord => ({
  type: 'decided',
  epoch,
  n,
  decided: { upTo: 1, at: 1, generation: 0, refused: [] },
});

describe('validity', () => {
  it('[O1] a claim counts always, begins its epoch and takes the next number', () => {
    expect(emptyChain).toEqual({ epoch: '', n: 0 });
    expect(validity(emptyChain, claim('first'))).toEqual({ kind: 'valid', chain: { epoch: 'first', n: 1 } });
    expect(validity({ epoch: 'first', n: 8 }, claim('second'))).toEqual({
      kind: 'valid',
      chain: { epoch: 'second', n: 9 },
    });
  });
  it('[O1] a record of the epoch counts if its number follows', () => {
    expect(validity({ epoch: 'first', n: 8 }, decided('first', 9))).toEqual({
      kind: 'valid',
      chain: { epoch: 'first', n: 9 },
    });
  });
  it('[O4] a record of another epoch is void, whatever its number', () => {
    for (const n of [1, 8, 9, 10])
      expect(validity({ epoch: 'second', n: 8 }, decided('first', n))).toEqual({ kind: 'void' });
    expect(validity(emptyChain, decided('first', 1))).toEqual({ kind: 'void' });
  });
  it('[O1] a gap in the epoch is told, in either direction', () => {
    expect(validity({ epoch: 'first', n: 8 }, decided('first', 10))).toEqual({ kind: 'gap', expected: 9, found: 10 });
    expect(validity({ epoch: 'first', n: 8 }, decided('first', 8))).toEqual({ kind: 'gap', expected: 9, found: 8 });
  });
  it('[O4] records of a zombie, put anywhere after the claim of another, change nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (zombies, n) => {
        const follow = (chain: Chain, record: FactRecord): Chain => {
          const result = validity(chain, record);
          return result.kind === 'valid' ? result.chain : chain;
        };
        let chain = follow({ epoch: 'old', n }, claim('new'));
        for (const zombie of zombies)
          chain = follow(chain, zombie ? decided('old', chain.n + 1) : decided('new', chain.n + 1));
        expect(chain).toEqual({ epoch: 'new', n: n + 1 + zombies.filter((zombie) => !zombie).length });
      }),
    );
  });
});
