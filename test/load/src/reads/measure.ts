import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { temporaryFolder } from '@kungfu/e2e';
import { type Embedded, startEmbeddedPostgres } from '@kungfu/embedded';
import { type Filled, type ReadCase, readCases, sizes } from './cases.ts';
import { FilledGateway } from './filled-gateway.ts';

/** How long one read takes where there is little and where there is much; milliseconds, bytes of the answers. */
export type ReadMeasured = ReadCase & {
  readonly p50Ms: readonly [small: number, large: number];
  readonly p95Ms: readonly [small: number, large: number];
  readonly bytes: readonly [small: number, large: number];
  /** p50 where there is much, over p50 where there is little. */
  readonly ratio: number;
};

/** Measures reads through real gateways on the embedded Postgres, and prints each row as it comes. */
export const measureReads = async (calls: number): Promise<readonly ReadMeasured[]> => {
  const folder = await temporaryFolder('bench-reads');
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(folder.path) });
    try {
      return await measureOn(postgres, calls);
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.remove();
  }
};

type Gateways = Readonly<Record<Filled, FilledGateway>>;

const measureOn = async (postgres: Embedded, calls: number): Promise<readonly ReadMeasured[]> => {
  const open = async (name: Filled): Promise<FilledGateway> =>
    FilledGateway.open(await postgres.createDatabase(`reads_${name}`), sizes[name]);
  const gateways: Gateways = { little: await open('little'), alone: await open('alone'), much: await open('much') };
  const rows: ReadMeasured[] = [];
  for (const one of readCases) {
    const row = await measure(one, gateways, calls);
    console.log(`${row.read.padEnd(24)} ${row.p50Ms.map((ms) => ms.toFixed(2)).join(' → ')} ms`);
    rows.push(row);
  }
  for (const gateway of Object.values(gateways)) await gateway.close();
  return rows;
};

/** Calls of each before measuring: more than it takes until a connection keeps one plan for a statement. */
const warmUpCalls = 20;

/** One call of each in turn, so that whatever else the machine does falls on both. */
const measure = async (one: ReadCase, gateways: Gateways, calls: number): Promise<ReadMeasured> => {
  const [small, large] = [gateways[one.small], gateways.much];
  const times: readonly [number[], number[]] = [[], []];
  for (let call = 0; call < warmUpCalls + calls; call += 1) {
    const took = [await timed(small, one.path), await timed(large, one.path)] as const;
    if (call < warmUpCalls) continue;
    times[0].push(took[0]);
    times[1].push(took[1]);
  }
  const bytes = [(await small.read(one.path)).length, (await large.read(one.path)).length] as const;
  const p50Ms = [quantile(times[0], 0.5), quantile(times[1], 0.5)] as const;
  const p95Ms = [quantile(times[0], 0.95), quantile(times[1], 0.95)] as const;
  return { ...one, p50Ms, p95Ms, bytes, ratio: p50Ms[1] / p50Ms[0] };
};

const timed = async (gateway: FilledGateway, path: string): Promise<number> => {
  const before = performance.now();
  await gateway.read(path);
  return performance.now() - before;
};

const quantile = (times: readonly number[], q: number): number =>
  [...times].sort((one, other) => one - other)[Math.floor(q * (times.length - 1))] ?? Number.NaN;
