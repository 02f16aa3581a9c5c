import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Agent, Caller, Json } from '../client.ts';
import { nextSteps } from '../contract.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import { delivery } from '../scene.ts';

export const turnCases: readonly Case[] = [
  shows(
    'O-1 O-2 O-4',
    'the turn holds every open obligation once, oldest first, each with its next step',
    async (s) => {
      const [ada, bob] = await s.two();
      const { thread } = await s.thread(ada, [bob]);
      await s.post(ada, thread);
      const path = await s.assigned(ada, bob, thread);
      await bob.act(`${path}/take`);
      const task = await s.task(bob);
      await s.engaged(ada, task, delivery);
      const turn = await s.turn(bob);
      deepEqual(
        turn.map(({ obligation, nextStep }) => [obligation, nextStep]),
        [
          ['respond', 'respond'],
          ['deliver', 'deliver'],
          ['judge', 'judge'],
        ],
      );
      deepEqual(
        [...turn].sort((a, b) => Date.parse(a.arisenAt) - Date.parse(b.arisenAt)),
        turn,
      );
      ok(turn.every(({ nextStep }) => nextSteps.has(nextStep)));
    },
  ),
  shows('O-3', 'paging omits and repeats nothing that stays open while others act', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    for (let n = 0; n < 6; n++) await s.post(ada, thread);
    equal((await bob.read('/v1/turn?limit=6')).cursor, null);
    const first = await bob.read('/v1/turn?limit=2');
    await bob.act(`/v1/threads/${thread}/entries/1/handle`);
    await s.post(ada, thread);
    const seen: Json[] = [...first.items];
    for (let { cursor } = first; cursor !== null; ) {
      const page: Json = await bob.read(`/v1/turn?limit=2&cursor=${encodeURIComponent(cursor)}`);
      seen.push(...page.items);
      cursor = page.cursor;
    }
    const refs = seen.map(({ ref }) => ref);
    equal(new Set(refs).size, refs.length);
    for (let n = 2; n <= 7; n++) ok(refs.includes(`${thread}/entries/${n}`), `entry ${n} was left out`);
  }),
  shows('O-5', 'untaken assignments and restricted Tasks are opportunities, not obligations', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    const path = await s.assigned(ada, bob, thread);
    const [task, paused, unfit] = [
      await s.task(ada, { audience: { restricted: [bob.id] } }),
      await s.task(ada, { audience: { restricted: [bob.id] } }),
      await s.task(ada, { audience: { restricted: [bob.id] }, eligibility: ['missing'] }),
    ];
    await ada.act(`/v1/tasks/${paused}/pause`);
    const found = await bob.all('/v1/opportunities');
    const steps = new Map(found.map(({ ref, nextStep }) => [ref, nextStep]));
    deepEqual(
      [steps.get(path.replace('/v1/threads/', '')), steps.get(task), steps.get(paused), steps.get(unfit)],
      ['deliver', 'deliver', 'wait', undefined],
    );
    deepEqual(await s.turn(bob), []);
  }),
  shows('O-6', 'working sets tell state, role, history, obligations and what is possible now', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    const set = await bob.read(`/v1/threads/${thread}`);
    deepEqual([set.status, set.role, set.recent.length, set.obligations.length], ['open', 'speaker', 1, 1]);
    const names = (found: Json): string[] => found.available.map(({ action }: { action: string }) => action);
    ok(names(set).includes('thread.handle') && !names(set).includes('thread.close'));
    const task = await s.task(ada);
    ok(names(await bob.read(`/v1/tasks/${task}`)).includes('task.take'));
    ok(!names(await ada.read(`/v1/tasks/${task}`)).includes('task.take'));
    const memory = await s.memory(ada);
    ok(names(await ada.read(`/v1/memories/${memory}`)).includes('memory.publish'));
  }),
  shows('O-7', 'digests come first, long content in pieces', async (s) => {
    const ada = await s.agent();
    const body = 'Ä'.repeat(20_000);
    const memory = await s.memory(ada, body);
    const [item] = (await ada.read('/v1/memories?mine=true')).items;
    ok(item.truncated === true && JSON.stringify(item).length < 5_000);
    let text = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const piece: Json = await ada.read(`/v1/memories/${memory}/content?offset=${offset}&length=9001`);
      text += piece.content.text;
      offset = piece.next;
    }
    equal(text, body);
  }),
  shows('O-8', 'hints are at most three and apart from the turn', async (s) => {
    const [ada, bob] = await s.two();
    const { hints } = await bob.act(`/v1/tasks/${await s.task(ada)}/engagements`);
    ok(hints.length > 0 && hints.length <= 3);
  }),
  shows('O-9 O-10', 'with its key alone an agent reads its turn and finishes everything', async (s) => {
    const [ada, bob] = await s.two();
    const { thread } = await s.thread(ada, [bob]);
    await s.post(ada, thread);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`);
    await s.engaged(bob, await s.task(ada));
    await s.engaged(ada, await s.task(bob), delivery);
    await finish(s.service.as(bob.bearer));
    deepEqual(await s.turn(bob), []);
  }),
  showsInTime('O-11', 'an item leaves the turn at its deadline', async (s) => {
    const [ada, bob] = await s.two();
    const engagement = await s.engaged(bob, await s.task(ada, { deliverySeconds: await s.shortest() }));
    const [item] = await s.turn(bob);
    for (;;) {
      const { now, items } = await bob.read('/v1/turn');
      if (Date.parse(now) < Date.parse(item.deadline)) continue;
      deepEqual(items, []);
      break;
    }
    await s.until(bob, engagement, 'timed-out');
  }),
  shows('O-12', 'no route writes an obligation', async (s) => {
    const { paths } = await s.service.anyone.read('/openapi.json');
    for (const [path, methods] of Object.entries(paths as Record<string, object>))
      if (/turn|obligation|waiting/.test(path)) deepEqual([path, Object.keys(methods)], [path, ['get']]);
  }),
  shows('O-13', 'redoing is a new assignment or engagement that refers to the old', async (s) => {
    const [ada, bob] = await s.two();
    const task = await s.task(ada, { audience: { restricted: [bob.id] } });
    const first = await bob.act(`/v1/tasks/${task}/engagements`, delivery);
    await ada.act(`/v1/tasks/${first.receipt.ref}/reject`, { content: { reason: 'r' } });
    equal((await bob.read('/v1/opportunities')).items[0].nextStep, 'revise');
    const other = await s.task(ada);
    await bob.refused('invalid_target', `/v1/tasks/${other}/engagements`, { redoes: first.receipt.ref });
    const again = await bob.act(`/v1/tasks/${task}/engagements`, { redoes: first.receipt.ref });
    equal((await bob.read(`/v1/tasks/${again.receipt.ref}`)).redoes, first.receipt.ref);
  }),
];

/** Does what the turn says until it is empty, by its references and next steps alone. */
const finish = async (agent: Caller | Agent): Promise<void> => {
  for (;;) {
    const [item] = (await agent.read('/v1/turn')).items;
    if (item === undefined) return;
    const path = `/v1/${item.ref.startsWith('task_') ? 'tasks' : 'threads'}/${item.ref}`;
    const { available } = await agent.read(path);
    ok(available.length > 0, `nothing is possible at ${item.ref}`);
    if (item.nextStep === 'respond') await agent.act(`${path}/handle`);
    if (item.nextStep === 'deliver') await agent.act(`${path}/deliver`, delivery);
    if (item.nextStep === 'judge') await agent.act(`${path}/adopt`);
  }
};
