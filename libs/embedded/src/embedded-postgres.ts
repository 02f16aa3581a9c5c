/**
 * Real PostgreSQL from npm, in a folder, as a child of this process.
 *
 * Whole interface: startEmbeddedPostgres(). The folder is locked while the server runs. A server that outlived its parent (kill -9)
 * is stopped at the next start; a watchdog stops it within a second or two besides.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { isAlive, lockFolder } from './folder-lock.ts';
import { Server } from './server.ts';
import { FolderClosed } from './server-user.ts';

export type EmbeddedOptions = {
  /** Holds everything; made when it does not exist. */
  readonly directory: string;
  /** Loopback port; a free one when absent. */
  readonly port?: number;
  /** Hears what the server says. */
  readonly onLog?: (message: string) => void;
  /** Without syncing to disk: for tests that do not cut the power. */
  readonly volatile?: boolean;
};

export type Embedded = {
  /** postgres://… of the database `kungfu`. */
  readonly url: string;
  /** The same over a Unix socket in the folder, which costs less, for the process itself; `url` where the folder's path does not allow one. */
  readonly localUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Whether the folder was new. */
  readonly fresh: boolean;
  /** Another database on the same server; its address. */
  createDatabase(name: string): Promise<string>;
  /** Shuts down cleanly and gives the folder back. */
  stop(): Promise<void>;
  /** kill -9 of the server, for tests; start again on the same folder. */
  kill(): Promise<void>;
};

const password = 'kungfu';
const urlOf = (port: number, database: string): string => `postgres://kungfu:${password}@127.0.0.1:${port}/${database}`;
/** Longest path of a folder that a socket can lie in, on Linux and macOS alike. */
const socketFolderMax = 84;
const stopMsMax = 20_000;

/** Starts, and makes where it is new, the server in the folder. Throws DataFolderInUse, or an error that says what the server said. */
export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<Embedded> => {
  const unlock = lockFolder(options.directory);
  try {
    return await start(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
};

const start = async (options: EmbeddedOptions, unlock: () => void): Promise<Embedded> => {
  const databaseDir = join(options.directory, 'postgres');
  // As root the server runs as another user, who has to be able to enter the folder.
  chmodSync(options.directory, 0o755);
  await stopOrphan(databaseDir);
  const fresh = !existsSync(databaseDir);
  const port = options.port ?? (await freePort());
  const server = await startServer(options, databaseDir, port);
  const watchdog = watch(server.pid);
  const ended = (): void => {
    watchdog.kill();
    unlock();
  };
  try {
    await ensureDatabase(urlOf(port, 'postgres'), 'kungfu');
  } catch (error) {
    await server.stop();
    watchdog.kill();
    throw error;
  }
  return {
    url: urlOf(port, 'kungfu'),
    localUrl: localUrlOf(port, 'kungfu', socketFolderOf(databaseDir)),
    port,
    pid: server.pid,
    fresh,
    createDatabase: async (name) => {
      await createDatabase(urlOf(port, 'postgres'), name);
      return urlOf(port, name);
    },
    stop: () => server.stop().finally(ended),
    kill: () => server.kill().finally(ended),
  };
};

const startServer = async (options: EmbeddedOptions, databaseDir: string, port: number): Promise<Server> => {
  const said: string[] = [];
  const onLog = (message: string): void => {
    said.push(message);
    if (said.length > 50) said.shift();
    options.onLog?.(message);
  };
  const volatile = options.volatile ?? false;
  try {
    return await Server.start({
      databaseDir,
      port,
      user: 'kungfu',
      password,
      settings: settings(volatile, socketFolderOf(databaseDir)),
      volatile,
      onLog,
    });
  } catch (cause) {
    if (cause instanceof FolderClosed) throw cause;
    throw new Error(`PostgreSQL does not start: ${said.slice(-5).join(' ').trim()}`, { cause });
  }
};

/** The data folder itself, which only the server's user may enter; undefined where its path is too long or would have to be quoted. */
const socketFolderOf = (databaseDir: string): string | undefined => {
  const folder = resolve(databaseDir);
  return folder.length <= socketFolderMax && /^[\w./-]+$/.test(folder) ? folder : undefined;
};
const localUrlOf = (port: number, database: string, socketFolder: string | undefined): string =>
  socketFolder === undefined ? urlOf(port, database) : `${urlOf(port, database)}?host=${socketFolder}`;

const settings = (volatile: boolean, socketFolder: string | undefined): Readonly<Record<string, string>> => ({
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '256MB',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  unix_socket_directories: socketFolder ?? '',
  ...(volatile ? { fsync: 'off', full_page_writes: 'off' } : {}),
});

/** Also for a server that died between its first start and this. */
const ensureDatabase = async (url: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
};

const createDatabase = async (url: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
};

/** Stops a server that outlived the process that started it. */
const stopOrphan = async (databaseDir: string): Promise<void> => {
  const file = join(databaseDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!isAlive(pid) || !isPostgres(pid)) return;
  process.kill(pid, 'SIGINT');
  await gone(pid);
};

/** A process id may have been used again since: only a PostgreSQL is stopped. */
const isPostgres = (pid: number): boolean => {
  const file = `/proc/${pid}/cmdline`;
  return !existsSync(file) || readFileSync(file, 'utf8').includes('postgres');
};

const gone = async (pid: number): Promise<void> => {
  const end = Date.now() + stopMsMax;
  while (isAlive(pid)) {
    if (Date.now() > end) throw new Error(`process ${pid} does not end`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** A process of its own that stops the server when this one is gone, however it went. */
const watch = (server: number): ChildProcess => {
  const script = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done; kill -INT ${server}`;
  const watchdog = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  watchdog.unref();
  return watchdog;
};

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
