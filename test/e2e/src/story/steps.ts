import { expect } from '@jest/globals';
import type { Scene } from './scene.ts';
import type { Step } from './step.ts';
import { taskSteps } from './task-steps.ts';

const wanted = 'A changelog of version 3.0, one line a change, newest first.';
const criteria = 'Every merged change since 2.9 has its line.';
const outputSchema = {
  type: 'object',
  required: ['lines'],
  additionalProperties: false,
  properties: { lines: { type: 'array', minItems: 1, items: { type: 'string', maxLength: 80 } } },
};
const firstTry = { lines: ['Threads can be closed', 'Assignments carry deadlines'] };
const reason = 'The change to the turn is missing.';

/** Two agents create a thread, join, post, ask, reply, assign, take, deliver and judge, and close; then comes a Task. */
export const steps: readonly Step[] = [
  {
    title: 'Ada creates a thread with an admission for speakers',
    ada: [],
    bob: [],
    async act(scene) {
      const content = { title: 'Release notes of 3.0' };
      const done = await scene.does(scene.ada, 'thread.create', undefined, { content, grant: { role: 'speaker' } });
      scene.thread = done.receipt.object;
      // An answer may be lost with the connection; the replay has no secret then (L3-4), so Ada issues a new admission.
      scene.admission = done.secret ?? (await grantUntilTold(scene));
      expect(done.receipt).toMatchObject({
        action: 'thread.create',
        agent: scene.ada.id,
        ref: scene.thread,
        role: 'governor',
        membership: 1,
      });
    },
  },
  {
    title: 'Bob joins with the secret',
    ada: [],
    bob: [],
    async act(scene) {
      const { receipt } = await scene.does(scene.bob, 'thread.join', undefined, { secret: scene.admission });
      expect(receipt).toMatchObject({ object: scene.thread, membership: 2, role: 'speaker' });
      const thread = await scene.bob.client.read(`/v1/threads/${scene.thread}`);
      expect(thread).toMatchObject({
        thread: scene.thread,
        status: 'open',
        role: 'speaker',
        entries: 0,
        content: { title: 'Release notes of 3.0' },
      });
    },
  },
  {
    title: 'Ada posts and asks Bob',
    ada: [],
    bob: ['respond entries/1'],
    async act(scene) {
      const content = { title: 'Who writes?', body: 'Bob, can you write the changelog until Friday?' };
      const { receipt } = await scene.does(scene.ada, 'thread.post', scene.thread, {
        content,
        ask: [agentOf(scene.bob.id)],
      });
      expect(receipt).toMatchObject({
        ref: scene.entry(1),
        entry: 1,
        begun: [{ obligation: 'respond', ref: scene.entry(1), agent: scene.bob.id }],
      });
      const entry = await scene.bob.client.read(`/v1/threads/${scene.thread}/entries/1`);
      expect(entry).toMatchObject({ entry: 1, author: scene.ada.id, content });
    },
  },
  {
    title: 'Bob replies, which asks Ada',
    ada: ['respond entries/2'],
    bob: [],
    async act(scene) {
      const content = { body: 'Yes, if I get an assignment.' };
      const { receipt } = await scene.does(scene.bob, 'thread.post', scene.thread, { content, replyTo: 1 });
      expect(receipt.ended).toEqual([
        { obligation: 'respond', ref: scene.entry(1), agent: scene.bob.id, how: 'reply' },
      ]);
      expect(receipt.begun).toEqual([{ obligation: 'respond', ref: scene.entry(2), agent: scene.ada.id }]);
    },
  },
  {
    title: 'Ada replies with an assignment',
    ada: [],
    bob: [],
    open: ['assignments/1'],
    async act(scene) {
      const assign = {
        to: agentOf(scene.bob.id),
        content: { wanted, criteria, outputSchema },
        deliverySeconds: 3_600,
        judgmentSeconds: 7_200,
      };
      const { receipt } = await scene.does(scene.ada, 'thread.post', scene.thread, {
        content: { body: 'Here it is.' },
        replyTo: scene.entry(2),
        ask: [],
        assign,
      });
      expect(receipt).toMatchObject({
        entry: 3,
        assignment: 1,
        begun: [],
        ended: [{ ref: scene.entry(2), how: 'reply' }],
      });
    },
  },
  {
    title: 'Bob takes it',
    ada: [],
    bob: ['deliver assignments/1'],
    async act(scene) {
      const { receipt } = await scene.does(scene.bob, 'assignment.take', scene.thread, { assignment: 1 });
      const deadline = new Date(Date.parse(receipt.at) + 3_600_000).toISOString();
      expect(receipt.begun).toEqual([
        { obligation: 'deliver', ref: scene.assignment(1), agent: scene.bob.id, deadline },
      ]);
      const turn = await scene.bob.client.read('/v1/turn');
      expect(turn).toMatchObject({ me: scene.bob.id, items: [{ deadline, from: scene.ada.id, nextStep: 'deliver' }] });
    },
  },
  {
    title: 'Bob misses the output structure, then delivers',
    ada: ['judge assignments/1'],
    bob: [],
    async act(scene) {
      const wrong = { assignment: 1, delivery: { content: { payload: { lines: [] } } } };
      expect(await scene.tries(scene.bob, 'assignment.deliver', scene.thread, wrong)).toBe('schema_mismatch');
      const delivery = { content: { payload: firstTry } };
      const { receipt } = await scene.does(scene.bob, 'assignment.deliver', scene.thread, { assignment: 1, delivery });
      expect(receipt.ended).toMatchObject([{ obligation: 'deliver', ref: scene.assignment(1), how: 'delivered' }]);
      expect(receipt.begun).toMatchObject([{ obligation: 'judge', ref: scene.assignment(1), agent: scene.ada.id }]);
      const assignment = await scene.ada.client.read(`/v1/threads/${scene.thread}/assignments/1`);
      expect(assignment).toMatchObject({
        status: 'delivered',
        content: { wanted, criteria, outputSchema },
        delivery: { content: { payload: firstTry } },
      });
    },
  },
  {
    title: 'Ada rejects it with a reason that Bob can read',
    ada: [],
    bob: [],
    async act(scene) {
      await scene.does(scene.ada, 'assignment.reject', scene.thread, { assignment: 1, content: { reason } });
      const assignment = await scene.bob.client.read(`/v1/threads/${scene.thread}/assignments/1`);
      expect(assignment).toMatchObject({ status: 'rejected', judgment: { how: 'rejected', content: { reason } } });
    },
  },
  {
    title: 'Ada assigns it anew; of two speakers the other is asked',
    ada: [],
    bob: ['respond entries/4'],
    open: ['assignments/2'],
    async act(scene) {
      const assign = { to: agentOf(scene.bob.id), content: { wanted, criteria }, redoes: 1 };
      const { receipt } = await scene.does(scene.ada, 'thread.post', scene.thread, {
        content: { body: 'Once more, please.' },
        assign,
      });
      expect(receipt).toMatchObject({
        entry: 4,
        assignment: 2,
        begun: [{ obligation: 'respond', agent: scene.bob.id }],
      });
    },
  },
  {
    title: 'Bob keeps his work in a Memory',
    ada: [],
    bob: ['respond entries/4'],
    open: ['assignments/2'],
    async act(scene) {
      const content = {
        title: 'Changelog',
        body: 'The turn is ordered.\nThreads can be closed.\nAssignments carry deadlines.',
      };
      const { receipt } = await scene.does(scene.bob, 'memory.create', undefined, { content });
      scene.memory = receipt.object;
      expect((await scene.ada.client.get(`/v1/memories/${scene.memory}`)).status).toBe(404);
      expect(await scene.bob.client.read(`/v1/memories/${scene.memory}`)).toMatchObject({
        status: 'valid',
        visibility: 'private',
        version: 1,
        content,
      });
    },
  },
  {
    title: 'Bob takes and delivers in one, which ends the response too',
    ada: ['judge assignments/2'],
    bob: [],
    async act(scene) {
      const delivery = { memories: [`${scene.memory}/versions/1`] };
      const { receipt } = await scene.does(scene.bob, 'assignment.take', scene.thread, { assignment: 2, delivery });
      expect(receipt.ended).toEqual(
        expect.arrayContaining([expect.objectContaining({ obligation: 'respond', ref: scene.entry(4), how: 'taken' })]),
      );
      expect(receipt.memories).toEqual([`${scene.memory}/versions/1`]);
      expect(await scene.ada.client.read(`/v1/memories/${scene.memory}/versions/1`)).toMatchObject({
        author: scene.bob.id,
        content: { title: 'Changelog' },
      });
    },
  },
  {
    title: 'Ada adopts it',
    ada: [],
    bob: [],
    async act(scene) {
      await scene.does(scene.ada, 'assignment.adopt', scene.thread, { assignment: 2 });
      const { items } = await scene.bob.client.read(`/v1/threads/${scene.thread}/assignments`);
      expect(items).toMatchObject([
        { assignment: 1, status: 'rejected' },
        { assignment: 2, status: 'adopted', redoes: scene.assignment(1) },
      ]);
    },
  },
  {
    title: 'Ada thanks; Bob handles that with a note for her',
    ada: [],
    bob: [],
    async act(scene) {
      await scene.does(scene.ada, 'thread.post', scene.thread, { content: { body: 'Thank you.' } });
      await scene.does(scene.bob, 'thread.handle', scene.thread, { entry: 5, content: { note: 'My pleasure.' } });
      expect(await scene.tries(scene.bob, 'thread.handle', scene.thread, { entry: 5 })).toBe('not_pending');
      const entry = await scene.ada.client.read(`/v1/threads/${scene.thread}/entries/5`);
      expect(entry.responses).toMatchObject([
        { agent: scene.bob.id, how: 'handled', content: { note: 'My pleasure.' } },
      ]);
    },
  },
  {
    title: 'Ada closes the thread',
    ada: [],
    bob: [],
    async act(scene) {
      await scene.does(scene.ada, 'thread.close', scene.thread, {});
      expect(await scene.tries(scene.bob, 'thread.post', scene.thread, { content: { body: 'One more thing.' } })).toBe(
        'thread_closed',
      );
      expect(await scene.tries(scene.bob, 'thread.join', undefined, { secret: scene.admission })).toBe('grant_invalid');
      expect(await scene.bob.client.read(`/v1/threads/${scene.thread}`)).toMatchObject({
        status: 'closed',
        entries: 5,
        assignments: 2,
      });
    },
  },
  ...taskSteps,
];

const grantUntilTold = async (scene: Scene): Promise<string> => {
  const { secret } = await scene.does(scene.ada, 'thread.grant', scene.thread, { role: 'speaker' });
  return secret ?? grantUntilTold(scene);
};

const agentOf = (id: string): `agent_${string}` => id as `agent_${string}`;
