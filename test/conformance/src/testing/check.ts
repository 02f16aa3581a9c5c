import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StartOptions, System } from '@kungfu/e2e';
import type { Statement } from '../statement.ts';

export const runMsMax = 300_000;
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const main = join(root, 'test/conformance/dist/main.js');
const run = promisify(execFile);

/** Deadlines of a second, so that the cases which wait for one end soon. */
export const options: StartOptions = {
  rateLimits: true,
  limits: { deadlineSecondsMin: 1 },
};

/** The program as a stranger runs it; what it found is kept for the conformance report. */
export const check = async (system: System): Promise<Statement> => {
  const file = join(root, `.cache/conformance-${system.log}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const door = ['--url', system.anyone.origin, '--admin-url', system.administration.origin];
  const args = [main, ...door, '--admin-token', system.adminToken, '--json', file];
  // Ends with 1 when a case failed: then the statement says which.
  await run(process.execPath, args, { timeout: runMsMax }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 1) throw error;
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Statement;
};

export const failuresOf = ({ results }: Statement): readonly string[] =>
  results.filter(({ status }) => status === 'failed').map(({ rules, says, why }) => `${rules} ${says}: ${why}`);
