import { deepEqual, equal } from 'node:assert/strict';
import type { Agent } from '../client.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { contract, delivery, reason } from '../scene.ts';

/** A taken assignment whose delivery deadline has passed, recorded or not. */
const late = async (s: Scene): Promise<{ ada: Agent; bob: Agent; thread: string; path: string }> => {
  const [ada, bob] = await s.two();
  const { thread } = await s.thread(ada, [bob]);
  const path = await s.assigned(ada, bob, thread, { deliverySeconds: await s.shortest() });
  const { receipt } = await bob.act(`${path}/take`);
  await s.past(bob, receipt.begun[0].deadline);
  return { ada, bob, thread, path };
};
const timedOut = async (agent: Agent, path: string): Promise<void> => {
  equal((await agent.read(path)).status, 'timed-out');
};

/** What each of these is decided like once the deadline has passed (L4-3). */
const afterwards: Readonly<Record<string, (s: Scene, at: Awaited<ReturnType<typeof late>>) => Promise<unknown>>> = {
  'delivering is refused': (_, { bob, path }) => bob.refused('deadline_passed', `${path}/deliver`, delivery),
  'dropping is refused': (_, { bob, path }) => bob.refused('deadline_passed', `${path}/drop`),
  'voiding is refused': (_, { ada, path }) => ada.refused('deadline_passed', `${path}/void`),
  'leaving voids nothing': (_, { bob, thread }) => bob.act(`/v1/threads/${thread}/leave`),
  'removing voids nothing': (_, { ada, bob, thread }) => ada.act(`DELETE /v1/threads/${thread}/members/${bob.id}`),
  'closing voids nothing': (_, { ada, thread }) => ada.act(`/v1/threads/${thread}/close`),
  'deactivation voids nothing': (s, { bob }) => s.deactivate(bob),
};

export const closingCases: readonly Case[] = [
  ...Object.entries(afterwards).map(([what, act]) =>
    showsInTime('L4-3 T-49', `past the delivery deadline, recorded or not, ${what}: it has timed out`, async (s) => {
      const at = await late(s);
      await act(s, at);
      await s.until(at.ada, at.path, 'timed-out');
      await timedOut(at.ada, at.path);
    }),
  ),
  showsInTime('T-15 T-49', 'a judgment forfeited by leaving settles as undecided at its deadline', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const { thread, secret } = await s.thread(cyd, [ada, bob]);
    const path = await s.assigned(ada, bob, thread, { judgmentSeconds: await s.shortest() });
    await bob.act(`${path}/take`, delivery);
    await ada.act(`/v1/threads/${thread}/leave`);
    deepEqual(await s.turn(ada), []);
    await ada.act('/v1/join', { secret });
    deepEqual(await s.turn(ada), []);
    await s.until(bob, path, 'undecided');
  }),
  showsInTime('T-60 T-49', 'what was delivered before closing keeps its judgment deadline', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread, { judgmentSeconds: await s.shortest() });
    const { receipt } = await bob.act(`${path}/take`, delivery);
    await ada.act(`/v1/threads/${thread}/close`);
    const { deadline } = receipt.begun.find((one: { obligation: string }) => one.obligation === 'judge');
    equal((await bob.read(path)).judgeBy, deadline);
    await s.until(bob, path, 'undecided');
    await ada.refused('deadline_passed', `${path}/reject`, reason);
  }),
  showsInTime('K-12 L4-3', 'past its deadline, recorded or not, an engagement takes nothing more', async (s) => {
    const [ada, bob] = await s.two();
    const seconds = await s.shortest();
    const task = await s.task(ada, { deliverySeconds: seconds, judgmentSeconds: seconds });
    const { receipt } = await bob.act(`/v1/tasks/${task}/engagements`);
    await s.past(bob, receipt.begun[0].deadline);
    await bob.refused('deadline_passed', `/v1/tasks/${receipt.ref}/deliver`, delivery);
    const again = await bob.act(`/v1/tasks/${task}/engagements`, delivery);
    const judge = again.receipt.begun.find((one: { obligation: string }) => one.obligation === 'judge');
    await s.past(ada, judge.deadline);
    await ada.refused('deadline_passed', `/v1/tasks/${again.receipt.ref}/adopt`);
    await s.until(bob, `/v1/tasks/${receipt.ref}`, 'timed-out');
    await s.until(bob, `/v1/tasks/${again.receipt.ref}`, 'undecided');
  }),
  showsInTime('K-5 K-12', 'without a judgment an engagement ends as the version that it bound states', async (s) => {
    const [ada, bob] = await s.two();
    const task = await s.task(ada, { judgmentSeconds: await s.shortest(), withoutJudgment: 'adopted' });
    const engagement = await s.engaged(bob, task, delivery);
    await ada.act(`/v1/tasks/${task}/versions`, { ...contract, withoutJudgment: 'undecided' });
    await s.until(bob, engagement, 'adopted');
  }),
  showsInTime('K-15', 'of several deadlines the one due first adopts', async (s) => {
    const [ada, bob, cyd] = await s.three();
    const terms = { judgmentSeconds: await s.shortest(), withoutJudgment: 'adopted', maxAdoptions: 1 };
    const task = await s.task(ada, terms);
    const [early, later] = [await s.engaged(bob, task), await s.engaged(cyd, task)];
    await cyd.act(`${later}/deliver`, delivery);
    await bob.act(`${early}/deliver`, delivery);
    await s.until(ada, later, 'adopted');
    await s.until(ada, early, 'undecided');
  }),
  shows('A-5 A-8', 'a designated judge that was away judges when it is back', async (s) => {
    const [ada, bob, judge] = await s.three();
    const engagement = await s.engaged(bob, await s.task(ada, { judge: judge.id }), delivery);
    await s.deactivate(judge);
    await judge.refused('agent_inactive', `${engagement}/adopt`);
    await s.activate(judge);
    deepEqual(
      (await s.turn(judge)).map(({ obligation }) => obligation),
      ['judge'],
    );
    await judge.act(`${engagement}/adopt`);
  }),
];
