import { execFileSync, type SpawnOptions } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** PostgreSQL refuses to run as root: root starts it as this user. */
const userName = 'postgres';
const setpriv = '/usr/bin/setpriv';

export type ServerUser = { readonly uid: number; readonly gid: number };

/** The server's user may not enter a folder on the way. */
export class FolderClosed extends Error {
  override readonly name = 'FolderClosed';
  constructor(folder: string) {
    super(
      `PostgreSQL does not run as root, and other users may not enter ${folder}: open that folder, or work in another`,
    );
  }
}

/** Whom the server runs as: the user `postgres`, made where it is missing, if this is root; undefined: whoever this is. */
export const serverUser = (): ServerUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  try {
    execFileSync('groupadd', ['--system', '--force', userName], { stdio: 'pipe' });
    execFileSync('useradd', ['--system', '--no-create-home', '-g', userName, userName], { stdio: 'pipe' });
  } catch (cause) {
    // Another process may have been faster.
    if (lookUp() === undefined)
      throw new Error(`PostgreSQL does not run as root, and the user ${userName} cannot be made`, { cause });
  }
  return lookUp();
};

const lookUp = (): ServerUser | undefined => {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, userName], { stdio: 'pipe', encoding: 'utf8' })),
    );
    return { uid: uid ?? 0, gid: gid ?? 0 };
  } catch (error) {
    if (typeof (error as { status?: unknown }).status === 'number') return undefined;
    throw error;
  }
};

/** A command line and options for spawn. */
export type Spawning = readonly [command: string, args: readonly string[], options: SpawnOptions];

/**
 * Lets a command run as that user. Where it would have to enter a folder that only root may enter (a clone in /root or in a
 * private temporary folder), it gets the right to. Throws FolderClosed where that right cannot be given.
 */
export const asUser = (
  user: ServerUser | undefined,
  paths: readonly string[],
  [command, args, options]: Spawning,
): Spawning => {
  if (user === undefined) return [command, args, options];
  const closed = [command, ...paths].map(closedFolder).find((folder) => folder !== undefined);
  if (closed === undefined) return [command, args, { ...options, ...user }];
  if (!existsSync(setpriv)) throw new FolderClosed(closed);
  // The right survives the change of the user, also for access(2), which asks as that user.
  const rights = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    setpriv,
    [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...rights, command, ...args],
    options,
  ];
};

/** The first folder above a path that other users may not enter. */
const closedFolder = (path: string): string | undefined => {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return closedFolder(parent) ?? ((statSync(parent).mode & 0o001) === 0 ? parent : undefined);
};
