import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../client.ts';

/** An answer on its way to the program. */
export type Passing = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
};
/** A request on its way to the service. */
export type Asking = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What a service would have to do wrong: the answer that it gives instead, and the request that it takes it for. */
export type Tampering = {
  readonly answer?: (passing: Passing, asking: Asking) => Passing;
  readonly request?: (asking: Asking) => Asking;
};

/** A door before a service, which answers as the tampering says. */
export const tamperedDoor = async (
  origin: string,
  tampering: Tampering,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    pass(origin, tampering, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};

const taken = ['authorization', 'content-type', 'idempotency-key'];
const given = ['content-type', 'idempotent-replayed', 'idempotency-key', 'retry-after'];

const pass = async (
  origin: string,
  { request: changed = (asking) => asking, answer = (passing) => passing }: Tampering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const asking = changed({
    method: String(request.method),
    path: String(request.url),
    headers: chosen(taken, (name) => request.headers[name] as string | undefined),
  });
  const body = Buffer.concat(await request.toArray());
  const { method, path, headers } = asking;
  const found = await fetch(`${origin}${path}`, { method, headers, ...(method === 'GET' ? {} : { body }) });
  const passing: Passing = {
    status: found.status,
    headers: chosen(given, (name) => found.headers.get(name) ?? undefined),
    json: await found.json(),
  };
  const told = answer(passing, asking);
  response.writeHead(told.status, told.headers).end(JSON.stringify(told.json));
};

const chosen = (names: readonly string[], of: (name: string) => string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = of(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** That the answer is a receipt which was there before. */
const isReplay = ({ headers }: Passing): boolean => headers['idempotent-replayed'] === 'true';
const onReplay =
  (change: (json: Json) => Json): NonNullable<Tampering['answer']> =>
  (passing) =>
    isReplay(passing) ? { ...passing, json: change(passing.json) } : passing;
const onRefusal =
  (status: number, change: (passing: Passing, asking: Asking) => Passing): NonNullable<Tampering['answer']> =>
  (passing, asking) =>
    passing.status === status ? change(passing, asking) : passing;
const onTurn =
  (change: (json: Json) => Json): NonNullable<Tampering['answer']> =>
  (passing, { path }) =>
    path.startsWith('/v1/turn') ? { ...passing, json: change(passing.json) } : passing;

const without = (headers: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));

/** What is done wrong, and the rule that is broken by it. */
export const tamperings: readonly (readonly [rule: string, what: string, how: Tampering])[] = [
  [
    'L3-1',
    'forgets keys',
    { request: (asking) => ({ ...asking, headers: without(asking.headers, 'idempotency-key') }) },
  ],
  [
    'L3-1',
    'does not say that it replays',
    { answer: (passing) => ({ ...passing, headers: without(passing.headers, 'idempotent-replayed') }) },
  ],
  [
    'L3-3',
    'dates the receipt of a replay',
    { answer: onReplay((json) => ({ ...json, receipt: { ...json.receipt, at: new Date(0).toISOString() } })) },
  ],
  ['L3-4', 'tells a secret again', { answer: onReplay((json) => ({ ...json, secret: 'kfg_again' })) }],
  [
    'L3-2',
    'takes a conflict for a success',
    { answer: onRefusal(422, (passing) => ({ ...passing, status: 200, json: { receipt: {}, hints: [] } })) },
  ],
  [
    'L2-3',
    'has a next step of its own',
    { answer: onRefusal(400, (it) => ({ ...it, json: { ...it.json, nextStep: 'again' } })) },
  ],
  ['V-14', 'forbids what is hidden', { answer: onRefusal(404, (passing) => ({ ...passing, status: 403 })) }],
  [
    'V-14',
    'knows what there never was',
    {
      answer: onRefusal(404, (passing, { path }) =>
        path.includes('_0000') ? { ...passing, json: { ...passing.json, detail: 'There never was one.' } } : passing,
      ),
    },
  ],
  [
    'L6-1',
    'shows titles outside of content',
    {
      answer: (passing) =>
        passing.json.content?.title === undefined
          ? passing
          : { ...passing, json: { ...passing.json, title: passing.json.content.title } },
    },
  ],
  ['O-2', 'turns the turn around', { answer: onTurn((json) => ({ ...json, items: [...json.items].reverse() })) }],
  ['O-3', 'ends the turn early', { answer: onTurn((json) => ({ ...json, cursor: null })) }],
  ['O-3', 'has always one page more', { answer: onTurn((json) => ({ ...json, cursor: json.cursor ?? 'more' })) }],
  [
    'O-4',
    'invents next steps',
    { answer: onTurn((json) => ({ ...json, items: json.items.map((item: Json) => ({ ...item, nextStep: 'read' })) })) },
  ],
  ['O-8', 'hints too much', { answer: (it) => ({ ...it, json: { ...it.json, hints: [{}, {}, {}, {}] } }) }],
  [
    'C-4',
    'has one version for both',
    {
      answer: (passing, { path }) =>
        path === '/v1' ? { ...passing, json: { ...passing.json, protocol: passing.json.implementation } } : passing,
    },
  ],
];
