import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate } from '@kungfu/read-model';
import pg from 'pg';
import { PostgresGatewayTables } from './postgres-tables.ts';
import type { GatewayTables, Reservation } from './tables.ts';

const notAfter = Date.UTC(2026, 0, 1);

let pool: pg.Pool;
let pools: pg.Pool[];
/** Two gateways, each with its own connections. */
let one: GatewayTables;
let other: GatewayTables;
let binding: string;
let bindings = 0;

beforeAll(async () => {
  const url = await testDatabase();
  const dataSource = createDataSource({ url });
  await migrate(dataSource);
  await dataSource.destroy();
  pools = [await testPool(url), await testPool(url)];
  pool = pools[0]!;
  one = new PostgresGatewayTables(pools[0]!);
  other = new PostgresGatewayTables(pools[1]!);
});
afterAll(async () => {
  await Promise.all(pools.map((each) => each.end()));
  await stopTestDatabases();
});
beforeEach(() => {
  bindings += 1;
  binding = `binding-${bindings}`;
});

const reservation = (actionId: string, more: Partial<Reservation> = {}): Reservation => ({
  binding,
  fingerprint: 'v1:f',
  object: `object of ${actionId}`,
  actionId,
  attempt: 1,
  notAfter,
  generation: 0,
  ...more,
});

/** The projector's part. */
const refuse = async (code: string, retryAfter: number | null = null): Promise<void> => {
  const text = 'update gateway.reservation set refusal_code = $2, retry_after = $3 where binding = $1';
  await pool.query(text, [binding, code, retryAfter]);
};
const receipt = Buffer.from('{"r":1}');
const decide = async (): Promise<void> => {
  const text = `
    with decided as (delete from gateway.reservation where binding = $1)
    insert into read.receipt values ($1, 'agent', 'memory.create', 'v1:f', $2, now())`;
  await pool.query(text, [binding, receipt]);
};
const rows = async (): Promise<number> =>
  (await pool.query('select from gateway.reservation where binding = $1', [binding])).rowCount!;

describe('looking at a binding', () => {
  it('[L3-1] finds nothing, then the row, then the receipt in its place', async () => {
    expect(await one.look(binding)).toEqual({});
    const mine = reservation('a1', { notAfter: notAfter + 1, generation: 3 });
    await one.reserve(mine);
    expect(await other.look(binding)).toEqual({ reservation: mine });
    await decide();
    expect(await one.look(binding)).toEqual({ receipt: { fingerprint: 'v1:f', receipt } });
  });

  it('[L3-1] answers each of many that look at once', async () => {
    const all = Array.from({ length: 40 }, (_, i) => `${binding}-${i}`);
    await Promise.all(all.map((each) => one.reserve(reservation(each, { binding: each }))));
    const looked = await Promise.all([...all, binding].map((each) => other.look(each)));
    expect(looked.map((found) => found.reservation?.actionId)).toEqual([...all, undefined]);
  });

  it('[L3-7] tells of those decided only: a receipt or a refusal', async () => {
    const open = binding;
    await one.reserve(reservation('a1'));
    binding = `${open}-refused`;
    await one.reserve(reservation('a2'));
    await refuse('rate_limited', 3);
    const refused = binding;
    binding = `${open}-done`;
    await one.reserve(reservation('a3'));
    await decide();
    const decided = await other.decided([open, refused, binding, `${open}-none`]);
    expect([...decided.keys()].sort()).toEqual([binding, refused].sort());
    expect(decided.get(binding)).toEqual({ receipt: { fingerprint: 'v1:f', receipt } });
    expect(decided.get(refused)?.reservation).toMatchObject({
      actionId: 'a2',
      refused: { code: 'rate_limited', retryAfter: 3 },
    });
  });
});

describe('reserving', () => {
  it('[L3-7] gives a binding to one of two gateways that race for it, and both the same row', async () => {
    for (let n = 0; n < 20; n++) {
      binding = `binding-${bindings}-race-${n}`;
      const [first, second] = await Promise.all([
        one.reserve(reservation('a1', { fingerprint: 'v1:a' })),
        other.reserve(reservation('a2', { fingerprint: 'v1:b' })),
      ]);
      expect(first).toEqual(second);
      expect(['a1', 'a2']).toContain(first.actionId);
      expect(await rows()).toBe(1);
    }
  });

  it('[L3-7] gives it to one of many requests of one gateway', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, (_, i) => one.reserve(reservation(`a${i}`))));
    expect(new Set(held.map(({ actionId }) => actionId)).size).toBe(1);
    expect(await rows()).toBe(1);
  });

  it('[L3-5] takes a binding whose attempt was refused, by one of two, with nothing of the old one left', async () => {
    await one.reserve(reservation('old', { attempt: 1, generation: 1 }));
    await one.takeOver(reservation('old', { attempt: 2, generation: 1 }), { attempt: 1 });
    await refuse('not_found', 4);
    const fresh = { notAfter: notAfter - 5, generation: 2, fingerprint: 'v1:new' };
    const [first, second] = await Promise.all([
      one.reserve(reservation('a1', fresh)),
      other.reserve(reservation('a2', fresh)),
    ]);
    expect(first).toEqual(second);
    expect(await one.look(binding)).toEqual({ reservation: reservation(first.actionId, fresh) });
  });

  it('[L3-7] never takes one that is held, however long it has run out', async () => {
    const held = await one.reserve(reservation('a1', { notAfter: 1 }));
    expect(await other.reserve(reservation('a2'))).toEqual(held);
  });
});

describe('taking over', () => {
  it('[L3-7] is of one of two gateways, with the next attempt of the same action', async () => {
    const held = await one.reserve(reservation('a1'));
    const next = { ...held, attempt: 2, notAfter: notAfter + 100, generation: 1 };
    const taken = await Promise.all([one.takeOver(next, held), other.takeOver(next, held)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await one.look(binding)).toEqual({ reservation: next });
  });

  it('[L3-7] is refused where the attempt or the action is another, the row is refused, or there is none', async () => {
    const held = reservation('a1');
    expect(await one.takeOver({ ...held, attempt: 2 }, held)).toBe(false);
    await one.reserve(held);
    expect(await one.takeOver({ ...held, attempt: 3 }, { attempt: 2 })).toBe(false);
    expect(await one.takeOver({ ...held, actionId: 'a2', attempt: 2 }, held)).toBe(false);
    await refuse('not_found');
    expect(await one.takeOver({ ...held, attempt: 2 }, held)).toBe(false);
    expect((await one.look(binding)).reservation).toMatchObject({ actionId: 'a1', attempt: 1 });
  });

  it('[L3-7] never lowers the time until which an attempt may be decided', async () => {
    const held = await one.reserve(reservation('a1'));
    await one.takeOver({ ...held, attempt: 2, notAfter: notAfter - 1_000 }, held);
    expect((await one.look(binding)).reservation).toMatchObject({ attempt: 2, notAfter });
  });
});

describe('releasing', () => {
  it('[L3-5] removes a row of this very attempt only, and none that is refused', async () => {
    const held = await one.reserve(reservation('a1'));
    await other.release({ ...held, actionId: 'a2' });
    await other.release({ ...held, attempt: 2 });
    expect(await rows()).toBe(1);
    await refuse('not_found');
    await one.release(held);
    expect(await rows()).toBe(1);
    const again = await one.reserve(reservation('a3'));
    await one.release(again);
    expect(await rows()).toBe(0);
  });
});

describe('the generation', () => {
  it('[L3-5] is what the table says now, at every gateway', async () => {
    expect(await one.generation()).toEqual({ generation: 0, fenced: false });
    await pool.query('update gateway.generation set generation = 4, fenced = true');
    expect(await Promise.all([one.generation(), other.generation()])).toEqual(
      Array(2).fill({ generation: 4, fenced: true }),
    );
  });
});
