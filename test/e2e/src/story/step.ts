import type { Scene } from './scene.ts';

/** What an agent owes, as `obligation ref-in-the-thread` or `obligation task/engagements/number`, in the order of its turn. */
export type Owed = readonly string[];

/** One step of the story, and what both owe after it. */
export type Step = {
  readonly title: string;
  act(scene: Scene): Promise<void>;
  readonly ada: Owed;
  readonly bob: Owed;
  /** What Bob may take: assignments, and the Task with its next step. */
  readonly open?: readonly string[];
};
