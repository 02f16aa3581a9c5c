import { stopTestDatabases, testDatabase } from '@kungfu/embedded';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresLog } from '@kungfu/log-postgres';
import type { Log, LogRecord, Reader } from '@kungfu/log-port';
import type { ProjectionStore } from '@kungfu/read-model';
import { contentOf, dumpReadModel, hashOf, idOf, randomStory, World } from '@kungfu/read-model/testing';
import { rebuild } from './rebuild.ts';
import { ProjectorRig, systemClock, systemTimers } from './testing/rig.ts';

let rig: ProjectorRig;
beforeEach(async () => {
  rig = await ProjectorRig.make(await testDatabase(), 2);
}, 60_000);
afterEach(() => rig.end());
afterAll(stopTestDatabases);

const seeded = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

const [ada, bob] = [idOf('agent', 1), idOf('agent', 2)];
const [odd, even] = [idOf('thread', 1), idOf('thread', 2)];
const post = (n: number) =>
  ({ type: 'thread.post', memory: { kind: 'born', id: idOf('memory', n), content: contentOf(n) } }) as never;
const create = { type: 'thread.create' } as never;
const facts = 'kungfu.facts.thread';
const entries = async () => (await rig.pool.query('select thread, entry from read.entry order by 1, 2')).rows;

describe('the projector', () => {
  it('[L1-1] gives, after a rebuild, row for row what stood before', async () => {
    const world = randomStory(seeded(11), 800);
    await rig.content(0, ['content_a', '{"a":1}'], ['content_b', 'b'], ['content_b', null]);
    const projector = await rig.begin();
    for (const records of world.records()) await rig.append(records);
    await rig.untilProjected(world.records());
    await rig.until('content', async () => (await rig.next('kungfu.content', 0)) === 3);
    const before = await dumpReadModel(rig.pool);
    await projector.stop();
    await rebuild({
      log: rig.log,
      dataSource: rig.dataSource,
      store: rig.store,
      clock: systemClock,
      timers: systemTimers,
      observe: () => {},
    });
    const after = await dumpReadModel(rig.pool);
    expect(after).toEqual(before);
    const empty = Object.entries(after).filter(([, rows]) => rows.length === 0);
    // There is no inbox in this story.
    expect(empty.filter(([table]) => !table.startsWith('akep_'))).toEqual([]);
  }, 60_000);

  it('[L1-1] gives the same rows from the log in Postgres', async () => {
    const world = randomStory(seeded(14), 400);
    const log = await createPostgresLog({ pool: rig.pool });
    await log.ensure(rig.topics);
    const producer = await log.producer();
    for (const records of world.records()) {
      await rig.append(records);
      const { topic, partition } = records[0]!;
      await producer.append([{ topic, partition, records }]);
    }
    await producer.close();
    const projector = await rig.begin({ log });
    await rig.untilProjected(world.records());
    const before = await dumpReadModel(rig.pool);
    await projector.stop();
    await log.close();
    await rebuild({
      log: rig.log,
      dataSource: rig.dataSource,
      store: rig.store,
      clock: systemClock,
      timers: systemTimers,
      observe: () => {},
    });
    expect(await dumpReadModel(rig.pool)).toEqual(before);
  }, 60_000);

  it('[L5-1] shares its partitions between two that believe to hold all of them: every fact is projected once', async () => {
    const world = randomStory(seeded(12), 600);
    await Promise.all([rig.begin(), rig.begin()]);
    const all = world.records();
    const longest = Math.max(...all.map((records) => records.length));
    for (let i = 0; i < longest; i += 20) for (const records of all) await rig.append(records.slice(i, i + 20));
    await rig.untilProjected(all);
    const twice = await dumpReadModel(rig.pool);
    await rebuild({
      log: rig.log,
      dataSource: rig.dataSource,
      store: rig.store,
      clock: systemClock,
      timers: systemTimers,
      observe: () => {},
    });
    expect(await dumpReadModel(rig.pool)).toEqual(twice);
    expect(rig.events.some(({ type }) => type === 'alarm')).toBe(false);
  }, 60_000);

  it('lets a fact wait for its content, and others pass it by', async () => {
    const world = new World(2);
    const content = [{ partition: 1, next: 2 }];
    world.act('thread', odd, ada, create);
    world.act('thread', odd, ada, post(1), { content });
    world.act('thread', even, bob, create);
    world.act('thread', even, bob, post(2));
    await rig.content(1, ['content_x', 'x']);
    const [, , , , first, second] = world.records();
    await rig.begin({ store: { ...rigStore(), applyContent: (batch) => gate(batch) } });
    let open = false;
    const waiting: (() => void)[] = [];
    async function gate(batch: Parameters<ProjectionStore['applyContent']>[0]) {
      if (!open) await new Promise<void>((resolve) => waiting.push(resolve));
      return rig.store.applyContent(batch);
    }
    await rig.content(1, ['content_y', 'y']);
    await rig.append(first!);
    await rig.append(second!);
    await rig.until(
      'the other partition',
      async () => (await rig.next(facts, 0)) === first!.length || (await rig.next(facts, 1)) === second!.length,
    );
    await rig.until('content is held', () => waiting.length > 0);
    expect(await entries()).toEqual([{ thread: even, entry: 1 }]);
    open = true;
    for (const go of waiting) go();
    await rig.untilProjected([first!, second!]);
    expect(await entries()).toEqual([
      { thread: odd, entry: 1 },
      { thread: even, entry: 1 },
    ]);
  }, 60_000);

  it('does not wait for content that the content log has lost', async () => {
    const world = new World(1);
    world.act('thread', odd, ada, create, { content: [{ partition: 0, next: 7 }] });
    await rig.begin();
    const all = world.records();
    for (const records of all) await rig.append(records);
    await rig.untilProjected(all);
    expect((await rig.pool.query('select id from read.thread')).rows).toEqual([{ id: odd }]);
  }, 60_000);

  it('stops a partition before a record that cannot be read, with an alarm, and no other', async () => {
    const world = new World(2);
    world.act('thread', odd, ada, create);
    world.act('thread', even, bob, create);
    const [, , , , first, second] = world.records();
    const poison = { ...second!.at(-1)!, value: new TextEncoder().encode('{"no":"fact"}') };
    const projector = await rig.begin();
    await rig.append([...second!, poison, ...second!.slice(-1)]);
    await rig.append(first!);
    await rig.untilProjected([first!, second!]);
    await rig.until('the alarm', () => rig.events.some(({ type }) => type === 'alarm'));
    expect(rig.events.filter(({ type }) => type === 'alarm')).toMatchObject([
      { partition: { topic: facts, partition: 1 }, offset: second!.length },
    ]);
    expect(projector.trouble()).toBe(`stopped: ${facts}/1`);
    world.act('thread', even, bob, post(3));
    await rig.append(world.records()[4]!.slice(first!.length));
    await rig.untilProjected([world.records()[4]!]);
    expect(await rig.next(facts, 1)).toBe(second!.length);
  }, 60_000);

  it('stops a partition before a gap in the numbers of its epoch', async () => {
    const world = new World(1);
    world.act('thread', odd, ada, create);
    const records = world.records()[2]!;
    await rig.begin();
    await rig.append([...records, { ...records.at(-1)!, headers: { ...records.at(-1)!.headers, kf_n: '99' } }]);
    await rig.until('the alarm', () => rig.events.some(({ type }) => type === 'alarm'));
    expect(rig.events.filter(({ type }) => type === 'alarm')).toMatchObject([
      { partition: { topic: facts, partition: 0 }, offset: records.length },
    ]);
    await rig.untilProjected([records]);
  }, 60_000);

  it.each(['before', 'after'] as const)(
    '[L2-1] goes on where the store stands when a transaction fails %s it has taken effect',
    async (when) => {
      const world = randomStory(seeded(13), 300);
      let calls = 0;
      const store: ProjectionStore = {
        ...rigStore(),
        apply: async (batch) => {
          const fails = ++calls % 3 === 1;
          if (fails && when === 'before') throw new Error('away');
          const outcome = await rig.store.apply(batch);
          if (fails) throw new Error('the answer was lost');
          return outcome;
        },
      };
      await rig.begin({ store });
      for (const records of world.records()) await rig.append(records);
      await rig.untilProjected(world.records());
      const faulty = await dumpReadModel(rig.pool);
      await rebuild({
        log: rig.log,
        dataSource: rig.dataSource,
        store: rig.store,
        clock: systemClock,
        timers: systemTimers,
        observe: () => {},
      });
      expect(await dumpReadModel(rig.pool)).toEqual(faulty);
    },
    60_000,
  );

  it('passes the gaps that compaction leaves in the content, at the end of the log too', async () => {
    const next = await rig.content(1, ['content_a', 'a'], ['gone', 'x'], ['content_b', 'b'], ['gone', null]);
    const world = new World(1);
    world.act('thread', odd, ada, create, { content: [{ partition: 1, next }] });
    await rig.begin({ log: compacted(rig.log) });
    for (const records of world.records()) await rig.append(records);
    await rig.untilProjected(world.records());
    expect((await rig.pool.query('select id from read.content order by 1')).rows).toEqual([
      { id: 'content_a' },
      { id: 'content_b' },
    ]);
    expect(await rig.next('kungfu.content', 1)).toBe(next);
  }, 60_000);

  it('stops, with an alarm, before facts that the log no longer has', async () => {
    const world = new World(2);
    world.act('thread', odd, ada, create);
    world.act('thread', even, bob, create);
    const [, , , , first, second] = world.records();
    await rig.append(first!);
    await rig.append(second!);
    rig.log.dropBelow({ topic: facts, partition: 1 }, 1);
    await rig.begin();
    await rig.until('the alarm', () => rig.events.some(({ type }) => type === 'alarm'));
    await rig.untilProjected([first!]);
    expect(rig.events.filter(({ type }) => type === 'alarm')).toMatchObject([
      { partition: { topic: facts, partition: 1 }, offset: 0 },
    ]);
    expect(await rig.next(facts, 1)).toBe(0);
  }, 60_000);

  it('tells those who wait, once a transaction', async () => {
    const client = await rig.pool.connect();
    const told: unknown[] = [];
    client.on('notification', ({ channel }) => told.push(channel));
    await client.query('listen kungfu_projected');
    const world = new World(2);
    world.act('thread', odd, ada, create);
    world.act('thread', odd, ada, { type: 'thread.grant', role: 'speaker', hash: hashOf(1) } as never);
    await rig.begin();
    await rig.append(world.records()[5]!);
    await rig.until('a notification', () => told.length > 0);
    await rig.untilProjected([world.records()[5]!]);
    expect(told).toContain('kungfu_projected');
    client.release(true);
  }, 60_000);
});

/** The log after its compaction has removed the records with the key `gone`. */
const compacted = (log: Log): Log => {
  const keep = (records: readonly LogRecord[]) => records.filter(({ key }) => key !== 'gone');
  const reader = async (): Promise<Reader> => {
    const inner = await log.reader();
    return {
      follow: (position) => inner.follow(position),
      unfollow: (place) => inner.unfollow(place),
      pause: (place) => inner.pause(place),
      resume: (place) => inner.resume(place),
      poll: async (limits) => keep(await inner.poll(limits)),
      close: () => inner.close(),
    };
  };
  return {
    reader,
    producer: () => log.producer(),
    read: async (position, records) => keep(await log.read(position, records)),
    start: (place) => log.start(place),
    end: (place) => log.end(place),
    partitions: (topic) => log.partitions(topic),
    close: () => log.close(),
  };
};

const rigStore = (): ProjectionStore => ({
  load: (partitions) => rig.store.load(partitions),
  apply: (batch) => rig.store.apply(batch),
  applyContent: (batch) => rig.store.applyContent(batch),
});
