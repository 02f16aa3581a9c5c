import { describe, expect, it } from '@jest/globals';
import { Cursors } from './cursor.ts';

const cursors = new Cursors('secret');
const bound = { agent: 'agent_1', read: 'thread.entries', query: { order: 'newest', thread: 'thread_1' } };

describe('a cursor', () => {
  const cursor = cursors.write(bound, { after: 7 });

  it('comes back as the place it was made of, for the same query in any order', () => {
    expect(cursors.read(bound, cursor)).toEqual({ after: 7 });
    expect(cursors.read({ ...bound, query: { thread: 'thread_1', order: 'newest' } }, cursor)).toEqual({ after: 7 });
  });
  it('is bound to agent, read and query', () => {
    expect(cursors.read({ ...bound, agent: 'agent_2' }, cursor)).toBeUndefined();
    expect(cursors.read({ ...bound, read: 'thread.members' }, cursor)).toBeUndefined();
    expect(cursors.read({ ...bound, query: { order: 'oldest', thread: 'thread_1' } }, cursor)).toBeUndefined();
    expect(cursors.read({ ...bound, query: { ...bound.query, thread: 'thread_2' } }, cursor)).toBeUndefined();
    expect(cursors.read({ ...bound, query: {} }, cursor)).toBeUndefined();
  });
  it('is authenticated', () => {
    expect(new Cursors('other').read(bound, cursor)).toBeUndefined();
    const [payload = '', mac = ''] = cursor.split('.');
    const forged = Buffer.from('{"after":8}').toString('base64url');
    for (const text of [
      '',
      '.',
      payload,
      `${payload}.`,
      `${payload}.x`,
      `${forged}.${mac}`,
      `${cursor}.x`,
      `.${mac}`,
      'ü',
    ]) {
      expect([text, cursors.read(bound, text)]).toEqual([text, undefined]);
    }
  });
});
