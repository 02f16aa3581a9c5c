import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAgent, type System, startStandalone, temporaryFolder } from './index.ts';

const startMsMax = 120_000;
const guideMsMax = 60_000;
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'apps/cli/dist/main.js');
const run = promisify(execFile);

const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name.endsWith('.md') && name !== 'README.md');
/** The blocks of a guide as one script; the first that fails ends it. */
const scriptOf = (guide: string): string => {
  const text = readFileSync(join(root, 'docs/guides', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  // The shell goes on after `! command` whatever comes of it: here the command has to fail.
  const refused = blocks.map((block) => block.replace(/^! (.*)$/gm, 'if $1; then echo "not refused" >&2; exit 1; fi'));
  return ['set -euo pipefail', ...refused].join('\n');
};

describe('the guide', () => {
  let system: System;
  let folder: { readonly path: string; remove(): Promise<void> };
  beforeAll(async () => {
    system = await startStandalone();
    folder = await temporaryFolder('guides');
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'kungfu'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(join(bin, 'kungfu'), 0o755);
  }, startMsMax);
  afterAll(async () => {
    await folder?.remove();
    await system?.stop();
  }, startMsMax);

  it.each(guides)(
    '[O-9] %s does what it says',
    async (guide) => {
      const [ada, bob] = [await makeAgent(system), await makeAgent(system)];
      const env = {
        ...process.env,
        PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH']}`,
        KUNGFU_URL: system.anyone.origin,
        ADA: ada.secret,
        BOB: bob.secret,
      };
      const script = scriptOf(guide);
      expect(script).toContain('kungfu');
      const { stdout } = await run('bash', ['-c', script], { env, timeout: guideMsMax, cwd: folder.path });
      expect(stdout).not.toBe('');
    },
    2 * guideMsMax,
  );
});
