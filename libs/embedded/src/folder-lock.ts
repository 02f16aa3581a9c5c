import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A living process holds the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`the data folder ${directory} is in use by process ${pid}`);
  }
}

const lockName = 'kungfu.lock';

/** Takes the folder for this process until released; a lock left by a dead process is taken over. Throws DataFolderInUse. */
export const lockFolder = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, lockName);
  const holder = readHolder(file);
  if (holder !== undefined) throw new DataFolderInUse(directory, holder);
  writeFileSync(file, `${process.pid} ${startedAt(process.pid)}\n`);
  return () => rmSync(file, { force: true });
};

/** The process that holds the lock, if it is the very one that wrote it and still lives. */
const readHolder = (file: string): number | undefined => {
  if (!existsSync(file)) return undefined;
  const [pid, started] = readFileSync(file, 'utf8').trim().split(' ');
  return isAlive(Number(pid)) && startedAt(Number(pid)) === started ? Number(pid) : undefined;
};

export const isAlive = (pid: number): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** When a process was started, in ticks since boot, so that a process id used again is told apart; constant where /proc is missing. */
const startedAt = (pid: number): string => {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return '-';
  return readFileSync(file, 'utf8').split(') ')[1]?.split(' ')[19] ?? '-';
};
