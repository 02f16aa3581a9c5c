import { contentOf, hashOf, idOf, World } from './world.ts';

/** In [0, 1). */
export type Next = () => number;

const agents = [1, 2, 3, 4].map((n) => idOf('agent', n));

/** Random traffic of four agents in a few threads and Tasks, by the real deciders: every action there is, deadlines, account walks. */
export const randomStory = (next: Next, steps: number): World => new Story(next).tell(steps);

class Story {
  readonly #world = new World(2);
  readonly #next: Next;
  readonly #threads: string[] = [];
  #memories: {
    id: string;
    author: string;
    born?: { thread: string; entry: number; content: ReturnType<typeof contentOf> };
  }[] = [];
  #grants = 0;
  #contents = 0;
  #entries = 0;
  readonly #assignments: { thread: string; assignment: number; creator: string; assignee: string }[] = [];
  readonly #tasks: { id: string; author: string; judge: string; version: number }[] = [];
  readonly #engagements: { task: string; id: string; agent: string; judge: string }[] = [];
  readonly #walks = new Map<string, number>();

  constructor(next: Next) {
    this.#next = next;
  }

  tell(steps: number): World {
    for (const [i, agent] of agents.entries())
      this.#world.act('agent', agent, 'administration', {
        type: 'agent.create',
        labels: i === 0 ? ['b', 'a'] : [],
        key: idOf('key', i + 1),
        hash: hashOf(i + 1),
      } as never);
    for (let i = 0; i < 3; i++) this.#openThread();
    for (let i = 0; i < steps; i++) this.#step();
    return this.#world;
  }

  /** All agents join; grants, and so memberships, come and go later. */
  #openThread(): void {
    const thread = idOf('thread', this.#threads.length + 1);
    this.#threads.push(thread);
    this.#world.act('thread', thread, this.#pick(agents), {
      type: 'thread.create',
      content: this.#content(),
      grant: { ...this.#grant(), role: 'speaker' },
    } as never);
    for (const agent of agents)
      this.#world.act('thread', thread, agent, { type: 'thread.join', hash: hashOf(1_000 + this.#grants) } as never);
  }

  #step(): void {
    const thread = this.#pick(this.#threads.slice(-4));
    const agent = this.#pick(agents);
    const act = (payload: Record<string, unknown>) => this.#world.act('thread', thread, agent, payload as never);
    const entry = 1 + this.#below(8);
    const others = agents.filter(() => this.#next() < 0.5);
    const steps: readonly (() => unknown)[] = [
      () => act({ type: 'thread.join', hash: hashOf(1_000 + this.#grants) }),
      () => act({ type: 'thread.join', hash: hashOf(1_000 + this.#grants - this.#below(3)) }),
      () => act({ type: 'thread.grant', ...this.#grant() }),
      () => this.#next() < 0.2 && act({ type: 'thread.revoke-grant' }),
      () => this.#post(thread, agent, {}),
      () => this.#post(thread, agent, { replyTo: entry }),
      () => this.#post(thread, agent, { ask: others.filter((other) => other !== agent) }),
      () =>
        this.#post(thread, agent, {
          replyTo: entry,
          ask: others.filter((other) => other !== agent),
          assign: this.#assign(),
        }),
      () => this.#post(thread, agent, { assign: this.#assign() }),
      () => act({ type: 'thread.handle', entry, ...(this.#next() < 0.5 ? { note: this.#content() } : {}) }),
      () => act({ type: 'thread.retract', entry }),
      () =>
        this.#onAssignment('assignee', {
          type: 'assignment.take',
          ...(this.#next() < 0.3 ? { delivery: this.#delivery() } : {}),
        }),
      () => this.#onAssignment('assignee', { type: 'assignment.take' }),
      () => this.#onAssignment('assignee', { type: 'assignment.deliver', delivery: this.#delivery() }),
      () => this.#onAssignment('assignee', { type: 'assignment.drop' }),
      () => this.#onAssignment('creator', { type: 'assignment.void' }),
      () => this.#onAssignment('creator', { type: 'assignment.adopt' }),
      () => this.#onAssignment('creator', { type: 'assignment.reject', content: this.#content() }),
      () => this.#next() < 0.3 && act({ type: 'thread.leave' }),
      () => this.#next() < 0.2 && act({ type: 'thread.remove', member: this.#pick(agents) }),
      () =>
        act({
          type: 'thread.set-role',
          member: this.#pick(agents),
          role: this.#pick(['observer', 'speaker', 'governor']),
        }),
      () => this.#next() < 0.02 && act({ type: 'thread.close' }),
      () => this.#openThread(),
      () => this.#memory(),
      () => this.#memory(),
      () => this.#offerTask(),
      () => this.#onTask(),
      () => this.#take(),
      () => this.#take(),
      () => this.#onEngagement('agent', { type: 'engagement.deliver', delivery: this.#delivery() }),
      () => this.#onEngagement('agent', { type: 'engagement.deliver', delivery: this.#delivery() }),
      () => this.#onEngagement('agent', { type: 'engagement.drop' }),
      () => this.#onEngagement('judge', { type: 'engagement.adopt' }),
      () => this.#onEngagement('judge', { type: 'engagement.reject', content: this.#content() }),
      () => this.#next() < 0.3 && this.#tasks.length > 0 && this.#world.takeOver('task', this.#pick(this.#tasks).id),
      () => this.#tasks.length > 0 && this.#world.fire('task', this.#pick(this.#tasks).id),
      () => this.#administer(agent),
      () => this.#next() < 0.3 && this.#world.pass(this.#below(80) * 1_000),
      () => this.#next() < 0.1 && this.#walk(agent),
      () => this.#next() < 0.3 && this.#world.takeOver('thread', thread),
      () => this.#world.fire('thread', thread),
    ];
    this.#pick(steps)();
  }

  #post(thread: string, agent: string, extra: Record<string, unknown>): void {
    const known = this.#memories.length > 0 && this.#next() < 0.3 ? this.#pick(this.#memories) : undefined;
    const content = this.#content();
    const id = idOf('memory', 500 + ++this.#entries);
    const memory =
      known === undefined ? { kind: 'born', id, content } : { kind: 'reference', pin: { id: known.id, version: 1 } };
    const fact = this.#world.act('thread', thread, agent, { type: 'thread.post', memory, ...extra } as never);
    const posted = fact?.effects.find((effect) => effect.type === 'entry.posted');
    const assigned = fact?.effects.find((effect) => effect.type === 'assignment.created');
    if (assigned !== undefined) this.#assignments.push({ thread, ...assigned });
    if (known === undefined && posted !== undefined)
      this.#memories.push({ id, author: agent, born: { thread, entry: posted.entry, content } });
  }

  /** Mostly of a late one, by who may. */
  #onAssignment(by: 'creator' | 'assignee', payload: Record<string, unknown>): void {
    const late = this.#assignments.slice(-6);
    if (late.length === 0) return;
    const assignment = this.#pick(late);
    const agent = this.#next() < 0.9 ? assignment[by] : this.#pick(agents);
    this.#world.act('thread', assignment.thread, agent, { ...payload, assignment: assignment.assignment } as never);
  }

  #offerTask(): void {
    const author = this.#pick(agents);
    const id = idOf('task', this.#tasks.length + 1);
    const named = agents.filter((agent) => agent !== author && this.#next() < 0.7);
    const audience =
      this.#next() < 0.5 || named.length === 0 ? { kind: 'open' } : { kind: 'restricted', agents: named };
    const contract = this.#contract(author, audience.kind);
    if (this.#world.act('task', id, author, { type: 'task.create', audience, ...contract } as never))
      this.#tasks.push({ id, author, judge: contract.judge, version: 1 });
  }

  #contract(author: string, audience: string) {
    return {
      content: this.#content(),
      structured: this.#next() < 0.3,
      requiredInputs: this.#memories.slice(0, this.#below(2)).map(({ id }) => ({ id, version: 1 })),
      informative: this.#memories.slice(0, this.#below(2)).map(({ id }) => ({ id, version: 1 })),
      deliverySeconds: 60,
      judgmentSeconds: 60,
      withoutJudgment: this.#pick(['adopted', 'undecided']),
      judge: this.#next() < 0.7 ? author : this.#pick(agents),
      eligibility: this.#pick([[], [], ['x']]),
      ...(this.#next() < 0.5 ? { maxAdoptions: 1 + this.#below(2) } : {}),
      adoptedReaders: this.#pick(['parties', 'audience', ...(audience === 'open' ? ['anyone'] : [])]),
    };
  }

  /** Its author revises, pauses or resumes it. */
  #onTask(): void {
    if (this.#tasks.length === 0) return;
    const task = this.#pick(this.#tasks.slice(-4));
    const act = (payload: object) => this.#world.act('task', task.id, task.author, payload as never);
    if (this.#next() < 0.5) {
      act({ type: this.#pick(['task.pause', 'task.resume', 'task.resume']) });
      return;
    }
    const contract = this.#contract(task.author, 'restricted');
    if (!act({ type: 'task.revise', ...contract })) return;
    task.version += 1;
    task.judge = contract.judge;
  }

  /** A late Task by anyone, with a delivery or without, again or for the first time, now and then redoing an earlier engagement. */
  #take(): void {
    if (this.#tasks.length === 0) return;
    const task = this.#pick(this.#tasks.slice(-4));
    const agent = this.#pick(agents);
    const earlier = this.#engagements.filter((one) => one.task === task.id && one.agent === agent).at(-1);
    const fact = this.#world.act('task', task.id, agent, {
      type: 'task.take',
      engagement: idOf('engagement', this.#world.actions + 1),
      labels: this.#pick([[], ['x']]),
      ...(this.#next() < 0.5 ? { version: task.version } : {}),
      ...(earlier !== undefined && this.#next() < 0.5 ? { redoes: earlier.id } : {}),
      ...(this.#next() < 0.3 ? { delivery: this.#delivery() } : {}),
    } as never);
    const confirmed = fact?.effects.find((effect) => effect.type === 'engagement.confirmed');
    if (confirmed !== undefined)
      this.#engagements.push({ task: task.id, id: confirmed.engagement, agent, judge: confirmed.judge });
  }

  /** Mostly of a late one, by who may. */
  #onEngagement(by: 'agent' | 'judge', payload: Record<string, unknown>): void {
    const late = this.#engagements.slice(-6);
    if (late.length === 0) return;
    const engagement = this.#pick(late);
    const agent = this.#next() < 0.9 ? engagement[by] : this.#pick(agents);
    this.#world.act('task', engagement.task, agent, { ...payload, engagement: engagement.id } as never);
  }

  #memory(): void {
    const known = this.#memories.length > 0 && this.#next() < 0.7 ? this.#pick(this.#memories) : undefined;
    if (known === undefined) {
      const memory = { id: idOf('memory', 100 + this.#memories.length), author: this.#pick(agents) };
      if (
        this.#world.act('memory', memory.id, memory.author, {
          type: 'memory.create',
          content: this.#content(),
        } as never)
      )
        this.#memories.push(memory);
      return;
    }
    const type = this.#pick([
      'memory.update',
      'memory.publish',
      'memory.unpublish',
      'memory.publish',
      'memory.withdraw',
    ]);
    const genesis = known.born === undefined ? {} : { genesis: { author: known.author, ...known.born } };
    const payload = { type, ...(type === 'memory.update' ? { content: this.#content() } : {}), ...genesis };
    this.#world.act('memory', known.id, known.author, payload as never);
  }

  #administer(agent: string): void {
    const key = idOf('key', 10 + this.#below(4));
    const n = this.#world.actions;
    const payloads = [
      { type: 'agent.issue-key', key: idOf('key', 100 + n), hash: hashOf(5_000 + n) },
      { type: 'agent.revoke-key', key },
      { type: 'agent.set-labels', labels: ['x', `l${n}`] },
    ];
    this.#world.act('agent', agent, 'administration', this.#pick(payloads) as never);
  }

  #walk(agent: string): void {
    const partitions = (['memory', 'thread', 'task'] as const).flatMap((kind) =>
      [0, 1].map((partition) => ({ kind, partition })),
    );
    for (const change of ['deactivate', 'activate'] as const) {
      if (change === 'activate' && this.#next() < 0.3) return;
      if (!this.#world.act('agent', agent, 'administration', { type: `agent.${change}`, partitions } as never))
        continue;
      const walk = (this.#walks.get(agent) ?? 0) + 1;
      this.#walks.set(agent, walk);
      this.#world.applyWalk('memory', agent, walk, change, []);
      this.#world.applyWalk('thread', agent, walk, change, this.#threads);
      this.#world.applyWalk(
        'task',
        agent,
        walk,
        change,
        this.#tasks.map(({ id }) => id),
      );
      this.#world.completeWalk(agent, walk, change);
    }
  }

  #assign() {
    return {
      to: this.#pick(agents),
      content: this.#content(),
      structured: this.#next() < 0.5,
      deliverySeconds: 60,
      judgmentSeconds: 60,
      ...(this.#next() < 0.2 ? { redoes: 1 } : {}),
    };
  }
  #delivery() {
    return {
      memories: this.#memories.slice(0, this.#below(2)).map(({ id }) => ({ id, version: 1 })),
      content: this.#content(),
    };
  }
  #grant() {
    return { role: this.#pick(['speaker', 'speaker', 'observer', 'governor']), hash: hashOf(1_000 + ++this.#grants) };
  }
  #content() {
    return contentOf(++this.#contents);
  }
  #below(below: number): number {
    return Math.floor(this.#next() * below);
  }
  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)]!;
  }
}
