import { describe, expect, it } from '@jest/globals';
import { refusals } from '../refusals.ts';
import { actionCatalogue } from './actions.ts';
import { actionNames } from './inputs.ts';
import { readCatalogue } from './reads.ts';

const actions = Object.values(actionCatalogue());
const reads = Object.values(readCatalogue());

describe('the catalogue', () => {
  it('has every action under a route of its own', () => {
    const routes = [
      ...actions.map(({ method, path }) => `${method} ${path}`),
      ...reads.map(({ path }) => `GET ${path}`),
    ];
    expect(new Set(routes).size).toBe(routes.length);
    expect(actions.map(({ name }) => name)).toEqual(actionNames);
  });

  it('takes every path parameter as the object or as a field of the input', () => {
    for (const { name, object, parts, input } of actions) {
      for (const part of parts) expect([name, part, part in input.shape]).toEqual([name, part, true]);
      if (object !== undefined) expect([name, object in input.shape]).toEqual([name, false]);
    }
    expect(actionCatalogue()['thread.set-role']).toMatchObject({ object: 'thread', parts: ['member'], method: 'PUT' });
    expect(actionCatalogue()['agent.revoke-key']).toMatchObject({
      object: 'agent',
      parts: ['key'],
      door: 'administration',
    });
    expect(actionCatalogue()['thread.join'].object).toBeUndefined();
  });

  it('describes each in four sentences', () => {
    for (const { description } of [...actions, ...reads]) {
      for (const sentence of Object.values(description)) expect(sentence).toMatch(/^[A-Z`].*\.$/);
    }
  });

  it('names only refusals that exist, each once', () => {
    for (const { name, refusals: codes } of [...actions, ...reads]) {
      for (const code of codes) expect(refusals).toHaveProperty(code);
      expect([name, new Set(codes).size]).toEqual([name, codes.length]);
    }
  });

  it('[L3-4] knows which answers carry a secret', () => {
    expect(actions.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'thread.create',
      'thread.grant',
      'agent.create',
      'agent.issue-key',
    ]);
  });

  it('[O-12] has no action that writes an obligation', () => {
    expect(actions.map(({ name }) => name).filter((name) => /obligation|turn/.test(name))).toEqual([]);
  });

  it('[K-10] acts on engagements under their Task, which decides', () => {
    const catalogue = actionCatalogue();
    expect(catalogue['task.create'].object).toBeUndefined();
    expect(catalogue['task.take']).toMatchObject({
      kind: 'task',
      object: 'task',
      parts: [],
      method: 'POST',
      path: '/v1/tasks/{task}/engagements',
    });
    for (const name of ['deliver', 'drop', 'adopt', 'reject'] as const)
      expect(catalogue[`engagement.${name}`]).toMatchObject({
        kind: 'task',
        door: 'agents',
        object: 'task',
        parts: ['engagement'],
        path: `/v1/tasks/{task}/engagements/{engagement}/${name}`,
      });
  });

  it('[L3-8] knows which arrays of a contract are sets', () => {
    const catalogue = actionCatalogue();
    expect(catalogue['task.create'].sets).toEqual(['/eligibility', '/audience/restricted']);
    expect(catalogue['task.revise'].sets).toEqual(['/eligibility']);
  });

  it('[K-13] [K-18] has no action with which an author cancels an engagement, or anyone reopens one', () => {
    expect(actionNames.filter((name) => /^(task|engagement)[.]/.test(name))).toEqual([
      'task.create',
      'task.revise',
      'task.pause',
      'task.resume',
      'task.take',
      'engagement.deliver',
      'engagement.drop',
      'engagement.adopt',
      'engagement.reject',
    ]);
  });
});
