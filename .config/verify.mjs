// Everything that can be checked without running Kungfu: format, lint, types, boundaries, freshness of what is generated.
import { spawnSync } from 'node:child_process';
import { root, runAll, tool } from './run.mjs';

const script = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;

runAll([
  ['lint', () => script('.config/lint.mjs')],
  ['typecheck', () => tool('tsc', '-p', '.config/tsconfig.all.json')],
  ['generated documents', () => script('.config/build.mjs', '--stale') && script('.config/generate.mjs', '--check')],
  ['conformance report', () => script('.config/conformance.mjs', '--check')],
]);
