import type { PublicRequest } from '@kungfu/gateway';
import { SeededRandom } from '@kungfu/log-in-memory/simulated';
import { checkAll, taskAdoptionsMax } from './checks.ts';
import { type Ended, send } from './client.ts';
import { Cluster, type Faults } from './cluster.ts';

export type WorldOptions = {
  readonly seed: number;
  readonly agents?: number;
  readonly actions?: number;
  readonly faults?: Partial<Faults>;
};
export type Report = {
  readonly seed: number;
  readonly facts: number;
  readonly done: number;
  readonly refused: number;
  readonly retried: number;
  readonly deaths: Cluster['deaths'];
  readonly trace: string;
};

const faultsDefault: Faults = { death: 0.0015, pause: 0.0005, append: 0.03, skewMsMax: 1_500 };
const worldMsMax = 60 * 60_000;

/** One simulated world: agents act through faulty services; once faults stop, every request has ended and every promise holds. */
export const simulate = async ({ seed, agents = 4, actions = 12, faults = {} }: WorldOptions): Promise<Report> => {
  const random = new SeededRandom(seed);
  const cluster = new Cluster(seed, { ...faultsDefault, ...faults });
  cluster.start();
  const ended: Ended[] = [];
  const fail = (what: string): never => {
    throw new Error(`seed ${seed}: ${what}`);
  };
  const play = new Play(cluster, random, ended);
  const story = play.run(agents, actions);
  let over = false;
  void story.then(() => (over = true));
  void cluster.time.sleep(120_000).then(() => cluster.calm());
  if (!(await cluster.time.run(() => over, worldMsMax))) fail(`a request never ends; ${ended.length} have`);
  await story;
  cluster.calm();
  await cluster.time.run(() => false, 30_000);
  const trace = await checkAll(cluster, ended, fail);
  const done = ended.filter(({ outcome }) => outcome.kind === 'done').length;
  return {
    seed,
    facts: cluster.database.facts.length,
    done,
    refused: ended.length - done,
    retried: ended.filter(({ attempts }) => attempts > 1).length,
    deaths: cluster.deaths,
    trace,
  };
};

type Room = { readonly thread: string; readonly secret?: string; entries: number; assignments: number };

/** What the agents do: made up as they go, from what they have been told so far. */
class Play {
  readonly #cluster: Cluster;
  readonly #random: SeededRandom;
  readonly #ended: Ended[];
  readonly #rooms: Room[] = [];
  readonly #memories: string[] = [];
  readonly #tasks: string[] = [];
  readonly #engagements: { readonly task: string; readonly engagement: string }[] = [];
  #keys = 0;

  constructor(cluster: Cluster, random: SeededRandom, ended: Ended[]) {
    this.#cluster = cluster;
    this.#random = random;
    this.#ended = ended;
  }

  async run(agents: number, actions: number): Promise<void> {
    const created = await Promise.all(
      Array.from({ length: agents }, () => this.#do('administration', 'agent.create', undefined, {})),
    );
    const ids = created.flatMap(({ object }) => (object === undefined ? [] : [object]));
    await this.#room(ids[0]!);
    await Promise.all([...ids.map((agent) => this.#act(agent, ids, actions)), this.#administer(ids)]);
    if (this.#random.chance(0.5)) await this.#do('administration', 'agent.deactivate', this.#random.pick(ids), {});
  }

  /** Accounts end and begin again while the agents act. */
  async #administer(agents: readonly string[]): Promise<void> {
    for (let i = 0; i < 2 && this.#random.chance(0.6); i++) {
      const agent = this.#random.pick(agents);
      await this.#cluster.time.sleep(this.#random.below(15_000));
      await this.#do('administration', 'agent.deactivate', agent, {});
      await this.#cluster.time.sleep(this.#random.below(5_000));
      await this.#do('administration', 'agent.activate', agent, {});
    }
  }

  async #act(agent: string, others: readonly string[], actions: number): Promise<void> {
    for (let i = 0; i < actions; i++) {
      await this.#cluster.time.sleep(this.#random.below(3_000));
      await this.#something(agent, others);
    }
  }

  async #something(agent: string, others: readonly string[]): Promise<void> {
    const room = this.#random.pick(this.#rooms);
    const entry = 1 + this.#random.below(Math.max(1, room.entries));
    const assignment = 1 + this.#random.below(Math.max(1, room.assignments));
    const on = (action: string, body: object = {}) => this.#do(agent, action, room.thread, body);
    switch (this.#random.below(22)) {
      case 0:
        return this.#room(agent);
      case 1:
      case 2:
      case 3:
        return void (room.secret === undefined
          ? undefined
          : await this.#do(agent, 'thread.join', undefined, { secret: room.secret }));
      case 4:
      case 5:
      case 6:
        return void (await this.#post(room, agent, {}));
      case 7:
        return void (await this.#post(room, agent, { replyTo: entry }));
      case 8:
        return void (await this.#post(room, agent, { ask: [this.#random.pick(others)] }));
      case 9:
        return void (await this.#post(room, agent, {
          assign: {
            to: this.#random.pick(others),
            content: { wanted: 'w', criteria: 'c' },
            deliverySeconds: 60,
            judgmentSeconds: 60,
          },
        }));
      case 10:
        return void (await on('assignment.take', { assignment }));
      case 11:
        return void (await on('assignment.deliver', { assignment, delivery: { content: { payload: 1 } } }));
      case 12:
        return void (await on(this.#random.pick(['assignment.adopt', 'assignment.drop', 'assignment.void']), {
          assignment,
        }));
      case 13:
        return void (await on(this.#random.pick(['thread.handle', 'thread.retract']), { entry }));
      case 14:
        return void (await on(this.#random.pick(['thread.leave', 'thread.close', 'thread.grant'])));
      case 15:
      case 16:
        return this.#offer(agent, others);
      case 17:
      case 18:
        return this.#take(agent);
      case 19:
      case 20:
        return this.#onEngagement(agent);
      default:
        return this.#memory(agent);
    }
  }

  async #room(agent: string): Promise<void> {
    const { object, secret } = await this.#do(agent, 'thread.create', undefined, { grant: {} });
    if (object !== undefined)
      this.#rooms.push({ thread: object, entries: 0, assignments: 0, ...(secret === undefined ? {} : { secret }) });
  }

  async #post(room: Room, agent: string, more: object): Promise<void> {
    const pinned =
      this.#memories.length > 0 && this.#random.chance(0.3)
        ? { memory: this.#random.pick(this.#memories) }
        : { content: { body: 'text' } };
    const { receipt } = await this.#do(agent, 'thread.post', room.thread, { ...pinned, ...more });
    if (receipt?.entry !== undefined) room.entries = Math.max(room.entries, receipt.entry);
    if (receipt?.assignment !== undefined) room.assignments = Math.max(room.assignments, receipt.assignment);
    if (receipt?.memory !== undefined) this.#memories.push(receipt.memory.split('/')[0]!);
  }

  /** Offers a Task, or does something to one that there is. */
  async #offer(agent: string, others: readonly string[]): Promise<void> {
    const contract = {
      content: { wanted: 'w', criteria: 'c' },
      deliverySeconds: 60,
      judgmentSeconds: 60,
      withoutJudgment: this.#random.pick(['adopted', 'undecided']),
      maxAdoptions: 1 + this.#random.below(taskAdoptionsMax),
      ...(this.#random.chance(0.3) ? { judge: this.#random.pick(others) } : {}),
    };
    if (this.#tasks.length === 0 || this.#random.chance(0.4)) {
      const restricted = this.#random.chance(0.3) ? { audience: { restricted: [this.#random.pick(others)] } } : {};
      const { object } = await this.#do(agent, 'task.create', undefined, { ...contract, ...restricted });
      if (object !== undefined) this.#tasks.push(object);
      return;
    }
    const action = this.#random.pick(['task.revise', 'task.pause', 'task.resume']);
    await this.#do(agent, action, this.#random.pick(this.#tasks), action === 'task.revise' ? contract : {});
  }

  async #take(agent: string): Promise<void> {
    if (this.#tasks.length === 0) return;
    const delivery = this.#random.chance(0.3) ? { delivery: { content: { payload: 1 } } } : {};
    const task = this.#random.pick(this.#tasks);
    const { receipt } = await this.#do(agent, 'task.take', task, delivery);
    if (receipt?.engagement !== undefined) this.#engagements.push({ task, engagement: receipt.engagement });
  }

  async #onEngagement(agent: string): Promise<void> {
    if (this.#engagements.length === 0) return;
    const { task, engagement } = this.#random.pick(this.#engagements);
    const action = this.#random.pick(['deliver', 'deliver', 'drop', 'adopt', 'adopt', 'reject']);
    const more =
      action === 'deliver'
        ? { delivery: { content: { payload: 1 } } }
        : action === 'reject'
          ? { content: { reason: 'no' } }
          : {};
    await this.#do(agent, `engagement.${action}`, task, { engagement, ...more });
  }

  async #memory(agent: string): Promise<void> {
    if (this.#memories.length === 0 || this.#random.chance(0.3)) {
      const { object } = await this.#do(agent, 'memory.create', undefined, { content: { body: 'text' } });
      if (object !== undefined) this.#memories.push(object);
      return;
    }
    const memory = this.#random.pick(this.#memories);
    const action = this.#random.pick(['memory.update', 'memory.publish', 'memory.unpublish', 'memory.withdraw']);
    await this.#do(agent, action, memory, action === 'memory.update' ? { content: { body: 'more' } } : {});
  }

  /** Sends, now and then twice at once, now and then reusing the key for something else afterwards. */
  async #do(
    agent: string,
    action: string,
    object: string | undefined,
    body: object,
  ): Promise<{ object?: string; secret?: string; receipt?: Told }> {
    const request: PublicRequest = {
      agent,
      action,
      key: `key-${this.#keys++}`,
      body,
      ...(object === undefined ? {} : { object }),
    };
    const random = this.#random.fork();
    const twin = this.#random.chance(0.1) ? send(this.#cluster, request, this.#random.fork()) : undefined;
    const first = await send(this.#cluster, request, random);
    this.#ended.push(first);
    if (twin !== undefined) this.#ended.push(await twin);
    if (this.#random.chance(0.05))
      this.#ended.push(await send(this.#cluster, { ...request, action, body: { ...body, other: true } }, random));
    if (first.outcome.kind !== 'done') return {};
    const receipt = JSON.parse(Buffer.from(first.outcome.receipt).toString()) as Told;
    return {
      object: receipt.object,
      receipt,
      ...(first.outcome.secret === undefined ? {} : { secret: first.outcome.secret }),
    };
  }
}

type Told = {
  readonly object: string;
  readonly entry?: number;
  readonly assignment?: number;
  readonly memory?: string;
  readonly engagement?: string;
};
