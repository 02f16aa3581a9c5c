import type { KindName } from '@kungfu/protocol';
import type { Pool } from 'pg';

/** An account walk that is under way, and the partitions that have not applied it yet (engine.md §6). */
export type AccountWalk = {
  readonly agent: string;
  readonly walk: number;
  readonly change: 'deactivate' | 'activate';
  readonly missing: readonly { readonly kind: KindName; readonly partition: number }[];
};

export interface AccountWalks {
  /** Walks under way of agents after this id, in the order of their ids. */
  underWay(options: { readonly after: string; readonly limit: number }): Promise<readonly AccountWalk[]>;
}

type Row = {
  agent: string;
  walk: number;
  status: 'deactivating' | 'activating';
  missing: { kind: KindName; partition: number }[];
};

/** What the read model says. */
export class PostgresAccountWalks implements AccountWalks {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async underWay({ after, limit }: { after: string; limit: number }): Promise<readonly AccountWalk[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'coordinator.walks',
      text: `
        select a.id as agent, a.walk, a.status, coalesce((
          select json_agg(json_build_object('kind', w.kind, 'partition', w.partition) order by w.kind, w.partition)
          from read.walk w
          where w.agent = a.id and w.walk = a.walk and not exists (
            select 1 from read.walk_applied p
            where p.agent = w.agent and p.walk = w.walk and p.kind = w.kind and p.partition = w.partition)), '[]') as missing
        from read.agent a where a.status in ('deactivating', 'activating') and a.id > $1 order by a.id limit $2`,
      values: [after, limit],
    });
    return rows.map(({ agent, walk, status, missing }) => ({
      agent,
      walk,
      missing,
      change: status === 'deactivating' ? 'deactivate' : 'activate',
    }));
  }
}
