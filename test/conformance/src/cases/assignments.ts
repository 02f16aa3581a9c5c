import { deepEqual, equal } from 'node:assert/strict';
import type { Agent } from '../client.ts';
import { type Case, shows, showsInTime } from '../runner.ts';
import type { Scene } from '../scene.ts';
import { contract, delivery, words } from '../scene.ts';

const room = async (s: Scene): Promise<readonly [Agent, Agent, string]> => {
  const [ada, bob] = await s.two();
  return [ada, bob, (await s.thread(ada, [bob])).thread];
};

export const assignmentCases: readonly Case[] = [
  shows(
    'T-40 T-41',
    'an assignment comes with an entry for one who may speak, possibly oneself, and is fixed',
    async (s) => {
      const [ada, bob, thread] = await room(s);
      const stranger = await s.agent();
      const assign = { to: stranger.id, ...contract };
      await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { ...words, assign });
      const path = await s.assigned(ada, ada, thread, { deliverySeconds: 3_600 });
      const found = await bob.read(path);
      deepEqual([found.assignee, found.deliverySeconds, found.content.wanted], [ada.id, 3_600, 'w']);
    },
  ),
  shows('T-42', 'untaken it is no obligation, and ends by being taken or voided', async (s) => {
    const [ada, bob, thread] = await room(s);
    const path = await s.assigned(ada, bob, thread);
    deepEqual(await s.turn(bob), []);
    equal((await bob.read(path)).deliverBy, null);
    await bob.refused('wrong_state', `${path}/drop`);
    await ada.act(`${path}/void`);
    await bob.refused('wrong_state', `${path}/take`);
  }),
  shows('T-43', 'taking binds the addressee and ends its response to the carrying entry', async (s) => {
    const [ada, bob, thread] = await room(s);
    const { receipt } = await s.post(ada, thread, { assign: { to: bob.id, ...contract } });
    const path = `/v1/threads/${thread}/assignments/${receipt.assignment}`;
    await ada.refused('not_permitted', `${path}/take`);
    const taken = await bob.act(`${path}/take`);
    deepEqual(
      taken.receipt.ended.map(({ how }: { how: string }) => how),
      ['taken'],
    );
    deepEqual(
      (await s.turn(bob)).map(({ obligation }) => obligation),
      ['deliver'],
    );
  }),
  shows('T-44 V-5', 'a delivery is a payload that meets the structure, own Memories, or both', async (s) => {
    const [ada, bob, thread] = await room(s);
    const memory = await s.memory(bob, 'delivered');
    const others = await s.memory(ada);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`);
    await bob.refused('invalid', `${path}/deliver`, { delivery: {} });
    await bob.refused('invalid_target', `${path}/deliver`, { delivery: { memories: [others] } });
    await bob.act(`${path}/deliver`, { delivery: { memories: [memory] } });
    equal((await ada.read(`/v1/memories/${memory}/versions/1`)).content.body, 'delivered');
  }),
  shows('T-45 T-50', 'the creator judges once, a rejection with a reason that the taker reads', async (s) => {
    const [ada, bob, thread] = await room(s);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`, delivery);
    await bob.refused('not_permitted', `${path}/adopt`);
    await ada.refused('invalid', `${path}/reject`);
    await ada.act(`${path}/reject`, { content: { reason: 'because' } });
    const { judgment } = await bob.read(path);
    deepEqual([judgment.how, judgment.content.reason], ['rejected', 'because']);
    await ada.refused('wrong_state', `${path}/adopt`);
  }),
  shows('T-46 T-47', 'the taker drops, the creator voids, both only before delivery', async (s) => {
    const [ada, bob, thread] = await room(s);
    const [dropped, voided, delivered] = [
      await s.assigned(ada, bob, thread),
      await s.assigned(ada, bob, thread),
      await s.assigned(ada, bob, thread),
    ];
    await bob.act(`${dropped}/take`);
    await ada.refused('not_permitted', `${dropped}/drop`);
    await bob.act(`${dropped}/drop`);
    await bob.act(`${voided}/take`);
    await bob.refused('not_permitted', `${voided}/void`);
    await ada.act(`${voided}/void`);
    deepEqual(await s.turn(bob), []);
    await bob.act(`${delivered}/take`, delivery);
    await bob.refused('wrong_state', `${delivered}/drop`);
    await ada.refused('wrong_state', `${delivered}/void`);
  }),
  shows('T-48', 'one taking and one delivery; redoing is a new assignment that refers to the old', async (s) => {
    const [ada, bob, thread] = await room(s);
    const path = await s.assigned(ada, bob, thread);
    await bob.act(`${path}/take`, delivery);
    await bob.refused('wrong_state', `${path}/take`);
    await bob.refused('wrong_state', `${path}/deliver`, delivery);
    const again = await s.assigned(ada, bob, thread, { redoes: 1 });
    equal((await bob.read(again)).redoes, `${thread}/assignments/1`);
    const assign = { to: bob.id, ...contract, redoes: 9 };
    await ada.refused('invalid_target', `/v1/threads/${thread}/entries`, { ...words, assign });
  }),
  showsInTime('T-49', 'a judgment deadline that passes ends it as undecided', async (s) => {
    const [ada, bob, thread] = await room(s);
    const path = await s.assigned(ada, bob, thread, { judgmentSeconds: await s.shortest() });
    await bob.act(`${path}/take`, delivery);
    await s.until(bob, path, 'undecided');
    await ada.refused('deadline_passed', `${path}/adopt`);
    deepEqual(await s.turn(ada), []);
  }),
];
