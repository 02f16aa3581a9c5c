import { expect } from '@jest/globals';
import type { ActionInputs, ActionName, Limits, RefusalCode } from '@kungfu/protocol';
import { type Answer, makeAgent, type System, type TestAgent } from '../index.ts';
import { contract, idOf } from '../replay/hall.ts';
import { expectRefused } from '../requests/refused.ts';

/** Small enough to be reached in a test. */
export const small = {
  contentBytesMax: 100,
  titleCharactersMax: 10,
  noteCharactersMax: 10,
  reasonCharactersMax: 10,
  wantedBytesMax: 20,
  criteriaBytesMax: 20,
  schemaBytesMax: 60,
  schemaDepthMax: 3,
  payloadBytesMax: 20,
  deliveredMemoriesMax: 2,
  requiredInputsMax: 2,
  askMax: 2,
  membersMax: 4,
  openResponsesMax: 2,
  liveAssignmentsMax: 2,
  audienceMax: 2,
  openEngagementsMax: 2,
  deadlineSecondsMin: 60,
  deadlineSecondsMax: 100,
  deadlineSecondsDefault: 80,
  pageItemsMax: 3,
  pageItemsDefault: 2,
  pageBytesMax: 1_200,
  waitSecondsMax: 2,
  requestBytesMax: 5_000,
  labelsMax: 2,
  labelCharactersMax: 5,
  actionsPerMinute: 25,
  creationsPerHour: 3,
  readsPerMinute: 30,
  failedJoinsPerQuarterHour: 2,
} as const satisfies Limits;

/** Each limit with what is still accepted and what is refused one beyond; the compiler asks for a case when one is added. */
export type LimitCases = { readonly [L in keyof Limits]: (hall: LimitHall) => Promise<void> };

/** Makes what the cases need; every case has agents of its own, so that no rate of one is used up by another. */
export class LimitHall {
  constructor(readonly system: System) {}

  agent(): Promise<TestAgent> {
    return makeAgent(this.system);
  }

  /** A thread with its governor and so many speakers. */
  async thread(speakers: number): Promise<{ thread: string; secret: string; ada: TestAgent; others: TestAgent[] }> {
    const ada = await this.agent();
    const { receipt, secret } = await ada.client.act('thread.create', undefined, { grant: {} });
    const others = await Promise.all(Array.from({ length: speakers }, () => this.agent()));
    for (const { client } of others) await client.act('thread.join', undefined, { secret: String(secret) });
    return { thread: receipt.object, secret: String(secret), ada, others };
  }
}

const x = (n: number): string => 'x'.repeat(n);
const accepted = (answer: Answer): void => expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);

/** An action at the limit and one beyond. */
const around = async <N extends ActionName>(
  { client }: TestAgent,
  name: N,
  on: string | undefined,
  [at, over]: readonly [ActionInputs[N], ActionInputs[N]],
  code: RefusalCode,
): Promise<void> => {
  expectRefused(await client.attempt(name, on, over), code);
  accepted(await client.attempt(name, on, at));
};

const memoryWith = (hall: LimitHall, content: (n: number) => { title?: string; body: string }, n: number) =>
  hall
    .agent()
    .then((agent) =>
      around(agent, 'memory.create', undefined, [{ content: content(n) }, { content: content(n + 1) }], 'too_large'),
    );

const taskWith = async (
  hall: LimitHall,
  input: (n: number) => ActionInputs['task.create'],
  n: number,
  code: RefusalCode,
): Promise<void> => around(await hall.agent(), 'task.create', undefined, [input(n), input(n + 1)], code);

/** A JSON Schema of so many bytes. */
const schemaOf = (bytes: number) => ({ description: x(bytes - '{"description":""}'.length) });
/** A JSON Schema of so many levels. */
const schemaDeep = (levels: number): object => (levels === 1 ? {} : { not: schemaDeep(levels - 1) });
const payloadOf = (bytes: number) => ({ content: { payload: x(bytes - 2) } });
const memoriesOf = async ({ client }: TestAgent, n: number): Promise<string[]> =>
  Promise.all(
    Array.from(
      { length: n },
      async () => (await client.act('memory.create', undefined, { content: { body: 'b' } })).receipt.ref,
    ),
  );

/** Consumes a rate to its end: so many succeed, the next is told how long to wait. */
const rated = async (n: number, send: () => Promise<Answer>): Promise<Answer> => {
  for (let i = 0; i < n; i++) expect((await send()).json?.code).not.toBe('rate_limited');
  const over = await send();
  expectRefused(over, 'rate_limited');
  expect(over.json.retryAfter).toBeGreaterThan(0);
  return over;
};

export const limitCases: LimitCases = {
  contentBytesMax: (hall) => memoryWith(hall, (n) => ({ body: `ä${x(n - 2)}` }), small.contentBytesMax),
  titleCharactersMax: (hall) =>
    memoryWith(hall, (n) => ({ title: '𝄞'.repeat(n), body: 'b' }), small.titleCharactersMax),
  noteCharactersMax: async (hall) => {
    const { thread, ada, others } = await hall.thread(1);
    await ada.client.act('thread.post', thread, { content: { body: 'b' } });
    const note = (n: number) => ({ entry: 1, content: { note: x(n) } });
    const n = small.noteCharactersMax;
    await around(others[0]!, 'thread.handle', thread, [note(n), note(n + 1)], 'too_large');
  },
  reasonCharactersMax: async (hall) => {
    const [ada, bob] = [await hall.agent(), await hall.agent()];
    const task = (await ada.client.act('task.create', undefined, contract)).receipt.object;
    const { receipt } = await bob.client.act('task.take', task, { delivery: payloadOf(3) });
    const reason = (n: number) => ({
      engagement: receipt.engagement as `engagement_${string}`,
      content: { reason: x(n) },
    });
    const n = small.reasonCharactersMax;
    await around(ada, 'engagement.reject', task, [reason(n), reason(n + 1)], 'too_large');
  },
  wantedBytesMax: (hall) =>
    taskWith(hall, (n) => ({ content: { wanted: x(n), criteria: 'c' } }), small.wantedBytesMax, 'too_large'),
  criteriaBytesMax: (hall) =>
    taskWith(hall, (n) => ({ content: { wanted: 'w', criteria: x(n) } }), small.criteriaBytesMax, 'too_large'),
  schemaBytesMax: (hall) =>
    taskWith(
      hall,
      (n) => ({ content: { wanted: 'w', criteria: 'c', outputSchema: schemaOf(n) } }),
      small.schemaBytesMax,
      'too_large',
    ),
  schemaDepthMax: (hall) =>
    taskWith(
      hall,
      (n) => ({ content: { wanted: 'w', criteria: 'c', outputSchema: schemaDeep(n) } }),
      small.schemaDepthMax,
      'invalid',
    ),
  payloadBytesMax: async (hall) => {
    const [ada, bob] = [await hall.agent(), await hall.agent()];
    const task = (await ada.client.act('task.create', undefined, contract)).receipt.object;
    const n = small.payloadBytesMax;
    await around(bob, 'task.take', task, [{ delivery: payloadOf(n) }, { delivery: payloadOf(n + 1) }], 'too_large');
  },
  deliveredMemoriesMax: async (hall) => {
    const [ada, bob] = [await hall.agent(), await hall.agent()];
    const task = (await ada.client.act('task.create', undefined, contract)).receipt.object;
    const memories = await memoriesOf(bob, small.deliveredMemoriesMax + 1);
    const with_ = (n: number) => ({ delivery: { memories: memories.slice(0, n) } });
    const n = small.deliveredMemoriesMax;
    await around(bob, 'task.take', task, [with_(n), with_(n + 1)], 'invalid');
  },
  requiredInputsMax: async (hall) => {
    const ada = await hall.agent();
    const n = small.requiredInputsMax;
    const inputs = await memoriesOf(ada, n + 1);
    const over = { ...contract, requiredInputs: inputs };
    await around(ada, 'task.create', undefined, [{ ...contract, requiredInputs: inputs.slice(0, n) }, over], 'invalid');
    expectRefused(await ada.client.attempt('task.create', undefined, { ...contract, informative: inputs }), 'invalid');
  },
  askMax: async (hall) => {
    const n = small.askMax;
    const { thread, ada, others } = await hall.thread(n + 1);
    const post = (asked: number) => ({ content: { body: 'b' }, ask: others.slice(0, asked).map(idOf) });
    await around(ada, 'thread.post', thread, [post(n), post(n + 1)], 'invalid');
  },
  membersMax: async (hall) => {
    const { secret } = await hall.thread(small.membersMax - 2);
    const [last, over] = [await hall.agent(), await hall.agent()];
    accepted(await last.client.attempt('thread.join', undefined, { secret }));
    expectRefused(await over.client.attempt('thread.join', undefined, { secret }), 'capacity_members');
    // A member already is looked at before the capacity (L2-4).
    accepted(await last.client.attempt('thread.join', undefined, { secret }));
  },
  openResponsesMax: async (hall) => {
    const { thread, ada, others } = await hall.thread(2);
    const ask = (who: readonly TestAgent[]) => ({ content: { body: 'b' }, ask: who.map(idOf) });
    accepted(await ada.client.attempt('thread.post', thread, ask(others)));
    expectRefused(await ada.client.attempt('thread.post', thread, ask(others.slice(0, 1))), 'capacity_responses');
    await others[0]!.client.act('thread.handle', thread, { entry: 1 });
    accepted(await ada.client.attempt('thread.post', thread, ask(others.slice(0, 1))));
  },
  liveAssignmentsMax: async (hall) => {
    const { thread, ada, others } = await hall.thread(1);
    const assign = { content: { body: 'b' }, ask: [], assign: { to: idOf(others[0]!), ...contract } };
    for (let i = 0; i < small.liveAssignmentsMax; i++)
      accepted(await ada.client.attempt('thread.post', thread, assign));
    expectRefused(await ada.client.attempt('thread.post', thread, assign), 'capacity_assignments');
    await ada.client.act('assignment.void', thread, { assignment: 1 });
    accepted(await ada.client.attempt('thread.post', thread, assign));
  },
  audienceMax: async (hall) => {
    const named = await Promise.all(Array.from({ length: small.audienceMax + 1 }, () => hall.agent()));
    const to = (n: number) => ({ ...contract, audience: { restricted: named.slice(0, n).map(idOf) } });
    await taskWith(hall, to, small.audienceMax, 'invalid');
  },
  openEngagementsMax: async (hall) => {
    const ada = await hall.agent();
    const task = (await ada.client.act('task.create', undefined, contract)).receipt.object;
    const takers = await Promise.all(Array.from({ length: small.openEngagementsMax + 1 }, () => hall.agent()));
    const answers = await Promise.all(takers.map(({ client }) => client.settle('task.take', task, {})));
    const engaged = answers.filter(({ status }) => status === 200);
    expect(engaged).toHaveLength(small.openEngagementsMax);
    expectRefused(answers.find(({ status }) => status !== 200)!, 'capacity_engagements');
    // Taking again returns the engagement that is open, before the capacity is looked at (L2-4).
    const first = takers[answers.indexOf(engaged[0]!)]!;
    accepted(await first.client.attempt('task.take', task, {}));
  },
  deadlineSecondsMin: async (hall) => {
    const ada = await hall.agent();
    const n = small.deadlineSecondsMin;
    const within = (deliverySeconds: number) => ({ ...contract, deliverySeconds });
    await around(ada, 'task.create', undefined, [within(n), within(n - 1)], 'invalid');
    for (const seconds of [0, -1])
      expectRefused(await ada.client.attempt('task.create', undefined, within(seconds)), 'invalid');
  },
  deadlineSecondsMax: (hall) =>
    taskWith(hall, (judgmentSeconds) => ({ ...contract, judgmentSeconds }), small.deadlineSecondsMax, 'invalid'),
  deadlineSecondsDefault: async (hall) => {
    const ada = await hall.agent();
    const task = (await ada.client.act('task.create', undefined, contract)).receipt.object;
    const { deliverySeconds, judgmentSeconds } = await ada.client.read(`/v1/tasks/${task}`);
    expect([deliverySeconds, judgmentSeconds]).toEqual([small.deadlineSecondsDefault, small.deadlineSecondsDefault]);
  },
  pageItemsMax: async (hall) => {
    const { client } = await hall.agent();
    const n = small.pageItemsMax;
    accepted(await client.get(`/v1/memories?limit=${n}`));
    for (const limit of [n + 1, 0]) expectRefused(await client.get(`/v1/memories?limit=${limit}`), 'invalid');
  },
  pageItemsDefault: async (hall) => {
    const ada = await hall.agent();
    const n = small.pageItemsDefault;
    await memoriesOf(ada, n);
    const full = await ada.client.read('/v1/memories?mine=true');
    expect([full.items.length, full.cursor]).toEqual([n, null]);
    await memoriesOf(ada, 1);
    const more = await ada.client.read('/v1/memories?mine=true');
    expect([more.items.length, typeof more.cursor]).toEqual([n, 'string']);
  },
  pageBytesMax: async (hall) => {
    const ada = await hall.agent();
    for (let i = 0; i < 3; i++)
      await ada.client.act('memory.create', undefined, { content: { title: x(10), body: x(100) } });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const answer = await ada.client.get(`/v1/memories?mine=true&limit=3${cursor}`);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(small.pageBytesMax);
      seen.push(...answer.json.items.map(({ ref }: { ref: string }) => ref));
      if (answer.json.cursor === null) break;
      cursor = `&cursor=${answer.json.cursor}`;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  },
  waitSecondsMax: async (hall) => {
    const { client } = await hall.agent();
    const n = small.waitSecondsMax;
    accepted(await client.get(`/v1/turn?waitSeconds=${n}`));
    expectRefused(await client.get(`/v1/turn?waitSeconds=${n + 1}`), 'invalid');
  },
  requestBytesMax: async (hall) => {
    const { client } = await hall.agent();
    const n = small.requestBytesMax;
    const send = (bytes: number) =>
      client.send('POST', '/v1/memories', {
        body: '{"content":{"body":"b"}}'.padEnd(bytes),
        headers: { 'content-type': 'application/json' },
      });
    accepted(await send(n));
    expectRefused(await send(n + 1), 'too_large');
  },
  labelsMax: (hall) =>
    taskWith(
      hall,
      (n) => ({ ...contract, eligibility: Array.from({ length: n }, (_, i) => `l${i}`) }),
      small.labelsMax,
      'invalid',
    ),
  labelCharactersMax: (hall) =>
    taskWith(hall, (n) => ({ ...contract, eligibility: [x(n)] }), small.labelCharactersMax, 'too_large'),
  actionsPerMinute: async (hall) => {
    const { client } = await hall.agent();
    const key = 'the-first';
    const first = await client.act('memory.create', undefined, { content: { body: 'b' } }, key);
    const missing = 'memory_00000000000000000000000001';
    await rated(small.actionsPerMinute - 1, () => client.attempt('memory.publish', missing, {}));
    // A replay is never limited (L3-6).
    const again = await client.act('memory.create', undefined, { content: { body: 'b' } }, key);
    expect(again).toMatchObject({ receiptText: first.receiptText, replayed: true });
  },
  creationsPerHour: async (hall) => {
    const { client } = await hall.agent();
    accepted(await client.attempt('thread.create', undefined, {}));
    await rated(small.creationsPerHour - 1, () => client.attempt('task.create', undefined, contract));
    expectRefused(await client.attempt('thread.create', undefined, {}), 'rate_limited');
  },
  readsPerMinute: async (hall) => {
    const { client } = await hall.agent();
    await rated(small.readsPerMinute, () => client.get('/v1/turn'));
  },
  failedJoinsPerQuarterHour: async (hall) => {
    const { secret } = await hall.thread(0);
    const { client } = await hall.agent();
    await client.act('thread.join', undefined, { secret });
    await rated(small.failedJoinsPerQuarterHour, () =>
      client.attempt('thread.join', undefined, { secret: 'kfg_wrong' }),
    );
  },
};
