import type { ActionInputs, ActionName } from '@kungfu/protocol';
import { type Answer, doneOf, type On, type TestAgent } from '../index.ts';
import type { Dice } from './dice.ts';

/** An action whose outcome is known. */
export type Sent = {
  readonly agent: string;
  readonly action: ActionName;
  readonly key: string;
  /** The receipt as it came over the wire; undefined when it was refused. */
  readonly receiptText: string | undefined;
  readonly code: string | undefined;
  /** Sends the same request under the same key once more. */
  again(): Promise<Answer>;
};

type Duty = {
  readonly ref: string;
  readonly nextStep: string;
  /** The object: one of the two. */
  readonly thread?: string;
  readonly task?: string;
};

/** Share of the actions that are sent twice at the same time under one key (L3-7). */
const twiceShare = 0.15;

/** One agent in the storm: acts on what its turn and its opportunities say, or begins something new. */
export class Sailor {
  readonly agent: TestAgent;
  readonly sent: Sent[] = [];
  readonly secrets: { readonly thread: string; readonly secret: string }[] = [];
  readonly #dice: Dice;
  readonly #onSent: () => void;

  constructor(agent: TestAgent, dice: Dice, onSent: () => void) {
    this.agent = agent;
    this.#dice = dice;
    this.#onSent = onSent;
  }

  async createThread(number: number): Promise<void> {
    const done = await this.send('thread.create', undefined, {
      content: { title: `Thread ${number}` },
      grant: { role: 'speaker' },
    });
    const thread = String(done.json.receipt.object);
    // The answer with the secret may have been lost: then a new admission is issued.
    const told = typeof done.json.secret === 'string' ? done : await this.send('thread.grant', thread, {});
    if (typeof told.json.secret === 'string') this.secrets.push({ thread, secret: told.json.secret });
  }

  join(secret: string): Promise<Answer> {
    return this.send('thread.join', undefined, { secret });
  }

  /** One action in one of its threads or Tasks: a duty first, mostly. */
  async act(): Promise<void> {
    const turn = (await this.#read('/v1/turn?limit=5')) as readonly Duty[];
    if (turn.length > 0 && this.#dice.chance(0.7)) return this.#answer(this.#dice.pick(turn));
    const open = (await this.#read('/v1/opportunities?limit=5')) as readonly Duty[];
    if (open.length > 0 && this.#dice.chance(0.7)) return this.#take(this.#dice.pick(open));
    if (this.#dice.chance(0.2)) return this.#onTasks();
    const threads = (await this.#read('/v1/threads?mine=true&limit=20')) as readonly { thread: string }[];
    if (threads.length > 0 && this.#dice.chance(0.85)) return this.#begin(this.#dice.pick(threads).thread);
    await this.send('memory.create', undefined, {
      content: { body: `A note of ${this.agent.id}, number ${this.sent.length}.` },
    });
  }

  async send<N extends ActionName>(action: N, on: On, input: ActionInputs[N]): Promise<Answer> {
    const { client, id } = this.agent;
    const key = `storm-${this.sent.length}-${Math.floor(this.#dice.next() * 1e9)}`;
    const again = () => client.settle(action, on, input, key);
    const answers = await Promise.all(this.#dice.chance(twiceShare) ? [again(), again()] : [again()]);
    const told = answers.map((answer) => outcomeOf(action, answer));
    if (new Set(told.map((outcome) => JSON.stringify(outcome))).size !== 1)
      throw new Error(`${action} under ${key}: ${JSON.stringify(told)}`);
    this.sent.push({ agent: id, action, key, ...told[0]!, again });
    this.#onSent();
    return answers.find(({ json }) => json?.secret !== undefined) ?? answers[0]!;
  }

  async #answer({ ref, nextStep, thread, task }: Duty): Promise<void> {
    if (task !== undefined) return this.#onEngagement(task, ref.split('/').at(-1)!, nextStep);
    const number = Number(ref.split('/').at(-1));
    const content = { body: `About ${ref}.` };
    if (nextStep === 'respond') {
      if (this.#dice.chance(0.3)) await this.send('thread.handle', thread, { entry: number });
      else await this.send('thread.post', thread, { content, replyTo: number, ask: [] });
    } else if (nextStep === 'deliver') {
      if (this.#dice.chance(0.1)) await this.send('assignment.drop', thread, { assignment: number });
      else
        await this.send('assignment.deliver', thread, {
          assignment: number,
          delivery: { content: { payload: { done: number } } },
        });
    } else if (this.#dice.chance(0.5)) await this.send('assignment.adopt', thread, { assignment: number });
    else await this.send('assignment.reject', thread, { assignment: number, content: { reason: 'Not yet.' } });
  }

  async #onEngagement(task: string, id: string, nextStep: string): Promise<void> {
    const engagement = id as `engagement_${string}`;
    if (nextStep === 'deliver') {
      if (this.#dice.chance(0.1)) await this.send('engagement.drop', task, { engagement });
      else await this.send('engagement.deliver', task, { engagement, delivery: { content: { payload: { of: id } } } });
    } else if (this.#dice.chance(0.6)) await this.send('engagement.adopt', task, { engagement });
    else await this.send('engagement.reject', task, { engagement, content: { reason: 'Not yet.' } });
  }

  async #take({ ref, thread, task, nextStep }: Duty): Promise<void> {
    if (task !== undefined) return this.#engage(task, nextStep);
    await this.send('assignment.take', thread, { assignment: Number(ref.split('/').at(-1)) });
  }

  /** Takes a Task, once for all or with the work done at once; one that is paused or done is tried now and then. */
  async #engage(task: string, nextStep = 'deliver'): Promise<void> {
    if (nextStep !== 'deliver' && nextStep !== 'revise' && this.#dice.chance(0.7)) return this.#onTasks();
    const delivery = { content: { payload: { at: this.sent.length } } };
    await this.send('task.take', task, this.#dice.chance(0.3) ? { delivery } : {});
  }

  /** Offers a Task, takes one that is open, or changes one of its own. */
  async #onTasks(): Promise<void> {
    const contract = { content: { wanted: 'A number.', criteria: 'Any will do.' }, maxAdoptions: 2 };
    const open = (await this.#read('/v1/tasks?limit=20')) as readonly { task: string; author: string }[];
    if (open.length === 0 || this.#dice.chance(0.25)) {
      const others = [...new Set(open.map(({ author }) => author))].filter((agent) => agent !== this.agent.id);
      const restricted = others.slice(0, 3) as `agent_${string}`[];
      const audience = restricted.length > 0 && this.#dice.chance(0.4) ? { restricted } : ('open' as const);
      await this.send('task.create', undefined, { audience, ...contract });
      return;
    }
    const { task, author } = this.#dice.pick(open);
    if (author !== this.agent.id) return this.#engage(task);
    if (this.#dice.chance(0.4)) await this.send('task.revise', task, contract);
    else await this.send(this.#dice.pick(['task.pause', 'task.resume'] as const), task, {});
  }

  async #begin(thread: string): Promise<void> {
    const members = (await this.#read(`/v1/threads/${thread}/members`)) as readonly { agent: `agent_${string}` }[];
    const others = members.map(({ agent }) => agent).filter((agent) => agent !== this.agent.id);
    const content = { body: `Number ${this.sent.length} of ${this.agent.id}.` };
    if (others.length === 0) await this.send('thread.post', thread, { content });
    else if (this.#dice.chance(0.3)) {
      const assign = { to: this.#dice.pick(others), content: { wanted: 'A number.', criteria: 'Any will do.' } };
      await this.send('thread.post', thread, { content, ask: [], assign });
    } else await this.send('thread.post', thread, { content, ask: [this.#dice.pick(others)] });
  }

  /** The items of a page; asked again while the gateway is away. */
  async #read(path: string): Promise<readonly unknown[]> {
    return (await this.agent.client.readSettled(path)).items;
  }
}

/** The receipt, or the code of the refusal. */
const outcomeOf = (action: string, answer: Answer): { receiptText: string | undefined; code: string | undefined } =>
  answer.status < 300
    ? { receiptText: doneOf(action, answer).receiptText, code: undefined }
    : { receiptText: undefined, code: String(answer.json?.code) };
