import { makeAgent, type System } from '../index.ts';
import { Dice } from './dice.ts';
import { Sailor, type Sent } from './sailor.ts';

export type StormPlan = {
  readonly agents: number;
  readonly threads: number;
  /** All actions together, the creating and joining of threads included. */
  readonly actions: number;
  /** How many others join each thread. */
  readonly joins: number;
  readonly seed: number;
  /** The services to kill, one after another, evenly over the actions. */
  readonly kills: readonly string[];
};

/** Runs the storm to its end; services are killed and started again meanwhile. Answers with every action that was sent. */
export const runStorm = async (system: System, plan: StormPlan): Promise<readonly Sent[]> => {
  const progress = new Progress(plan);
  const agents = await Promise.all(Array.from({ length: plan.agents }, () => makeAgent(system)));
  const sailors = agents.map(
    (agent, index) => new Sailor(agent, new Dice(plan.seed * 1_000 + index), () => progress.step()),
  );
  const killing = killAlong(system, plan, progress);
  try {
    await settleThreads(sailors, plan);
    await Promise.all(sailors.map((sailor) => sail(sailor, progress)));
  } finally {
    progress.end();
    await killing;
  }
  return sailors.flatMap(({ sent }) => sent);
};

const sail = async (sailor: Sailor, progress: Progress): Promise<void> => {
  while (await progress.mayAct()) await sailor.act();
};

const settleThreads = async (sailors: readonly Sailor[], { threads, joins }: StormPlan): Promise<void> => {
  const owner = (thread: number): Sailor => sailors[thread % sailors.length]!;
  const numbers = Array.from({ length: threads }, (_, thread) => thread);
  await inTurns(sailors, (sailor) =>
    numbers.filter((thread) => owner(thread) === sailor).map((thread) => () => sailor.createThread(thread)),
  );
  const admissions = sailors.flatMap((sailor, at) => sailor.secrets.map((admission) => ({ ...admission, at })));
  await inTurns(sailors, (sailor) => {
    const place = sailors.indexOf(sailor);
    const invited = admissions.filter(({ at }) =>
      Array.from({ length: joins }, (_, n) => (at + 3 * n + 1) % sailors.length).includes(place),
    );
    return invited.map(
      ({ secret }) =>
        () =>
          sailor.join(secret),
    );
  });
};

/** Each sailor does its own one after another, all sailors at the same time. */
const inTurns = async (
  sailors: readonly Sailor[],
  tasks: (sailor: Sailor) => readonly (() => Promise<unknown>)[],
): Promise<void> => {
  await Promise.all(
    sailors.map(async (sailor) => {
      for (const task of tasks(sailor)) await task();
    }),
  );
};

/** Kills and starts each service of the plan once the storm has come so far. */
const killAlong = async (system: System, { kills }: StormPlan, progress: Progress): Promise<void> => {
  for (const [index, service] of kills.entries()) {
    await progress.reached(index);
    if (progress.ended) return;
    await system.kill(service);
    progress.killed();
    await system.start(service);
  }
};

/**
 * Counts the actions. Kill number k is due after its share of them; the storm does not run further ahead of a kill that is due
 * than one action an agent, so that each service is gone and comes back while others act.
 */
class Progress {
  readonly #plan: StormPlan;
  #done = 0;
  #kills = 0;
  #ended = false;
  #waiting: { readonly ready: () => boolean; readonly wake: () => void }[] = [];

  constructor(plan: StormPlan) {
    this.#plan = plan;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves with whether there is anything left to do. */
  async mayAct(): Promise<boolean> {
    const { actions, agents, kills } = this.#plan;
    await this.#until(() => this.#kills === kills.length || this.#done < this.#dueAt(this.#kills) + agents);
    return this.#done < actions;
  }

  /** Resolves when the kill of this number is due. */
  reached(kill: number): Promise<void> {
    return this.#until(() => this.#done >= this.#dueAt(kill));
  }

  step(): void {
    this.#done += 1;
    this.#wake();
  }

  killed(): void {
    this.#kills += 1;
    this.#wake();
  }

  /** Lets everybody go. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #dueAt(kill: number): number {
    return Math.floor((this.#plan.actions * (kill + 1)) / (this.#plan.kills.length + 1));
  }

  #until(ready: () => boolean): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ ready, wake });
      this.#wake();
    });
  }

  #wake(): void {
    const ready = this.#waiting.filter((waiter) => this.#ended || waiter.ready());
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { wake } of ready) wake();
  }
}
