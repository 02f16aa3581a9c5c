import { beforeEach, describe, expect, it } from '@jest/globals';
import { createInMemoryLog, type InMemoryLog } from '@kungfu/log-in-memory';
import { SeededRandom, VirtualTime } from '@kungfu/log-in-memory/simulated';
import {
  type ActionInput,
  actionCatalogue,
  actionsTopic,
  decodeInput,
  defaultLimits,
  type ShapeError,
  topicSettings,
} from '@kungfu/protocol';
import type { Outcome, PublicRequest } from '../http/pipeline-port.ts';
import { unlimited } from '../limits/limiter.ts';
import { InMemoryGatewayTables } from '../testing/in-memory-tables.ts';
import { bindingOf } from './identity.ts';
import { ActionPipeline } from './pipeline.ts';

const ada = 'agent_00000000000000000000000001';
const one = 'memory_00000000000000000000000001';
const other = 'memory_00000000000000000000000002';
const publish = (object: string): PublicRequest => ({
  agent: ada,
  action: 'memory.publish',
  key: 'k',
  object,
  body: {},
});

const thread = 'thread_00000000000000000000000001';
const join: PublicRequest = { agent: ada, action: 'thread.join', key: 'j', body: { secret: 'kfg_x' } };
const assign: PublicRequest = {
  agent: ada,
  action: 'thread.post',
  key: 'k',
  object: thread,
  body: {
    content: { body: 'b' },
    assign: { to: ada, content: { title: 't', outputSchema: { type: 'object' } } },
  },
};

let time: VirtualTime;
let log: InMemoryLog;
let tables: InMemoryGatewayTables;
let pipeline: ActionPipeline;
let limited: number | undefined;
/** Joins under way or failed, and what the limiter says of the next. */
let joins: { under: number; retryAfter?: number };
let opens: string | undefined;
let declared: { schema: unknown; at: string }[];
let faults: ShapeError[];

beforeEach(() => {
  time = new VirtualTime(new SeededRandom(1));
  log = createInMemoryLog({ topics: topicSettings({ partitions: 1 }), clock: time, timers: time });
  tables = new InMemoryGatewayTables();
  limited = undefined;
  joins = { under: 0 };
  opens = undefined;
  declared = [];
  faults = [];
  pipeline = new ActionPipeline({
    catalogue: actionCatalogue(defaultLimits),
    limits: defaultLimits,
    log,
    tables,
    limiter: {
      ...unlimited,
      consume: async () => limited,
      join: async () => {
        if (joins.retryAfter !== undefined) return { retryAfter: joins.retryAfter };
        joins.under += 1;
        return {
          notFailed: async () => {
            joins.under -= 1;
          },
        };
      },
    },
    schemas: {
      declared: async (schema, at) => {
        declared.push({ schema, at });
        return faults;
      },
      misses: async () => [],
    },
    references: {
      inactive: async () => [],
      memory: async () => undefined,
      threadOfGrant: async () => opens,
      assignmentOutput: async () => 'free',
      engagementOutput: async () => 'free',
      takeTarget: async () => undefined,
      labels: async () => [],
      mayKnowTask: async () => false,
    },
    wakes: { listening: false, register: () => ({ wait: (ms) => time.sleep(ms).then(() => false), end: () => {} }) },
    clock: time,
    random: new SeededRandom(2),
    walkPartitions: async () => [],
    onTrouble: (error) => {
      throw error;
    },
  });
});

const actions = async (kind: 'memory' | 'thread' = 'memory'): Promise<readonly ActionInput[]> => {
  const records = await log.read({ topic: actionsTopic(kind), partition: 0, offset: 0 }, 100);
  return records.map((record) => decodeInput(record) as ActionInput);
};

const ended = async (request: PublicRequest): Promise<Outcome> => {
  let outcome: Outcome | undefined;
  void pipeline.execute(request).then((found) => (outcome = found));
  expect(await time.run(() => outcome !== undefined, 60_000)).toBe(true);
  return outcome!;
};

const accept = ({ binding, fingerprint }: ActionInput): void =>
  tables.project(binding, { fingerprint, receipt: Buffer.from(`{"of":"${fingerprint}"}`) });

describe('the action pipeline', () => {
  it('[L3-1] [L3-7] has one action for two requests at once, and equal receipts', async () => {
    const outcomes: Outcome[] = [];
    for (let n = 0; n < 2; n++) void pipeline.execute(publish(one)).then((outcome) => outcomes.push(outcome));
    await time.run(() => false, 300);
    const sent = await actions();
    expect(sent).toMatchObject([{ object: one, attempt: 1, agent: ada }]);
    accept(sent[0]!);
    expect(await time.run(() => outcomes.length === 2, 5_000)).toBe(true);
    expect(outcomes.map((outcome) => outcome.kind === 'done' && String(outcome.receipt))).toEqual(
      Array(2).fill(`{"of":"${sent[0]!.fingerprint}"}`),
    );
  });

  it('[L3-2] refuses another object under the key once the first has succeeded', async () => {
    void pipeline.execute(publish(one));
    await time.run(() => false, 300);
    accept((await actions())[0]!);
    expect(await ended(publish(other))).toEqual({ kind: 'refused', code: 'idempotency_conflict' });
    expect(await actions()).toHaveLength(1);
  });

  it('[L3-6] answers a replay also over the limit', async () => {
    void pipeline.execute(publish(one));
    await time.run(() => false, 300);
    accept((await actions())[0]!);
    limited = 7;
    expect(await ended(publish(one))).toMatchObject({ kind: 'done', replayed: true });
    expect(await ended({ ...publish(one), key: 'new' })).toEqual({
      kind: 'refused',
      code: 'rate_limited',
      retryAfter: 7,
    });
  });

  it('[L3-5] never acts on the object of another request whose key is freed meanwhile', async () => {
    void pipeline.execute(publish(one));
    await time.run(() => false, 300);
    const [first] = await actions();
    const reserve = tables.reserve.bind(tables);
    // Between looking and reserving the first is refused, so its key is free.
    tables.reserve = async (reservation) => {
      tables.refuse({ ...first!, input: 0, action: first!.id, code: 'not_found' });
      return reserve(reservation);
    };
    void pipeline.execute(publish(other));
    await time.run(() => false, 300);
    expect((await actions()).map(({ object }) => object)).toEqual([one, other]);
  });

  it('[L3-7] sends nothing for whoever loses the take-over of an attempt that has run out', async () => {
    void pipeline.execute(publish(one));
    await time.run(() => false, 20_000);
    const takeOver = tables.takeOver.bind(tables);
    // Another gateway is a moment faster.
    tables.takeOver = async (next, from) => {
      await takeOver(next, from);
      return takeOver(next, from);
    };
    for (const request of [publish(one), publish(other)])
      expect(await ended(request)).toEqual({ kind: 'refused', code: 'pending', retryAfter: 1 });
    expect(await actions()).toHaveLength(1);
  });

  it('[L3-5] gives receipts and pending only while a raised generation is not passed', async () => {
    tables.state = { generation: 1, fenced: true };
    limited = 7;
    expect(await ended(publish(one))).toEqual({ kind: 'refused', code: 'pending', retryAfter: 1 });
    expect(tables.reservations.size).toBe(0);
    tables.project(bindingOf(ada, 'memory.publish', 'k'), { fingerprint: 'v1:other', receipt: Buffer.from('{}') });
    expect(await ended(publish(one))).toEqual({ kind: 'refused', code: 'idempotency_conflict' });
  });

  it('[T-7] counts a join that failed, and no other', async () => {
    expect(await ended(join)).toEqual({ kind: 'refused', code: 'grant_invalid' });
    expect(joins.under).toBe(1);
    opens = thread;
    void pipeline.execute(join);
    await time.run(() => false, 300);
    expect(joins.under).toBe(2);
    const [sent] = await actions('thread');
    tables.refuse({ ...sent!, input: 0, action: sent!.id, code: 'capacity_members' });
    await time.run(() => false, 300);
    expect(joins.under).toBe(1);
    void pipeline.execute(join);
    await time.run(() => false, 300);
    accept((await actions('thread'))[1]!);
    await time.run(() => false, 300);
    expect(joins.under).toBe(1);
  });

  it('[T-7] [L3-6] answers the replay of a join also when too many have failed', async () => {
    opens = thread;
    void pipeline.execute(join);
    await time.run(() => false, 300);
    joins.retryAfter = 9;
    // Somebody holds the binding: nothing may be refused.
    expect(await ended(join)).toMatchObject({ code: 'pending' });
    accept((await actions('thread'))[0]!);
    expect(await ended(join)).toMatchObject({ kind: 'done', replayed: true });
    expect(await ended({ ...join, key: 'new' })).toEqual({ kind: 'refused', code: 'rate_limited', retryAfter: 9 });
  });

  it('[T-44] [L3-1] has a declared structure looked at once: behind the receipt, the limit and the binding', async () => {
    faults = [{ pointer: '/assign/content/outputSchema/x', keyword: 'unbounded', detail: 'x' }];
    const invalid = { kind: 'refused', code: 'invalid', errors: faults };
    expect(await ended(assign)).toEqual(invalid);
    expect(declared).toEqual([{ schema: { type: 'object' }, at: '/assign/content/outputSchema' }]);
    expect(tables.reservations.size).toBe(0);
    limited = 7;
    expect(await ended(assign)).toMatchObject({ code: 'rate_limited' });
    limited = undefined;
    faults = [];
    void pipeline.execute(assign);
    await time.run(() => false, 300);
    const [sent] = await actions('thread');
    faults = invalid.errors;
    void pipeline.execute(assign);
    await time.run(() => false, 300);
    accept(sent!);
    expect(await ended(assign)).toMatchObject({ kind: 'done', replayed: true });
    expect(declared).toHaveLength(2);
  });

  it('stops when all in flight have ended, and leaves no producer open', async () => {
    let open = 0;
    const producer = log.producer.bind(log);
    log.producer = async (...settings) => {
      const made = await producer(...settings);
      const close = made.close.bind(made);
      open += 1;
      made.close = async () => {
        open -= 1;
        await close();
      };
      return made;
    };
    void pipeline.execute({ agent: ada, action: 'memory.create', key: 'k', body: { content: { body: 'b' } } });
    await time.run(() => false, 300);
    expect(open).toBe(2);
    const stopped: number[] = [];
    for (let n = 0; n < 2; n++) void pipeline.stop().then(() => stopped.push(open));
    expect(await ended(publish(one))).toMatchObject({ code: 'overloaded' });
    expect(stopped).toEqual([]);
    accept((await actions())[0]!);
    expect(await time.run(() => stopped.length === 2, 5_000)).toBe(true);
    expect(stopped).toEqual([0, 0]);
  });
});
