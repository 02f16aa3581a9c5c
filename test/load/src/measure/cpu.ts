import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process to watch, with all that descend from it. */
export type Watched = { readonly label: string; readonly pid: number };

/** CPU in seconds spent so far, by label; PostgreSQL is told apart wherever it hangs. Empty where there is no /proc. */
export type CpuSeconds = ReadonlyMap<string, number>;

/** Percent of one core, by label. */
export type CpuPercent = Readonly<Record<string, number>>;

/** Ticks a second of /proc/PID/stat: fixed in the interface of Linux. */
const ticksPerSecond = 100;

type Stat = {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly ticks: number;
};

/**
 * What the watched processes and their descendants have spent: user and system time, that of ended children included. A
 * descendant that is watched itself counts under its own label alone.
 */
export const cpuSeconds = (watched: readonly Watched[]): CpuSeconds => {
  const stats = existsSync('/proc/self/stat') ? readAll() : [];
  const children = Map.groupBy(stats, ({ parent }) => parent);
  const roots = new Set(watched.map(({ pid }) => pid));
  const spent = new Map<string, number>();
  const count = (stat: Stat, label: string): void => {
    const own = stat.name === 'postgres' ? 'postgres' : label;
    spent.set(own, (spent.get(own) ?? 0) + stat.ticks / ticksPerSecond);
    for (const child of children.get(stat.pid) ?? []) if (!roots.has(child.pid)) count(child, own);
  };
  for (const { label, pid } of watched) {
    const root = stats.find((stat) => stat.pid === pid);
    if (root !== undefined) count(root, label);
  }
  return spent;
};

/** Percent of one core, by label, between two readings. */
export const cpuPercent = (before: CpuSeconds, after: CpuSeconds, seconds: number): CpuPercent =>
  Object.fromEntries(
    [...after].map(([label, spent]) => [label, (100 * (spent - (before.get(label) ?? 0))) / seconds] as const),
  );

const readAll = (): readonly Stat[] =>
  readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => readStat(Number(name)));

/** A process may end while it is read: it is left out then. */
const readStat = (pid: number): readonly Stat[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return [{ pid, parent: Number(fields[1]), name, ticks }];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return [];
    throw error;
  }
};
