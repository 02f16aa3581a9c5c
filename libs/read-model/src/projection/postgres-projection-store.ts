import type { TopicPartition } from '@kungfu/log-port';
import type { Pool } from 'pg';
import { planBatch } from './fold.ts';
import type { ContentAdvance, FactAdvance, Outcome, ProjectedPosition, ProjectionStore, Unfoldable } from './port.ts';
import { callProcedure, makeProcedure } from './procedure.ts';
import type { Plan, ReceiptRow, RefusalRow } from './rows.ts';
import * as sql from './statements.ts';
import { allWritesOf } from './writes.ts';

type Advance = { readonly from: number; readonly to: ProjectedPosition };
type PositionRow = {
  topic: string;
  partition: number;
  next: string;
  epoch: string;
  n: string;
  log_at: string;
  decided_up_to: string;
  generation: number;
};

/**
 * The projection in Postgres: one transaction a batch, one prepared statement a table that it touches (engine.md §5). The
 * locks of the positions, taken in the order of their keys, let only one projector fold a partition at a time; one that
 * finds another position than it left has lost the partition and writes nothing of it.
 */
export class PostgresProjectionStore implements ProjectionStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async load(partitions: readonly TopicPartition[]): Promise<readonly ProjectedPosition[]> {
    const places = placesOf(partitions);
    await this.#pool.query({ name: 'projection.ensure-positions', text: sql.ensurePositions, values: places });
    const { rows } = await this.#pool.query<PositionRow>({
      name: 'projection.positions',
      text: sql.readPositions,
      values: places,
    });
    return rows.map(positionOf);
  }

  async apply(batch: readonly FactAdvance[]): Promise<Outcome> {
    const { plan, folded, unfoldable } = planBatch(batch);
    // What does not fold is left out; the rest is planned already unless a partition turns out to be stale.
    const outcome = await this.#oneByOneIfRefused(folded, (advances) =>
      this.#write(advances, advances === folded ? plan : undefined),
    );
    return { ...outcome, unfoldable: [...unfoldable, ...outcome.unfoldable] };
  }

  applyContent(batch: readonly ContentAdvance[]): Promise<Outcome> {
    return this.#oneByOneIfRefused(batch, async (advances) => {
      if (advances.length === 0) return nothing;
      // Of an id that stands twice in a batch the last counts; one statement cannot write a row twice.
      const last = new Map(advances.flatMap(({ to, records }) => records.map(({ id, value }) => [id, { to, value }])));
      const values = [
        ...positionValues(advances),
        advances.map(({ from }) => from),
        [...last.keys()],
        [...last.values()].map(({ value }) => (value === null ? null : Buffer.from(value))),
        [...last.values()].map(({ to }) => to.topic),
        [...last.values()].map(({ to }) => to.partition),
      ];
      const { rows } = await this.#pool.query<Placed>({ name: 'projection.content', text: sql.projectContent, values });
      const moved = new Set(rows.map(nameOf));
      return outcomeOf(advances, ({ to }) => moved.has(nameOf(to)));
    });
  }

  /** In one call of a function; partitions that stand elsewhere are left out, and the others planned and written anew. */
  async #write(batch: readonly FactAdvance[], planned: Plan | undefined): Promise<Outcome> {
    let current = batch;
    let plan = planned ?? planBatch(current).plan;
    while (current.length > 0) {
      const stale = new Set(await this.#call(current, plan));
      if (stale.size === 0) break;
      current = current.filter(({ to }) => !stale.has(nameOf(to)));
      plan = planBatch(current).plan;
    }
    return outcomeOf(batch, (advance) => current.includes(advance));
  }

  async #call(batch: readonly FactAdvance[], plan: Plan): Promise<readonly string[]> {
    const values = [
      ...positionValues(batch),
      batch.map(({ from }) => from),
      ...receiptValues(plan.receipts.made),
      ...refusalValues(plan.refusals.made),
      // A Task that was paused, resumed or revised is another opportunity of the agents that it names (O-5).
      plan.tasks.changed.filter(({ paused, version }) => paused ?? version !== undefined).map(({ id }) => id),
      ...allWritesOf(plan).map(({ rows }) => (rows.length === 0 ? null : JSON.stringify(rows))),
    ];
    const query = { name: 'projection.apply', text: callProcedure, values };
    try {
      return (await this.#pool.query<{ stale: string[] }>(query)).rows[0]!.stale;
    } catch (error) {
      if (!isMissingFunction(error)) throw error;
      // The first time with this version of the code, and after a rebuild, which drops the schema.
      await this.#pool.query(makeProcedure);
      return (await this.#pool.query<{ stale: string[] }>(query)).rows[0]!.stale;
    }
  }

  /** Rows that the tables refuse say which partition cannot be folded only when each has a transaction of its own. */
  async #oneByOneIfRefused<A extends Advance>(
    batch: readonly A[],
    apply: (batch: readonly A[]) => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      return await apply(batch);
    } catch (error) {
      const [only, ...others] = batch;
      if (!refusesRows(error) || only === undefined) throw error;
      if (others.length === 0) return { applied: [], stale: [], unfoldable: [unfoldableAt(only, error)] };
      const outcomes: Outcome[] = [];
      for (const advance of batch) outcomes.push(await this.#oneByOneIfRefused([advance], apply));
      return {
        applied: outcomes.flatMap(({ applied }) => applied),
        stale: outcomes.flatMap(({ stale }) => stale),
        unfoldable: outcomes.flatMap(({ unfoldable }) => unfoldable),
      };
    }
  }
}

const unfoldableAt = ({ from, to: { topic, partition } }: Advance, error: unknown): Unfoldable => ({
  topic,
  partition,
  offset: from,
  error,
});

/** SQLSTATE classes 22 and 23: a value that does not fit, a constraint that does not hold. Everything else may pass. */
const refusesRows = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('22') || code.startsWith('23'));
};

const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;
const placeOf = ({ to: { topic, partition } }: Advance): TopicPartition => ({ topic, partition });
const placesOf = (partitions: readonly TopicPartition[]) => [
  partitions.map(({ topic }) => topic),
  partitions.map(({ partition }) => partition),
];

const positionOf = (row: PositionRow): ProjectedPosition => ({
  topic: row.topic,
  partition: row.partition,
  next: Number(row.next),
  epoch: row.epoch,
  n: Number(row.n),
  logAt: Number(row.log_at),
  decidedUpTo: Number(row.decided_up_to),
  generation: row.generation,
});

const nothing: Outcome = { applied: [], stale: [], unfoldable: [] };
type Placed = { readonly topic: string; readonly partition: number };

const outcomeOf = <A extends Advance>(batch: readonly A[], isApplied: (advance: A) => boolean): Outcome => ({
  applied: batch.filter(isApplied).map(placeOf),
  stale: batch.filter((advance) => !isApplied(advance)).map(placeOf),
  unfoldable: [],
});

const isMissingFunction = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '42883' || error.code === '3F000');

/** Topics, partitions, and where they move to. */
const positionValues = (batch: readonly Advance[]): readonly unknown[] => {
  const to = batch.map((advance) => advance.to);
  return [
    ...placesOf(to),
    to.map(({ next }) => next),
    to.map(({ epoch }) => epoch),
    to.map(({ n }) => n),
    to.map(({ logAt }) => new Date(logAt).toISOString()),
    to.map(({ decidedUpTo }) => decidedUpTo),
    to.map(({ generation }) => generation),
  ];
};

const receiptValues = (receipts: readonly ReceiptRow[]): readonly unknown[] => [
  receipts.map(({ binding }) => binding),
  receipts.map(({ agent }) => agent),
  receipts.map(({ action }) => action),
  receipts.map(({ fingerprint }) => fingerprint),
  receipts.map(({ receipt }) => Buffer.from(receipt)),
  receipts.map(({ at }) => new Date(at).toISOString()),
];

const refusalValues = (refused: readonly RefusalRow[]): readonly unknown[] => [
  refused.map(({ binding }) => binding),
  refused.map(({ action }) => action),
  refused.map(({ attempt }) => attempt),
  refused.map(({ code }) => code),
  refused.map(({ retryAfter }) => retryAfter ?? null),
];
