import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@kungfu/log-port';

/** In the data folder; readable by its owner only. */
export const adminTokenFile = (data: string): string => join(data, 'admin-token');

const tokenBytes = 32;

/** The token of the administration of this data folder, made at its first start. */
export const adminTokenOf = (data: string, random: Random): string => {
  const file = adminTokenFile(data);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const token = random.hex(tokenBytes);
  // Whole or not at all, should the process die here.
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return token;
};
