import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { asUser, type ServerUser, serverUser } from './server-user.ts';

export type ServerOptions = {
  /** Of the server's files; its parent exists. */
  readonly databaseDir: string;
  readonly port: number;
  /** The only user of the database, who may do everything. */
  readonly user: string;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Without syncing to disk. */
  readonly volatile: boolean;
  readonly onLog: (message: string) => void;
};

/** Longest wait for a server that was asked to end. */
const stopMsMax = 20_000;
const ready = 'database system is ready to accept connections';
/** So that messages are in English, whatever the machine speaks. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' });

/** A PostgreSQL as a child of this process, in a session of its own: a Ctrl-C at a terminal does not reach it. */
export class Server {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Makes the files where there are none, whole or not at all, and starts. Throws with what the server said; FolderClosed. */
  static async start(options: ServerOptions): Promise<Server> {
    const { initdb, postgres } = await findBinaries();
    const user = serverUser();
    if (!existsSync(options.databaseDir)) await initialise(initdb, user, options);
    const { databaseDir, port, settings } = options;
    const args = [
      '-D',
      databaseDir,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const child = run(user, databaseDir, postgres, args, true);
    await saysReady(child, options.onLog);
    return new Server(child);
  }

  /** Ends connections, writes down where it stands, ends; killed when that takes too long. */
  stop(): Promise<void> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), stopMsMax);
    this.#child.kill('SIGINT');
    return this.#ended.finally(() => clearTimeout(late));
  }

  /** kill -9. */
  kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }
}

const run = (
  user: ServerUser | undefined,
  databaseDir: string,
  command: string,
  args: readonly string[],
  detached: boolean,
): ChildProcess => {
  const [file, rest, options] = asUser(
    user,
    [databaseDir],
    [command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment(), detached }],
  );
  return spawn(file, [...rest], options);
};

/** In a folder beside it, moved when it is done, so that a process that dies here leaves nothing that looks like a database. */
const initialise = async (
  initdb: string,
  user: ServerUser | undefined,
  { databaseDir, user: name, password, volatile, onLog }: ServerOptions,
): Promise<void> => {
  const making = `${databaseDir}.new`;
  const passwordFile = join(dirname(databaseDir), 'password.new');
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (user !== undefined) for (const path of [making, passwordFile]) chownSync(path, user.uid, user.gid);
    const args = [
      `--pgdata=${making}`,
      '--auth=password',
      `--username=${name}`,
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--no-locale',
    ];
    await succeeds(run(user, making, initdb, volatile ? [...args, '--no-sync'] : args, false), onLog);
    renameSync(making, databaseDir);
  } finally {
    rmSync(passwordFile, { force: true });
  }
};

const succeeds = (child: ChildProcess, onLog: (message: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => onLog(String(chunk)));
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`initdb has ended with ${signal ?? code}`)),
    );
  });

const saysReady = (child: ChildProcess, onLog: (message: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      onLog(String(chunk));
      if (String(chunk).includes(ready)) resolve();
    });
    child.once('error', reject);
    child.once('close', (code, signal) => reject(new Error(`the server has ended with ${signal ?? code}`)));
  });
