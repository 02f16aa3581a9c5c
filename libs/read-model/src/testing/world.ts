import type { LogRecord } from '@kungfu/log-port';
import {
  actionsTopic,
  type AnyEffect,
  agentKind,
  type Cause,
  type ContentRef,
  type Decided,
  defaultLimits,
  encodeClaim,
  encodeDecided,
  encodeFact,
  type Encoded,
  type Fact,
  factsTopic,
  inboxKind,
  type Kind,
  memoryKind,
  type Refused,
  taskKind,
  threadKind,
} from '@kungfu/protocol';

/** A TypeID with this number. */
export const idOf = <P extends string>(prefix: P, n: number): `${P}_${string}` =>
  `${prefix}_${String(n).padStart(26, '0')}`;
export const hashOf = (n: number): string => n.toString(16).padStart(64, '0');
export const contentOf = (n: number): ContentRef => ({
  id: idOf('content', n),
  bytes: 10 + (n % 90),
  sha256: hashOf(n),
});

const worldKinds = ['agent', 'memory', 'thread', 'task'] as const;
export type WorldKind = (typeof worldKinds)[number] | 'akep.inbox';
type Payload = { readonly type: string };
// biome-ignore lint/suspicious/noExplicitAny: kinds of different states and actions in one table
const kinds: Readonly<Record<WorldKind, Kind<any, any, any>>> = {
  agent: agentKind,
  memory: memoryKind,
  thread: threadKind,
  task: taskKind,
  'akep.inbox': inboxKind,
};
const limits = { ...defaultLimits };

type Partition = {
  readonly kind: WorldKind;
  readonly partition: number;
  readonly records: Encoded[];
  epoch: string;
  n: number;
  inputs: number;
};

/** Facts as the real deciders make them, on fact partitions as owners write them. Time goes on by a second an action. */
export class World {
  readonly #states = new Map<string, unknown>();
  readonly #revisions = new Map<string, number>();
  readonly #partitions: Partition[];
  #actions = 0;
  #at = Date.UTC(2030, 0, 1);

  /** So many partitions of each kind; those of Kungfu if nothing else is said. */
  constructor(
    readonly count: number,
    inhabited: readonly WorldKind[] = worldKinds,
  ) {
    this.#partitions = inhabited.flatMap((kind) =>
      Array.from({ length: count }, (_, partition) => ({ kind, partition, records: [], epoch: '', n: 0, inputs: 0 })),
    );
    for (const partition of this.#partitions) this.#claim(partition);
  }

  get at(): number {
    return this.#at;
  }
  /** The state of an object as the deciders have it. */
  state<State>(kind: WorldKind, object: string): State {
    return this.#stateOf(kind, object) as State;
  }

  /** How many actions there were, refused ones too. */
  get actions(): number {
    return this.#actions;
  }

  pass(ms: number): void {
    this.#at += ms;
  }

  partitionOf(object: string): number {
    return Number(object.slice(-2)) % this.count;
  }

  /** Decides an action as an owner would; the fact, or undefined if it is refused, which is recorded too. */
  act(
    kind: WorldKind,
    object: string,
    agent: string,
    payload: Payload,
    extra: Partial<Pick<Fact, 'content'>> = {},
  ): Fact | undefined {
    this.#at += 1_000;
    const n = ++this.#actions;
    this.fire(kind, object);
    const decision = kinds[kind].decide(this.#stateOf(kind, object), payload, {
      object,
      agent,
      at: this.#at,
      inactive: () => false,
      limits,
    });
    const id = idOf('action', n);
    if (decision.kind === 'refused') {
      this.#decided(this.#partition(kind, object), [
        { input: n, action: id, attempt: 1, binding: hashOf(n), code: decision.code, notAfter: this.#at + 60_000 },
      ]);
      return undefined;
    }
    const cause: Cause = {
      kind: 'action',
      id,
      attempt: 1,
      agent: agent as never,
      action: payload.type,
      binding: hashOf(n),
      fingerprint: `v1:${hashOf(n)}`,
    };
    return this.#record(kind, object, cause, decision.effects, {
      ...extra,
      ...(decision.existing === undefined ? {} : { existing: decision.existing }),
    });
  }

  /** Records the deadlines that are due. */
  fire(kind: WorldKind, object: string): void {
    for (const { dueAt, effects } of kinds[kind].due(this.#stateOf(kind, object), this.#at))
      this.#record(kind, object, { kind: 'deadline', dueAt }, effects, {});
  }

  /** A walk through the partitions of a kind, as an owner applies it; the objects are those that know the agent. */
  applyWalk(
    kind: Exclude<WorldKind, 'agent'>,
    agent: string,
    walk: number,
    change: 'deactivate' | 'activate',
    objects: readonly string[],
  ): void {
    const cause: Cause = { kind: 'account', agent: agent as never, walk, change };
    for (const partition of this.#partitions.filter((p) => p.kind === kind)) {
      const onAccount = (...effects: readonly AnyEffect[]) => this.#recordIn(partition, agent, cause, effects, {});
      if (change === 'activate') {
        onAccount(
          { type: 'account.active', agent: agent as never, walk },
          { type: 'account.applied', agent: agent as never, walk },
        );
        continue;
      }
      onAccount({ type: 'account.inactive', agent: agent as never, walk });
      for (const object of objects.filter((o) => this.partitionOf(o) === partition.partition)) {
        this.fire(kind, object);
        const effects = kinds[kind].deactivate(this.#stateOf(kind, object), agent, this.#at);
        if (effects.length > 0) this.#record(kind, object, cause, effects, {});
      }
      onAccount({ type: 'account.applied', agent: agent as never, walk });
    }
  }

  completeWalk(agent: string, walk: number, change: 'deactivate' | 'activate'): void {
    const effects = agentKind.completeWalk!(this.#stateOf('agent', agent) as never, walk);
    if (effects.length > 0)
      this.#record('agent', agent, { kind: 'account', agent: agent as never, walk, change }, effects, {});
  }

  /** Another owner takes the partition of this object over; records of the one before are void from here on. */
  takeOver(kind: WorldKind, object: string): void {
    const partition = this.#partition(kind, object);
    const before = { epoch: partition.epoch, n: partition.n };
    this.#claim(partition);
    const late = { upTo: 0, at: this.#at, generation: 99, refused: [] };
    partition.records.push(
      encodeDecided(late, { kind, partition: partition.partition, epoch: before.epoch, n: before.n + 1 }),
    );
  }

  /** All that has been recorded, as it stands on the fact topics. */
  records(): readonly (readonly LogRecord[])[] {
    return this.#partitions.map(({ kind, partition, records }) =>
      records.map((record, offset) => ({ topic: factsTopic(kind), partition, offset, timestamp: 0, ...record })),
    );
  }

  #stateOf(kind: WorldKind, object: string): unknown {
    return this.#states.get(object) ?? kinds[kind].initial;
  }

  #partition(kind: WorldKind, object: string): Partition {
    return this.#partitions.find((p) => p.kind === kind && p.partition === this.partitionOf(object))!;
  }

  #record(kind: WorldKind, object: string, cause: Cause, effects: readonly AnyEffect[], extra: Partial<Fact>): Fact {
    this.#states.set(
      object,
      effects.reduce((state, effect) => kinds[kind].evolve(state, effect, this.#at), this.#stateOf(kind, object)),
    );
    return this.#recordIn(this.#partition(kind, object), object, cause, effects, extra);
  }

  #recordIn(
    partition: Partition,
    object: string,
    cause: Cause,
    effects: readonly AnyEffect[],
    extra: Partial<Fact>,
  ): Fact {
    const { kind } = partition;
    const name = `${kind}/${partition.partition}/${object}`;
    const revision = (this.#revisions.get(name) ?? 0) + 1;
    this.#revisions.set(name, revision);
    const fact: Fact = { object: { kind, id: object }, revision, at: this.#at, cause, effects: [...effects], ...extra };
    partition.records.push(encodeFact(fact, this.#place(partition)));
    this.#decided(partition, []);
    return fact;
  }

  #decided(partition: Partition, refused: Refused[]): void {
    const decided: Decided = { upTo: ++partition.inputs, at: this.#at, generation: 0, refused };
    partition.records.push(encodeDecided(decided, this.#place(partition)));
  }

  #claim(partition: Partition): void {
    partition.epoch = `epoch-${partition.kind}-${partition.partition}-${partition.n}`;
    partition.n += 1;
    partition.records.push(
      encodeClaim(
        { nonce: partition.epoch, format: 1 },
        { kind: partition.kind, partition: partition.partition, at: this.#at },
      ),
    );
  }

  #place(partition: Partition) {
    return { kind: partition.kind, partition: partition.partition, epoch: partition.epoch, n: ++partition.n };
  }
}

/** Topics of actions and facts of a world, for a log that is to hold them. */
export const worldTopics = (count: number) =>
  worldKinds.flatMap((kind) =>
    [actionsTopic(kind), factsTopic(kind)].map(
      (topic) => ({ topic, partitions: count, time: 'LogAppendTime', retentionMs: -1, compacted: false }) as const,
    ),
  );
