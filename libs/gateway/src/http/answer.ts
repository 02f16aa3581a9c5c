import { hintsFor, type Receipt } from '@kungfu/protocol';
import type { FastifyReply } from 'fastify';
import type { ReadAnswer } from '../reads/reads.ts';
import { type Problem, problemMediaType } from '../shape/refusal.ts';
import type { Outcome } from './pipeline-port.ts';

/** What goes back to a caller. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

const json = { 'content-type': 'application/json; charset=utf-8' } as const;
/** Of every answer: nothing of it may be kept by others, or taken for something else. */
const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The success of an action. The receipt goes out byte for byte as it is kept (L3-1). */
export const done = ({ receipt, secret, replayed }: Extract<Outcome, { kind: 'done' }>): Answer => {
  const read = JSON.parse(Buffer.from(receipt).toString('utf8')) as Receipt;
  const rest = JSON.stringify({ ...(secret === undefined ? {} : { secret }), hints: hintsFor(read) });
  return {
    status: 200,
    headers: { ...json, ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
    body: Buffer.concat([Buffer.from('{"receipt":'), receipt, Buffer.from(`,${rest.slice(1)}`)]),
  };
};

export const problem = (shown: Problem, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: shown.status,
  headers: {
    'content-type': problemMediaType,
    ...(shown.retryAfter === undefined ? {} : { 'retry-after': String(shown.retryAfter) }),
    ...headers,
  },
  body: JSON.stringify(shown),
});

export const readAnswer = (answer: Exclude<ReadAnswer, { kind: 'refused' }>): Answer => {
  switch (answer.kind) {
    case 'found':
      return {
        status: 200,
        headers: { ...json, ...(answer.etag === undefined ? {} : { etag: answer.etag }) },
        body: JSON.stringify(answer.body),
      };
    case 'bytes':
      return { status: 200, headers: json, body: answer.body };
    case 'unchanged':
      return { status: 304, headers: { etag: answer.etag }, body: '' };
  }
};

export const send = (reply: FastifyReply, { status, headers, body }: Answer): void => {
  void reply
    .code(status)
    .headers({ ...always, ...headers })
    .send(typeof body === 'string' ? body : Buffer.from(body));
};
