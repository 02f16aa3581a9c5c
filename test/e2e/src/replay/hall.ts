import type { AgentId } from '@kungfu/protocol';
import { makeAgent, type System, type TestAgent } from '../index.ts';

export const idOf = (agent: TestAgent): AgentId => agent.id as AgentId;
export const contract = { content: { wanted: 'w', criteria: 'c' } };
const delivery = { content: { payload: { done: true } } };

/** Where the cases of replay meet: two agents that stay, and what has to be there before an action can succeed. */
export class Hall {
  private constructor(
    readonly system: System,
    readonly ada: TestAgent,
    readonly bob: TestAgent,
  ) {}

  static async open(system: System): Promise<Hall> {
    return new Hall(system, await makeAgent(system), await makeAgent(system));
  }

  async memory(): Promise<string> {
    return (await this.ada.client.act('memory.create', undefined, { content: { body: 'b' } })).receipt.object;
  }

  /** A thread of Ada's with its secret, which nobody has used. */
  async thread(): Promise<{ readonly thread: string; readonly secret: string }> {
    const { receipt, secret } = await this.ada.client.act('thread.create', undefined, { grant: {} });
    return { thread: receipt.object, secret: String(secret) };
  }

  /** A thread of Ada's in which Bob speaks. */
  async shared(): Promise<string> {
    const { thread, secret } = await this.thread();
    await this.bob.client.act('thread.join', undefined, { secret });
    return thread;
  }

  /** Ada asks Bob in entry 1. */
  async asked(): Promise<string> {
    const thread = await this.shared();
    await this.ada.client.act('thread.post', thread, { content: { body: 'b' }, ask: [idOf(this.bob)] });
    return thread;
  }

  /** Ada assigns 1 to Bob. */
  async assigned(): Promise<string> {
    const thread = await this.shared();
    const assign = { to: idOf(this.bob), ...contract };
    await this.ada.client.act('thread.post', thread, { content: { body: 'b' }, ask: [], assign });
    return thread;
  }

  async taken(): Promise<string> {
    const thread = await this.assigned();
    await this.bob.client.act('assignment.take', thread, { assignment: 1 });
    return thread;
  }

  async delivered(): Promise<string> {
    const thread = await this.taken();
    await this.bob.client.act('assignment.deliver', thread, { assignment: 1, delivery });
    return thread;
  }

  /** An open Task of Ada's. */
  async task(): Promise<string> {
    return (await this.ada.client.act('task.create', undefined, contract)).receipt.object;
  }

  /** Bob is engaged. */
  async engaged(): Promise<Engaged> {
    const task = await this.task();
    const { receipt } = await this.bob.client.act('task.take', task, {});
    return { task, engagement: receipt.engagement as Engaged['engagement'] };
  }

  async judgeable(): Promise<Engaged> {
    const { task, engagement } = await this.engaged();
    await this.bob.client.act('engagement.deliver', task, { engagement, delivery });
    return { task, engagement };
  }

  /** An agent made for one case. */
  agent(): Promise<TestAgent> {
    return makeAgent(this.system);
  }
}

export type Engaged = { readonly task: string; readonly engagement: `engagement_${string}` };
