import type { InboxAction, InboxState } from '@kungfu/protocol';
import type { Next } from './story.ts';
import { contentOf, hashOf, idOf, World } from './world.ts';

const dayMs = 86_400_000;
const tasks = ['task-1', 'task-2', 'task-3'];
const policies = ['never', 'append_only', 'resume_if_waiting', 'resume_immediately'] as const;
type Open = Extract<InboxState, { status: 'open' }>;

/** The agents of an inbox story, each with an inbox. */
export const inboxAgents = [idOf('agent', 1), idOf('agent', 2)];

/** Random traffic in two inboxes, by the real decider: every action there is, deadlines of retention and of overlap too. */
export const randomInboxes = (next: Next, steps: number): World => new InboxStory(next).tell(steps);

class InboxStory {
  readonly #world = new World(2, ['akep.inbox']);
  readonly #next: Next;
  #made = 0;

  constructor(next: Next) {
    this.#next = next;
  }

  tell(steps: number): World {
    for (const agent of inboxAgents) this.#act(agent, this.#subscribe());
    for (let i = 0; i < steps; i++) {
      const agent = this.#pick(inboxAgents);
      if (this.#next() < 0.05) this.#world.pass(dayMs);
      this.#act(agent, this.#action(this.#world.state<Open>('akep.inbox', agent)));
    }
    return this.#world;
  }

  #act(agent: string, action: InboxAction): void {
    this.#world.act('akep.inbox', agent, agent, action);
  }

  #action(inbox: Open): InboxAction {
    const ids = Object.keys(inbox.subscriptions) as `subscription_${string}`[];
    const subscription = ids.length === 0 ? idOf('subscription', 0) : this.#pick(ids);
    const secret = inbox.secrets.length === 0 ? undefined : this.#pick(inbox.secrets);
    const event = `evt_${1 + Math.floor(this.#next() * Math.max(1, this.#made))}`.padEnd(8, '_');
    const after = Math.floor(this.#next() * 8);
    const choices: readonly (() => InboxAction)[] = [
      () => this.#subscribe(),
      () => ({ ...this.#subscribe(), type: 'akep.revise-subscription', subscription }),
      () => ({ type: 'akep.unsubscribe', subscription }),
      () => ({ type: 'akep.issue-secret', subscription, ...this.#secret() }),
      () => ({ type: 'akep.rotate-secret', subscription, ...this.#secret(), overlapSeconds: 3_600 * after }),
      () => ({ type: 'akep.retire-secret', subscription, producer: 'prod', key: secret?.key ?? 'none' }),
      () => ({ type: 'akep.ack', event, status: this.#pick(['stored', 'applied', 'rejected'] as const) }),
      () => this.#wait(after),
      () => ({ type: 'akep.claim', leaseSeconds: 60 }),
      () => ({ type: 'akep.complete', resume: 1 + after, lease: 1 }),
      () => ({ type: 'akep.disable-endpoint', subscription, how: 'failing', failures: 30 }),
      () => ({ type: 'akep.enable-endpoint', subscription }),
      () => ({ type: 'akep.resend', subscription, after }),
      () => this.#delivered(inbox, subscription),
      ...Array.from({ length: 14 }, () => () => this.#event(inbox)),
    ];
    return this.#pick(choices)();
  }

  #subscribe(): Extract<InboxAction, { type: 'akep.subscribe' }> {
    const n = ++this.#made;
    return {
      type: 'akep.subscribe',
      subscription: idOf('subscription', n),
      content: contentOf(n),
      eventTypes: ['tool.completed'],
      delivery: this.#pick(['relay', 'webhook', 'queue'] as const),
      ackRequired: n % 2 === 0,
      retentionSeconds: 86_400 * (1 + Math.floor(this.#next() * 20)),
      resumePolicies: policies.filter(() => this.#next() < 0.7),
      payloadBytesMax: 1_000 + n,
    };
  }

  #secret() {
    const n = ++this.#made;
    return { producer: 'prod', key: `key-${n % 6}`, content: contentOf(n), hash: hashOf(n) };
  }

  #wait(after: number): InboxAction {
    const subjects = this.#next() < 0.5 ? ['thread_id:1'] : [];
    return {
      type: 'akep.wait',
      task: this.#pick(tasks),
      eventTypes: subjects.length === 0 ? ['tool.completed'] : [],
      subjects,
      interrupts: [],
      ...(after > 4 ? {} : { after }),
    };
  }

  #delivered(inbox: Open, subscription: `subscription_${string}`): InboxAction {
    const stands = inbox.subscriptions[subscription];
    const from = stands === undefined || stands.delivery === 'relay' ? 0 : stands.position;
    return { type: 'akep.delivered', subscription, from, upTo: from + 1 };
  }

  #event(inbox: Open): InboxAction {
    const n = ++this.#made;
    const matched = Object.entries(inbox.subscriptions).map(([id, { revision }]) => ({
      subscription: id as `subscription_${string}`,
      revision,
    }));
    const common = {
      event: `evt_${n}`.padEnd(8, '_'),
      eventType: 'tool.completed',
      knowledge: 'tool_result' as const,
      hash: hashOf(n),
      advised: this.#pick(policies),
      subjects: [`thread_id:${n % 2}`],
      matched,
      ...(this.#next() < 0.5 ? { task: this.#pick(tasks) } : {}),
      ...(this.#next() < 0.3 ? { order: { subject: 'thread_id:1', number: Math.floor(this.#next() * 9) } } : {}),
    };
    const [secret] = inbox.secrets;
    if (secret !== undefined)
      return { type: 'akep.receive', ...common, producer: secret.producer, key: secret.key, content: contentOf(n) };
    const notice = { what: 'entry-posted' as const, ref: 'thread_1/entries/1', occurredAt: this.#world.at };
    return { type: 'akep.notify', ...common, notice };
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#next() * all.length)]!;
  }
}
