import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../http/answer.ts';
import type { ReadAnswer } from '../reads/reads.ts';
import { problemOf, type Refusal } from '../shape/refusal.ts';

type Found = Exclude<ReadAnswer, { kind: 'refused' }>;

/** The same layered JSON as text and as structure (L6-1). */
const shown = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(text) as Record<string, unknown>,
});

/** A success as every door gives it: the receipt byte for byte (L3-1). `_meta` tells that it is a replay. */
export const doneResult = ({ body, headers }: Answer): CallToolResult => ({
  ...shown(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')),
  ...(headers['idempotent-replayed'] === 'true' ? { _meta: { 'kungfu/replayed': true } } : {}),
});

/** A refusal: the problem of RFC 9457 that HTTP gives, `instance` being the tool. */
export const refusedResult = (refusal: Refusal, tool: string, failure?: string): CallToolResult => ({
  ...shown(JSON.stringify(problemOf(refusal, `/mcp#${tool}`, failure))),
  isError: true,
});

/** What was read, in at most so many bytes; with the mark under which nothing newer is told apart. */
export const foundResult = (answer: Found, bytesMax: number): CallToolResult => {
  switch (answer.kind) {
    case 'bytes':
      return shown(Buffer.from(answer.body).toString('utf8'));
    case 'unchanged':
      return shown(JSON.stringify({ unchanged: true, etag: answer.etag }));
    case 'found': {
      const body = fitted(answer.body as Record<string, unknown>, bytesMax);
      return shown(JSON.stringify(answer.etag === undefined ? body : { ...body, etag: answer.etag }));
    }
  }
};

/**
 * Makes the longest lists of a working set shorter until it fits, and names them under `shortened`: they can be found in pages.
 * Pages and texts are asked for in the bytes that fit; their lists are never made shorter here.
 */
export const fitted = (
  body: Readonly<Record<string, unknown>>,
  bytesMax: number,
): Readonly<Record<string, unknown>> => {
  if ('cursor' in body) return body;
  let shown: Readonly<Record<string, unknown>> = body;
  const shortened = new Set<string>();
  while (bytesOf({ ...shown, shortened: [...shortened] }) > bytesMax) {
    const [name, list] = longest(shown);
    if (list.length === 0) break;
    shown = { ...shown, [name]: list.slice(0, Math.floor(list.length / 2)) };
    shortened.add(name);
  }
  return shortened.size === 0 ? body : { ...shown, shortened: [...shortened] };
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const longest = (body: Readonly<Record<string, unknown>>): readonly [string, readonly unknown[]] =>
  Object.entries(body)
    .filter((field): field is [string, unknown[]] => Array.isArray(field[1]))
    .reduce<readonly [string, readonly unknown[]]>(
      (most, field) => (bytesOf(field[1]) > bytesOf(most[1]) ? field : most),
      ['', []],
    );
