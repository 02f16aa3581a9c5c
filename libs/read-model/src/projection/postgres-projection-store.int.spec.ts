import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { createDataSource, migrate } from '../data-source.ts';
import {
  advanceOver,
  contentOf,
  dumpReadModel,
  emptyReadModel,
  hashOf,
  idOf,
  randomStory,
  World,
} from '../testing/index.ts';
import { type FactAdvance, startOf } from './port.ts';
import { PostgresProjectionStore } from './postgres-projection-store.ts';

let pool: pg.Pool;
let store: PostgresProjectionStore;
beforeAll(async () => {
  const url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pool = await testPool(url, 4);
  // The server may be stopped before the last sockets have closed.
  pool.on('error', () => {});
  store = new PostgresProjectionStore(pool);
}, 60_000);
afterAll(async () => {
  await pool.end();
  await stopTestDatabases();
});
beforeEach(async () => {
  await emptyReadModel(pool);
  await pool.query('truncate gateway.reservation');
});

const ask = async (sql: string): Promise<unknown[]> => (await pool.query(sql)).rows;

/** The whole of a world in one step a partition. */
const wholeOf = (world: World): readonly FactAdvance[] =>
  world.records().map((records) => advanceOver(startOf(records[0]!), records));

const project = async (batch: readonly FactAdvance[]): Promise<void> => {
  await store.load(batch.map(({ to }) => to));
  const outcome = await store.apply(batch);
  expect(outcome).toEqual({
    applied: batch.map(({ to: { topic, partition } }) => ({ topic, partition })),
    stale: [],
    unfoldable: [],
  });
};

/** Steps of random length, of random partitions at a time, until all is through. */
const batchesOf = (world: World, next: () => number): readonly (readonly FactAdvance[])[] => {
  const partitions = world.records().map((records) => ({ records, position: startOf(records[0]!) }));
  const batches: (readonly FactAdvance[])[] = [];
  for (;;) {
    const waiting = partitions.filter(({ records, position }) => position.next < records.length);
    if (waiting.length === 0) return batches;
    const chosen = waiting.filter(() => next() < 0.6);
    const batch = chosen.map((partition) => {
      const { records, position } = partition;
      const advance = advanceOver(position, records.slice(position.next, position.next + 1 + Math.floor(next() * 30)));
      partition.position = advance.to;
      return advance;
    });
    if (batch.length > 0) batches.push(batch);
  }
};

const projectShuffled = async (world: World, next: () => number): Promise<void> => {
  for (const batch of batchesOf(world, next)) await project(batch);
};

const seeded = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

describe('the projection', () => {
  it('[L1-1] gives the same rows whatever the order of partitions and the size of batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), fc.integer({ min: 1 }), async (seed, order) => {
        const world = randomStory(seeded(seed), 400);
        await emptyReadModel(pool);
        await project(wholeOf(world));
        const whole = await dumpReadModel(pool);
        await emptyReadModel(pool);
        await projectShuffled(world, seeded(order));
        expect(await dumpReadModel(pool)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  }, 120_000);

  it('[O-10] tells of every agent whose duties or opportunities it changes, so that it alone is woken', async () => {
    const client = await pool.connect();
    const told = new Set<string>();
    client.on('notification', ({ payload = '' }) => {
      for (const agent of payload.split(',')) told.add(agent);
    });
    await client.query('listen kungfu_projected');
    const open = `
      select holder as agent, ref || obligation as what from read.obligation where ended_at is null
      union all select agent, ref from read.opportunity where ended_at is null`;
    const openNow = async () =>
      new Map(
        ((await ask(open)) as { agent: string; what: string }[]).map(
          ({ agent, what }) => [`${agent} ${what}`, agent] as const,
        ),
      );
    let changes = 0;
    for (const seed of [1, 2]) {
      await emptyReadModel(pool);
      for (const batch of batchesOf(randomStory(seeded(seed), 500), seeded(seed + 7))) {
        told.clear();
        const before = await openNow();
        await project(batch);
        const after = await openNow();
        // What the connection is told stands before the answer to its next question.
        await client.query('select 1');
        const changed = [...before, ...after].filter(([name]) => before.has(name) !== after.has(name));
        for (const [, agent] of changed) expect(told).toContain(agent);
        changes += changed.length;
      }
    }
    expect(changes).toBeGreaterThan(50);
    client.release(true);
  }, 120_000);

  it('[O-1] leaves open exactly the duties that the facts leave open', async () => {
    const seen = new Set<unknown>();
    for (const seed of [1, 2, 3, 4, 5]) {
      const world = randomStory(seeded(seed), 600);
      await emptyReadModel(pool);
      await projectShuffled(world, seeded(seed + 100));
      expect(
        await ask(
          `select * from read.obligation where from_agent is null or (deadline is null) <> (obligation = 'respond')`,
        ),
      ).toEqual([]);
      const open = `select object, part, holder from read.obligation where ended_at is null and obligation`;
      expect(await ask(`${open} = 'respond' order by 1, 2, 3`)).toEqual(
        await ask(
          'select thread as object, entry as part, agent as holder from read.response where ended_at is null order by 1, 2, 3',
        ),
      );
      expect(await ask(`${open} = 'deliver' order by 1, 2, 3`)).toEqual(
        await ask(
          `select thread as object, assignment as part, assignee as holder from read.assignment where status = 'taken'
           union all select task, number, agent from read.engagement where status = 'taken' order by 1, 2, 3`,
        ),
      );
      expect(await ask(`${open} = 'judge' order by 1, 2, 3`)).toEqual(
        await ask(
          `select thread as object, assignment as part, judge as holder from read.assignment where status = 'delivered' and judge is not null
           union all select task, number, judge from read.engagement where status = 'delivered' order by 1, 2, 3`,
        ),
      );
      expect(
        await ask('select object, part, agent from read.opportunity where ended_at is null order by 1, 2, 3'),
      ).toEqual(
        await ask(
          `select thread as object, assignment as part, assignee as agent from read.assignment where status = 'open'
           union all select task, 0, agent from read.task_audience order by 1, 2, 3`,
        ),
      );
      expect(
        await ask('select object, part, what, due_at from read.deadline where ended_at is null order by 1, 2, 3'),
      ).toEqual(
        await ask(`select thread as object, assignment as part, case status when 'taken' then 'deliver' else 'judge' end as what,
                     case status when 'taken' then deliver_by else judge_by end as due_at
                   from read.assignment where status in ('taken', 'delivered')
                   union all select task, number, case status when 'taken' then 'deliver' else 'judge' end,
                     case status when 'taken' then deliver_by else judge_by end
                   from read.engagement where status in ('taken', 'delivered') order by 1, 2, 3`),
      );
      for (const row of await ask('select status, ended_how from read.engagement'))
        seen.add(Object.values(row as object).join(' '));
    }
    // The stories are worth something only if they tell of every end that there is (K-14).
    expect([...seen].sort()).toEqual([
      'adopted deadline',
      'adopted judge',
      'delivered ',
      'dropped dropped',
      'rejected judge',
      'taken ',
      'timed-out deadline',
      'undecided deadline',
    ]);
  }, 120_000);
});

const [ada, bob] = [idOf('agent', 1), idOf('agent', 2)];
const thread = idOf('thread', 1);

/** Ada's thread with Bob as a speaker. */
const begun = (): World => {
  const world = new World(1);
  world.act('thread', thread, ada, { type: 'thread.create', grant: { role: 'speaker', hash: hashOf(9) } } as never);
  world.act('thread', thread, bob, { type: 'thread.join', hash: hashOf(9) } as never);
  return world;
};
const post = (n: number, extra: object = {}) =>
  ({ type: 'thread.post', memory: { kind: 'born', id: idOf('memory', n), content: contentOf(n) }, ...extra }) as never;
const assign = (to: string) => ({
  assign: { to, content: contentOf(77), structured: false, deliverySeconds: 60, judgmentSeconds: 120 },
});

describe('a batch', () => {
  it('[O-1] that begins and ends a duty leaves it ended', async () => {
    const world = begun();
    world.act('thread', thread, ada, post(1));
    world.act('thread', thread, bob, post(2, { replyTo: 1, ask: [] }));
    await project(wholeOf(world));
    expect(
      await ask('select holder, obligation, part, ref, from_agent, ended_at is null as open from read.obligation'),
    ).toEqual([
      { holder: bob, obligation: 'respond', part: 1, ref: `${thread}/entries/1`, from_agent: ada, open: false },
    ]);
  });

  it('[T-43] that creates, takes and delivers an assignment leaves its judgment owed', async () => {
    const world = begun();
    world.act('thread', thread, ada, post(1, { ask: [], ...assign(bob) }));
    world.act('thread', thread, bob, {
      type: 'assignment.take',
      assignment: 1,
      delivery: { content: contentOf(5), memories: [] },
    } as never);
    await project(wholeOf(world));
    const ref = `${thread}/assignments/1`;
    expect(
      await ask('select holder, obligation, ref, from_agent, ended_at is null as open from read.obligation order by 2'),
    ).toEqual([
      { holder: bob, obligation: 'deliver', ref, from_agent: ada, open: false },
      { holder: ada, obligation: 'judge', ref, from_agent: bob, open: true },
    ]);
    expect(await ask('select status, payload, payload_bytes, judge, ended_at from read.assignment')).toEqual([
      { status: 'delivered', payload: contentOf(5).id, payload_bytes: contentOf(5).bytes, judge: ada, ended_at: null },
    ]);
    expect(await ask('select ref, ended_at is null as open from read.opportunity')).toEqual([{ ref, open: false }]);
    expect(await ask('select what, ended_at is null as open from read.deadline order by 1')).toEqual([
      { what: 'deliver', open: false },
      { what: 'judge', open: true },
    ]);
  });

  it('[K-8] [K-15] of Tasks: offered, taken, redone, adopted; folded at once or fact by fact it is the same [L1-1]', async () => {
    const world = new World(1);
    const task = idOf('task', 1);
    const act = (agent: string, payload: object) => world.act('task', task, agent, payload as never);
    const contract = {
      content: contentOf(1),
      structured: false,
      requiredInputs: [{ id: idOf('memory', 1), version: 2 }],
      informative: [],
      deliverySeconds: 60,
      judgmentSeconds: 120,
      withoutJudgment: 'undecided',
      judge: ada,
      eligibility: [],
      maxAdoptions: 2,
      adoptedReaders: 'parties',
    };
    const engagement = (n: number) => idOf('engagement', n);
    act(ada, { type: 'task.create', audience: { kind: 'restricted', agents: [bob] }, ...contract });
    act(bob, {
      type: 'task.take',
      engagement: engagement(1),
      labels: [],
      version: 1,
      delivery: { content: contentOf(5), memories: [{ id: idOf('memory', 3), version: 1 }] },
    });
    act(ada, { type: 'engagement.reject', engagement: engagement(1), content: contentOf(6) });
    act(ada, { type: 'task.revise', ...contract, judgmentSeconds: 30 });
    act(bob, { type: 'task.take', engagement: engagement(2), labels: [], redoes: engagement(1) });
    act(ada, { type: 'task.pause' });
    act(bob, {
      type: 'engagement.deliver',
      engagement: engagement(2),
      delivery: { content: contentOf(7), memories: [] },
    });
    act(ada, { type: 'engagement.adopt', engagement: engagement(2) });
    await project(wholeOf(world));
    const whole = await dumpReadModel(pool);
    expect(await ask('select version, paused, adoptions, revision from read.task')).toEqual([
      { version: 2, paused: true, adoptions: 1, revision: 8 },
    ]);
    expect(
      await ask('select version, judgment_seconds, max_adoptions, required_inputs from read.contract order by 1'),
    ).toEqual(
      [120, 30].map((seconds, i) => ({
        version: i + 1,
        judgment_seconds: seconds,
        max_adoptions: 2,
        required_inputs: contract.requiredInputs,
      })),
    );
    expect(
      await ask(
        `select number, id, version, redoes, status, payload, payload_bytes, reason, ended_how, inputs, memories from read.engagement order by 1`,
      ),
    ).toEqual([
      {
        number: 1,
        id: engagement(1),
        version: 1,
        redoes: null,
        status: 'rejected',
        payload: contentOf(5).id,
        payload_bytes: contentOf(5).bytes,
        reason: contentOf(6).id,
        ended_how: 'judge',
        inputs: contract.requiredInputs,
        memories: [{ id: idOf('memory', 3), version: 1 }],
      },
      {
        number: 2,
        id: engagement(2),
        version: 2,
        redoes: engagement(1),
        status: 'adopted',
        payload: contentOf(7).id,
        payload_bytes: contentOf(7).bytes,
        reason: null,
        ended_how: 'judge',
        inputs: contract.requiredInputs,
        memories: [],
      },
    ]);
    const ref = (n: number) => `${task}/engagements/${engagement(n)}`;
    expect(
      await ask(
        'select holder, obligation, ref, from_agent, ended_at is null as open from read.obligation order by part, 2',
      ),
    ).toEqual(
      [1, 2].flatMap((n) => [
        { holder: bob, obligation: 'deliver', ref: ref(n), from_agent: ada, open: false },
        { holder: ada, obligation: 'judge', ref: ref(n), from_agent: bob, open: false },
      ]),
    );
    expect(await ask('select agent, ref, part, from_agent, ended_at from read.opportunity')).toEqual([
      { agent: bob, ref: task, part: 0, from_agent: ada, ended_at: null },
    ]);
    expect(await ask('select count(*)::int as n from read.deadline where ended_at is null')).toEqual([{ n: 0 }]);

    await emptyReadModel(pool);
    await projectShuffled(world, () => 0);
    expect(await dumpReadModel(pool)).toEqual(whole);
  });

  it('[K-9] [L5-2] refuses a second open engagement of an agent on a Task, and a second row of one number', async () => {
    const row = (number: number, n: number, status: string, ended: string | null) =>
      pool.query(
        `insert into read.engagement (task, number, id, agent, author, judge, version, inputs, status, taken_at, deliver_by, memories, ended_at)
         values ($1, $2, $3, $4, $5, $5, 1, '[]', $6, '2030-01-01', '2030-01-02', '[]', $7)`,
        [idOf('task', 1), number, idOf('engagement', n), bob, ada, status, ended],
      );
    await row(1, 1, 'dropped', '2030-01-01');
    await row(2, 2, 'taken', null);
    await expect(row(3, 3, 'taken', null)).rejects.toThrow('engagement_open');
    await expect(row(2, 4, 'dropped', '2030-01-01')).rejects.toThrow('engagement_pkey');
    await expect(row(3, 2, 'dropped', '2030-01-01')).rejects.toThrow('engagement_id');
  });

  it('[T-15] in which a member leaves and joins again holds both memberships', async () => {
    const world = begun();
    await project(wholeOf(world));
    const before = world.records().map((records) => records.length);
    world.act('thread', thread, bob, { type: 'thread.leave' } as never);
    world.act('thread', thread, bob, { type: 'thread.join', hash: hashOf(9) } as never);
    await project(
      world
        .records()
        .map((records, i) =>
          advanceOver(advanceOver(startOf(records[0]!), records.slice(0, before[i])).to, records.slice(before[i])),
        ),
    );
    expect(await ask('select membership, agent, ended_how, grant_number from read.membership order by 1')).toEqual([
      { membership: 1, agent: ada, ended_how: null, grant_number: null },
      { membership: 2, agent: bob, ended_how: 'left', grant_number: 1 },
      { membership: 3, agent: bob, ended_how: null, grant_number: 1 },
    ]);
  });

  it('[L3-1] keeps receipts, frees the reservations of facts and writes refusals to the newest attempt only', async () => {
    const world = begun();
    world.act('thread', thread, bob, { type: 'thread.close' } as never);
    const reserve = (n: number, attempt: number) =>
      pool.query(`insert into gateway.reservation values ($1, 'f', $2, $3, $4, '2031-01-01', 0)`, [
        hashOf(n),
        thread,
        idOf('action', n),
        attempt,
      ]);
    await reserve(1, 1);
    await reserve(3, 1);
    await pool.query(`insert into gateway.reservation values ('other', 'f', $1, $2, 2, '2031-01-01', 0)`, [
      thread,
      idOf('action', 3),
    ]);
    await project(wholeOf(world));
    expect(await ask('select binding, attempt, refusal_code, retry_after from gateway.reservation order by 1')).toEqual(
      [
        { binding: hashOf(3), attempt: 1, refusal_code: 'not_permitted', retry_after: null },
        { binding: 'other', attempt: 2, refusal_code: null, retry_after: null },
      ],
    );
    expect(
      await ask(
        `select binding, agent, action, convert_from(receipt, 'utf8')::json->>'ref' as ref from read.receipt order by 1`,
      ),
    ).toEqual([
      { binding: hashOf(1), agent: ada, action: 'thread.create', ref: thread },
      { binding: hashOf(2), agent: bob, action: 'thread.join', ref: `${thread}/members/${bob}` },
    ]);
  });

  it('[L5-2] of two projectors at once is applied by one of them', async () => {
    const world = begun();
    const batch = wholeOf(world);
    await store.load(batch.map(({ to }) => to));
    const outcomes = await Promise.all([store.apply(batch), new PostgresProjectionStore(pool).apply(batch)]);
    const places = batch.map(({ to: { topic, partition } }) => ({ topic, partition }));
    expect(outcomes.map(({ applied }) => applied)).toContainEqual(places);
    expect(outcomes.map(({ stale }) => stale)).toContainEqual(places);
    expect(await ask('select count(*)::int as n from read.membership')).toEqual([{ n: 2 }]);
  });

  it('goes on without a partition that cannot be folded, and says before which fact it stops', async () => {
    const world = begun();
    const [agents, memories, threads, tasks] = wholeOf(world) as [FactAdvance, FactAdvance, FactAdvance, FactAdvance];
    const { offset, fact } = threads.facts[1]!;
    const broken = { ...fact, effects: [{ type: 'response.owed', entry: 1, agent: bob }] } as unknown as typeof fact;
    const batch = [agents, memories, { ...threads, facts: [threads.facts[0]!, { offset, fact: broken }] }, tasks];
    await store.load(batch.map(({ to }) => to));
    const outcome = await store.apply(batch);
    expect(outcome.applied).toHaveLength(3);
    expect(outcome.unfoldable).toEqual([
      { topic: 'kungfu.facts.thread', partition: 0, offset, error: expect.any(Error) },
    ]);
    expect(await ask('select count(*)::int as n from read.thread')).toEqual([{ n: 0 }]);
  });

  it('goes on without a partition whose rows the tables refuse', async () => {
    const world = begun();
    const batch = wholeOf(world);
    await store.load(batch.map(({ to }) => to));
    await pool.query(`insert into read.membership values ($1, 2, 'x', 'speaker', null, '2030-01-01', null, null)`, [
      thread,
    ]);
    const outcome = await store.apply(batch);
    expect(outcome.applied.map(({ topic }) => topic)).toEqual([
      'kungfu.facts.agent',
      'kungfu.facts.memory',
      'kungfu.facts.task',
    ]);
    expect(outcome.unfoldable).toMatchObject([{ topic: 'kungfu.facts.thread', partition: 0, offset: 0 }]);
  });
});

/** The pool, whose connections die at the n-th query: before the server has heard of it, or after it has done it. */
const dyingAt = (n: number, when: 'before' | 'after'): pg.Pool => {
  let queries = 0;
  const query = async (...args: unknown[]) => {
    const dies = ++queries === n;
    if (dies && when === 'before') throw new Error('the connection is gone');
    const result = await Reflect.apply(pool.query, pool, args);
    if (dies) throw new Error('the connection is gone');
    return result;
  };
  return { query } as unknown as pg.Pool;
};

describe('a projector that dies', () => {
  it.each(['before', 'after'] as const)(
    '[L2-1] %s any statement leaves all of a batch or nothing',
    async (when) => {
      const world = randomStory(seeded(5), 150);
      const batch = wholeOf(world);
      await project(batch);
      const whole = await dumpReadModel(pool);
      for (let n = 1; ; n++) {
        await emptyReadModel(pool);
        await store.load(batch.map(({ to }) => to));
        const nothing = await dumpReadModel(pool);
        const died = await new PostgresProjectionStore(dyingAt(n, when)).apply(batch).then(
          () => false,
          () => true,
        );
        const after = await dumpReadModel(pool);
        const positions = await store.load(batch.map(({ to }) => to));
        const moved = positions.every(({ next }) => next > 0);
        expect(after).toEqual(moved ? whole : nothing);
        if (!died) break;
        if (!moved) await project(batch);
        expect(await dumpReadModel(pool)).toEqual(whole);
      }
    },
    120_000,
  );
});

describe('the function that projects', () => {
  it('[L1-1] is made where it is missing, as after a rebuild, also on a connection that has called it before', async () => {
    const functions = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'read' and p.proname like 'project%'`;
    const world = randomStory(seeded(3), 60);
    const lone = new pg.Pool({ ...pool.options, max: 1 });
    const alone = new PostgresProjectionStore(lone);
    for (let round = 0; round < 2; round++) {
      await emptyReadModel(pool);
      await alone.load(wholeOf(world).map(({ to }) => to));
      expect((await alone.apply(wholeOf(world))).stale).toEqual([]);
      for (const { name } of (await ask(functions)) as { name: string }[]) await pool.query(`drop function ${name}`);
      expect(await ask(functions)).toEqual([]);
    }
    await lone.end();
  });

  it('[L5-2] writes what is current of a batch in which partitions stand elsewhere', async () => {
    const world = randomStory(seeded(4), 80);
    const batch = wholeOf(world);
    const [ahead, ...others] = batch;
    await project([ahead!]);
    await store.load(others.map(({ to }) => to));
    const { applied, stale } = await store.apply(batch);
    expect(stale).toEqual([{ topic: ahead!.to.topic, partition: ahead!.to.partition }]);
    expect(applied).toHaveLength(others.length);
    const partly = await dumpReadModel(pool);
    await emptyReadModel(pool);
    await project(batch);
    expect(await dumpReadModel(pool)).toEqual(partly);
  });
});

describe('content', () => {
  const at = { topic: 'kungfu.content', partition: 0 };
  const bytes = (text: string) => new TextEncoder().encode(text);
  it('is kept byte for byte, the last of an id counts, and erasing leaves null', async () => {
    const [position] = await store.load([at]);
    const records = [
      { id: 'content_a', value: bytes('{"a":1}') },
      { id: 'content_b', value: bytes('b') },
      { id: 'content_b', value: null },
    ];
    await store.applyContent([{ from: 0, to: { ...position!, next: 3 }, records }]);
    expect(await ask(`select id, convert_from(value, 'utf8') as text from read.content order by 1`)).toEqual([
      { id: 'content_a', text: '{"a":1}' },
      { id: 'content_b', text: null },
    ]);
    const again = await store.applyContent([{ from: 0, to: { ...position!, next: 3 }, records }]);
    expect(again.stale).toEqual([at]);
  });
});
