import { describe, expect, it } from '@jest/globals';
import { OwnerRig } from './testing/owner-rig.ts';
import { agentOf, memoryOf, toyAction } from './testing/toy-kind.ts';

const three = [toyAction(1, 'memory.create'), toyAction(2, 'memory.update'), toyAction(3, 'memory.withdraw')];
const once = ['memory.created', 'memory.updated'];

describe('an owner', () => {
  it('[O1] claims, decides what waits in order, and says how far it is', async () => {
    const rig = await OwnerRig.make();
    await rig.send(...three);
    rig.begin('a');
    await rig.untilDecided(3);
    expect(await rig.validEffects()).toEqual(once);
    expect(await rig.refusedCodes()).toEqual(['wrong_state']);
  });
  it('[O3] goes on after a stop exactly where decided stood', async () => {
    const rig = await OwnerRig.make();
    await rig.send(three[0]!);
    const first = rig.begin('a');
    await rig.untilDecided(1);
    await rig.end(first);
    await rig.send(three[1]!, three[2]!);
    rig.begin('b');
    await rig.untilDecided(3);
    expect(await rig.validEffects()).toEqual(once);
  });
  it('[O1] does not decide without a lease, nor with a stale one', async () => {
    const rig = await OwnerRig.make();
    await rig.send(three[0]!);
    const owner = rig.begin('a', { lease: false });
    await rig.pass(5_000);
    expect(await rig.validEffects()).toEqual([]);
    owner.lease.fresh = false;
    owner.owner.lead(owner.lease.asLease);
    await rig.pass(5_000);
    expect(await rig.validEffects()).toEqual([]);
    owner.lease.fresh = true;
    await rig.untilDecided(1);
  });
  it('[O1] yields after the batch, and only follows from then on', async () => {
    const rig = await OwnerRig.make();
    const a = rig.begin('a');
    await rig.send(three[0]!);
    await rig.untilDecided(1);
    const yielded = a.owner.yield();
    await rig.pass(1_000);
    await yielded;
    await rig.send(three[1]!);
    await rig.pass(5_000);
    expect(await rig.validEffects()).toEqual(['memory.created']);
    rig.begin('b');
    await rig.untilDecided(2);
    expect(await rig.validEffects()).toEqual(once);
  });
  it('[O5] waits for its clock to come within maxSkew of an input from the future', async () => {
    const rig = await OwnerRig.make();
    await rig.sendAt(10_000, toyAction(1, 'memory.create'));
    rig.begin('a');
    await rig.pass(7_000);
    expect(await rig.validEffects()).toEqual([]);
    await rig.pass(2_000);
    await rig.untilDecided(1);
    expect(await rig.validEffects()).toEqual(['memory.created']);
  });
});

describe('two owners at once', () => {
  it('[O2] [O4] decide each action once, whoever claimed last', async () => {
    const rig = await OwnerRig.make();
    rig.begin('a');
    rig.begin('b');
    for (let n = 1; n <= 20; n++) {
      await rig.send(toyAction(n, n === 1 ? 'memory.create' : 'memory.update'));
      await rig.pass(137);
    }
    await rig.untilDecided(20);
    expect(await rig.validEffects()).toEqual(['memory.created', ...Array.from({ length: 19 }, () => 'memory.updated')]);
  });
  it('[O4] the late append of a zombie is void and loses nothing', async () => {
    const rig = await OwnerRig.make();
    const a = rig.begin('a');
    await rig.send(toyAction(1, 'memory.create'));
    await rig.untilDecided(1);
    const late = rig.holdNextAppend();
    await rig.send(toyAction(2, 'memory.update'));
    await rig.pass(1_000);
    a.process.kill();
    rig.begin('b');
    await rig.untilDecided(2);
    late();
    await rig.send(toyAction(3, 'memory.update'));
    await rig.untilDecided(3);
    expect(await rig.validEffects()).toEqual(['memory.created', 'memory.updated', 'memory.updated']);
    expect(await rig.voidRecords()).toBeGreaterThan(0);
  });
  it('[O4] the late claim of a zombie makes the live owner claim again at its next append', async () => {
    const rig = await OwnerRig.make();
    const late = rig.holdNextAppend();
    const a = rig.begin('a');
    await rig.pass(1_000);
    a.process.kill();
    rig.begin('b');
    await rig.send(toyAction(1, 'memory.create'));
    await rig.untilDecided(1);
    late();
    await rig.send(toyAction(2, 'memory.update'));
    await rig.untilDecided(2);
    expect(await rig.validEffects()).toEqual(once);
    expect(rig.lost).toBeGreaterThan(0);
  });
});

describe('faults of an append', () => {
  it('[O2] a lost ack: what landed is found, and decided no second time', async () => {
    const rig = await OwnerRig.make();
    rig.begin('a');
    await rig.pass(1_000);
    rig.loseNextAck();
    await rig.send(...three);
    await rig.untilDecided(3);
    expect(await rig.validEffects()).toEqual(once);
    expect(rig.lost).toBe(1);
  });
  it('[O2] a batch that lands in part: the facts without their decided are found, the rest is decided', async () => {
    for (const landed of [1, 2]) {
      const rig = await OwnerRig.make();
      await rig.send(...three);
      const a = rig.begin('a', { lease: false });
      rig.landOnly(landed);
      a.owner.lead(a.lease.asLease);
      await rig.untilDecided(3);
      expect(await rig.validEffects()).toEqual(once);
    }
  });
  it('[O2] an append that never lands is decided again', async () => {
    const rig = await OwnerRig.make();
    rig.begin('a');
    await rig.pass(1_000);
    rig.dropNextAppend();
    await rig.send(...three);
    await rig.untilDecided(3);
    expect(await rig.validEffects()).toEqual(once);
  });
});

describe('a death at any step', () => {
  it('[O1] [O2] [O3] [L2-1] costs nothing: each action has one outcome', async () => {
    let deaths = 0;
    for (let step = 1; step <= 40; step++) {
      const rig = await OwnerRig.make();
      await rig.send(...three, { kind: 'account', agent: agentOf(1), walk: 1, change: 'deactivate', step: 'apply' });
      const first = rig.begin('a', { dieAtStep: step });
      await rig.pass(3_000);
      deaths += first.process.alive ? 0 : 1;
      first.process.kill();
      rig.begin('b', { store: step % 2 === 0 ? first.store : undefined });
      await rig.untilDecided(4);
      expect(await rig.validEffects()).toEqual([...once, 'account.inactive', 'memory.unpublished', 'account.applied']);
      await rig.replayEqualsStore();
    }
    expect(deaths).toBeGreaterThan(10);
  });
});

describe('the local store', () => {
  it('[O7] lost: the state is folded from the log', async () => {
    const rig = await OwnerRig.make();
    const a = rig.begin('a');
    await rig.send(...three);
    await rig.untilDecided(3);
    a.process.kill();
    const b = rig.begin('b');
    await rig.send(toyAction(4, 'memory.update', { attempt: 1 }), toyAction(1, 'memory.create'));
    await rig.untilDecided(5);
    expect(await rig.validEffects()).toEqual([...once, 'memory.updated']);
    expect(b.store.get(`object/${memoryOf(1)}/core`)).toMatchObject({ versions: 3 });
  });
  it('[O7] stale: what came since is folded on top', async () => {
    const rig = await OwnerRig.make();
    const a = rig.begin('a');
    await rig.send(three[0]!);
    await rig.untilDecided(1);
    const stale = rig.copyOf(a.store);
    await rig.send(three[1]!);
    await rig.untilDecided(2);
    a.process.kill();
    rig.begin('b', { store: stale });
    await rig.send(three[2]!);
    await rig.untilDecided(3);
    await rig.replayEqualsStore();
  });
  it('[O7] of another log, or ahead of this one: dropped', async () => {
    const other = await OwnerRig.make();
    const b = other.begin('b');
    await other.send(
      toyAction(7, 'memory.create', { object: memoryOf(2) }),
      toyAction(8, 'memory.update', { object: memoryOf(2) }),
    );
    await other.untilDecided(2);
    const rig = await OwnerRig.make();
    const a = rig.begin('a', { store: b.store });
    await rig.send(...three);
    await rig.untilDecided(3);
    expect(a.store.keys(`object/${memoryOf(2)}/`)).toEqual([]);
    await rig.replayEqualsStore();
  });
});

describe('a broken fact partition', () => {
  it('[O1] a gap in the numbers of the epoch stops the partition with an alarm', async () => {
    const rig = await OwnerRig.make();
    const a = rig.begin('a');
    await rig.send(three[0]!);
    await rig.untilDecided(1);
    await rig.forgeRecord({ ofEpoch: 'current', n: 99 });
    await rig.send(three[1]!);
    await rig.pass(2_000);
    expect(a.owner.status()).toBe('alarmed');
    expect(rig.alarms).toBe(1);
  });
});
