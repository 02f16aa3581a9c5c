import { readFile } from 'node:fs/promises';
import type { Log } from '@kungfu/log-port';
import { actionsTopic, contentTopic, factsTopic, kinds } from '@kungfu/protocol';
import type { System } from '../index.ts';
import { allRecords } from './facts.ts';
import { dumpDatabase } from './tables.ts';

/** Where one of the secrets stands: in the output of a process, a record of a topic or a row of a table (L3-4). */
export const placesOf = async (system: System, secrets: readonly string[]): Promise<readonly string[]> => {
  const log = await system.openLog();
  try {
    return [
      ...(await inOutput(system, secrets)),
      ...(await inTopics(log, secrets)),
      ...(await inTables(system, secrets)),
    ];
  } finally {
    await log.close();
  }
};

const holds = (text: string, secrets: readonly string[]): boolean => secrets.some((secret) => text.includes(secret));

const inOutput = async (system: System, secrets: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const file of system.outputFiles()) if (holds(await readFile(file, 'utf8'), secrets)) found.push(file);
  return found;
};

const inTopics = async (log: Log, secrets: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const topic of [...kinds.flatMap((kind) => [actionsTopic(kind), factsTopic(kind)]), contentTopic]) {
    for (let partition = 0; partition < (await log.partitions(topic)); partition++) {
      for (const { key, value, headers, offset } of await allRecords(log, topic, partition)) {
        const text = [key, JSON.stringify(headers), Buffer.from(value ?? []).toString('utf8')].join('\n');
        if (holds(text, secrets)) found.push(`${topic}/${partition}@${offset}`);
      }
    }
  }
  return found;
};

const inTables = async (system: System, secrets: readonly string[]): Promise<readonly string[]> =>
  Object.entries(await dumpDatabase(system.databaseUrl)).flatMap(([schema, tables]) =>
    Object.entries(tables).flatMap(([table, rows]) =>
      rows.filter((row) => holds(row, secrets)).map((row) => `${schema}.${table}: ${row.slice(0, 200)}`),
    ),
  );
