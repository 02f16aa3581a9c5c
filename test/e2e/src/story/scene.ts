import type { ActionInputs, ActionName } from '@kungfu/protocol';
import { type Done, makeAgent, type On, type System, type TestAgent } from '../index.ts';

/** Something that was done once and can be asked for again under its key. */
export type Deed = { readonly title: string; readonly receiptText: string; again(): Promise<Done> };

/** Who plays, where, and what has been done so far. */
export class Scene {
  readonly system: System;
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly deeds: Deed[] = [];
  /** The thread of the story once it exists; the Memory that Bob keeps his work in; Ada's Task and the Memory that it needs. */
  thread = '';
  memory = '';
  task = '';
  input = '';
  /** Bob's engagements of the Task, the first one first. */
  readonly engagements: `engagement_${string}`[] = [];
  /** The secret of the admission, as Ada was told it. */
  admission = '';

  private constructor(system: System, ada: TestAgent, bob: TestAgent) {
    this.system = system;
    this.ada = ada;
    this.bob = bob;
  }

  static async open(system: System): Promise<Scene> {
    return new Scene(system, await makeAgent(system, ['writer']), await makeAgent(system));
  }

  /** Does an action, over interruptions, and keeps it for later replays. */
  async does<N extends ActionName>(agent: TestAgent, name: N, on: On, input: ActionInputs[N]): Promise<Done> {
    const key = `story-${this.deeds.length + 1}`;
    const done = await agent.client.settled(name, on, input, key);
    const again = () => agent.client.settled(name, on, input, key);
    this.deeds.push({ title: `${name} (${key})`, receiptText: done.receiptText, again });
    return done;
  }

  /** Tries an action that has to be refused; the code of the refusal. */
  async tries<N extends ActionName>(agent: TestAgent, name: N, on: On, input: ActionInputs[N]): Promise<string> {
    const answer = await agent.client.settle(name, on, input);
    return String(answer.json?.code ?? `accepted: ${answer.text}`);
  }

  entry(number: number): string {
    return `${this.thread}/entries/${number}`;
  }

  assignment(number: number): string {
    return `${this.thread}/assignments/${number}`;
  }

  engagement(number: number): string {
    return `${this.task}/engagements/${this.engagements[number - 1]}`;
  }
}
