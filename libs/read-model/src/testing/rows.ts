import { testDatabase } from '@kungfu/embedded';
import pg from 'pg';
import { createDataSource, migrate } from '../data-source.ts';
import { weighAllOffers } from '../projection/weigh-offers.ts';

type Row = Readonly<Record<string, unknown>>;
type TaskRow = Row & { readonly named?: readonly string[]; readonly contract?: Row };
export const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 30, 20, minutes));
export const now = at(30).getTime();

const id = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, '0')}`;
export const agentId = (number: number): string => id('agent', number);
export const threadId = (number: number): string => id('thread', number);
export const memoryId = (number: number): string => id('memory', number);
export const taskId = (number: number): string => id('task', number);
export const engagementId = (number: number): string => id('engagement', number);
export const [ada, bob, eve] = [agentId(1), agentId(2), agentId(3)] as const;

/** A read model with rows put in by hand, as a projector would have put them. For specs. */
export class Rows {
  #contents = 0;
  #offset = 0;

  private constructor(readonly pool: pg.Pool) {}

  /** Empties every table, so that a spec need not make a new database. */
  async clear(): Promise<void> {
    this.#offset = 0;
    const tables =
      'position content agent agent_key memory memory_version thread thread_grant membership entry response assignment task task_audience contract engagement obligation opportunity receipt';
    await this.pool.query(
      `truncate ${tables
        .split(' ')
        .map((table) => `read.${table}`)
        .join(', ')}`,
    );
  }

  static async create(): Promise<Rows> {
    const url = await testDatabase();
    const dataSource = createDataSource({ url });
    await migrate(dataSource);
    await dataSource.destroy();
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    // The server may be stopped before the last sockets have closed.
    pool.on('error', () => {});
    return new Rows(pool);
  }

  /** Resolves when every connection has ended, not only when it was told to: the server may stop then. */
  async close(): Promise<void> {
    let left = this.pool.totalCount;
    const ended = new Promise<void>((resolve) => {
      if (left === 0) resolve();
      this.pool.on('remove', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await this.pool.end();
    await ended;
  }

  async insert(table: string, row: Row): Promise<void> {
    const names = Object.keys(row);
    const values = names.map((_, i) => `$${i + 1}`);
    await this.pool.query(
      `insert into read.${table} (${names.join(', ')}) values (${values.join(', ')})`,
      Object.values(row),
    );
    await this.#weigh(table);
  }

  /** As the projector does with each change of a contract or of adoptions. */
  async #weigh(table: string): Promise<void> {
    if (['task', 'contract', 'opportunity'].includes(table)) await this.pool.query(weighAllOffers);
  }

  async set(table: string, change: Row, where: Row): Promise<void> {
    const names = [...Object.keys(change), ...Object.keys(where)];
    const part = (keys: readonly string[], from: number): string[] =>
      keys.map((name, i) => `${name} = $${from + i + 1}`);
    const size = Object.keys(change).length;
    await this.pool.query(
      `update read.${table} set ${part(names.slice(0, size), 0).join(', ')} where ${part(names.slice(size), size).join(' and ')}`,
      [...Object.values(change), ...Object.values(where)],
    );
    await this.#weigh(table);
  }

  /** A record of the content log; its id. */
  async content(content: unknown): Promise<string> {
    this.#contents += 1;
    const name = id('content', this.#contents);
    await this.insert('content', { id: name, value: Buffer.from(JSON.stringify({ salt: 'x', content })) });
    return name;
  }

  async agent(agent: string, status = 'active'): Promise<void> {
    await this.insert('agent', { id: agent, status, walk: 0, labels: ['a'], created_at: at(0), revision: 1 });
  }

  async memory(number: number, author: string, contents: readonly unknown[], more: Row = {}): Promise<string> {
    const memory = memoryId(number);
    await this.insert('memory', {
      id: memory,
      author,
      created_at: at(0),
      status: 'valid',
      visibility: 'private',
      current_version: contents.length,
      revision: 1,
      ...more,
    });
    for (const [i, content] of contents.entries()) {
      await this.insert('memory_version', {
        memory,
        version: i + 1,
        content: await this.content(content),
        bytes: 1,
        sha256: 'x',
        at: at(i),
      });
    }
    return memory;
  }

  async thread(
    number: number,
    members: readonly (readonly [agent: string, role: string])[],
    more: Row = {},
  ): Promise<string> {
    const thread = threadId(number);
    await this.insert('thread', {
      id: thread,
      status: 'open',
      creator: members[0]?.[0] ?? ada,
      content: null,
      created_at: at(0),
      closed_at: null,
      revision: 1,
      entries: 0,
      assignments: 0,
      last_at: at(0),
      ...more,
    });
    for (const [i, [agent, role]] of members.entries()) {
      await this.insert('membership', {
        thread,
        membership: i + 1,
        agent,
        role,
        grant_number: i === 0 ? null : 1,
        joined_at: at(i),
      });
    }
    return thread;
  }

  async leave(thread: string, agent: string): Promise<void> {
    await this.set('membership', { ended_at: at(20), ended_how: 'left' }, { thread, agent });
  }

  async entry(thread: string, entry: number, author: string, memory: string, more: Row = {}): Promise<string> {
    await this.insert('entry', {
      thread,
      entry,
      author,
      membership: 1,
      reply_to: null,
      memory,
      version: 1,
      at: at(entry),
      ...more,
    });
    return `${thread}/entries/${entry}`;
  }

  async assignment(
    thread: string,
    assignment: number,
    people: { creator: string; assignee: string },
    more: Row = {},
  ): Promise<string> {
    await this.insert('assignment', {
      thread,
      assignment,
      entry: 1,
      ...people,
      content: await this.content({ wanted: `work ${assignment}`, criteria: 'done' }),
      structured: false,
      delivery_seconds: 60,
      judgment_seconds: 60,
      status: 'open',
      created_at: at(1),
      memories: '[]',
      ...more,
    });
    return `${thread}/assignments/${assignment}`;
  }

  /** A Task with one contract version, open unless agents are named; those then have it as an opportunity (O-5). */
  async task(number: number, author: string, { named = [], contract = {}, ...more }: TaskRow = {}): Promise<string> {
    const task = taskId(number);
    await this.insert('task', {
      id: task,
      author,
      audience: named.length === 0 ? 'open' : 'restricted',
      paused: false,
      version: 1,
      adoptions: 0,
      created_at: at(0),
      revision: 1,
      last_at: at(0),
      ...more,
    });
    await this.contract(task, 1, author, contract);
    for (const agent of named) {
      await this.insert('task_audience', { task, agent });
      await this.owed(
        'opportunity',
        { agent, object: task, part: 0, ref: task, from_agent: author, kind: 'task' },
        { minute: 1 },
      );
    }
    return task;
  }

  /** A contract version; the next engagement binds it once the Task says so. */
  async contract(task: string, version: number, author: string, more: Row = {}): Promise<void> {
    await this.insert('contract', {
      task,
      version,
      content: await this.content({ wanted: `version ${version}`, criteria: 'done' }),
      structured: false,
      required_inputs: '[]',
      informative: '[]',
      delivery_seconds: 60,
      judgment_seconds: 60,
      without_judgment: 'undecided',
      judge: author,
      eligibility: [],
      max_adoptions: null,
      adopted_readers: 'parties',
      at: at(version),
      ...more,
    });
  }

  /** An engagement, taken until minute 31 unless it is told otherwise; its id has the Task's number too, so that it is its own. */
  async engagement(
    task: string,
    number: number,
    people: { agent: string; author: string; judge: string },
    more: Row = {},
  ): Promise<string> {
    const engagement = engagementId(100 * Number(task.slice(-3)) + number);
    await this.insert('engagement', {
      task,
      number,
      id: engagement,
      ...people,
      version: 1,
      inputs: '[]',
      status: 'taken',
      taken_at: at(number),
      deliver_by: at(31),
      memories: '[]',
      ...more,
    });
    return engagement;
  }

  /** How far a fact partition is projected. */
  async position(partition: number, next: number, kind: 'thread' | 'task' = 'thread'): Promise<void> {
    await this.pool.query(
      `insert into read.position values ('kungfu.facts.' || $3::text, $1, $2, 'e', 1, now(), 0, 0)
       on conflict (topic, partition) do update set next = excluded.next`,
      [partition, next, kind],
    );
  }

  /** A duty or an opportunity that a fact at this place began. */
  async owed(
    table: 'obligation' | 'opportunity',
    row: Row & { object: string; part: number },
    place: { minute: number; partition?: number; off?: number },
  ): Promise<void> {
    this.#offset += 1;
    const ref = `${row.object}/${row['obligation'] === 'respond' ? 'entries' : 'assignments'}/${row.part}`;
    await this.insert(table, {
      ref,
      at: at(place.minute),
      kind: 'thread',
      partition: place.partition ?? 0,
      off: place.off ?? this.#offset,
      eff: 0,
      ...(table === 'opportunity' ? { requires: [], barred: false } : {}),
      ...row,
    });
  }
}
