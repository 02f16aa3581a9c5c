import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemTimers } from '@kungfu/service';
import { type SchemaChecker, schemasInProcess, SchemaThreads } from './output-schema.ts';

const evil = '^(a+)+$';
const at = '/assign/content/outputSchema';

/** The place that is refused, with its keyword; undefined if the schema can be declared. */
const refused = async (schema: unknown): Promise<string | undefined> => {
  const [error] = await schemasInProcess.declared(schema, '');
  return error === undefined ? undefined : `${error.keyword} ${error.pointer}`;
};

describe('an output structure, when it is declared', () => {
  it('[T-44] is a JSON Schema 2020-12 and says nothing else of itself', async () => {
    expect(await refused({ type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' })).toBeUndefined();
    expect(await refused({ type: 'nonsense' })).toBe('schema /type');
    for (const $schema of [5, 'http://json-schema.org/draft-07/schema#', ''])
      expect(await refused({ $schema })).toBe('schema /$schema');
  });

  it('[T-44] is looked through under every name, also one that is a keyword elsewhere', async () => {
    for (const name of ['default', 'const', 'enum', 'examples', '$defs', 'x/y'])
      expect(await refused({ properties: { [name]: { pattern: evil } } })).toBe(
        `unbounded /properties/${name.replace('/', '~1')}/pattern`,
      );
    expect(await refused({ properties: { uniqueItems: true, $id: { type: 'string' } } })).toBeUndefined();
  });

  it('[T-44] has only patterns with few ways through them', async () => {
    for (const pattern of [
      evil,
      '\\s+$',
      `^${'x?'.repeat(28)}${'x'.repeat(28)}$`,
      '^(a|a){30}$',
      '^(x?){30}x{30}$',
      '(',
    ])
      expect(await refused({ pattern })).toBe('unbounded /pattern');
    for (const pattern of ['^[a-z]{1,64}$', '^[0-9a-f]{64}$', '^-?\\d+(\\.\\d+)?$'])
      expect(await refused({ pattern })).toBeUndefined();
  });
});

describe('a payload', () => {
  it('[T-44] misses its structure at places of its own, named as they are', async () => {
    const schema = { properties: { 'ä/b': { type: 'integer' } } };
    expect(await schemasInProcess.misses(schema, { 'ä/b': 1 }, '/payload')).toEqual([]);
    expect(await schemasInProcess.misses(schema, { 'ä/b': 'x' }, '/payload')).toContainEqual({
      pointer: '/payload/ä~1b',
      keyword: 'type',
      detail: 'The payload misses the output structure here.',
    });
  });

  it('[T-44] that could never be checked to the end misses as a whole', async () => {
    expect(await schemasInProcess.misses({ pattern: evil }, `${'a'.repeat(60)}!`, '/payload')).toMatchObject([
      { pointer: '/payload', keyword: 'unbounded' },
    ]);
    expect(await schemasInProcess.misses({ x: { id: 'http://[' } }, 1, '/payload')).toMatchObject([
      { keyword: 'unbounded' },
    ]);
  });
});

describe('threads for the schemas of strangers', () => {
  let threads: SchemaThreads;
  beforeEach(() => {
    threads = new SchemaThreads(systemTimers);
  });
  afterEach(() => threads.stop());

  it('[T-44] answer as the process itself does', async () => {
    const answers = async (schemas: SchemaChecker): Promise<unknown> =>
      Promise.all([
        schemas.declared({ type: 'object' }, at),
        schemas.declared({ type: 'nonsense' }, at),
        schemas.declared({ items: { pattern: evil } }, at),
        schemas.misses({ type: 'object', required: ['a'] }, {}, '/payload'),
        schemas.misses({ type: 'object' }, { ['__proto__']: 1 }, '/payload'),
      ]);
    const answered = await answers(threads);
    expect(answered).toEqual(await answers(schemasInProcess));
    expect(answered).toMatchObject([
      [],
      [{ pointer: `${at}/type`, keyword: 'schema' }],
      [{ pointer: `${at}/items/pattern`, keyword: 'unbounded' }],
      [{ keyword: 'required' }],
      [],
    ]);
  });

  it('[T-44] leave the caller free, and one who delivers does not wait for one who declares', async () => {
    await Promise.all([threads.declared(true, at), threads.misses(true, 1, '/payload')]);
    let declared = false;
    const slow = threads.declared(manyPatterns, at).then((errors) => {
      declared = true;
      return errors;
    });
    let turns = 0;
    while (!declared && turns < 50) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(turns).toBe(50);
    expect(await threads.misses({ type: 'string' }, 'x', '/payload')).toEqual([]);
    expect(declared).toBe(false);
    await slow;
  });

  it('[T-44] are ended when a job takes too long, which answers it, and the next one is done', async () => {
    const never = {
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((end) => {
          signal?.addEventListener('abort', () => end());
        }),
    };
    let late = true;
    const impatient = new SchemaThreads({
      sleep: (ms, signal) => (late ? Promise.resolve() : never.sleep(ms, signal)),
    });
    try {
      expect(await impatient.declared(manyPatterns, at)).toMatchObject([{ pointer: at, keyword: 'unbounded' }]);
      expect(await impatient.misses({ pattern: evil }, `${'a'.repeat(60)}!`, '/payload')).toMatchObject([
        { pointer: '/payload', keyword: 'unbounded' },
      ]);
      late = false;
      expect(await impatient.declared({ type: 'object' }, at)).toEqual([]);
      expect(await impatient.misses({ type: 'object' }, 1, '/payload')).toMatchObject([{ keyword: 'type' }]);
    } finally {
      await impatient.stop();
    }
  });

  it('[T-44] answer a schema that needs more of the stack than there is', async () => {
    const deep = JSON.parse(`${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`) as unknown;
    expect(await threads.declared(deep, at)).toMatchObject([{ keyword: 'unbounded' }]);
    expect(await threads.declared({ type: 'object' }, at)).toEqual([]);
  });

  it('[T-44] end with the process that started them', async () => {
    const waiting = threads.declared(manyPatterns, at);
    await threads.stop();
    expect(await waiting).toMatchObject([{ keyword: 'unbounded' }]);
    expect(await threads.declared({}, at)).toMatchObject([{ keyword: 'unbounded' }]);
  });
});

/** Each is looked at for a while, and none of them is refused at first sight. */
const manyPatterns = {
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`p${i}`, { pattern: `^(?:[a-z]+[0-9]+){1,9}x{1,${50 - (i % 40)}}${i}$` }]),
  ),
};
