import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Clock, Log, Timers } from '@kungfu/log-port';
import { type ProjectorEvent, rebuild } from '@kungfu/projector';
import { contentTopic, factsTopic, kinds } from '@kungfu/protocol';
import { createDataSource, PostgresProjectionStore } from '@kungfu/read-model';
import pg from 'pg';
import { type System, until } from '../index.ts';
import { dumpSchema } from './tables.ts';

const clock: Clock = { now: () => Date.now() };
const timers: Timers = {
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).then(noError, noError),
};
const noError = (): void => undefined;
const caughtUpMsMax = 30_000;

/**
 * That the read model of the running system is, row for row, what a fold of the whole log into a new database gives (L1-1).
 * Nobody may act meanwhile.
 */
export const rebuiltEqual = async (system: System): Promise<void> => {
  const log = await system.openLog();
  try {
    await caughtUp(system, log);
    const rebuiltUrl = await newDatabase(system.databaseUrl);
    await rebuildInto(log, rebuiltUrl);
    const [lived, rebuilt] = [await dumpSchema(system.databaseUrl, 'read'), await dumpSchema(rebuiltUrl, 'read')];
    expect(Object.values(lived).flat().length).toBeGreaterThan(0);
    expect(rebuilt).toEqual(lived);
  } finally {
    await log.close();
  }
};

const newDatabase = async (databaseUrl: string): Promise<string> => {
  const name = `rebuilt_${Date.now()}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
};

const rebuildInto = async (log: Log, databaseUrl: string): Promise<void> => {
  const dataSource = createDataSource({ url: databaseUrl });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const troubles: ProjectorEvent[] = [];
  const observe = (event: ProjectorEvent): void => {
    if (event.type !== 'applied') troubles.push(event);
  };
  try {
    await rebuild({ log, dataSource, store: new PostgresProjectionStore(pool), clock, timers, observe });
    expect(troubles).toEqual([]);
  } finally {
    await pool.end();
    if (dataSource.isInitialized) await dataSource.destroy();
  }
};

/** Until the projector has come to the end of every partition that it folds. */
const caughtUp = async (system: System, log: Log): Promise<void> => {
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: 1 });
  try {
    await until('the projector to catch up', caughtUpMsMax, async () => {
      const { rows } = await pool.query<{ topic: string; partition: number; next: string }>(
        'select topic, partition, next from read.position',
      );
      const next = new Map(rows.map((row) => [`${row.topic}/${row.partition}`, Number(row.next)]));
      return (await endsOf(log)).every(({ name, end }) => (next.get(name) ?? 0) >= end) ? true : undefined;
    });
  } finally {
    await pool.end();
  }
};

const endsOf = async (log: Log): Promise<readonly { name: string; end: number }[]> => {
  const ends: { name: string; end: number }[] = [];
  for (const topic of [...kinds.map(factsTopic), contentTopic]) {
    const partitions = await log.partitions(topic);
    for (let partition = 0; partition < partitions; partition++)
      ends.push({ name: `${topic}/${partition}`, end: await log.end({ topic, partition }) });
  }
  return ends;
};
