import { InMemoryGatewayTables, type MemoryReference, type References } from '@kungfu/gateway';
import type { TopicPartition } from '@kungfu/log-port';
import {
  agentKind,
  type AgentState,
  type Fact,
  type KindName,
  memoryKind,
  type MemoryState,
  receiptOf,
  taskKind,
  type TaskState,
  threadKind,
  type ThreadState,
} from '@kungfu/protocol';
import {
  type ContentAdvance,
  type FactAdvance,
  type Outcome,
  type ProjectedPosition,
  type ProjectionStore,
  startOf,
  type OutputStructure,
  type TakeTarget,
} from '@kungfu/read-model';
import type { AccountWalk, AccountWalks, DueDeadline, DueDeadlines } from '@kungfu/scheduler';

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
type Walk = {
  readonly agent: string;
  readonly walk: number;
  readonly change: 'deactivate' | 'activate';
  readonly partitions: readonly { kind: KindName; partition: number }[];
};
type Born = NonNullable<MemoryReference['genesis']>;

/** The database of a simulation: what Postgres is to the gateways, the projector and the scheduler, every call one transaction. */
export class SimulatedDatabase implements ProjectionStore, References, DueDeadlines, AccountWalks {
  readonly tables = new InMemoryGatewayTables();
  readonly #positions = new Map<string, ProjectedPosition>();
  readonly #agents = new Map<string, AgentState>();
  readonly #memories = new Map<string, MemoryState>();
  readonly threads = new Map<string, ThreadState>();
  readonly tasks = new Map<string, TaskState>();
  readonly #born = new Map<string, Born>();
  readonly #walks = new Map<string, Walk>();
  readonly #applied = new Set<string>();
  readonly facts: Fact[] = [];

  async load(partitions: readonly TopicPartition[]): Promise<readonly ProjectedPosition[]> {
    return partitions.map((partition) => this.#positions.get(nameOf(partition)) ?? startOf(partition));
  }

  async apply(batch: readonly FactAdvance[]): Promise<Outcome> {
    return this.#move(batch, ({ to, facts, refused }) => {
      for (const { fact } of facts) this.#fold(fact, to.partition);
      for (const refusal of refused) this.tables.refuse(refusal);
    });
  }

  async applyContent(batch: readonly ContentAdvance[]): Promise<Outcome> {
    return this.#move(batch, () => {});
  }

  async inactive(agents: readonly string[]): Promise<readonly string[]> {
    return agents.filter((agent) => this.#agents.get(agent)?.status !== 'active');
  }

  async memory(id: string, version?: number): Promise<MemoryReference | undefined> {
    const born = this.#born.get(id);
    const state = this.#memories.get(id);
    if (state === undefined || state.status === 'absent') {
      return born === undefined
        ? undefined
        : {
            author: born.author,
            status: 'valid',
            visibility: 'private',
            current: 1,
            hasVersion: version === 1,
            genesis: born,
          };
    }
    if (state.status === 'withdrawn')
      return { author: state.author, status: 'withdrawn', visibility: 'private', current: 1, hasVersion: true };
    return {
      author: state.author,
      status: 'valid',
      visibility: state.visibility,
      current: state.version,
      hasVersion: (version ?? 1) <= state.version,
    };
  }

  async threadOfGrant(hash: string): Promise<string | undefined> {
    return [...this.threads].find(([, state]) => state.status !== 'absent' && state.grant?.hash === hash)?.[0];
  }

  async assignmentOutput(): Promise<OutputStructure> {
    return 'free';
  }

  async engagementOutput(): Promise<OutputStructure> {
    return 'free';
  }

  async takeTarget(task: string, agent: string): Promise<TakeTarget | undefined> {
    const state = this.tasks.get(task);
    if (state?.status !== 'open') return undefined;
    const open = [...state.live.values()].find((live) => live.agent === agent);
    return { author: state.author, version: open?.version ?? state.terms.version, output: 'free' };
  }

  async labels(): Promise<readonly string[]> {
    return [];
  }

  async mayKnowTask(task: string): Promise<boolean> {
    return this.tasks.has(task);
  }

  async due({ now, limit }: { readonly now: number; readonly limit: number }): Promise<readonly DueDeadline[]> {
    const threads = [...this.threads].filter(([, state]) => threadKind.due(state, now).length > 0);
    const tasks = [...this.tasks].filter(([, state]) => taskKind.due(state, now).length > 0);
    const due = [
      ...threads.map(([object]) => ({ kind: 'thread', object })),
      ...tasks.map(([object]) => ({ kind: 'task', object })),
    ];
    return due.slice(0, limit).map((one) => ({ ...one, dueAt: now }) as unknown as DueDeadline);
  }

  async underWay({
    after,
    limit,
  }: {
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly AccountWalk[]> {
    const running = [...this.#walks.values()].filter(
      ({ agent }) => agent > after && ['deactivating', 'activating'].includes(this.#agents.get(agent)?.status ?? ''),
    );
    return running.slice(0, limit).map(({ agent, walk, change, partitions }) => ({
      agent,
      walk,
      change,
      missing: partitions.filter(({ kind, partition }) => !this.#applied.has(`${agent}/${walk}/${kind}/${partition}`)),
    }));
  }

  statusOf(agent: string): string {
    return this.#agents.get(agent)?.status ?? 'absent';
  }

  #move<A extends FactAdvance | ContentAdvance>(batch: readonly A[], write: (advance: A) => void): Outcome {
    const current = batch.filter(({ from, to }) => (this.#positions.get(nameOf(to))?.next ?? 0) === from);
    for (const advance of current) {
      write(advance);
      this.#positions.set(nameOf(advance.to), advance.to);
    }
    const places = (advances: readonly A[]) => advances.map(({ to: { topic, partition } }) => ({ topic, partition }));
    return {
      applied: places(current),
      stale: places(batch.filter((advance) => !current.includes(advance))),
      unfoldable: [],
    };
  }

  #fold(fact: Fact, partition: number): void {
    this.facts.push(fact);
    const { kind, id } = fact.object;
    for (const effect of fact.effects) {
      if (effect.type === 'account.applied') this.#applied.add(`${effect.agent}/${effect.walk}/${kind}/${partition}`);
      if (effect.type.startsWith('account.')) continue;
      if (kind === 'agent')
        this.#agents.set(id, agentKind.evolve(this.#agents.get(id) ?? agentKind.initial, effect as never, fact.at));
      if (kind === 'memory')
        this.#memories.set(
          id,
          memoryKind.evolve(this.#memories.get(id) ?? memoryKind.initial, effect as never, fact.at),
        );
      if (kind === 'thread')
        this.threads.set(id, threadKind.evolve(this.threads.get(id) ?? threadKind.initial, effect as never, fact.at));
      if (kind === 'task')
        this.tasks.set(id, taskKind.evolve(this.tasks.get(id) ?? taskKind.initial, effect as never, fact.at));
      if (effect.type === 'memory.created' && kind === 'thread')
        this.#born.set(effect.memory, {
          author: effect.author,
          content: effect.content,
          thread: id,
          entry: effect.entry!,
        });
      if (effect.type === 'agent.deactivating')
        this.#walks.set(id, { agent: id, walk: effect.walk, change: 'deactivate', partitions: effect.partitions });
      if (effect.type === 'agent.activating')
        this.#walks.set(id, { agent: id, walk: effect.walk, change: 'activate', partitions: effect.partitions });
    }
    const receipt = receiptOf(fact);
    if (fact.cause.kind === 'action' && receipt !== undefined)
      this.tables.project(fact.cause.binding, { fingerprint: fact.cause.fingerprint, receipt });
  }
}
