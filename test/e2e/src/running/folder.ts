import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder of one run; other users may enter it, as PostgreSQL started by root has to. */
export const temporaryFolder = async (name: string): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), `kungfu-${name}-`));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
};
