import { describe, expect, it } from '@jest/globals';
import { inboxAction } from '../inbox/actions.ts';
import { ada, hashNumber, threadNumber } from '../testing/index.ts';
import {
  decodeFactRecord,
  decodeInput,
  encodeFact,
  encodeInput,
  factType,
  readEnvelope,
  readInput,
  UnreadableRecord,
} from './codec.ts';
import type { Fact } from './facts.ts';
import type { ActionInput, Input } from './inputs.ts';

const thread = threadNumber(1);
const id = 'action_00000000000000000000000001' as const;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const action: ActionInput = {
  kind: 'action',
  id,
  attempt: 1,
  object: thread,
  agent: ada,
  binding: hashNumber(1),
  fingerprint: `v1:${hashNumber(2)}`,
  notAfter: 5,
  generation: 0,
  payload: { type: 'thread.leave' },
};
const fact = (name: string, cause?: Fact['cause']): Fact => ({
  object: { kind: 'thread', id: thread },
  revision: 1,
  at: 0,
  effects: [],
  cause: cause ?? {
    kind: 'action',
    id,
    attempt: 1,
    agent: ada,
    action: name,
    binding: hashNumber(1),
    fingerprint: 'v1:x',
  },
});
const place = { kind: 'thread', partition: 0, epoch: 'an-epoch', n: 1 };

describe('inputs on the log', () => {
  const inputs: readonly (readonly [string, Input])[] = [
    [thread, action],
    [thread, { kind: 'deadline', object: thread }],
    [ada, { kind: 'account', agent: ada, walk: 1, change: 'deactivate', step: 'apply' }],
    ['-', { kind: 'fence', generation: 3 }],
  ];
  it.each(inputs)('are keyed by what they concern (%s) and read as they were written', (key, input) => {
    const encoded = encodeInput(input);
    expect(encoded.key).toBe(key);
    expect(encoded.headers).toEqual({ 'content-type': 'application/json' });
    expect(decodeInput(encoded)).toEqual(input);
    expect(readInput(encoded)).toEqual(input);
  });
  it('of an unknown shape are no input, but say which action they are, so that it can be refused', () => {
    const unknown = { value: bytes(JSON.stringify({ ...action, payload: { type: 'thread.sing' } })) };
    expect(readInput(unknown)).toBeUndefined();
    expect(readEnvelope(unknown)).toEqual({ kind: 'action', id, attempt: 1, binding: hashNumber(1), notAfter: 5 });
    expect(() => decodeInput(unknown)).toThrow(UnreadableRecord);
    expect(readInput({ value: encodeInput({ ...action, surplus: 1 } as ActionInput).value })).toBeUndefined();
  });
  it.each([null, bytes(''), bytes('{'), bytes('7'), new Uint8Array([0x22, 0xff, 0x22])])(
    'that are no JSON in UTF-8 are poison, and told apart from a fault of the reader',
    (value) => {
      expect(readInput({ value })).toBeUndefined();
      expect(readEnvelope({ value })).toBeUndefined();
      expect(() => decodeInput({ value })).toThrow(UnreadableRecord);
    },
  );
});

describe('facts on the log', () => {
  it('[L1-3] name their cause in their type', () => {
    expect(factType(fact('thread.post'))).toBe('kungfu.thread.posted.v1');
    expect(factType(fact('assignment.take'))).toBe('kungfu.assignment.taken.v1');
    expect(factType(fact('', { kind: 'deadline', dueAt: 1 }))).toBe('kungfu.thread.deadline-passed.v1');
    expect(factType(fact('', { kind: 'account', agent: ada, walk: 1, change: 'activate' }))).toBe(
      'kungfu.thread.account-changed.v1',
    );
    for (const { shape } of inboxAction.options)
      expect(factType(fact(shape.type.value))).toMatch(/^kungfu[.]akep[.][a-z-]+[.]v1$/);
    expect(factType(fact('akep.receive'))).toBe('kungfu.akep.received.v1');
    expect(() => factType(fact('thread.sing'))).toThrow('no fact type for the action thread.sing');
  });
  it('[O1] are unreadable without epoch, type or number', () => {
    const { value, headers } = encodeFact(fact('thread.leave'), place);
    expect(decodeFactRecord({ value, headers })).toEqual({
      type: 'fact',
      epoch: 'an-epoch',
      n: 1,
      fact: fact('thread.leave'),
    });
    for (const missing of ['kf_epoch', 'ce_type', 'kf_n']) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing));
      expect(() => decodeFactRecord({ value, headers: rest })).toThrow(UnreadableRecord);
    }
    expect(() => decodeFactRecord({ value: null, headers })).toThrow(UnreadableRecord);
    expect(() => decodeFactRecord({ value, headers: { ...headers, kf_n: 'x' } })).toThrow(UnreadableRecord);
  });
  it('with an effect that this version does not know are unreadable: a reader stops and guesses nothing', () => {
    const { value, headers } = encodeFact(
      { ...fact('thread.leave'), effects: [{ type: 'thread.sung' } as never] },
      place,
    );
    expect(() => decodeFactRecord({ value, headers })).toThrow(UnreadableRecord);
  });
});
