import { describe, expect, it } from '@jest/globals';
import { administration } from '../ids.ts';
import { ada, agentNumber, hashNumber, specFor } from '../testing/index.ts';
import type { AgentEffect } from './effects.ts';
import { agentKind } from './agent.ts';
import type { AgentAction } from './actions.ts';

const { given } = specFor(agentKind, ada);
const key = 'key_00000000000000000000000001';
const other = 'key_00000000000000000000000002';
const partitions = [{ kind: 'thread', partition: 0 } as const];
const created: readonly AgentEffect[] = [
  { type: 'agent.created' },
  { type: 'agent.key-issued', key, hash: hashNumber(1) },
];
const deactivating: AgentEffect = { type: 'agent.deactivating', walk: 1, partitions: [...partitions] };
const deactivated = { type: 'agent.deactivated', walk: 1 } as const;
const activating: AgentEffect = { type: 'agent.activating', walk: 2, partitions: [...partitions] };
const activated = { type: 'agent.activated', walk: 2 } as const;
const deactivate: AgentAction = { type: 'agent.deactivate', partitions: [...partitions] };
const activate: AgentAction = { type: 'agent.activate', partitions: [...partitions] };

describe('an agent account', () => {
  it('[A-8] is made by the administration, with its first key and labels', () => {
    given()
      .when(administration, { type: 'agent.create', labels: [], key, hash: hashNumber(1) })
      .then(...created);
    given()
      .when(administration, { type: 'agent.create', labels: ['b', 'a', 'b'], key, hash: hashNumber(1) })
      .then(
        { type: 'agent.created' },
        { type: 'agent.labels-set', labels: ['a', 'b'] },
        { type: 'agent.key-issued', key, hash: hashNumber(1) },
      );
    given(...created)
      .when(administration, { type: 'agent.create', labels: [], key, hash: hashNumber(1) })
      .thenRefused('wrong_state');
  });
  it('[A-8] is nobody’s but the administration’s to change', () => {
    given(...created)
      .when(ada, deactivate)
      .thenRefused('not_found');
    given()
      .when(agentNumber(9), { type: 'agent.create', labels: [], key, hash: hashNumber(1) })
      .thenRefused('not_found');
  });
  it('[C-3] of an unknown agent is not found', () => {
    for (const action of [
      deactivate,
      activate,
      { type: 'agent.issue-key', key: other, hash: hashNumber(2) },
      { type: 'agent.set-labels', labels: [] },
    ] satisfies AgentAction[])
      given().when(administration, action).thenRefused('not_found');
  });
  it('[A-8] gets and loses keys', () => {
    given(...created)
      .when(administration, { type: 'agent.issue-key', key: other, hash: hashNumber(2) })
      .then({ type: 'agent.key-issued', key: other, hash: hashNumber(2) });
    given(...created)
      .when(administration, { type: 'agent.revoke-key', key })
      .then({ type: 'agent.key-revoked', key });
    given(...created)
      .when(administration, { type: 'agent.revoke-key', key: other })
      .thenRefused('not_found');
    given(...created, { type: 'agent.key-revoked', key })
      .when(administration, { type: 'agent.revoke-key', key })
      .thenRefused('no_effect');
  });
  it('[L2-4] [L3-8] labels are a set, and setting the same ones changes nothing', () => {
    const labelled: readonly AgentEffect[] = [...created, { type: 'agent.labels-set', labels: ['a', 'b'] }];
    given(...labelled)
      .when(administration, { type: 'agent.set-labels', labels: ['b', 'a', 'a'] })
      .thenRefused('no_effect');
    given(...labelled)
      .when(administration, { type: 'agent.set-labels', labels: ['a', 'c'] })
      .then({ type: 'agent.labels-set', labels: ['a', 'c'] });
    given(...labelled)
      .when(administration, { type: 'agent.set-labels', labels: ['a'] })
      .then({ type: 'agent.labels-set', labels: ['a'] });
  });
  it('[A-7] is deactivated by a walk, during which nothing else begins', () => {
    given(...created)
      .when(administration, deactivate)
      .then(deactivating);
    for (const action of [deactivate, activate])
      given(...created, deactivating)
        .when(administration, action)
        .thenRefused('wrong_state');
    given(...created, deactivating, deactivated)
      .when(administration, deactivate)
      .thenRefused('no_effect');
  });
  it('[A-8] is activated by the next walk', () => {
    given(...created)
      .when(administration, activate)
      .thenRefused('no_effect');
    given(...created, deactivating, deactivated)
      .when(administration, activate)
      .then(activating);
    for (const action of [deactivate, activate])
      given(...created, deactivating, deactivated, activating)
        .when(administration, action)
        .thenRefused('wrong_state');
    given(...created, deactivating, deactivated, activating, activated)
      .when(administration, deactivate)
      .then({ type: 'agent.deactivating', walk: 3, partitions: [...partitions] });
  });
  it('[A-7] completes the walk that runs, once, and no other', () => {
    const during = given(...created, deactivating).state;
    expect(agentKind.completeWalk!(during, 1)).toEqual([deactivated]);
    expect(agentKind.completeWalk!(during, 2)).toEqual([]);
    expect(agentKind.completeWalk!(given(...created, deactivating, deactivated).state, 1)).toEqual([]);
    expect(agentKind.completeWalk!(given(...created, deactivating, deactivated, activating).state, 2)).toEqual([
      activated,
    ]);
    expect(agentKind.completeWalk!(given(...created).state, 0)).toEqual([]);
    expect(agentKind.completeWalk!(given().state, 1)).toEqual([]);
  });
  it('[A-3] has no deadlines and is tied to no partition’s walk', () => {
    given(...created)
      .dueAt(Number.MAX_SAFE_INTEGER)
      .then();
    given(...created)
      .whenDeactivated(ada)
      .then();
  });
});
