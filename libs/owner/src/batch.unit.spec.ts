import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@kungfu/log-port';
import { type Chain, decodeFactRecord, encodeInput, type FactRecord, type Input } from '@kungfu/protocol';
import { type Batch, decideBatch } from './batch.ts';
import { BrokenInvariant, PartitionState } from './partition-state.ts';
import { InMemoryStore } from './store.ts';
import { agentOf, memoryOf, toyAction, toyKind } from './testing/toy-kind.ts';

const limits = { membersMax: 50, openResponsesMax: 5_000, liveAssignmentsMax: 1_000, openEngagementsMax: 1_000 };
const begin = 1_900_000_000_000;

let store: InMemoryStore;
let state: PartitionState;
let chain: Chain;
let offset: number;
let parked: unknown[];

beforeEach(() => {
  store = new InMemoryStore();
  state = new PartitionState(toyKind, store);
  chain = { epoch: 'epoch-of-this-spec', n: 0 };
  offset = 0;
  parked = [];
});

const placed = (input: Input, at: number): LogRecord => ({
  topic: 'kungfu.actions.memory',
  partition: 0,
  offset: offset++,
  timestamp: at,
  ...encodeInput(input),
});
const decideRaw = (records: readonly LogRecord[]): Batch =>
  decideBatch(records, {
    state,
    kind: toyKind,
    limits,
    partition: 0,
    chain,
    onParked: (_record, error) => parked.push(error),
  });

/** Decides the inputs as one batch at `at`, commits, and tells what its records say. */
const decide = (at: number, ...inputs: readonly Input[]): readonly FactRecord[] => {
  const batch = decideRaw(inputs.map((input) => placed(input, at)));
  chain = batch.chain;
  state.commit({ next: chain.n, chain, version: 1 });
  return batch.records.map(decodeFactRecord);
};
const factsOf = (records: readonly FactRecord[]) => records.flatMap((r) => (r.type === 'fact' ? [r.fact] : []));
const decidedOf = (records: readonly FactRecord[]) =>
  records.flatMap((r) => (r.type === 'decided' ? [r.decided] : [])).at(-1)!;
const effects = (records: readonly FactRecord[]): readonly string[] =>
  factsOf(records).flatMap((f) => f.effects.map((e) => e.type));
const codes = (records: readonly FactRecord[]): readonly string[] => decidedOf(records).refused.map(({ code }) => code);

describe('deciding a batch', () => {
  it('[L2-1] an accepted action is one fact record, and the batch ends with one decided record that covers it', () => {
    const records = decide(begin, toyAction(1, 'memory.create'), toyAction(2, 'memory.update'));
    expect(records.map(({ type }) => type)).toEqual(['fact', 'fact', 'decided']);
    expect(effects(records)).toEqual(['memory.created', 'memory.updated']);
    expect(decidedOf(records)).toEqual({ upTo: 2, at: begin, generation: 0, refused: [] });
  });
  it('[L1-3] a fact names the action that caused it', () => {
    const [fact] = factsOf(decide(begin, toyAction(1, 'memory.create')));
    expect(fact!.cause).toEqual({
      kind: 'action',
      id: 'action_00000000000000000000000001',
      attempt: 1,
      agent: agentOf(1),
      action: 'memory.create',
      binding: '1'.padStart(64, '0'),
      fingerprint: `v1:${'1'.padStart(64, '0')}`,
    });
  });
  it('[O3] a batch that only refuses moves the input position too, and writes no fact', () => {
    const records = decide(begin, toyAction(1, 'memory.withdraw'));
    expect(records.map(({ type }) => type)).toEqual(['decided']);
    expect(decidedOf(records).upTo).toBe(1);
    expect(codes(records)).toEqual(['wrong_state']);
  });
  it('[O2] the same action again is dropped: neither a fact nor a refusal', () => {
    decide(begin, toyAction(1, 'memory.create'));
    const again = decide(begin + 5, toyAction(1, 'memory.create'), toyAction(1, 'memory.create', { attempt: 2 }));
    expect(effects(again)).toEqual([]);
    expect(codes(again)).toEqual([]);
    expect(decidedOf(again).upTo).toBe(3);
  });
  it('[O2] the same action twice in one batch has one fact', () => {
    expect(effects(decide(begin, toyAction(1, 'memory.create'), toyAction(1, 'memory.create')))).toEqual([
      'memory.created',
    ]);
  });
  it('[L3-2] another request under the binding of an accepted action is refused', () => {
    decide(begin, toyAction(1, 'memory.create'));
    const other = toyAction(2, 'memory.update', { binding: '1'.padStart(64, '0') });
    expect(codes(decide(begin, other))).toEqual(['idempotency_conflict']);
  });
  it('[O2] an attempt not above the newest refused one is dropped, a newer one is decided', () => {
    expect(codes(decide(begin, toyAction(1, 'memory.withdraw', { attempt: 2 })))).toEqual(['wrong_state']);
    expect(
      codes(decide(begin, toyAction(1, 'memory.withdraw', { attempt: 2 }), toyAction(1, 'memory.withdraw'))),
    ).toEqual([]);
    expect(effects(decide(begin, toyAction(1, 'memory.create')))).toEqual([]);
    expect(effects(decide(begin, toyAction(1, 'memory.create', { attempt: 3 })))).toEqual(['memory.created']);
  });
  it('[L3-5] a refused attempt leaves no binding: a later action under the same key is accepted', () => {
    decide(begin, toyAction(1, 'memory.withdraw'));
    expect(effects(decide(begin, toyAction(2, 'memory.create', { binding: '1'.padStart(64, '0') })))).toEqual([
      'memory.created',
    ]);
  });
  it('[O2] an action past its notAfter is refused expired: at it, not yet', () => {
    expect(codes(decide(begin, toyAction(1, 'memory.create', { notAfter: begin - 1 })))).toEqual(['expired']);
    expect(effects(decide(begin, toyAction(2, 'memory.create', { notAfter: begin })))).toEqual(['memory.created']);
  });
  it('[O2] a refusal is remembered until log time has passed its notAfter, not longer', () => {
    decide(begin, toyAction(1, 'memory.withdraw', { notAfter: begin + 10 }));
    expect(state.refusedAttempt('action_00000000000000000000000001')).toBe(1);
    decide(begin + 10, toyAction(2, 'memory.create'));
    expect(state.refusedAttempt('action_00000000000000000000000001')).toBe(1);
    decide(begin + 11, toyAction(3, 'memory.update'));
    expect(state.refusedAttempt('action_00000000000000000000000001')).toBe(0);
    expect(store.keys('refused/')).toEqual([]);
  });
  it('[O2] an action that a gateway has interrupted is refused so, whatever it asks for', () => {
    expect(codes(decide(begin, toyAction(1, 'memory.create', { interrupted: true })))).toEqual(['interrupted']);
  });
  it('[O2] below the highest fence an action is refused expired', () => {
    const records = decide(
      begin,
      { kind: 'fence', generation: 2 },
      toyAction(1, 'memory.create', { generation: 1 }),
      toyAction(2, 'memory.create', { generation: 2 }),
    );
    expect(codes(records)).toEqual(['expired']);
    expect(effects(records)).toEqual(['memory.created']);
    expect(decidedOf(records).generation).toBe(2);
  });
});

describe('log time', () => {
  it('[O5] never goes back, whatever timestamps the inputs carry', () => {
    const records = [
      placed(toyAction(1, 'memory.create'), begin + 100),
      placed(toyAction(2, 'memory.update'), begin + 40),
    ];
    const batch = decideRaw(records).records.map(decodeFactRecord);
    expect(factsOf(batch).map(({ at }) => at)).toEqual([begin + 100, begin + 100]);
    expect(decidedOf(batch).at).toBe(begin + 100);
  });
  it('[O5] is carried by a batch that only refuses', () => {
    decide(begin + 100, toyAction(1, 'memory.withdraw'));
    expect(factsOf(decide(begin, toyAction(2, 'memory.create')))[0]!.at).toBe(begin + 100);
  });
});

describe('deadlines', () => {
  beforeEach(() => void decide(begin, toyAction(1, 'memory.create'), toyAction(2, 'memory.publish')));

  it('[L4-3] one that is due fires before the action is decided, as a fact of its own', () => {
    const facts = factsOf(decide(begin + 1_000, toyAction(3, 'memory.update')));
    expect(facts.map(({ cause }) => cause.kind)).toEqual(['deadline', 'action']);
    expect(facts[0]).toMatchObject({
      at: begin + 1_000,
      cause: { dueAt: begin + 1_000 },
      effects: [{ type: 'memory.withdrawn' }],
    });
  });
  it('[L4-3] one that is not due yet does not fire', () => {
    expect(effects(decide(begin + 999, { kind: 'deadline', object: memoryOf(1) }))).toEqual([]);
  });
  it('[L4-3] fires by the deadline input alone, once', () => {
    expect(
      effects(
        decide(begin + 1_001, { kind: 'deadline', object: memoryOf(1) }, { kind: 'deadline', object: memoryOf(1) }),
      ),
    ).toEqual(['memory.withdrawn']);
  });
  it('[L4-3] fires also where the action is then refused', () => {
    const records = decide(begin + 1_000, toyAction(3, 'memory.withdraw'));
    expect(effects(records)).toEqual(['memory.withdrawn']);
    expect(codes(records)).toEqual(['wrong_state']);
  });
  it('[O2] does not fire for an action that is dropped or expired', () => {
    expect(
      effects(decide(begin + 1_000, toyAction(1, 'memory.create'), toyAction(4, 'memory.update', { notAfter: begin }))),
    ).toEqual([]);
  });
});

describe('account walks', () => {
  const deactivate: Input = { kind: 'account', agent: agentOf(1), walk: 1, change: 'deactivate', step: 'apply' };

  it('[A-4] makes the agent inactive first, then touches each object that knows it, and closes last', () => {
    decide(
      begin,
      toyAction(1, 'memory.create'),
      toyAction(2, 'memory.create', { object: memoryOf(2) }),
      toyAction(3, 'memory.create', { object: memoryOf(3), agent: agentOf(2) }),
    );
    const facts = factsOf(decide(begin, deactivate));
    expect(facts.map((f) => [f.object.id, f.effects.map((e) => e.type).join()])).toEqual([
      [agentOf(1), 'account.inactive'],
      [memoryOf(1), 'memory.unpublished'],
      [memoryOf(2), 'memory.unpublished'],
      [agentOf(1), 'account.applied'],
    ]);
    expect(facts.every(({ cause }) => cause.kind === 'account')).toBe(true);
  });
  it('[A-1] from then on its actions are refused, until it is active again', () => {
    decide(begin, deactivate);
    expect(codes(decide(begin, toyAction(1, 'memory.create')))).toEqual(['agent_inactive']);
    decide(begin, { ...deactivate, walk: 2, change: 'activate' });
    expect(effects(decide(begin, toyAction(2, 'memory.create')))).toEqual(['memory.created']);
  });
  it('[A-7] a walk not above the last one applied is ignored', () => {
    decide(begin, deactivate);
    decide(begin, { ...deactivate, walk: 2, change: 'activate' });
    expect(effects(decide(begin, deactivate))).toEqual([]);
    expect(state.account(agentOf(1)).inactive).toBe(false);
  });
  it('[A-7] an activation is applied where the deactivation was never seen, and what is late of that is ignored', () => {
    decide(begin, toyAction(1, 'memory.create'));
    expect(effects(decide(begin, { ...deactivate, walk: 2, change: 'activate' }))).toEqual([
      'account.active',
      'account.applied',
    ]);
    expect(state.account(agentOf(1))).toEqual({ inactive: false, applied: 2 });
    expect(effects(decide(begin, deactivate))).toEqual([]);
    expect(effects(decide(begin, { ...deactivate, walk: 3 }))).toEqual([
      'account.inactive',
      'memory.unpublished',
      'account.applied',
    ]);
  });
  it('[A-4] a deactivation is applied whatever its number, where nothing was seen before', () => {
    expect(effects(decide(begin, { ...deactivate, walk: 5 }))).toEqual(['account.inactive', 'account.applied']);
    expect(state.account(agentOf(1))).toEqual({ inactive: true, applied: 5 });
  });
  it('[A-4] fires due deadlines of an object before the walk touches it', () => {
    decide(begin, toyAction(1, 'memory.create'), toyAction(2, 'memory.publish'));
    expect(effects(decide(begin + 1_000, deactivate))).toEqual([
      'account.inactive',
      'memory.withdrawn',
      'memory.unpublished',
      'account.applied',
    ]);
  });
  it('[A-4] is a batch of its own: what stands before and after it is decided in others', () => {
    const records = [
      placed(toyAction(1, 'memory.create'), begin),
      placed(deactivate, begin),
      placed(toyAction(2, 'memory.update'), begin),
    ];
    expect(decideRaw(records).inputs).toBe(1);
    expect(decideRaw(records.slice(1)).inputs).toBe(1);
  });
  it('[A-7] an agent that the gateway saw going is inactive for this action', () => {
    expect(codes(decide(begin, toyAction(1, 'memory.create', { inactive: [agentOf(1)] })))).toEqual(['agent_inactive']);
  });
});

describe('faults of one input', () => {
  it('[O2] a decision that throws is refused failed and parked; the rest of the batch is decided', () => {
    const records = decide(begin, toyAction(1, 'memory.unpublish'), toyAction(2, 'memory.create'));
    expect(codes(records)).toEqual(['failed']);
    expect(effects(records)).toEqual(['memory.created']);
    expect(parked).toHaveLength(1);
  });
  it('[O2] an unknown action is refused failed, by what it says of itself', () => {
    const strange = { ...toyAction(1, 'memory.create'), payload: { type: 'memory.teleport' } };
    const record = {
      ...placed(toyAction(1, 'memory.create'), begin),
      value: new TextEncoder().encode(JSON.stringify(strange)),
    };
    const batch = decideRaw([record]);
    expect(codes(batch.records.map(decodeFactRecord))).toEqual(['failed']);
    expect(parked).toHaveLength(1);
  });
  it('[O3] bytes that say nothing are parked and passed', () => {
    const record = { ...placed(toyAction(1, 'memory.create'), begin), value: new Uint8Array([0xff]) };
    const batch = decideRaw([record]);
    expect(decidedOf(batch.records.map(decodeFactRecord))).toMatchObject({ upTo: 1, refused: [] });
    expect(parked).toHaveLength(1);
  });
});

describe('folding', () => {
  it('[O6] replaying the records from the first gives the same store, byte for byte', () => {
    const records = [
      ...decide(
        begin,
        toyAction(1, 'memory.create'),
        toyAction(2, 'memory.publish'),
        toyAction(3, 'memory.withdraw', { notAfter: begin + 5_000 }),
      ),
      ...decide(begin + 2_000, { kind: 'account', agent: agentOf(1), walk: 1, change: 'deactivate', step: 'apply' }),
      ...decide(begin + 3_000, toyAction(4, 'memory.update'), { kind: 'fence', generation: 3 }),
    ];
    const replayed = new InMemoryStore();
    const other = new PartitionState(toyKind, replayed);
    for (const record of records) other.fold(record);
    other.commit({ next: chain.n, chain, version: 1 });
    const dump = (s: InMemoryStore) => JSON.stringify([s.head(), s.keys('').map((key) => [key, s.get(key)])]);
    expect(dump(replayed)).toBe(dump(store));
  });
  it('[O1] a fact whose number does not follow breaks the invariant', () => {
    const [fact] = factsOf(decide(begin, toyAction(1, 'memory.create')));
    expect(() => state.foldFact(fact!)).toThrow(BrokenInvariant);
  });
  it('[O2] a second fact for one binding breaks the invariant', () => {
    const [fact] = factsOf(decide(begin, toyAction(1, 'memory.create')));
    expect(() => state.foldFact({ ...fact!, revision: 2 })).toThrow(/binding/);
  });
  it('[O5] a fact or decided record from the past breaks the invariant', () => {
    const [fact] = factsOf(decide(begin, toyAction(1, 'memory.create')));
    expect(() => state.foldFact({ ...fact!, revision: 2, at: begin - 1 })).toThrow(/time/);
    expect(() => state.foldDecided({ upTo: 0, at: begin, generation: 0, refused: [] })).toThrow(BrokenInvariant);
  });
  it('[O1] what is discarded is as if it had not been decided', () => {
    decide(begin, toyAction(1, 'memory.create'));
    decideRaw([placed(toyAction(2, 'memory.update'), begin + 7), placed(toyAction(3, 'memory.withdraw'), begin + 7)]);
    state.discard();
    expect(state.object(memoryOf(1)).revision).toBe(1);
    expect(state.at).toBe(begin);
    expect(state.upTo).toBe(1);
    expect(state.refusedAttempt('action_00000000000000000000000003')).toBe(0);
  });
  it('[O7] a state opened on the store goes on where the first stood', () => {
    decide(begin, toyAction(1, 'memory.create'), toyAction(2, 'memory.withdraw'));
    const reopened = new PartitionState(toyKind, store);
    expect(reopened.object(memoryOf(1))).toMatchObject({ revision: 1, state: { versions: 1 } });
    expect(reopened.refusedAttempt('action_00000000000000000000000002')).toBe(1);
    expect(reopened.at).toBe(begin);
  });
});
