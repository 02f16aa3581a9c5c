import { describe, expect, it } from '@jest/globals';
import { jsonOf, outline, printable, textOf } from './text.ts';

describe('what is shown to people', () => {
  it('[L6-1] keeps structure and the words of others apart, and hands no control characters to a terminal', () => {
    const shown = outline({
      ref: 'r',
      content: { title: 'a\u001b[2Jb', body: 'one\ntwo' },
      available: [{ action: 'x' }],
    });
    expect(shown).toBe('ref: r\ncontent:\n  title: a�[2Jb\n  body: one\n    two\navailable:\n  - action: x');
    expect(printable('a\u202eb\tc')).toBe('a�b�c');
  });
  it('leaves out what is empty', () => {
    expect(outline({ a: null, b: [], c: {}, d: 0, e: '' })).toBe('d: 0\ne: ');
  });
});

describe('what is given', () => {
  it('is a text, a file, or told to be unreadable', () => {
    expect(textOf('plain')).toBe('plain');
    expect(() => textOf('@/nowhere/at/all')).toThrow('@/nowhere/at/all cannot be read');
    expect(jsonOf('{"a":1}')).toEqual({ a: 1 });
    expect(() => jsonOf('{')).toThrow('no JSON');
  });
});
