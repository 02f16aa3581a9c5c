import { describe, expect, it } from '@jest/globals';
import { createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import { Process, SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import {
  type ActionInput,
  actionCatalogue,
  actionsTopic,
  contentTopic,
  decodeInput,
  defaultLimits,
  type RefusalCode,
  topicSettings,
} from '@kungfu/protocol';
import type { Outcome, PublicRequest } from '../http/pipeline-port.ts';
import { unlimited } from '../limits/limiter.ts';
import { InMemoryGatewayTables } from '../testing/in-memory-tables.ts';
import { ActionPipeline } from './pipeline.ts';

const ada = 'agent_00000000000000000000000001';
const create = (body: string): PublicRequest => ({
  agent: ada,
  action: 'memory.create',
  key: 'k',
  body: { content: { body } },
});
const original = create('original');
const changed = create('changed');

/** The log, the tables, and who decides: an owner and projector in one, as far as bindings go (engine.md §3). */
class World {
  readonly time = new VirtualTime(new SeededRandom(1));
  readonly log: InMemoryLog = createInMemoryLog({
    topics: topicSettings({ partitions: 1 }),
    clock: this.time,
    timers: this.time,
  });
  readonly tables = new InMemoryGatewayTables();
  readonly effects: ActionInput[] = [];
  readonly #refused = new Map<string, number>();
  #gateways = 0;
  #decided = 0;

  /** Decides what is in the log, every so often. */
  constructor(everyMs: number) {
    void this.#deciding(everyMs);
  }

  /** A gateway of its own; with a step, one that dies there: before or after what it calls. */
  gateway(dieAtStep?: number): { readonly process: Process; readonly pipeline: ActionPipeline } {
    this.#gateways += 1;
    const process = new Process({
      name: `gateway ${this.#gateways}`,
      time: this.time,
      random: new SeededRandom(this.#gateways),
      skewMs: 0,
      odds: { death: 0, pause: 0 },
      onDeath: () => {},
      ...(dieAtStep === undefined ? {} : { dieAtStep }),
    });
    const { clock, timers, random } = process;
    const pipeline = new ActionPipeline({
      catalogue: actionCatalogue(defaultLimits),
      limits: defaultLimits,
      log: process.guard<InMemoryLog>(this.log),
      tables: process.guard(this.tables),
      limiter: process.guard(unlimited),
      references: process.guard({
        inactive: async () => [],
        memory: async () => undefined,
        threadOfGrant: async () => undefined,
        assignmentOutput: async () => 'free',
        engagementOutput: async () => 'free',
        takeTarget: async () => undefined,
        labels: async () => [],
        mayKnowTask: async () => false,
      }),
      wakes: {
        listening: false,
        register: () => ({ wait: (ms) => timers.sleep(ms).then(() => false), end: () => {} }),
      },
      clock,
      random,
      walkPartitions: async () => [],
      onTrouble: (error) => {
        throw error;
      },
    });
    return { process, pipeline };
  }

  /** What a caller does who repeats while it is `pending`. */
  async ended(pipeline: ActionPipeline, request: PublicRequest): Promise<Outcome> {
    let last: Outcome | undefined;
    const asking = async (): Promise<void> => {
      for (;;) {
        const outcome = await pipeline.execute(request);
        if (outcome.kind === 'done' || outcome.code !== 'pending') {
          last = outcome;
          return;
        }
        await this.time.sleep(1_000);
      }
    };
    void asking();
    expect(await this.time.run(() => last !== undefined, 300_000)).toBe(true);
    return last!;
  }

  /** What an effect was written with: which request it is of, and that its content was in the log before it. */
  async written({ payload }: ActionInput): Promise<string> {
    const { id } = (payload as { content: { id: string } }).content;
    const contents = await this.log.read({ topic: contentTopic, partition: 0, offset: 0 }, 1_000);
    return String(contents.find(({ key }) => key === id)?.value);
  }

  async count(topic: string): Promise<number> {
    return (await this.log.read({ topic, partition: 0, offset: 0 }, 1_000)).length;
  }

  /** How far somebody has come. */
  async progress(): Promise<string> {
    if (this.tables.receipts.size > 0) return 'receipt';
    const steps = {
      reservation: this.tables.reservations.size,
      content: await this.count(contentTopic),
      action: await this.count(actionsTopic('memory')),
    };
    const done = Object.entries(steps).filter(([, count]) => count > 0);
    return done.map(([name]) => name).join(' ');
  }

  async #deciding(everyMs: number): Promise<void> {
    for (;;) {
      await this.time.sleep(everyMs);
      const records = await this.log.read(
        { topic: actionsTopic('memory'), partition: 0, offset: this.#decided },
        1_000,
      );
      for (const record of records) this.#decide(decodeInput(record) as ActionInput, record.timestamp);
      this.#decided += records.length;
    }
  }

  #decide(action: ActionInput, at: number): void {
    const { binding, fingerprint, id, attempt } = action;
    const before = this.effects.find((effect) => effect.binding === binding);
    if (before?.fingerprint === fingerprint || attempt <= (this.#refused.get(id) ?? 0)) return;
    if (before !== undefined) this.#refuse(action, 'idempotency_conflict');
    else if (action.interrupted) this.#refuse(action, 'interrupted');
    else if (at > action.notAfter) this.#refuse(action, 'expired');
    else {
      this.effects.push(action);
      this.tables.project(binding, { fingerprint, receipt: Buffer.from(`{"of":"${id}"}`) });
    }
  }

  #refuse(action: ActionInput, code: RefusalCode): void {
    this.#refused.set(action.id, action.attempt);
    this.tables.refuse({ ...action, input: 0, action: action.id, code });
  }
}

type Case = {
  /** How often the owner decides: at once, or only when the attempt has run out. */
  readonly decides: number;
  /** When the caller repeats: at once, or when the reservation has run out. */
  readonly repeats: number;
};
const cases: readonly Case[] = [20, 14_000].flatMap((decides) => [0, 13_000].map((repeats) => ({ decides, repeats })));

/** Runs a gateway up to its death at each step there is; gives how far it had come each time. */
const atEveryStep = async (
  { decides, repeats }: Case,
  then: (world: World) => Promise<void>,
): Promise<ReadonlySet<string>> => {
  const reached = new Set<string>();
  for (let step = 1; ; step++) {
    const world = new World(decides);
    const { process, pipeline } = world.gateway(step);
    let outcome: Outcome | undefined;
    void pipeline.execute(original).then((found) => {
      outcome = found;
    });
    await world.time.run(() => outcome !== undefined || !process.alive, 60_000);
    if (process.alive) return reached;
    reached.add(await world.progress());
    await world.time.run(() => false, repeats);
    await then(world);
  }
};

const everywhere = ['', 'reservation', 'reservation content', 'reservation content action', 'receipt'];
const receiptOf = (outcome: Outcome): string => (outcome.kind === 'done' ? String(outcome.receipt) : outcome.code);

describe.each(cases)('a gateway that dies, decided every $decides ms, repeated after $repeats ms', (timing) => {
  it('[L2-1] [L3-7] [L3-1] at any step leaves one effect for whoever repeats at another, and one receipt', async () => {
    const reached = await atEveryStep(timing, async (world) => {
      const first = await world.ended(world.gateway().pipeline, original);
      expect(first.kind).toBe('done');
      expect(world.effects).toHaveLength(1);
      const again = await world.ended(world.gateway().pipeline, original);
      expect(again).toMatchObject({ kind: 'done', replayed: true });
      expect(receiptOf(again)).toBe(receiptOf(first));
      await world.time.run(() => false, 20_000);
      expect(await world.written(world.effects[0]!)).toContain('original');
      expect(world.effects).toHaveLength(1);
      expect(world.tables.reservations.size).toBe(0);
    });
    expect([...reached]).toEqual(expect.arrayContaining(everywhere));
  });

  it('[L3-2] [L2-1] at any step leaves its effect or that of another request under the key, never both', async () => {
    const reached = await atEveryStep(timing, async (world) => {
      const other = await world.ended(world.gateway().pipeline, changed);
      await world.time.run(() => false, 20_000);
      const last = await world.ended(world.gateway().pipeline, original);
      const conflict = 'idempotency_conflict';
      expect([receiptOf(other), receiptOf(last)].filter((each) => each === conflict)).toHaveLength(1);
      expect([other.kind, last.kind].filter((kind) => kind === 'done')).toHaveLength(1);
      expect(world.effects).toHaveLength(1);
      expect(await world.written(world.effects[0]!)).toContain(other.kind === 'done' ? 'changed' : 'original');
      expect(world.tables.reservations.size).toBe(0);
    });
    expect([...reached]).toEqual(expect.arrayContaining(everywhere));
  });

  it('[L3-7] [L2-1] at any step, while two others are asked at once, leaves one effect and equal receipts', async () => {
    await atEveryStep(timing, async (world) => {
      const outcomes: Outcome[] = [];
      for (const { pipeline } of [world.gateway(), world.gateway()])
        void pipeline.execute(original).then((outcome) => outcomes.push(outcome));
      await world.time.run(() => outcomes.length === 2, 60_000);
      const settled = await world.ended(world.gateway().pipeline, original);
      for (const outcome of outcomes) expect(['pending', 'expired', receiptOf(settled)]).toContain(receiptOf(outcome));
      expect(world.effects).toHaveLength(1);
    });
  });
});
