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
});
