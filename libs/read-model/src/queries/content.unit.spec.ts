import { describe, expect, it } from '@jest/globals';
import { pieceOf, presentTitle, presentWhole } from './content.ts';
import { partialJson } from './partial-json.ts';

const row = (content: unknown) => ({
  readable: true,
  found: true,
  head: Buffer.from(JSON.stringify({ salt: 's', content })),
  tail: null,
});

describe('a piece of a text', () => {
  it('[O-7] joins up to the whole, cut at characters, whatever lengths are asked for', () => {
    const text = 'aß€😀'.repeat(50);
    for (const length of [1, 2, 3, 5, 7, 499, 10_000]) {
      let joined = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const piece = pieceOf(text, offset, length);
        expect(piece.bytes).toBe(500);
        expect(Buffer.byteLength(piece.content.text)).toBeLessThanOrEqual(Math.max(length, 4));
        joined += piece.content.text;
        offset = piece.next;
      }
      expect(joined).toBe(text);
    }
  });
  it('begins at a character, and ends where the text ends', () => {
    expect(pieceOf('a😀b', 3, 10)).toEqual({ offset: 1, bytes: 6, next: null, content: { text: '😀b' } });
    expect(pieceOf('abc', 3, 10)).toEqual({ offset: 3, bytes: 3, next: null, content: { text: '' } });
    expect(pieceOf('abc', 99, 10)).toEqual({ offset: 3, bytes: 3, next: null, content: { text: '' } });
    expect(pieceOf('', 0, 10)).toEqual({ offset: 0, bytes: 0, next: null, content: { text: '' } });
  });
  it('stays within a page even when every character is escaped', () => {
    expect(Buffer.byteLength(JSON.stringify(pieceOf('\u0001'.repeat(300_000), 0, 262_144)))).toBeLessThan(262_144);
  });
});

describe('content', () => {
  it('has a title, or the first line of what it says', () => {
    expect(presentTitle(row({ title: 'T', body: 'b' }))).toEqual({ content: { title: 'T' } });
    expect(presentTitle(row({ body: 'first\nsecond' }))).toEqual({ content: { title: 'first' } });
    expect(presentTitle(row({ body: '😀'.repeat(300) }))).toEqual({ content: { title: '😀'.repeat(200) } });
    expect(presentTitle({ ...row({}), found: false })).toEqual({ content: null, readable: false });
    expect(presentTitle({ ...row({}), head: null })).toEqual({ content: null, erased: true });
    expect(presentTitle({ ...row({}), readable: false, head: null })).toEqual({ content: null, readable: false });
  });
  it('is cut where it does not fit', () => {
    expect(presentWhole(row({ body: 'x' }), 3)).toEqual({ content: { body: 'x' } });
    expect(presentWhole(row({ title: 'T', body: 'x'.repeat(100) }), 60)).toEqual({
      content: { title: 'T', body: 'x'.repeat(50) },
      truncated: true,
    });
    expect(presentWhole(row({ payload: [1, 2, 3] }), 3)).toEqual({ content: {}, truncated: true });
  });
});

describe('the beginning of a JSON text', () => {
  const whole = {
    salt: 's',
    content: { title: 'a "quoted" title', list: [1, { a: null }], body: 'x\\\u0001😀y', last: true },
  };
  it('reads wherever it was cut, to something that is a beginning of the whole', () => {
    const text = JSON.stringify(whole);
    for (let length = 1; length <= text.length; length += 1) {
      const part = partialJson(text.slice(0, length)) as { content?: Record<string, unknown> };
      for (const [name, value] of Object.entries(part.content ?? {})) {
        const full = whole.content[name as keyof typeof whole.content];
        if (typeof value === 'string')
          expect(String(full).startsWith(value.replace(/\ufffd|[\ud800-\udbff]$/, ''))).toBe(true);
      }
    }
    expect(partialJson(text)).toEqual(whole);
  });
  it('keeps a text as far as it goes', () => {
    expect(partialJson('{"content":{"title":"T","body":"abc')).toEqual({ content: { title: 'T', body: 'abc' } });
    expect(partialJson('{"content":{"title":"T","bo')).toEqual({ content: { title: 'T' } });
    expect(partialJson('{"content":{"title":"T","body":"a\\u00')).toEqual({ content: { title: 'T', body: 'a' } });
  });
});
