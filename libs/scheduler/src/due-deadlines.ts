import type { KindName } from '@kungfu/protocol';
import type { Pool } from 'pg';

/** A deadline that is due and has not been recorded as passed. `dueAt` in milliseconds. */
export type DueDeadline = { readonly kind: KindName; readonly object: string; readonly dueAt: number };
/** Where a page of due deadlines ends. */
export type After = DueDeadline | undefined;

export interface DueDeadlines {
  /** Objects with a deadline due at `now`, in the order of (due time, kind, object), each time of an object once. */
  due(options: {
    readonly now: number;
    readonly after: After;
    readonly limit: number;
  }): Promise<readonly DueDeadline[]>;
}

type Row = { kind: KindName; object: string; due_at: Date };

/** What is due according to the read model. */
export class PostgresDueDeadlines implements DueDeadlines {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async due({ now, after, limit }: { now: number; after: After; limit: number }): Promise<readonly DueDeadline[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'scheduler.due',
      text: `
        select distinct due_at, kind, object from read.deadline
        where ended_at is null and due_at <= $1::timestamptz
          and (due_at, kind, object) > (coalesce($2::timestamptz, '-infinity'), $3::text, $4::text)
        order by due_at, kind, object limit $5`,
      values: [
        new Date(now).toISOString(),
        after === undefined ? null : new Date(after.dueAt).toISOString(),
        after?.kind ?? '',
        after?.object ?? '',
        limit,
      ],
    });
    return rows.map(({ kind, object, due_at }) => ({ kind, object, dueAt: due_at.getTime() }));
  }
}
