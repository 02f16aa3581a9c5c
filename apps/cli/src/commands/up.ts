import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Complaint } from '@kungfu/service';
import { Command } from 'commander';

const standalone = fileURLToPath(new URL('../../../standalone/dist/main.js', import.meta.url));

/** Starts everything in one process, as `npm start` does, and ends with it. */
export const upCommand = (): Command =>
  new Command('up')
    .description('start everything in one process on the embedded default; what follows is handed on')
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (options: string[]) => {
      if (!existsSync(standalone)) throw new Complaint('the standalone has not been built: run npm run build');
      const child = spawn(process.execPath, [standalone, ...options], { stdio: 'inherit' });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
      process.exitCode = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve(code ?? 1));
      });
    });
