import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAgent, type System, startStandalone, type TestAgent, until } from './index.ts';
import { contract, idOf } from './replay/hall.ts';
import { expectRefused } from './requests/refused.ts';
import { loggedErrors } from './truth/output.ts';

const startMsMax = 120_000;
const passedMsMax = 20_000;
const delivery = { content: { payload: 1 } };
const soon = { deliverySeconds: 1, judgmentSeconds: 1 };

/** Deadlines that really pass: the service allows short ones here. */
describe('a deadline', () => {
  let system: System;
  beforeAll(async () => {
    system = await startStandalone({ limits: { deadlineSecondsMin: 1 } });
  }, startMsMax);
  afterAll(() => system?.stop(), startMsMax);

  const agents = async (n: number): Promise<TestAgent[]> =>
    Promise.all(Array.from({ length: n }, () => makeAgent(system)));
  const turnOf = async ({ client }: TestAgent): Promise<{ obligation: string; ref: string }[]> =>
    (await client.read('/v1/turn')).items;
  /** Waits until the scheduler has had the deadline recorded. */
  const becomes = (reader: TestAgent, path: string, status: string) =>
    until(`${path} to be ${status}`, passedMsMax, async () => {
      const found = await reader.client.read(path);
      return found.status === status ? found : undefined;
    });

  const engaged = async (ada: TestAgent, bob: TestAgent, more: object = {}) => {
    const { receipt } = await ada.client.act('task.create', undefined, { ...contract, ...soon, ...more });
    const taken = await bob.client.act('task.take', receipt.object, {});
    return { task: receipt.object, engagement: taken.receipt.engagement as `engagement_${string}` };
  };

  it('[K-12] [L4-3] [O-11] of a delivery ends an engagement as timed out, which drop and deliver then learn', async () => {
    const [ada, bob] = (await agents(2)) as [TestAgent, TestAgent];
    const { task, engagement } = await engaged(ada, bob);
    expect(await turnOf(bob)).toHaveLength(1);
    const path = `/v1/tasks/${task}/engagements/${engagement}`;
    expect(await becomes(ada, path, 'timed-out')).toMatchObject({ endedBy: 'deadline', available: [] });
    expect(await turnOf(bob)).toEqual([]);
    expectRefused(await bob.client.attempt('engagement.drop', task, { engagement }), 'deadline_passed');
    expectRefused(await bob.client.attempt('engagement.deliver', task, { engagement, delivery }), 'deadline_passed');
    const again = await bob.client.act('task.take', task, { redoes: `${task}/engagements/${engagement}` });
    expect(again.receipt.engagement).not.toBe(engagement);
  }, 60_000);

  it('[K-12] [K-1] of a judgment ends an engagement as the contract it bound states, never held against the agent', async () => {
    const [ada, bob, cyd] = (await agents(3)) as [TestAgent, TestAgent, TestAgent];
    const one = await engaged(ada, bob);
    const other = await engaged(ada, cyd, { withoutJudgment: 'adopted' });
    for (const [agent, { task, engagement }] of [[bob, one] as const, [cyd, other] as const])
      await agent.client.act('engagement.deliver', task, { engagement, delivery });
    expect((await turnOf(ada)).map(({ obligation }) => obligation)).toEqual(['judge', 'judge']);
    await becomes(bob, `/v1/tasks/${one.task}/engagements/${one.engagement}`, 'undecided');
    await becomes(cyd, `/v1/tasks/${other.task}/engagements/${other.engagement}`, 'adopted');
    expect(await turnOf(ada)).toEqual([]);
    const { task, engagement } = other;
    expectRefused(await ada.client.attempt('engagement.adopt', task, { engagement }), 'deadline_passed');
  }, 60_000);

  it('[K-15] that would adopt over the limit ends as undecided', async () => {
    const [ada, bob, cyd] = (await agents(3)) as [TestAgent, TestAgent, TestAgent];
    const limited = { ...contract, ...soon, withoutJudgment: 'adopted' as const, maxAdoptions: 1 };
    const { receipt } = await ada.client.act('task.create', undefined, limited);
    const task = receipt.object;
    const paths: string[] = [];
    for (const { client } of [bob, cyd]) {
      const taken = await client.act('task.take', task, { delivery });
      paths.push(`/v1/tasks/${task}/engagements/${taken.receipt.engagement}`);
    }
    await becomes(ada, paths[0]!, 'adopted');
    expect(await becomes(ada, paths[1]!, 'undecided')).toMatchObject({ endedBy: 'deadline' });
    expect((await ada.client.read(`/v1/tasks/${task}`)).adoptions).toBe(1);
  }, 60_000);

  it('[T-49] [L4-3] [O-11] of a delivery ends an assignment as timed out, of a judgment as undecided', async () => {
    const [ada, bob] = (await agents(2)) as [TestAgent, TestAgent];
    const { receipt, secret } = await ada.client.act('thread.create', undefined, { grant: {} });
    const thread = receipt.object;
    await bob.client.act('thread.join', undefined, { secret: String(secret) });
    const assign = { to: idOf(bob), ...contract, ...soon };
    for (const body of ['first', 'second'])
      await ada.client.act('thread.post', thread, { content: { body }, ask: [], assign });
    await bob.client.act('assignment.take', thread, { assignment: 1 });
    await bob.client.act('assignment.take', thread, { assignment: 2, delivery });
    await becomes(ada, `/v1/threads/${thread}/assignments/1`, 'timed-out');
    await becomes(ada, `/v1/threads/${thread}/assignments/2`, 'undecided');
    expect([await turnOf(ada), await turnOf(bob)]).toEqual([[], []]);
    expectRefused(await bob.client.attempt('assignment.drop', thread, { assignment: 1 }), 'deadline_passed');
    expectRefused(await ada.client.attempt('assignment.void', thread, { assignment: 1 }), 'deadline_passed');
    expectRefused(await ada.client.attempt('assignment.adopt', thread, { assignment: 2 }), 'deadline_passed');
  }, 60_000);

  it('[A-5] [A-8] [K-13] runs on when author or engaged agent are deactivated, and what still runs is done after activation', async () => {
    const [ada, bob, judge] = (await agents(3)) as [TestAgent, TestAgent, TestAgent];
    const long = { ...contract, deliverySeconds: 600, judgmentSeconds: 1, judge: idOf(judge) };
    const { receipt } = await ada.client.act('task.create', undefined, long);
    const task = receipt.object;
    const taken = await bob.client.act('task.take', task, {});
    const engagement = taken.receipt.engagement as `engagement_${string}`;
    for (const { id } of [ada, bob]) await system.administration.settled('agent.deactivate', id, {});
    expectRefused(await bob.client.attempt('engagement.deliver', task, { engagement, delivery }), 'agent_inactive');
    const cyd = await makeAgent(system);
    expectRefused(await cyd.client.attempt('task.take', task, {}), 'task_paused');
    expect(await turnOf(bob)).toHaveLength(1);
    await system.administration.settled('agent.activate', bob.id, {});
    await bob.client.act('engagement.deliver', task, { engagement, delivery });
    await system.administration.settled('agent.deactivate', judge.id, {});
    await becomes(bob, `/v1/tasks/${task}/engagements/${engagement}`, 'undecided');
  }, 60_000);

  it('[K-15] [L5-1] competes with many adoptions at once: no more are adopted than the limit allows', async () => {
    const [ada, ...others] = (await agents(9)) as [TestAgent, ...TestAgent[]];
    const { receipt } = await ada.client.act('task.create', undefined, { ...contract, maxAdoptions: 3 });
    const task = receipt.object;
    const taken = await Promise.all(others.map(({ client }) => client.settled('task.take', task, { delivery })));
    const answers = await Promise.all(
      taken.map(({ receipt: { engagement } }) =>
        ada.client.settle('engagement.adopt', task, { engagement: engagement as `engagement_${string}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer, 'adoption_limit');
    expect((await ada.client.read(`/v1/tasks/${task}/engagements?status=adopted`)).items).toHaveLength(3);
    expect((await ada.client.read(`/v1/tasks/${task}`)).available).not.toContainEqual(
      expect.objectContaining({ action: 'engagement.adopt' }),
    );
  }, 60_000);

  it('[K-9] [L5-1] competes with many takings of one agent: one engagement', async () => {
    const [ada, bob] = (await agents(2)) as [TestAgent, TestAgent];
    const { receipt } = await ada.client.act('task.create', undefined, contract);
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => bob.client.settled('task.take', receipt.object, {})),
    );
    expect(new Set(taken.map((done) => done.receipt.ref)).size).toBe(1);
    expect(taken.filter((done) => done.receipt.transitions.length > 0)).toHaveLength(1);
  });

  it('logs no error in all of this', async () => {
    expect(await loggedErrors(system)).toEqual([]);
  });
});
