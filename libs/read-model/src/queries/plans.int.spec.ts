import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopTestDatabases, testDatabase, testPool } from '@kungfu/embedded';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { createDataSource, migrate } from '../data-source.ts';
import { type FillSize, fillReadModel, filled } from '../testing/fill.ts';
import { idOf } from '../testing/world.ts';
import './index.ts';
import { namedStatements } from './reader.ts';

/** Below 30,000 rows a table, so that the statistics are those of every row and the plans the same each time. */
const large: FillSize = {
  agents: 2_000,
  obligations: 2_000,
  entries: 8_000,
  tasks: 2_000,
  engagements: 2_000,
  memories: 2_000,
};
const small: FillSize = { agents: 40, obligations: 20, entries: 20, tasks: 20, engagements: 20, memories: 20 };

const agent = (number: number): string => idOf('agent', number);
const ada = agent(filled.ada);
const bob = agent(filled.bob);
const judge = agent(filled.judge);
const thread = idOf('thread', filled.thread);
const task = idOf('task', filled.task);
const memory = idOf('memory', filled.memory);
const now = new Date('2026-12-01T00:00:00Z');
const vector = (next: number): string =>
  JSON.stringify(
    Object.fromEntries(
      ['task', 'thread'].flatMap((kind) => Array.from({ length: 8 }, (_, i) => [`${kind}/${i}`, next])),
    ),
  );
const pageOfDuties = [ada, now, vector(0), vector(1e9), '-infinity', '', -1, -1, -1, 11];

/** Values of each statement with which it finds as much in the small read model as in the large one. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  'key-holder': [['x']],
  account: [ada],
  accounts: ['', null, 11],
  keys: [ada, 11],
  receipt: ['x', ada, 'thread.post'],
  'content-record': ['x'],
  'delivered-memories': [[memory], [1], ada],
  'entries-oldest': [thread, ada, 0, 11],
  'entries-newest': [thread, ada, 2_147_483_647, 11],
  entry: [thread, ada, 1],
  responses: [thread, 1, ada, 100],
  assignments: [thread, ada, 0, 3],
  'assignments-status': [thread, ada, 0, 3, 'taken'],
  'assignments-mine': [thread, ada, 20],
  assignment: [thread, ada, 1],
  'assignment-output': [thread, 1],
  engagements: [ada, task, 0, null, 11],
  'engagements-running': [ada, task, 20],
  engagement: [ada, task, idOf('engagement', 1)],
  'engagement-output': [task, idOf('engagement', 1)],
  'memories-own': [ada, '', 'valid', null, 11],
  'memories-public': ['', 6],
  memory: [memory, ada],
  'memory-versions': [memory, ada, 0, 11],
  'memory-version': [memory, ada, 1],
  'take-target': [task, bob],
  labels: [ada],
  'knows-task': [task, judge],
  inactive: [[ada, bob]],
  task: [ada, now, task],
  'task-named': [task],
  'tasks-open': [ada, now, '', 11, false],
  'tasks-open-status': [ada, now, '', 11, false, 'open'],
  'tasks-mine': [ada, now, '', 11, false],
  'tasks-mine-status': [ada, now, '', 11, false, 'open'],
  contracts: [ada, task, 0, 11],
  contract: [ada, task, 1],
  threads: [ada, '', null, 3],
  thread: [thread, ada],
  members: [thread, ada, 0, 11],
  'fact-positions': [],
  turn: pageOfDuties,
  waiting: pageOfDuties,
  opportunities: [...pageOfDuties.slice(0, -1), 1],
  'turn-of-object': [...pageOfDuties, thread],
  'opportunities-of-object': [...pageOfDuties, thread],
};

/** Tables that do not grow, or not with use. */
const mayBeRead = ['"position"'];
const folder = join(dirname(fileURLToPath(import.meta.url)), 'explain');
const fileOf = (name: string): string => join(folder, `${name}.txt`);
const howToWrite = 'npm run explain writes them; look at what has changed';

type Mode = 'generic' | 'custom';

/** A read model and a connection on which every statement is prepared. */
class Planned {
  private constructor(readonly client: PoolClient) {}

  static async of(size: FillSize): Promise<Planned> {
    const url = await testDatabase();
    const dataSource = createDataSource({ url });
    await migrate(dataSource);
    await dataSource.destroy();
    const pool = await testPool(url);
    await fillReadModel(pool, size);
    const client = await pool.connect();
    await client.query(`set timezone = 'UTC'`);
    for (const [name, text] of namedStatements)
      await client.query(`prepare ${client.escapeIdentifier(name)} as ${text}`);
    return new Planned(client);
  }

  /** How the database would run it. */
  async plan(name: string, mode: Mode): Promise<string> {
    const { rows } = await this.#explain<{ 'QUERY PLAN': string }>('costs off', name, mode);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  /** How many blocks it takes, and how many rows it finds. */
  async cost(name: string, mode: Mode): Promise<{ readonly blocks: number; readonly rows: number }> {
    const { rows } = await this.#explain<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      'analyze, buffers, timing off, format json',
      name,
      mode,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    return { blocks: plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!, rows: plan['Actual Rows']! };
  }

  async #explain<Row extends object>(options: string, name: string, mode: Mode) {
    await this.client.query(`set plan_cache_mode = force_${mode}_plan`);
    const given = values[name]!.map((value) => this.#literal(value)).join(', ');
    const called = `execute ${this.client.escapeIdentifier(name)}${given === '' ? '' : `(${given})`}`;
    return this.client.query<Row>(`explain (${options}) ${called}`);
  }

  #literal(value: unknown): string {
    if (Array.isArray(value)) return `array[${value.map((one) => this.#literal(one)).join(', ')}]`;
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  }
}

describe('the plans of the reads', () => {
  const names = Object.keys(values);
  let much: Planned;
  let little: Planned;
  beforeAll(async () => {
    much = await Planned.of(large);
    little = await Planned.of(small);
  }, 120_000);
  afterAll(async () => {
    for (const { client } of [much, little]) client.release(true);
    await stopTestDatabases();
  });

  it('are of every statement there is', () => {
    expect([...namedStatements.keys()].sort()).toEqual([...names].sort());
    expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.txt`).sort());
  });

  it.each(names)('%s: the committed EXPLAIN is what the database does', async (name) => {
    const plan = `${await much.plan(name, 'generic')}\n`;
    if (process.env['KUNGFU_WRITE_PLANS'] === '1') writeFileSync(fileOf(name), plan);
    const committed = readFileSync(fileOf(name), 'utf8');
    expect({ howToWrite, plan: committed }).toEqual({ howToWrite, plan });
  });

  it.each(names)(
    '%s: reads no growing table from end to end, whether the values are known to the planner or not',
    async (name) => {
      for (const mode of ['generic', 'custom'] as const) {
        const plan = await much.plan(name, mode);
        const read = [...plan.matchAll(/Seq Scan on (\S+)/g)].map(([, table]) => table!);
        expect({ mode, read: read.filter((table) => !mayBeRead.includes(table)) }).toEqual({ mode, read: [] });
      }
    },
  );

  it.each(names)('%s: costs no more where there is more that it does not hand out', async (name) => {
    for (const mode of ['generic', 'custom'] as const) {
      const [few, many] = [await little.cost(name, mode), await much.cost(name, mode)];
      expect(many.rows).toBe(few.rows);
      expect(many.blocks).toBeLessThanOrEqual(3 * few.blocks + 20);
    }
  });
});
