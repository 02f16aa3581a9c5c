import type { RefusalCode } from '@kungfu/protocol';

/** A body for POST /v1/memories that is refused, and how. */
export type BadBody = {
  readonly what: string;
  readonly body: string | Buffer;
  readonly code: RefusalCode;
  readonly errors?: readonly { readonly pointer: string; readonly keyword: string }[];
};

const json = (value: unknown): string => JSON.stringify(value);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** What cannot be read as one meaning. */
export const malformed: readonly BadBody[] = [
  { what: 'half a JSON', body: '{"content":{"body":"x"' },
  { what: 'two JSONs', body: '{"content":{"body":"x"}}{}' },
  { what: 'JavaScript', body: "{content:{body:'x'}}" },
  { what: 'NaN', body: '{"content":{"body":NaN}}' },
  {
    what: 'a byte that is no UTF-8',
    body: Buffer.from([...Buffer.from('{"content":{"body":"'), 0xff, ...Buffer.from('"}}')]),
  },
  {
    what: 'an overlong form of UTF-8',
    body: Buffer.from([...Buffer.from('{"content":{"body":"'), 0xc0, 0xaf, ...Buffer.from('"}}')]),
  },
  { what: 'half of a character', body: '{"content":{"body":"\\ud83d"}}' },
  { what: 'a key twice', body: '{"content":{"body":"x","body":"y"}}' },
  { what: 'a key twice, once escaped', body: '{"content":{"body":"x","b\\u006fdy":"y"}}' },
  { what: '__proto__', body: '{"__proto__":{"content":{}},"content":{"body":"x"}}' },
  { what: 'an integer that would change', body: '{"content":{"body":9007199254740993}}' },
  { what: 'a hundred thousand levels', body: `{"content":${nested(100_000)}}` },
].map((bad) => ({ ...bad, code: 'malformed' }));

/** What can be read and does not fit. */
export const misshapen: readonly BadBody[] = [
  { what: 'no body', body: '', code: 'invalid', errors: [{ pointer: '/content', keyword: 'required' }] },
  { what: 'null', body: 'null', code: 'invalid' },
  { what: 'a list', body: '[]', code: 'invalid' },
  { what: 'a text', body: '"x"', code: 'invalid' },
  { what: 'nothing in it', body: '{}', code: 'invalid', errors: [{ pointer: '/content', keyword: 'required' }] },
  {
    what: 'content as text',
    body: json({ content: 'x' }),
    code: 'invalid',
    errors: [{ pointer: '/content', keyword: 'type' }],
  },
  {
    what: 'a body that is a number',
    body: json({ content: { body: 5 } }),
    code: 'invalid',
    errors: [{ pointer: '/content/body', keyword: 'type' }],
  },
  {
    what: 'an empty body',
    body: json({ content: { body: '' } }),
    code: 'invalid',
    errors: [{ pointer: '/content/body', keyword: 'minLength' }],
  },
  {
    what: 'an unknown field',
    body: json({ content: { body: 'x', colour: 'red' } }),
    code: 'invalid',
    errors: [{ pointer: '/content/colour', keyword: 'unknown' }],
  },
  {
    what: 'an unknown field with a slash',
    body: json({ content: { body: 'x' }, 'a/b': 1 }),
    code: 'invalid',
    errors: [{ pointer: '/a~1b', keyword: 'unknown' }],
  },
  {
    what: 'a title of 201 characters',
    body: json({ content: { title: 't'.repeat(201), body: 'x' } }),
    code: 'too_large',
    errors: [{ pointer: '/content/title', keyword: 'maxLength' }],
  },
  {
    what: 'a body of 100 KiB and a byte',
    body: json({ content: { body: 'x'.repeat(102_401) } }),
    code: 'too_large',
    errors: [{ pointer: '/content/body', keyword: 'maxLength' }],
  },
  {
    what: 'a body of two bytes a character, too long by one',
    body: json({ content: { body: `${'é'.repeat(51_200)}x` } }),
    code: 'too_large',
  },
  {
    what: 'a request of more than a mebibyte',
    body: json({ content: { body: 'x'.repeat(1_100_000) } }),
    code: 'too_large',
  },
];
