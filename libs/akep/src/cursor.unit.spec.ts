import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboxCursors } from './cursor.ts';
import { testSeal } from './testing/seal.ts';

const cursors = inboxCursors(testSeal);
const malformed = { kind: 'malformed' };

describe('a cursor of an inbox', () => {
  const inbox = fc.stringMatching(/^agent_[a-z0-9]{1,8}$/);
  const filter = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ maxLength: 8 }), { maxKeys: 3 });
  const sequence = fc.nat({ max: Number.MAX_SAFE_INTEGER });

  it('[R-2] leads back to its place, for its inbox and filter only', () => {
    fc.assert(
      fc.property(inbox, filter, sequence, inbox, filter, (of, by, place, other, otherwise) => {
        const cursor = cursors.write(of, by, place);
        expect(cursors.read(of, by, cursor)).toEqual({ kind: 'after', sequence: place });
        const reversed = Object.fromEntries(Object.entries(by).reverse());
        expect(cursors.read(of, reversed, cursor)).toEqual({ kind: 'after', sequence: place });
        if (other !== of) expect(cursors.read(other, by, cursor)).toEqual(malformed);
        if (JSON.stringify(Object.entries(otherwise).sort()) !== JSON.stringify(Object.entries(by).sort()))
          expect(cursors.read(of, otherwise, cursor)).toEqual(malformed);
      }),
    );
  });
  it('[R-2] that was changed anywhere is malformed', () => {
    const cursor = cursors.write('agent_a', {}, 42);
    for (let place = 0; place < cursor.length; place++) {
      const changed = `${cursor.slice(0, place)}${cursor[place] === 'A' ? 'B' : 'A'}${cursor.slice(place + 1)}`;
      expect(cursors.read('agent_a', {}, changed)).toEqual(malformed);
    }
  });
  it('[R-2] that somebody made up is malformed, never the beginning', () => {
    for (const text of ['', '0', '42', 'null', '.', 'cur_42', ' ', 'x'.repeat(100_000)])
      expect(cursors.read('agent_a', {}, text)).toEqual(malformed);
    fc.assert(fc.property(fc.string(), (text) => expect(cursors.read('agent_a', {}, text)).toEqual(malformed)));
  });
  it('[R-2] of another read, or with a place that is no sequence, is malformed', () => {
    const bound = { agent: 'agent_a', read: 'akep.events', query: {} };
    expect(cursors.read('agent_a', {}, testSeal.write({ ...bound, read: 'threads' }, 3))).toEqual(malformed);
    for (const place of [-1, 1.5, '3', null, { sequence: 3 }, 2 ** 60])
      expect(cursors.read('agent_a', {}, testSeal.write(bound, place))).toEqual(malformed);
  });
  it('[R-1] is the beginning only where there is none', () => {
    expect(cursors.read('agent_a', {}, undefined)).toEqual({ kind: 'after', sequence: 0 });
  });
});
