import { describe, expect, it } from '@jest/globals';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text, 'utf8'));
const unreadable = { kind: 'unreadable' };

describe('strict JSON', () => {
  it('reads what JSON.parse reads', () => {
    for (const text of [
      '{}',
      '[]',
      '"x"',
      'null',
      '-0.5e-3',
      '{"a":{"b":[1,{"a":2}]},"c":"\\"\\\\"}',
      ' {"a" : "b,c:{" } ',
      '9007199254740991',
      '{"a":"\\ud83d\\ude00"}',
    ]) {
      expect(parse(text)).toEqual({ kind: 'json', value: JSON.parse(text) });
    }
  });
  it('refuses bytes that are no UTF-8, and a byte order mark', () => {
    expect(parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(unreadable);
    expect(parseStrictJson(Uint8Array.of(0x22, 0xc0, 0x80, 0x22))).toEqual(unreadable);
    expect(parseStrictJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual(unreadable);
    expect(parse('\ufeff{}')).toEqual(unreadable);
  });
  it('refuses what is no JSON', () => {
    for (const text of ['', '{', '{a:1}', "{'a':1}", '{"a":1,}', '[1,]', 'NaN', '01', '{"a":1}x'])
      expect([text, parse(text)]).toEqual([text, unreadable]);
  });
  it('refuses repeated keys at any depth, also written with escapes', () => {
    expect(parse('{"a":1,"a":1}')).toEqual(unreadable);
    expect(parse('{"x":[{"a":1,"b":2,"\\u0061":3}]}')).toEqual(unreadable);
    expect(parse('{"a":{"a":1},"b":{"a":1}}')).toEqual({ kind: 'json', value: { a: { a: 1 }, b: { a: 1 } } });
    expect(parse('{"a":"a","b":"a"}').kind).toBe('json');
  });
  it('refuses __proto__ as a key, not as a text', () => {
    expect(parse('{"__proto__":{}}')).toEqual(unreadable);
    expect(parse('{"a":{"__pr\\u006fto__":1}}')).toEqual(unreadable);
    expect(parse('{"a":"__proto__"}').kind).toBe('json');
  });
  it('refuses numbers that would change', () => {
    for (const text of ['9007199254740992', '-9007199254740993', '[12345678901234567890]', '1e400', '{"a":-1e999}'])
      expect([text, parse(text)]).toEqual([text, unreadable]);
  });
  it('refuses half a character', () => {
    expect(parse('{"a":"\\ud83d"}')).toEqual(unreadable);
    expect(parse('{"\\ude00":1}')).toEqual(unreadable);
  });
  it('refuses a depth that no request has, however long it is', () => {
    expect(parse('['.repeat(100) + ']'.repeat(100)).kind).toBe('json');
    expect(parse('['.repeat(101) + ']'.repeat(101))).toEqual(unreadable);
    expect(parse('['.repeat(500_000))).toEqual(unreadable);
    expect(parse('['.repeat(400_000) + ']'.repeat(400_000))).toEqual(unreadable);
  });
});
