import { createRequire, syncBuiltinESMExports } from 'node:module';

type ChildProcesses = typeof import('node:child_process');
type Spawn = (command: string, args: readonly string[], options: object) => unknown;

/**
 * Runs `work`; processes spawned meanwhile get a session of their own. A Ctrl-C at a terminal goes to every process of its
 * group: the server would shut down at once, under those who still have to finish with it. The package that spawns it has no
 * option for that.
 */
export const inOwnSession = async <T>(work: () => Promise<T>): Promise<T> => {
  const childProcesses = createRequire(import.meta.url)('node:child_process') as ChildProcesses & { spawn: Spawn };
  const { spawn } = childProcesses;
  const detached: Spawn = (command, args, options) => spawn(command, [...args], { ...options, detached: true });
  replace(childProcesses, detached);
  try {
    return await work();
  } finally {
    replace(childProcesses, spawn as Spawn);
  }
};

const replace = (childProcesses: object, spawn: Spawn): void => {
  Object.assign(childProcesses, { spawn });
  syncBuiltinESMExports();
};
