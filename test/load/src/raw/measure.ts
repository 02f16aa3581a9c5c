import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Brokers, Child, startKafka } from '@kungfu/e2e';
import { startEmbeddedPostgres } from '@kungfu/embedded';
import type { Measured } from '../measure/measured.ts';
import type { LogName, Options } from '../options.ts';
import { rowOf } from '../report.ts';
import type { BenchMessage, RawOrder } from './order.ts';

const module = fileURLToPath(new URL('./main.js', import.meta.url));
const slackMs = 60_000;

/** Runs the raw pipeline in a process of its own, on servers of its own, and prints each row as it comes. */
export const measureRaw = async (log: LogName, options: Options, folder: string): Promise<readonly Measured[]> => {
  await mkdir(folder, { recursive: true });
  const brokers = log === 'kafka' ? await brokersOrThrow(folder) : undefined;
  const postgres = await startEmbeddedPostgres({ directory: join(folder, 'data') });
  try {
    const watched = [
      { label: 'postgres', pid: postgres.pid },
      ...(brokers?.pid === undefined ? [] : [{ label: 'kafka', pid: brokers.pid }]),
    ];
    const { partitions, connections, warmupMs, measureMs, requestsMax, contentBytes } = options;
    const order = {
      log,
      brokers: brokers?.addresses ?? [],
      databaseUrl: postgres.url,
      partitions,
      connections,
      warmupMs,
      measureMs,
      requestsMax,
      contentBytes,
      watched,
    };
    return await collect(order, join(folder, 'raw.log'));
  } finally {
    await postgres.stop();
    await brokers?.stop();
  }
};

/** Throws when there is no Kafka here. */
const brokersOrThrow = async (folder: string): Promise<Brokers> => {
  const brokers = await startKafka(folder);
  if ('skip' in brokers) throw new Error(brokers.skip);
  return brokers;
};

const collect = async (order: RawOrder, outputFile: string): Promise<readonly Measured[]> => {
  const rows: Measured[] = [];
  let failure: string | undefined;
  const child = new Child({ label: 'raw pipeline', module, args: [JSON.stringify(order)], outputFile });
  child.onMessage((message) => {
    const told = message as BenchMessage;
    if ('failed' in told) failure = told.failed;
    else {
      rows.push(told.measured);
      console.log(rowOf(`raw ${order.log}`, told.measured));
    }
  });
  const code = await child.exited(slackMs + order.connections.length * (order.warmupMs + order.measureMs + slackMs));
  if (code !== 0) throw new Error(`the raw pipeline has failed: ${failure ?? code}`);
  return rows;
};
