import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Agent, Answer, Json } from '../client.ts';
import { refusedAs } from '../client.ts';
import { type Case, NotSeen, shows } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { contract, delivery, missing, words } from '../scene.ts';

/** Limits up to which filling something up is worth its time. */
const filledMax = 100;

/** That it is over a limit of shape: refused, as invalid or as too large. */
const over = (answer: Answer): void => {
  refusedAs(answer.status === 413 ? 'too_large' : 'invalid', answer);
};
const limitsOf = async (agent: Agent): Promise<Json> => (await agent.read('/v1')).limits;
const strings = (count: number): readonly string[] => Array.from({ length: count }, () => 'x');

/** The last number of characters that passes, and one more. */
const edge = async (agent: Agent, route: string, max: number, body: (text: string) => object): Promise<void> => {
  over(await agent.attempt('POST', route, body('x'.repeat(max + 1))));
  await agent.act(route, body('x'.repeat(max)));
};

const nested = (depth: number): object => (depth <= 1 ? {} : { not: nested(depth - 1) });

/** Rates are limited here; throws NotSeen where the operator has switched that off. */
const limited = async (agent: Agent): Promise<Json> => {
  const { rates, limits } = await agent.read('/v1/me');
  if (Object.keys(rates).length === 0) throw new NotSeen('this service limits no rates');
  return limits;
};

/** Repeats until refused, at most one more time than allowed; the refusal. */
const untilRefused = async (allowed: number, attempt: (n: number) => Promise<Answer>): Promise<Answer> => {
  if (allowed > filledMax) throw new NotSeen(`${allowed} is too many to try`);
  for (let n = 1; n <= allowed; n++) {
    const answer = await attempt(n);
    ok(answer.json.code !== 'rate_limited', `limited after ${n - 1} of ${allowed}`);
  }
  return attempt(allowed + 1);
};

const atLimits = async (s: Scene): Promise<void> => {
  const [ada, bob] = await s.two();
  const limits = await limitsOf(ada);
  const { thread } = await s.thread(ada, [bob]);
  const title = (text: string) => ({ content: { title: text } });
  await edge(ada, '/v1/threads', limits.titleCharactersMax, title);
  await edge(ada, '/v1/tasks', limits.wantedBytesMax, (wanted) => ({ content: { wanted, criteria: 'c' } }));
  await edge(ada, '/v1/tasks', limits.criteriaBytesMax, (criteria) => ({ content: { wanted: 'w', criteria } }));
  await s.post(ada, thread, { ask: [bob.id] });
  const handle = `/v1/threads/${thread}/entries/1/handle`;
  await edge(bob, handle, limits.noteCharactersMax, (note) => ({ content: { note } }));
  const engagement = await s.engaged(bob, await s.task(ada));
  // Two bytes are the quotation marks of the JSON.
  const payload = (text: string) => ({ delivery: { content: { payload: text } } });
  over(await bob.attempt('POST', `${engagement}/deliver`, payload('x'.repeat(limits.payloadBytesMax - 1))));
  await bob.act(`${engagement}/deliver`, payload('x'.repeat(limits.payloadBytesMax - 2)));
  await edge(ada, `${engagement}/reject`, limits.reasonCharactersMax, (reason) => ({ content: { reason } }));
};

/** Of lists within the limit the unknown names are refused, of longer ones the length. */
const lists = async (s: Scene): Promise<void> => {
  const [ada, bob] = await s.two();
  const limits = await limitsOf(ada);
  const { thread } = await s.thread(ada, [bob]);
  const path = await s.assigned(ada, bob, thread);
  const memory = await s.memory(ada);
  await bob.act(`${path}/take`);
  const tried: readonly (readonly [
    agent: Agent,
    route: string,
    max: number,
    body: (items: readonly string[]) => object,
  ])[] = [
    [ada, `/v1/threads/${thread}/entries`, limits.askMax, (ask) => ({ ...words, ask })],
    [ada, '/v1/tasks', limits.audienceMax, (restricted) => ({ ...contract, audience: { restricted } })],
    [ada, '/v1/tasks', limits.requiredInputsMax, (requiredInputs) => ({ ...contract, requiredInputs })],
    [bob, `${path}/deliver`, limits.deliveredMemoriesMax, (memories) => ({ delivery: { memories } })],
  ];
  for (const [agent, route, max, body] of tried) {
    const known = JSON.stringify(body([])).match(/ask|restricted/) === null ? `${memory}/versions/9` : missing.agent;
    // Distinct names, so that a set of them does not count as one.
    const named = (count: number) =>
      strings(count).map((_, i) => known.replace(/0+1(?=$|\/)|versions\/9$/, (end) => distinct(end, i)));
    refusedAs('invalid_target', await agent.attempt('POST', route, body(named(max))));
    over(await agent.attempt('POST', route, body(named(max + 1))));
  }
};
const distinct = (end: string, i: number): string =>
  end.startsWith('versions') ? `versions/${100 + i}` : String(100 + i).padStart(end.length, '0');

export const limitCases: readonly Case[] = [
  shows('L4-4', 'what may be written is taken up to the limit that is served, and no longer', atLimits),
  shows('L4-4', 'lists are taken up to the limit that is served, and no longer', lists),
  shows(
    'L4-4 T-41',
    'an output structure is bounded in bytes, depth and the work that checking it takes',
    async (s) => {
      const ada = await s.agent();
      const { schemaBytesMax, schemaDepthMax } = await limitsOf(ada);
      const offer = (outputSchema: object) =>
        ada.attempt('POST', '/v1/tasks', { content: { wanted: 'w', criteria: 'c', outputSchema } });
      equal((await offer(nested(schemaDepthMax))).status, 200);
      over(await offer(nested(schemaDepthMax + 1)));
      over(await offer({ description: 'x'.repeat(schemaBytesMax) }));
      over(await offer({ type: 'string', pattern: '^(a+)+$' }));
      over(await offer({ type: 'nothing that there is' }));
      over(await offer({ $ref: 'https://example.org/schema' }));
    },
  ),
  shows('L4-4 L3-5', 'a full thread admits nobody more until one leaves, with the same request then', async (s) => {
    const ada = await s.agent();
    const { membersMax } = await limitsOf(ada);
    if (membersMax > filledMax) throw new NotSeen(`${membersMax} members are too many to make`);
    const { thread, secret } = await s.thread(ada);
    const others = await s.service.agents(membersMax);
    const [late, ...early] = others as [Agent, ...Agent[]];
    await Promise.all(early.map((agent) => agent.act('/v1/join', { secret })));
    const key = randomUUID();
    await late.refused('capacity_members', '/v1/join', { secret }, key);
    deepEqual((await late.read('/v1/threads?mine=true')).items, []);
    const again = await early[0]!.act('/v1/join', { secret });
    deepEqual(again.receipt.transitions, []);
    await early[0]!.act(`/v1/threads/${thread}/leave`);
    await late.act('/v1/join', { secret }, key);
  }),
  shows('L4-4 L3-6', 'over a rate is a refusal that says how long to wait; replays and reads go on', async (s) => {
    const ada = await s.agent();
    const { creationsPerHour } = await limited(ada);
    const key = randomUUID();
    const first = await ada.act('/v1/tasks', contract, key);
    const refusal = await untilRefused(creationsPerHour - 1, () => ada.attempt('POST', '/v1/tasks', contract));
    refusedAs('rate_limited', refusal);
    ok(refusal.json.retryAfter > 0 && refusal.json.retryAfter <= 3_600);
    equal((await ada.act('/v1/tasks', contract, key)).receiptText, first.receiptText);
    equal((await ada.all('/v1/tasks?mine=true')).length, creationsPerHour);
    await ada.act('/v1/memories', words);
  }),
  shows('T-7 L3-6', 'failed joins are limited, a replay of one that succeeded is not', async (s) => {
    const [ada, bob] = await s.two();
    const { failedJoinsPerQuarterHour } = await limited(bob);
    const { secret } = await s.thread(ada);
    const key = randomUUID();
    const first = await bob.act('/v1/join', { secret }, key);
    const refusal = await untilRefused(failedJoinsPerQuarterHour, (n) =>
      bob.attempt('POST', '/v1/join', { secret: `kfg_unknown_${n}` }),
    );
    refusedAs('rate_limited', refusal);
    equal((await bob.act('/v1/join', { secret }, key)).receiptText, first.receiptText);
  }),
  shows('L4-4 K-8', 'a payload with delivery that is too large creates no engagement', async (s) => {
    const [ada, bob] = await s.two();
    const { payloadBytesMax } = await limitsOf(ada);
    const task = await s.task(ada);
    const large = { delivery: { content: { payload: 'x'.repeat(payloadBytesMax) } } };
    over(await bob.attempt('POST', `/v1/tasks/${task}/engagements`, large));
    deepEqual((await ada.read(`/v1/tasks/${task}/engagements`)).items, []);
    await s.engaged(bob, task, delivery);
  }),
];
