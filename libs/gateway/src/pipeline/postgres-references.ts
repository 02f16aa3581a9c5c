import {
  assignmentOutput,
  engagementOutput,
  labelsOf,
  mayKnowTask,
  notActive,
  type OutputStructure,
  type TakeTarget,
  takeTarget,
} from '@kungfu/read-model';
import type { Pool } from 'pg';
import { Batcher } from './batcher.ts';
import type { MemoryReference, References } from './tables.ts';

const memoryRow = `
  select m.author, coalesce(m.status, 'valid') as status, coalesce(m.visibility, 'private') as visibility, coalesce(m.current_version, 1) as current,
    m.status is null as untouched, m.born_thread, m.born_entry, v.content, v.bytes, v.sha256,
    exists (select from read.memory_version w where w.memory = m.id and w.version = $2) as has_version
  from read.memory m left join read.memory_version v on v.memory = m.id and v.version = 1
  where m.id = $1`;
type MemoryRow = {
  author: string;
  status: 'valid' | 'withdrawn';
  visibility: 'private' | 'public';
  current: number;
  untouched: boolean;
  born_thread: string | null;
  born_entry: number | null;
  content: string | null;
  bytes: number | null;
  sha256: string | null;
  has_version: boolean;
};
const grantRow = 'select thread from read.thread_grant where hash = $1 and live';
/** The references in Postgres, of the read model. */
export class PostgresReferences implements References {
  readonly #pool: Pool;
  readonly #inactive: Batcher<readonly string[], readonly string[]>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#inactive = new Batcher<readonly string[], readonly string[]>(async (asked) => {
      const inactive = new Set(await notActive(this.#pool, [...new Set(asked.flat())]));
      return asked.map((agents) => agents.filter((agent) => inactive.has(agent)));
    });
  }

  inactive(agents: readonly string[]): Promise<readonly string[]> {
    return this.#inactive.do(agents);
  }

  async memory(id: string, version?: number): Promise<MemoryReference | undefined> {
    const { rows } = await this.#pool.query({ name: 'gateway-memory', text: memoryRow, values: [id, version ?? 0] });
    const row = (rows as MemoryRow[])[0];
    if (row === undefined) return undefined;
    const { author, status, visibility, current, has_version: hasVersion } = row;
    const genesis =
      row.untouched && row.born_thread !== null && row.content !== null
        ? {
            author,
            content: { id: row.content, bytes: row.bytes!, sha256: row.sha256! },
            thread: row.born_thread,
            entry: row.born_entry!,
          }
        : undefined;
    return { author, status, visibility, current, hasVersion, ...(genesis === undefined ? {} : { genesis }) };
  }

  async threadOfGrant(hash: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query({ name: 'gateway-grant', text: grantRow, values: [hash] });
    return (rows as { thread: string }[])[0]?.thread;
  }

  assignmentOutput(thread: string, assignment: number): Promise<OutputStructure> {
    return assignmentOutput(this.#pool, thread, assignment);
  }

  engagementOutput(task: string, engagement: string): Promise<OutputStructure> {
    return engagementOutput(this.#pool, task, engagement);
  }

  takeTarget(task: string, agent: string): Promise<TakeTarget | undefined> {
    return takeTarget(this.#pool, task, agent);
  }

  labels(agent: string): Promise<readonly string[]> {
    return labelsOf(this.#pool, agent);
  }

  mayKnowTask(task: string, agent: string): Promise<boolean> {
    return mayKnowTask(this.#pool, task, agent);
  }
}
