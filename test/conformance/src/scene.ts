import { equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Done, Json, Service } from './client.ts';

const passedMsMax = 180_000;
const pollMs = 200;
/** So far the clocks of a service may stand apart. */
const clocksMs = 250;

export const words = { content: { body: 'Words.' } };
export const contract = { content: { wanted: 'w', criteria: 'c' } };
export const delivery = { delivery: { content: { payload: { done: true } } } };
export const reason = { content: { reason: 'because' } };
export const missing = {
  memory: 'memory_00000000000000000000000001',
  thread: 'thread_00000000000000000000000001',
  task: 'task_00000000000000000000000001',
  engagement: 'engagement_00000000000000000000000001',
  agent: 'agent_00000000000000000000000001',
};

/** What a case begins from: agents and objects of its own. */
export class Scene {
  constructor(readonly service: Service) {}

  agent(labels: readonly string[] = []): Promise<Agent> {
    return this.service.agent(labels);
  }

  async two(): Promise<readonly [Agent, Agent]> {
    return (await this.service.agents(2)) as unknown as readonly [Agent, Agent];
  }

  async three(): Promise<readonly [Agent, Agent, Agent]> {
    return (await this.service.agents(3)) as unknown as readonly [Agent, Agent, Agent];
  }

  async memory(author: Agent, body = 'b'): Promise<string> {
    return (await author.act('/v1/memories', { content: { body } })).receipt.object;
  }

  /** A thread of the first agent, in which the others have the role. */
  async thread(
    governor: Agent,
    others: readonly Agent[] = [],
    role = 'speaker',
  ): Promise<{ readonly thread: string; readonly secret: string }> {
    const { receipt, secret } = await governor.act('/v1/threads', { grant: { role } });
    for (const other of others) await other.act('/v1/join', { secret });
    return { thread: receipt.object, secret: String(secret) };
  }

  post(author: Agent, thread: string, more: object = {}): Promise<Done> {
    return author.act(`/v1/threads/${thread}/entries`, 'memory' in more ? more : { ...words, ...more });
  }

  /** The creator assigns to the member; the path of the assignment. */
  async assigned(creator: Agent, member: Agent, thread: string, more: object = {}): Promise<string> {
    const { receipt } = await this.post(creator, thread, { ask: [], assign: { to: member.id, ...contract, ...more } });
    return `/v1/threads/${thread}/assignments/${receipt.assignment}`;
  }

  async task(author: Agent, more: object = {}): Promise<string> {
    return (await author.act('/v1/tasks', { ...contract, ...more })).receipt.object;
  }

  /** The agent takes the Task; the path of the engagement. */
  async engaged(agent: Agent, task: string, more: object = {}): Promise<string> {
    const { receipt } = await agent.act(`/v1/tasks/${task}/engagements`, more);
    return `/v1/tasks/${receipt.ref}`;
  }

  async turn(agent: Agent): Promise<readonly Json[]> {
    return (await agent.read('/v1/turn')).items;
  }

  /** The shortest deadline that the service allows, in seconds. */
  async shortest(): Promise<number> {
    return (await this.service.anyone.read('/v1')).limits.deadlineSecondsMin;
  }

  /** Waits until a read says so. */
  async until(agent: Agent, path: string, status: string): Promise<Json> {
    const end = Date.now() + passedMsMax;
    for (;;) {
      const found = await agent.read(path);
      if (found.status === status) return found;
      ok(Date.now() < end, `${path} stays ${found.status}, and does not become ${status}`);
      await sleep(pollMs);
    }
  }

  /** Waits until the clock of the service is past a deadline, whether or not the service has recorded that yet. */
  async past(agent: Agent, deadline: string): Promise<void> {
    const end = Date.now() + passedMsMax;
    for (;;) {
      const { now } = await agent.read('/v1/turn?limit=1');
      if (Date.parse(now) >= Date.parse(deadline) + clocksMs) return;
      ok(Date.now() < end, `the clock of the service does not reach ${deadline}`);
      await sleep(pollMs);
    }
  }

  /** Ends an account, and waits for it. */
  async deactivate(agent: Agent): Promise<void> {
    await this.service.administration.act(`/admin/v1/agents/${agent.id}/deactivate`);
  }
  async activate(agent: Agent): Promise<void> {
    await this.service.administration.act(`/admin/v1/agents/${agent.id}/activate`);
  }

  /** That what is missing and what may not be known answer alike but for the id. */
  async alike(agent: Agent, path: string, id: string, none: string): Promise<void> {
    const [found, absent] = [await agent.get(path), await agent.get(path.replaceAll(id, none))];
    equal(found.status, 404, `GET ${path}: ${found.text}`);
    equal(found.text.replaceAll(id, none), absent.text);
  }
}
