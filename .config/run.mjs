import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders with code that is checked; .config itself is code too. */
export const folders = ['apps', 'libs', 'test', 'deploy', '.config'];

/** Runs a tool of node_modules from the root, its output as ours; whether it succeeded. */
export const tool = (name, ...args) =>
  spawnSync(`node_modules/.bin/${name}`, args, { cwd: root, stdio: 'inherit' }).status === 0;

/** Runs all, also after a failure; ends the process with 1 if any failed. */
export const runAll = (steps) => {
  const failed = steps.filter(([, step]) => !step()).map(([name]) => name);
  for (const name of failed) console.error(`failed: ${name}`);
  process.exit(failed.length === 0 ? 0 : 1);
};
