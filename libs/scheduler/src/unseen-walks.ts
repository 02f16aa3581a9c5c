import type { KindName } from '@kungfu/protocol';
import type { Pool } from 'pg';
import type { AccountWalk } from './account-walks.ts';

export type WalkedPartition = { readonly kind: KindName; readonly partition: number };

export interface UnseenWalks {
  /**
   * The newest walks of agents after this id that are over, but that some of these partitions have not applied, in the order
   * of the agents' ids. None while a generation is raised: what the read model says may be old then (engine.md §4, 7).
   */
  over(options: {
    readonly partitions: readonly WalkedPartition[];
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly AccountWalk[]>;
}

type Row = {
  agent: string;
  walk: number;
  status: 'deactivated' | 'active';
  missing: WalkedPartition[];
};

/** What the read model says. */
export class PostgresUnseenWalks implements UnseenWalks {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async over({ partitions, after, limit }: Parameters<UnseenWalks['over']>[0]): Promise<readonly AccountWalk[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'catch-up.walks',
      text: `
        select a.id as agent, a.walk, a.status,
          json_agg(json_build_object('kind', w.kind, 'partition', w.partition) order by w.kind, w.partition) as missing
        from read.agent a cross join unnest($1::text[], $2::int[]) w (kind, partition)
        where a.walk > 0 and a.status in ('deactivated', 'active') and a.id > $3
          and not exists (select 1 from gateway.generation g where g.fenced)
          and not exists (
            select 1 from read.walk_applied p
            where p.agent = a.id and p.walk = a.walk and p.kind = w.kind and p.partition = w.partition)
        group by a.id order by a.id limit $4`,
      values: [partitions.map(({ kind }) => kind), partitions.map(({ partition }) => partition), after, limit],
    });
    return rows.map(({ agent, walk, status, missing }) => ({
      agent,
      walk,
      missing,
      change: status === 'deactivated' ? 'deactivate' : 'activate',
    }));
  }
}
