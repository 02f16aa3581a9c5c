import type { TopicPartition } from '@kungfu/log-port';
import type { Pool, PoolClient } from 'pg';
import { planBatch } from './fold.ts';
import type { ContentAdvance, FactAdvance, Outcome, ProjectedPosition, ProjectionStore, Unfoldable } from './port.ts';
import type { Plan, ReceiptRow, RefusalRow } from './rows.ts';
import * as sql from './statements.ts';
import { writesOf } from './writes.ts';

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
    return this.#oneByOneIfRefused(batch, (advances) =>
      this.#transaction(advances, async (client, current) => {
        // The log holds it already, and a later synchronous commit makes it durable before anything that refers to it.
        await client.query('set local synchronous_commit = off');
        // Of an id that stands twice in a batch the last counts; one statement cannot write a row twice.
        const last = new Map(current.flatMap(({ records }) => records.map(({ id, value }) => [id, value] as const)));
        const values = [
          [...last.keys()],
          [...last.values()].map((value) => (value === null ? null : Buffer.from(value))),
        ];
        if (last.size > 0) await client.query({ name: 'projection.content', text: sql.writeContent, values });
      }),
    );
  }

  #write(batch: readonly FactAdvance[], planned: Plan | undefined): Promise<Outcome> {
    return this.#transaction(batch, async (client, current) => {
      const plan = planned !== undefined && current.length === batch.length ? planned : planBatch(current).plan;
      const told = new Set<string>();
      for (const { name, text, rows, tells } of writesOf(plan)) {
        const written = await client.query({ name: `projection.${name}`, text, values: [JSON.stringify(rows)] });
        if (tells === true) for (const { agent } of written.rows as Told[]) told.add(agent);
      }
      await writeReceipts(client, plan.receipts.made);
      await writeRefusals(client, plan.refusals.made);
      await addAudiences(client, plan, told);
      await notify(client, [...told]);
    });
  }

  /** Locks the positions, leaves out partitions that stand elsewhere, writes, moves the positions. */
  async #transaction<A extends Advance>(
    batch: readonly A[],
    write: (client: PoolClient, current: readonly A[]) => Promise<void>,
  ): Promise<Outcome> {
    if (batch.length === 0) return { applied: [], stale: [], unfoldable: [] };
    const client = await this.#pool.connect();
    let failure: Error | boolean = true;
    try {
      await client.query('begin');
      const values = placesOf(batch.map(({ to }) => to));
      const { rows } = await client.query<PositionRow>({ name: 'projection.lock', text: sql.lockPositions, values });
      const next = new Map(rows.map((row) => [nameOf(row), Number(row.next)]));
      const isCurrent = ({ from, to }: A): boolean => next.get(nameOf(to)) === from;
      const current = batch.filter(isCurrent);
      if (current.length > 0) {
        await write(client, current);
        await move(client, current);
      }
      await client.query('commit');
      failure = false;
      return {
        applied: current.map(placeOf),
        stale: batch.filter((advance) => !isCurrent(advance)).map(placeOf),
        unfoldable: [],
      };
    } finally {
      // A connection that failed in a transaction is closed, which rolls it back.
      client.release(failure);
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

const move = async (client: PoolClient, batch: readonly Advance[]): Promise<void> => {
  const to = batch.map((advance) => advance.to);
  const values = [
    ...placesOf(to),
    to.map(({ next }) => next),
    to.map(({ epoch }) => epoch),
    to.map(({ n }) => n),
    to.map(({ logAt }) => new Date(logAt).toISOString()),
    to.map(({ decidedUpTo }) => decidedUpTo),
    to.map(({ generation }) => generation),
  ];
  await client.query({ name: 'projection.move', text: sql.movePositions, values });
};

type Told = { readonly agent: string };

/** A Task that was paused, resumed or revised is another opportunity of the agents that it names (O-5). */
const addAudiences = async (client: PoolClient, { tasks }: Plan, told: Set<string>): Promise<void> => {
  const changed = tasks.changed.filter(({ paused, version }) => paused !== undefined || version !== undefined);
  if (changed.length === 0) return;
  const values = [changed.map(({ id }) => id)];
  const { rows } = await client.query<Told>({ name: 'projection.audiences', text: sql.audiencesOf, values });
  for (const { agent } of rows) told.add(agent);
};

/** A payload holds less than 8,000 bytes. */
const agentsANotification = 150;

const notify = async (client: PoolClient, agents: readonly string[]): Promise<void> => {
  const payloads = agents.length === 0 ? ['-'] : [];
  for (let i = 0; i < agents.length; i += agentsANotification)
    payloads.push(agents.slice(i, i + agentsANotification).join(','));
  for (const payload of payloads)
    await client.query({ name: 'projection.notify', text: sql.notifyProjected, values: [payload] });
};

const writeReceipts = async (client: PoolClient, receipts: readonly ReceiptRow[]): Promise<void> => {
  if (receipts.length === 0) return;
  const bindings = receipts.map(({ binding }) => binding);
  const values = [
    bindings,
    receipts.map(({ agent }) => agent),
    receipts.map(({ action }) => action),
    receipts.map(({ fingerprint }) => fingerprint),
    receipts.map(({ receipt }) => Buffer.from(receipt)),
    receipts.map(({ at }) => new Date(at).toISOString()),
  ];
  await client.query({ name: 'projection.receipts', text: sql.insertReceipts, values });
  await client.query({ name: 'projection.free', text: sql.freeReservations, values: [bindings] });
};

const writeRefusals = async (client: PoolClient, refused: readonly RefusalRow[]): Promise<void> => {
  if (refused.length === 0) return;
  const values = [
    refused.map(({ binding }) => binding),
    refused.map(({ action }) => action),
    refused.map(({ attempt }) => attempt),
    refused.map(({ code }) => code),
    refused.map(({ retryAfter }) => retryAfter ?? null),
  ];
  await client.query({ name: 'projection.refuse', text: sql.refuseReservations, values });
};
