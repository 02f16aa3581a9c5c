import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Head } from '@kungfu/owner';
import { LmdbStore } from './lmdb-store.ts';

const head = (next: number): Head => ({
  next,
  chain: { epoch: 'an-epoch', n: next },
  upTo: next,
  at: 1,
  generation: 0,
  version: 1,
});

describe('the store on disk', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kungfu-store-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('[O7] has after reopening what was committed: head, rows, removals, keys in order', async () => {
    const first = new LmdbStore(directory);
    first.commit(
      head(1),
      new Map<string, unknown>([
        ['object/b/core', { n: 1, list: [1, 2], nested: { a: 'ü' } }],
        ['object/a/core', 7],
        ['object/a/#', 1],
      ]),
    );
    first.commit(head(2), new Map<string, unknown>([['object/a/core', undefined]]));
    await first.close();
    const again = new LmdbStore(directory);
    expect(again.head()).toEqual(head(2));
    expect(again.get('object/b/core')).toEqual({ n: 1, list: [1, 2], nested: { a: 'ü' } });
    expect(again.get('object/a/core')).toBeUndefined();
    expect(again.keys('object/')).toEqual(['object/a/#', 'object/b/core']);
    expect(again.keys('object/a/')).toEqual(['object/a/#']);
    await again.close();
  });
  it('[O7] is empty after clear, the head included', async () => {
    const store = new LmdbStore(directory);
    store.commit(head(1), new Map([['binding/x', 'v1']]));
    store.clear();
    expect(store.head()).toBeUndefined();
    expect(store.keys('')).toEqual([]);
    await store.close();
  });
  it('[O7] is kept when its process is killed, and dropped when it was left by another boot', async () => {
    const store = new LmdbStore(directory);
    store.commit(head(5), new Map([['binding/x', 'v1']]));
    // No close: the folder stands as a killed process leaves it.
    const boot = join(directory, 'boot');
    const left = readFileSync(boot, 'utf8');
    await store.close();
    writeFileSync(boot, left);
    const sameBoot = new LmdbStore(directory);
    expect(sameBoot.head()).toEqual(head(5));
    await sameBoot.close();
    writeFileSync(boot, 'another-boot');
    const otherBoot = new LmdbStore(directory);
    expect(otherBoot.head()).toBeUndefined();
    await otherBoot.close();
  });
  it.each([
    ['overwritten', (file: string) => writeFileSync(file, Buffer.alloc(8_192, 0x5a))],
    ['cut short', (file: string) => writeFileSync(file, Buffer.alloc(3))],
    [
      'one that took the process down when it was opened',
      (file: string) => writeFileSync(join(dirname(file), 'opening'), ''),
    ],
  ])('[O7] that is damaged (%s) is replaced by an empty one', async (_how, damage) => {
    const first = new LmdbStore(directory);
    first.commit(head(1), new Map([['binding/x', 'v1']]));
    await first.close();
    damage(join(directory, 'rows.mdb'));
    const replaced = new LmdbStore(directory);
    expect(replaced.head()).toBeUndefined();
    replaced.commit(head(2), new Map());
    expect(replaced.head()).toEqual(head(2));
    await replaced.close();
  });
});
