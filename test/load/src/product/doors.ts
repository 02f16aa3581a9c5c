import { randomBytes } from 'node:crypto';
import type { DoorName } from '../options.ts';
import type { Outcome } from '../measure/closed-loop.ts';

/** A post to be sent. */
export type Post = { readonly thread: string; readonly key: string };

/** How a post is sent through a door, and what its answer means. */
export type Door = {
  readonly request: (post: Post) => {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly outcome: (status: number, text: string) => Outcome;
};

const json = { 'content-type': 'application/json' };
const textOf = (bytes: number): string => randomBytes(bytes / 2).toString('hex');
const codeOf = (text: string, status: number): string => (JSON.parse(text) as { code?: string }).code ?? String(status);

/** `POST …/entries`. */
const http = (contentBytes: number): Door => {
  const body = JSON.stringify({ content: { body: textOf(contentBytes) } });
  return {
    request: ({ thread, key }) => ({
      path: `/v1/threads/${thread}/entries`,
      headers: { ...json, 'idempotency-key': key },
      body,
    }),
    outcome: (status, text) => (status === 200 || status === 201 ? 'ok' : codeOf(text, status)),
  };
};

const revision = '2026-07-28';
const mcpHeaders = {
  ...json,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': revision,
  'mcp-method': 'tools/call',
  'mcp-name': 'kungfu_post',
};
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
type Called = {
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number };
};

/** `kungfu_post` over stateless Streamable HTTP, in the current revision. */
const mcp = (contentBytes: number): Door => {
  const body = textOf(contentBytes);
  return {
    request: ({ thread, key }) => ({
      path: '/mcp',
      headers: mcpHeaders,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'kungfu_post', arguments: { ref: thread, body, key }, _meta: meta },
      }),
    }),
    outcome: (status, text) => {
      if (status !== 200) return String(status);
      const { result, error } = JSON.parse(text) as Called;
      if (result === undefined) return String(error?.code);
      return result.isError ? codeOf(result.content[0]!.text, status) : 'ok';
    },
  };
};

/** The doors by name, each for posts of so many bytes of content. */
export const doors: Readonly<Record<DoorName, (contentBytes: number) => Door>> = { http, mcp };
