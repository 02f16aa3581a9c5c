import { stopTestDatabases } from '@kungfu/embedded';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accountOf, accountsPage, keyHolders, keysOf, ownReceipt } from './accounts.ts';
import {
  memoryText,
  memoryWhole,
  ownMemories,
  publicMemories,
  versionsPage,
  versionText,
  versionWhole,
} from './memories.ts';
import { ada, at, bob, eve, memoryId, Rows } from '../testing/rows.ts';

let world: Rows;
beforeAll(async () => {
  world = await Rows.create();
});
beforeEach(async () => {
  await world.clear();
});
afterAll(async () => {
  await world.close();
  await stopTestDatabases();
});

const bytesMax = 100_000;
const whole = (memory: string, agent: string) => memoryWhole(world.pool, { memory, agent, bytesMax });
const version = (memory: string, number: number, agent: string) =>
  versionWhole(world.pool, { memory, version: number, agent, bytesMax });
const numbers = (items: readonly { memory: string }[]): readonly number[] =>
  items.map(({ memory }) => Number(memory.slice('memory_'.length)));

describe('a Memory', () => {
  it('[V-1] [V-2] [M-6] is its author’s; others read the current version of a valid public one', async () => {
    const memory = await world.memory(1, ada, [{ body: 'one' }, { title: 'T', body: 'two' }]);
    expect(await whole(memory, ada)).toMatchObject({
      ref: memory,
      author: ada,
      version: 2,
      status: 'valid',
      visibility: 'private',
      content: { title: 'T', body: 'two' },
    });
    expect([await whole(memory, bob), await version(memory, 2, bob), await version(memory, 1, bob)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await world.set('memory', { visibility: 'public' }, { id: memory });
    expect(await whole(memory, bob)).toMatchObject({ content: { body: 'two' } });
    expect(await version(memory, 2, bob)).toMatchObject({ ref: `${memory}/versions/2`, content: { body: 'two' } });
    expect(await version(memory, 1, bob)).toBeUndefined();
    await world.set('memory', { status: 'withdrawn' }, { id: memory });
    expect([await whole(memory, bob), await version(memory, 2, bob)]).toEqual([undefined, undefined]);
    expect(await version(memory, 1, ada)).toMatchObject({ content: { body: 'one' } });
    expect(await memoryText(world.pool, { memory, agent: ada })).toEqual({ text: 'two' });
    expect(await memoryText(world.pool, { memory, agent: bob })).toBeUndefined();
  });

  it('[V-4] [M-8] [M-9] is read in the version that an entry pins, by current members', async () => {
    const thread = await world.thread(1, [
      [ada, 'governor'],
      [bob, 'speaker'],
    ]);
    const own = await world.memory(1, ada, [{ body: 'one' }, { body: 'two' }], { status: 'withdrawn' });
    const others = await world.memory(2, eve, [{ body: 'e1' }, { body: 'e2' }], { visibility: 'public' });
    await world.entry(thread, 1, ada, own);
    await world.entry(thread, 2, ada, others);
    expect(await version(own, 1, bob)).toMatchObject({ content: { body: 'one' } });
    expect(await version(own, 2, bob)).toBeUndefined();
    expect(await version(others, 1, bob)).toMatchObject({ content: { body: 'e1' } });
    await world.set('memory', { visibility: 'private' }, { id: others });
    expect(await version(others, 1, bob)).toBeUndefined();
    expect([await whole(own, bob), await version(own, 1, eve)]).toEqual([undefined, undefined]);
    await world.leave(thread, bob);
    expect(await version(own, 1, bob)).toBeUndefined();
  });

  it('[V-5] is read in the version that a delivery pins, by current members', async () => {
    const thread = await world.thread(1, [
      [ada, 'governor'],
      [bob, 'speaker'],
    ]);
    const memory = await world.memory(1, bob, [{ body: 'one' }, { body: 'two' }]);
    await world.assignment(
      thread,
      1,
      { creator: ada, assignee: bob },
      { memories: JSON.stringify([{ id: memory, version: 2 }]) },
    );
    expect(await version(memory, 2, ada)).toMatchObject({ content: { body: 'two' } });
    expect(await versionText(world.pool, { memory, version: 2, agent: ada })).toEqual({ text: 'two' });
    expect([await version(memory, 1, ada), await version(memory, 2, eve)]).toEqual([undefined, undefined]);
    await world.leave(thread, ada);
    expect(await version(memory, 2, ada)).toBeUndefined();
  });

  it('[M-1] born in an entry is valid, private and in its first version', async () => {
    const memory = await world.memory(1, ada, [{ body: 'b' }], {
      status: null,
      visibility: null,
      current_version: null,
      created_at: null,
    });
    expect(await whole(memory, ada)).toMatchObject({
      status: 'valid',
      visibility: 'private',
      version: 1,
      createdAt: at(0).toISOString(),
    });
    expect(await whole(memory, bob)).toBeUndefined();
  });

  it('[M-6] lists its versions: all to the author, the current one to others', async () => {
    const memory = await world.memory(1, ada, [{ body: 'one' }, { body: 'two' }, { body: 'three' }], {
      visibility: 'public',
    });
    const of = (agent: string, after: number, limit: number) =>
      versionsPage(world.pool, { memory, agent, after, limit });
    expect((await of(ada, 0, 2)).items.map((item) => item.version)).toEqual([1, 2]);
    expect(await of(ada, 0, 3)).toMatchObject({ next: null });
    expect((await of(bob, 0, 9)).items.map((item) => item.version)).toEqual([3]);
  });

  it('[M-7] is listed until it is withdrawn', async () => {
    for (const [number, author, more] of [
      [1, ada, {}],
      [2, ada, { visibility: 'public' }],
      [3, ada, { status: 'withdrawn', visibility: 'public' }],
      [4, bob, { visibility: 'public' }],
    ] as const) {
      await world.memory(number, author, [{ body: 'b' }], more);
    }
    const mine = (status?: 'valid' | 'withdrawn', visibility?: 'private' | 'public') =>
      ownMemories(world.pool, { agent: ada, after: '', limit: 9, status, visibility });
    expect(numbers((await mine()).items)).toEqual([1, 2]);
    expect(numbers((await mine('withdrawn')).items)).toEqual([3]);
    expect(numbers((await mine('valid', 'public')).items)).toEqual([2]);
    const first = await publicMemories(world.pool, { after: '', limit: 1 });
    expect([numbers(first.items), first.next]).toEqual([[2], memoryId(2)]);
    expect(await publicMemories(world.pool, { after: first.next ?? '', limit: 1 })).toMatchObject({
      next: null,
      items: [{ author: bob }],
    });
  });
});

describe('accounts and receipts', () => {
  it('[A-2] know a key of a deactivated agent, not a revoked one', async () => {
    await world.agent(ada, 'deactivated');
    await world.insert('agent_key', { id: 'key_1', agent: ada, hash: 'h1', issued_at: at(1) });
    await world.insert('agent_key', { id: 'key_2', agent: ada, hash: 'h2', issued_at: at(2), revoked_at: at(3) });
    expect(await keyHolders(world.pool, ['h1', 'h2', 'h3'])).toEqual(new Map([['h1', { agent: ada, key: 'key_1' }]]));
    expect(await keysOf(world.pool, ada, 9)).toEqual([
      { key: 'key_1', issuedAt: at(1).toISOString(), revokedAt: null },
      { key: 'key_2', issuedAt: at(2).toISOString(), revokedAt: at(3).toISOString() },
    ]);
    expect(await accountOf(world.pool, ada)).toEqual({
      ref: ada,
      agent: ada,
      state: 'deactivated',
      labels: ['a'],
      createdAt: at(0).toISOString(),
    });
  });

  it('list agents by state', async () => {
    for (const [agent, state] of [
      [ada, 'active'],
      [bob, 'deactivated'],
      [eve, 'active'],
    ] as const)
      await world.agent(agent, state);
    const page = await accountsPage(world.pool, { after: '', status: 'active', limit: 1 });
    expect([page.items.map(({ agent }) => agent), page.next]).toEqual([[ada], ada]);
    expect(
      (await accountsPage(world.pool, { after: ada, status: 'active', limit: 1 })).items.map(({ agent }) => agent),
    ).toEqual([eve]);
  });

  it('[V-12] [L3-1] hand out a receipt to its own agent, byte for byte', async () => {
    await world.insert('receipt', {
      binding: 'b',
      agent: ada,
      action: 'thread.post',
      fingerprint: 'f',
      receipt: Buffer.from('{"a":1 }'),
      at: at(1),
    });
    const of = (agent: string, action: string) => ownReceipt(world.pool, { binding: 'b', agent, action });
    expect(Buffer.from((await of(ada, 'thread.post')) ?? []).toString()).toBe('{"a":1 }');
    expect([await of(bob, 'thread.post'), await of(ada, 'thread.create')]).toEqual([undefined, undefined]);
  });
});
