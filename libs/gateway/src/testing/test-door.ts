import { actionCatalogue, defaultLimits, readCatalogue } from '@kungfu/protocol';
import type { Authentication } from '../auth/principal.ts';
import { type Door, openDoor } from '../http/door.ts';
import type { Outcome, PublicRequest } from '../http/pipeline-port.ts';
import type { ReadAnswer, ReadCall } from '../reads/reads.ts';
import { refused } from '../shape/refusal.ts';

export const ada = 'agent_00000000000000000000000001';
export const thread = 'thread_00000000000000000000000001';

export const receiptBytes = Buffer.from(
  `{"receipt":"v1","action":"thread.post","agent":"${ada}","object":"${thread}","ref":"${thread}/entries/9","at":"2026-11-30T20:00:00.000Z","entry":9,"transitions":[],"begun":[],"ended":[]}`,
);

/** A door over a pipeline and reads that do as they are told, and remember what they were asked. */
export class TestDoor {
  readonly requests: PublicRequest[] = [];
  readonly calls: ReadCall[] = [];
  readonly logged: unknown[] = [];
  outcome: (request: PublicRequest) => Promise<Outcome> = async () => ({
    kind: 'done',
    receipt: receiptBytes,
    replayed: false,
  });
  answer: (call: ReadCall) => Promise<ReadAnswer> = async () => ({ kind: 'found', body: { ok: true } });
  door!: Door;

  async open(side: 'agents' | 'administration' = 'agents'): Promise<this> {
    const log = (entry: unknown): void => {
      this.logged.push(entry);
    };
    const authentication: Authentication = {
      authenticate: async (header) => (header === 'Bearer ada-key' ? ada : refused('unauthenticated')),
    };
    this.door = await openDoor({
      host: '127.0.0.1',
      port: 0,
      routes: {
        actions: Object.values(actionCatalogue()).filter(({ door }) => door === side),
        reads: Object.values(readCatalogue()).filter(
          ({ door }) => (door === 'administration') === (side === 'administration'),
        ),
      },
      authentication,
      pipeline: {
        execute: (request) => {
          this.requests.push(request);
          return this.outcome(request);
        },
      },
      reads: {
        answer: (call) => {
          this.calls.push(call);
          return this.answer(call);
        },
      },
      logger: { error: log, warn: log, info: log },
      requestBytesMax: defaultLimits.requestBytesMax,
    });
    return this;
  }

  /** Asks as Ada, unless headers say otherwise. */
  async ask(
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Asked> {
    const response = await fetch(`${this.door.url}${path}`, {
      method,
      headers: {
        authorization: 'Bearer ada-key',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a spec looks into what it expects to find.
export type Asked = { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: any };
