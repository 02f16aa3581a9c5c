import { expect } from '@jest/globals';
import type { Scene } from './scene.ts';
import type { Step } from './step.ts';

const wanted = 'A title for the release, at most forty characters.';
const criteria = 'It names what is new.';
const outputSchema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: { title: { type: 'string', maxLength: 40 } },
};
const reason = 'It names nothing that is new.';
/** Both of Ada’s contract versions; the second one asks for no structure, and for a title sooner. */
const terms = (scene: Scene) => ({
  requiredInputs: [`${scene.input}/versions/1`],
  judgmentSeconds: 7_200,
  maxAdoptions: 2,
});

/** Ada offers Bob a Task; he takes it, is rejected, redoes it and is adopted. */
export const taskSteps: readonly Step[] = [
  {
    title: 'Ada offers a Task to Bob, with an input that he cannot read yet',
    ada: [],
    bob: [],
    open: ['task: deliver'],
    async act(scene) {
      const draft = { title: 'Draft', body: 'Tasks are new.' };
      const input = await scene.does(scene.ada, 'memory.create', undefined, { content: draft });
      scene.input = input.receipt.object;
      const { receipt } = await scene.does(scene.ada, 'task.create', undefined, {
        audience: { restricted: [agentOf(scene.bob.id)] },
        content: { wanted, criteria, outputSchema },
        deliverySeconds: 3_600,
        ...terms(scene),
      });
      scene.task = receipt.object;
      expect(receipt).toMatchObject({ ref: scene.task, version: 1, begun: [], ended: [] });
      expect(await scene.bob.client.read(`/v1/tasks/${scene.task}`)).toMatchObject({
        author: scene.ada.id,
        audience: 'restricted',
        roles: ['named'],
        contract: { judge: scene.ada.id, requiredInputs: [{ memory: scene.input }], content: { wanted, criteria } },
        available: [{ action: 'task.take', ref: scene.task }],
      });
      expect((await scene.bob.client.get(`/v1/memories/${scene.input}/versions/1`)).status).toBe(404);
    },
  },
  {
    title: 'Ada pauses it, and Bob has to wait',
    ada: [],
    bob: [],
    open: ['task: wait'],
    async act(scene) {
      await scene.does(scene.ada, 'task.pause', scene.task, {});
      expect(await scene.tries(scene.bob, 'task.take', scene.task, {})).toBe('task_paused');
      expect(await scene.tries(scene.ada, 'task.pause', scene.task, {})).toBe('no_effect');
      expect(await scene.tries(scene.bob, 'task.resume', scene.task, {})).toBe('not_permitted');
    },
  },
  {
    title: 'Ada resumes it; she cannot take it herself',
    ada: [],
    bob: [],
    open: ['task: deliver'],
    async act(scene) {
      await scene.does(scene.ada, 'task.resume', scene.task, {});
      expect(await scene.tries(scene.ada, 'task.take', scene.task, {})).toBe('own_task');
    },
  },
  {
    title: 'Bob takes it, which binds version and input; taking again finds the same engagement',
    ada: [],
    bob: ['deliver task/engagements/1'],
    async act(scene) {
      const { receipt } = await scene.does(scene.bob, 'task.take', scene.task, { version: 1 });
      scene.engagements.push(engagementOf(receipt));
      const deadline = new Date(Date.parse(receipt.at) + 3_600_000).toISOString();
      expect(receipt).toMatchObject({
        ref: scene.engagement(1),
        version: 1,
        inputs: [`${scene.input}/versions/1`],
        begun: [{ obligation: 'deliver', ref: scene.engagement(1), agent: scene.bob.id, deadline }],
      });
      const again = await scene.does(scene.bob, 'task.take', scene.task, {});
      expect(again.receipt).toMatchObject({ ref: scene.engagement(1), transitions: [], begun: [], ended: [] });
      expect(await scene.bob.client.read(`/v1/memories/${scene.input}/versions/1`)).toMatchObject({
        content: { body: 'Tasks are new.' },
      });
      expect(await scene.ada.client.read('/v1/waiting')).toMatchObject({
        items: [{ ref: scene.engagement(1), holder: scene.bob.id, nextStep: 'wait' }],
      });
    },
  },
  {
    title: 'Ada revises it, which leaves what Bob has taken as it is',
    ada: [],
    bob: ['deliver task/engagements/1'],
    async act(scene) {
      const { receipt } = await scene.does(scene.ada, 'task.revise', scene.task, {
        content: { wanted, criteria },
        deliverySeconds: 600,
        ...terms(scene),
      });
      expect(receipt).toMatchObject({ ref: `${scene.task}/versions/2`, version: 2 });
      expect(await scene.bob.client.read(`/v1/tasks/${scene.engagement(1)}`)).toMatchObject({
        status: 'taken',
        version: `${scene.task}/versions/1`,
      });
    },
  },
  {
    title: 'Bob misses the output structure that he bound, then delivers',
    ada: ['judge task/engagements/1'],
    bob: [],
    async act(scene) {
      const deliver = (payload: { title: unknown }) => ({
        engagement: scene.engagements[0]!,
        delivery: { content: { payload } },
      });
      const wrong = deliver({ title: 3 });
      expect(await scene.tries(scene.bob, 'engagement.deliver', scene.task, wrong)).toBe('schema_mismatch');
      const right = deliver({ title: 'Three' });
      const { receipt } = await scene.does(scene.bob, 'engagement.deliver', scene.task, right);
      expect(receipt.ended).toMatchObject([{ obligation: 'deliver', ref: scene.engagement(1), how: 'delivered' }]);
      expect(receipt.begun).toMatchObject([{ obligation: 'judge', ref: scene.engagement(1), agent: scene.ada.id }]);
      expect(await scene.tries(scene.bob, 'engagement.deliver', scene.task, right)).toBe('wrong_state');
      expect(await scene.tries(scene.bob, 'engagement.adopt', scene.task, { engagement: right.engagement })).toBe(
        'not_permitted',
      );
    },
  },
  {
    title: 'Ada rejects it with a reason that Bob can read; he may redo it',
    ada: [],
    bob: [],
    open: ['task: revise'],
    async act(scene) {
      const rejected = { engagement: scene.engagements[0]!, content: { reason } };
      await scene.does(scene.ada, 'engagement.reject', scene.task, rejected);
      expect(await scene.bob.client.read(`/v1/tasks/${scene.engagement(1)}`)).toMatchObject({
        status: 'rejected',
        delivery: { content: { payload: { title: 'Three' } } },
        judgment: { how: 'rejected', content: { reason } },
        available: [],
      });
    },
  },
  {
    title: 'Bob redoes it: he takes the version of now and delivers a Memory in one',
    ada: ['judge task/engagements/2'],
    bob: [],
    async act(scene) {
      const redo = (version: number) => ({
        version,
        redoes: scene.engagement(1),
        delivery: { memories: [`${scene.memory}/versions/1`] },
      });
      expect(await scene.tries(scene.bob, 'task.take', scene.task, redo(1))).toBe('changed');
      const { receipt } = await scene.does(scene.bob, 'task.take', scene.task, redo(2));
      scene.engagements.push(engagementOf(receipt));
      expect(receipt).toMatchObject({ version: 2, memories: [`${scene.memory}/versions/1`] });
      expect(await scene.ada.client.read(`/v1/tasks/${scene.engagement(2)}`)).toMatchObject({
        redoes: scene.engagement(1),
        version: `${scene.task}/versions/2`,
        status: 'delivered',
        delivery: { memories: [{ memory: scene.memory, content: { title: 'Changelog' } }] },
      });
    },
  },
  {
    title: 'Ada adopts it, once',
    ada: [],
    bob: [],
    open: ['task: done'],
    async act(scene) {
      const engagement = scene.engagements[1]!;
      await scene.does(scene.ada, 'engagement.adopt', scene.task, { engagement });
      expect(await scene.tries(scene.ada, 'engagement.adopt', scene.task, { engagement })).toBe('wrong_state');
      const { items } = await scene.bob.client.read(`/v1/tasks/${scene.task}/engagements`);
      expect(items).toMatchObject([{ status: 'rejected' }, { status: 'adopted', endedBy: 'judge' }]);
      expect(await scene.ada.client.read(`/v1/tasks/${scene.task}`)).toMatchObject({ adoptions: 1 });
    },
  },
  {
    title: 'An open Task for writers is none for Bob, and one without labels he takes and drops',
    ada: [],
    bob: [],
    open: ['task: done'],
    async act(scene) {
      const content = { wanted, criteria };
      const offer = async (eligibility: string[]) =>
        (await scene.does(scene.ada, 'task.create', undefined, { audience: 'open', content, eligibility })).receipt
          .object;
      const forWriters = await offer(['writer']);
      expect(await scene.tries(scene.bob, 'task.take', forWriters, {})).toBe('not_eligible');
      const forAll = await offer([]);
      const { receipt } = await scene.does(scene.bob, 'task.take', forAll, {});
      const dropped = await scene.does(scene.bob, 'engagement.drop', forAll, { engagement: engagementOf(receipt) });
      expect(dropped.receipt.ended).toMatchObject([{ obligation: 'deliver', how: 'dropped' }]);
      const eligible = await scene.bob.client.read(`/v1/tasks?eligible=true&limit=100`);
      const listed = eligible.items.map(({ task }: { task: string }) => task);
      expect([listed.includes(forAll), listed.includes(forWriters)]).toEqual([true, false]);
    },
  },
];

const engagementOf = ({ engagement }: { readonly engagement?: string }) => engagement as `engagement_${string}`;
const agentOf = (id: string): `agent_${string}` => id as `agent_${string}`;
