import type { KindName } from '@kungfu/protocol';
import type { Pool } from 'pg';

/** A generation that has been raised, and what the projector has passed of its fence (engine.md §4, 7). */
export type Raised = {
  readonly generation: number;
  /** Fact partitions that have been projected to a `decided` at or beyond the fence. */
  readonly passed: readonly { readonly kind: KindName; readonly partition: number }[];
};

export interface Generations {
  /** The raise under way; undefined if there is none. */
  raised(): Promise<Raised | undefined>;
  /** Every partition has passed the fence: gateways answer in full again. Does nothing if it was raised further meanwhile. */
  lower(generation: number): Promise<void>;
}

type Row = { generation: number; passed: { kind: KindName; partition: number }[] };

export class PostgresGenerations implements Generations {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async raised(): Promise<Raised | undefined> {
    const { rows } = await this.#pool.query<Row>({
      name: 'fence.raised',
      text: `
        select g.generation, coalesce((
          select json_agg(json_build_object('kind', substring(p.topic from 14), 'partition', p.partition))
          from read.position p where p.topic like 'kungfu.facts.%' and p.generation >= g.generation), '[]') as passed
        from gateway.generation g where g.fenced`,
    });
    return rows[0];
  }

  async lower(generation: number): Promise<void> {
    const text = 'update gateway.generation set fenced = false where fenced and generation = $1';
    await this.#pool.query({ name: 'fence.lower', text, values: [generation] });
  }
}
