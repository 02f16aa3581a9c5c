import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Head, Store } from '@kungfu/owner';
import { open, type RootDatabase } from 'lmdb';

/** Key of the head: sorts before every row. */
const headKey = '!head';
/** Sorts after every key with the prefix before it. */
const afterAll = '￿';
const mapBytesMax = 64 * 1024 ** 3;

/**
 * A partition's local store on disk: one LMDB environment a partition, written without waiting for the disk. A process that
 * is killed loses nothing; after a power cut (another boot without a clean close) the folder is dropped and the state folded
 * from the log again, as is one that is damaged (O7).
 */
export class LmdbStore implements Store {
  readonly #directory: string;
  #db: RootDatabase;

  constructor(directory: string) {
    this.#directory = directory;
    this.#db = openOrReplace(directory);
  }

  head(): Head | undefined {
    return this.#db.get(headKey) as Head | undefined;
  }

  get(key: string): unknown {
    return this.#db.get(key);
  }

  keys(prefix: string): readonly string[] {
    return [...this.#db.getKeys({ start: prefix, end: prefix + afterAll })].map(String);
  }

  commit(head: Head, writes: ReadonlyMap<string, unknown>): void {
    this.#db.transactionSync(() => {
      for (const [key, value] of writes) {
        if (value === undefined) this.#db.removeSync(key);
        else this.#db.putSync(key, value);
      }
      this.#db.putSync(headKey, head);
    });
  }

  clear(): void {
    this.#db.clearSync();
  }

  async close(): Promise<void> {
    await this.#db.flushed;
    await this.#db.close();
    rmSync(join(this.#directory, bootFile), { force: true });
  }
}

const bootFile = 'boot';
const bootIdFile = '/proc/sys/kernel/random/boot_id';
/** Absent where the platform does not tell: then every open folder counts as left by another boot. */
const bootId = (): string => (existsSync(bootIdFile) ? readFileSync(bootIdFile, 'utf8').trim() : 'unknown');

const openOrReplace = (directory: string): RootDatabase => {
  mkdirSync(directory, { recursive: true });
  if (leftByAnotherBoot(directory) || isDamaged(directory)) wipe(directory);
  writeFileSync(join(directory, bootFile), bootId());
  // A damaged file may take the process down with it: the next start then finds this mark, and drops the folder.
  writeFileSync(join(directory, openingFile), '');
  const db = open({ path: join(directory, rowsFile), noSync: true, mapSize: mapBytesMax, maxReaders: 16 });
  db.get(headKey);
  rmSync(join(directory, openingFile));
  return db;
};

const openingFile = 'opening';
const rowsFile = 'rows.mdb';
/** LMDB's magic number in the first meta page, behind the page header; little-endian as on every platform supported. */
const magic = { at: 24, value: 0xbeefc0de };

const isDamaged = (directory: string): boolean => {
  if (existsSync(join(directory, openingFile))) return true;
  const file = join(directory, rowsFile);
  if (!existsSync(file)) return false;
  const start = Buffer.alloc(magic.at + 4);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, start) < start.length || start.readUInt32LE(magic.at) !== magic.value;
  } finally {
    closeSync(descriptor);
  }
};

const leftByAnotherBoot = (directory: string): boolean => {
  const file = join(directory, bootFile);
  if (!existsSync(file)) return false;
  const left = readFileSync(file, 'utf8');
  return left === 'unknown' || left !== bootId();
};

const wipe = (directory: string): void => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
};
