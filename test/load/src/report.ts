import { arch, cpus, platform, totalmem } from 'node:os';
import type { LogReport } from './bench-log.ts';
import type { Measured } from './measure/measured.ts';
import type { ReadMeasured } from './reads/measure.ts';
import type { WaitersMeasured } from './waiters/measure.ts';

/** On what it was measured. */
export const machine = () => ({
  platform: platform(),
  arch: arch(),
  node: process.version,
  cpus: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  memoryBytes: totalmem(),
});

const head = [
  '',
  'connections',
  'posts/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'refusals',
  'of raw',
  'p50 / raw',
  'CPU % of one core',
];

/** The table of one log, as Markdown. */
export const tableOf = ({ log, raw, product }: LogReport): string => {
  const rows = [
    ...raw.map((row) => ['raw pipeline', ...cells(row), '', '', cpu(row)]),
    ...product.map((row) => {
      const base = raw.find(({ connections }) => connections === row.connections);
      return ['Kungfu', ...cells(row), ratio(row.rate, base?.rate), ratio(row.p50Ms, base?.p50Ms), cpu(row)];
    }),
  ];
  return [`### On the ${log === 'kafka' ? 'Kafka' : 'Postgres'} log`, '', ...markdown([head, ...rows])].join('\n');
};

const readsHead = ['read', 'of', 'little', 'much', 'p50 ms little', 'p50 ms much', 'p95 ms much', 'ratio of p50'];

/** How reads scale, as Markdown. */
export const readsTable = (rows: readonly ReadMeasured[]): string =>
  markdown([
    readsHead,
    ...rows.map(({ read, of, amounts, p50Ms, p95Ms, ratio: of50 }) => [
      read,
      of,
      ...amounts.map((amount) => amount.toLocaleString('en')),
      ...[...p50Ms, p95Ms[1], of50].map((value) => value.toFixed(2)),
    ]),
  ]).join('\n');

/** How soon agents that wait hear, as Markdown. */
export const waitersTable = ({ cpu: busy, cpuIdle, ...row }: WaitersMeasured): string => {
  const percent = (used: WaitersMeasured['cpu']): string =>
    Object.entries(used)
      .map(([label, share]) => `${label} ${share.toFixed(0)}`)
      .join(', ');
  return markdown([
    ['waiters', 'actions/s', 'woken', 'p50 ms', 'p95 ms', 'p99 ms', 'KiB a waiter', 'CPU % idle', 'CPU % busy'],
    [
      String(row.waiters),
      row.actionsPerSecond.toFixed(0),
      String(row.woken),
      ...[row.p50Ms, row.p95Ms, row.p99Ms].map((ms) => ms.toFixed(0)),
      (row.bytesAWaiter / 1_024).toFixed(1),
      percent(cpuIdle),
      percent(busy),
    ],
  ]).join('\n');
};

/** One row while the bench is running. */
export const rowOf = (label: string, row: Measured): string =>
  `${label.padEnd(18)} ${[...cells(row), cpu(row)].join('  ')}`;

const cells = (row: Measured): readonly string[] => [
  String(row.connections),
  row.rate.toFixed(0),
  row.p50Ms.toFixed(1),
  row.p95Ms.toFixed(1),
  row.p99Ms.toFixed(1),
  refusals(row),
];

const refusals = (row: Measured): string =>
  Object.entries(row.refusals)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ') || '0';
const cpu = (row: Measured): string =>
  Object.entries(row.cpu)
    .map(([label, percent]) => `${label} ${percent.toFixed(0)}`)
    .join(', ');
const ratio = (value: number, base: number | undefined): string =>
  base === undefined ? '' : (value / base).toFixed(2);

const markdown = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => '-'.repeat(width + 1) + (column === 0 ? '-' : ':')).join('|')}|`;
  return rows.flatMap((row, index) => (index === 0 ? [line(row), rule] : [line(row)]));
};
