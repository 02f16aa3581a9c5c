import { expect } from '@jest/globals';
import type { TestAgent } from '../index.ts';
import type { Scene } from './scene.ts';
import { type Owed, type Step, steps } from './steps.ts';

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

/** What the agent owes according to its turn, its opportunities and its working set of the thread. */
const checkAgent = async (
  scene: Scene,
  agent: TestAgent,
  title: string,
  owed: Owed,
  open: readonly string[],
): Promise<void> => {
  const who = agent === scene.ada ? 'Ada' : 'Bob';
  const turn = await agent.client.read('/v1/turn');
  expect({ title, who, owes: turn.items.map(inThread(scene)) }).toEqual({ title, who, owes: owed });
  expect(turn.cursor).toBeNull();
  const opportunities = await agent.client.read('/v1/opportunities');
  expect({ title, who, open: opportunities.items.map(({ ref }: { ref: string }) => shortRef(scene, ref)) }).toEqual({
    title,
    who,
    open,
  });
  if (agent === scene.bob && scene.deeds.every(({ title: deed }) => !deed.startsWith('thread.join'))) return;
  const workingSet = await agent.client.read(`/v1/threads/${scene.thread}`);
  expect({ title, who, set: workingSet.obligations.map(inThread(scene)) }).toEqual({ title, who, set: owed });
};

const shortRef = (scene: Scene, ref: string): string => ref.replace(`${scene.thread}/`, '');
const inThread =
  (scene: Scene) =>
  ({ obligation, ref, nextStep }: { obligation: string; ref: string; nextStep: string }): string => {
    expect(nextStep).toBe(obligation);
    return `${obligation} ${shortRef(scene, ref)}`;
  };
