import { expect } from '@jest/globals';
import type { TestAgent } from '../index.ts';
import type { Scene } from './scene.ts';
import type { Owed, Step } from './step.ts';
import { steps } from './steps.ts';

/** Runs the whole story; `between` is called before each step but the first, with the number of steps done. */
export const tellStory = async (
  scene: Scene,
  between: (done: number) => Promise<void> = async () => undefined,
): Promise<void> => {
  for (const [index, step] of steps.entries()) {
    if (index > 0) await between(index);
    await step.act(scene);
    await checkStep(scene, step);
  }
};

/** That everything stands as the story left it: what both owe and see, and that each deed has its receipt, byte for byte. */
export const checkStory = async (scene: Scene): Promise<void> => {
  const last = steps.at(-1)!;
  await checkStep(scene, last);
  for (const { title, receiptText, again } of scene.deeds) {
    const replay = await again();
    expect({ title, receipt: replay.receiptText, replayed: replay.replayed, secret: replay.secret }).toEqual({
      title,
      receipt: receiptText,
      replayed: true,
      secret: undefined,
    });
  }
};

const checkStep = async (scene: Scene, step: Step): Promise<void> => {
  await checkAgent(scene, scene.ada, step.title, step.ada, []);
  await checkAgent(scene, scene.bob, step.title, step.bob, step.open ?? []);
};

/** What the agent owes according to its turn, its opportunities and its working sets of the thread and the Task. */
const checkAgent = async (
  scene: Scene,
  agent: TestAgent,
  title: string,
  owed: Owed,
  open: readonly string[],
): Promise<void> => {
  const who = agent === scene.ada ? 'Ada' : 'Bob';
  const turn = await agent.client.read('/v1/turn');
  expect({ title, who, owes: turn.items.map(owedIn(scene)) }).toEqual({ title, who, owes: owed });
  expect(turn.cursor).toBeNull();
  const opportunities = await agent.client.read('/v1/opportunities');
  expect({ title, who, open: opportunities.items.map(offeredIn(scene)) }).toEqual({
    title,
    who,
    open,
  });
  if (agent === scene.bob && scene.deeds.every(({ title: deed }) => !deed.startsWith('thread.join'))) return;
  const ofThread = await agent.client.read(`/v1/threads/${scene.thread}`);
  const inThread = owed.filter((one) => !isOnTask(one));
  expect({ title, who, set: ofThread.obligations.map(owedIn(scene)) }).toEqual({ title, who, set: inThread });
  if (scene.task === '') return;
  const ofTask = await agent.client.read(`/v1/tasks/${scene.task}`);
  expect({ title, who, set: ofTask.obligations.map(owedIn(scene)) }).toEqual({
    title,
    who,
    set: owed.filter(isOnTask),
  });
};

const isOnTask = (owed: string): boolean => owed.includes(' task/');

/** A reference in the thread, or in the Task with engagements by their number. */
const shortRef = (scene: Scene, ref: string): string => {
  if (scene.task === '' || !ref.startsWith(scene.task)) return ref.replace(`${scene.thread}/`, '');
  const engagement = scene.engagements.findIndex((id) => ref.endsWith(id));
  return engagement < 0 ? 'task' : `task/engagements/${engagement + 1}`;
};

type Item = { readonly obligation: string; readonly ref: string; readonly nextStep: string };
const owedIn =
  (scene: Scene) =>
  ({ obligation, ref, nextStep }: Item): string => {
    expect(nextStep).toBe(obligation);
    return `${obligation} ${shortRef(scene, ref)}`;
  };
const offeredIn =
  (scene: Scene) =>
  ({ ref, nextStep }: Item): string =>
    ref === scene.task ? `task: ${nextStep}` : shortRef(scene, ref);
