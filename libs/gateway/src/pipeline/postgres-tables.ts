import type { Pool } from 'pg';
import { Batcher } from './batcher.ts';
import type { GatewayTables, Generation, Looked, Reservation } from './tables.ts';

type Row = {
  binding: string;
  fingerprint: string;
  object: string;
  action_id: string;
  attempt: number;
  not_after: string;
  generation: number;
  refusal_code: string | null;
  retry_after: number | null;
};

const columns = `binding, fingerprint, object, action_id, attempt, (extract(epoch from not_after) * 1000)::bigint as not_after, generation, refusal_code, retry_after`;
/** One statement, so one state: a fact's projection removes the row and writes the receipt at once. */
const looking = (reservations: string): string => `
  select ${columns}, null::bytea as receipt from gateway.reservation where binding = any($1::text[])${reservations}
  union all
  select binding, fingerprint, null, null, null, null, null, null, null, receipt from read.receipt where binding = any($1::text[])`;
const look = looking('');
/** What stands under the bindings, and with each row, and where there is none, the generation of now. */
const arrive = `
  select g.generation as now, g.fenced, found.* from gateway.generation g left join (${look}) found on true`;
const lookDecided = looking(' and refusal_code is not null');
const reserve = `
  insert into gateway.reservation
  select binding, fingerprint, object, action_id, 1, to_timestamp(not_after / 1000.0), generation, null, null
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::int[]) r (binding, fingerprint, object, action_id, not_after, generation)
  order by 1
  on conflict (binding) do update set
    fingerprint = excluded.fingerprint, object = excluded.object, action_id = excluded.action_id, attempt = 1, not_after = excluded.not_after,
    generation = excluded.generation, refusal_code = null, retry_after = null
  where reservation.refusal_code is not null
  returning ${columns}`;
const takeOver = `
  update gateway.reservation set attempt = $3, not_after = greatest(not_after, to_timestamp($4::bigint / 1000.0)), generation = $5
  where binding = $1 and action_id = $2 and attempt = $6 and refusal_code is null`;
const release =
  'delete from gateway.reservation where binding = $1 and action_id = $2 and attempt = $3 and refusal_code is null';
const generation = 'select generation, fenced from gateway.generation';

type LookedRow = Row & { readonly receipt: Buffer | null };
type ArrivedRow = { readonly now: number; readonly fenced: boolean } & (LookedRow | { readonly binding: null });

/** What was found of each binding; those of which nothing was found are left out. */
const lookedOf = (rows: readonly LookedRow[]): ReadonlyMap<string, Looked> => {
  const found = new Map<string, Looked>();
  for (const row of rows) {
    const { binding, fingerprint, receipt } = row;
    found.set(binding, {
      ...found.get(binding),
      ...(receipt === null ? { reservation: fromRow(row) } : { receipt: { fingerprint, receipt } }),
    });
  }
  return found;
};

const fromRow = (row: Row): Reservation => ({
  binding: row.binding,
  fingerprint: row.fingerprint,
  object: row.object,
  actionId: row.action_id,
  attempt: row.attempt,
  notAfter: Number(row.not_after),
  generation: row.generation,
  ...(row.refusal_code === null
    ? {}
    : { refused: { code: row.refusal_code, ...(row.retry_after === null ? {} : { retryAfter: row.retry_after }) } }),
});

/** The gateways' tables in Postgres. Requests in flight share statements. */
export class PostgresGatewayTables implements GatewayTables {
  readonly #pool: Pool;
  readonly #arrivals: Batcher<string, { readonly looked: Looked; readonly generation: Generation }>;
  readonly #looks: Batcher<string, Looked>;
  readonly #reserves: Batcher<Reservation, Reservation | undefined>;
  readonly #generations: Batcher<undefined, Generation>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#arrivals = new Batcher((bindings) => this.#arrive(bindings));
    this.#looks = new Batcher((bindings) => this.#look(bindings));
    this.#reserves = new Batcher((reservations) => this.#reserve(reservations));
    this.#generations = new Batcher(async (asked) => {
      const { rows } = await this.#pool.query({ name: 'gateway-generation', text: generation });
      return asked.map(() => rows[0] as Generation);
    });
  }

  arrive(binding: string): Promise<{ readonly looked: Looked; readonly generation: Generation }> {
    return this.#arrivals.do(binding);
  }

  look(binding: string): Promise<Looked> {
    return this.#looks.do(binding);
  }

  async decided(bindings: readonly string[]): Promise<ReadonlyMap<string, Looked>> {
    const { rows } = await this.#pool.query({ name: 'gateway-decided', text: lookDecided, values: [bindings] });
    return lookedOf(rows as LookedRow[]);
  }

  async reserve(reservation: Reservation): Promise<Reservation> {
    for (;;) {
      const taken = await this.#reserves.do(reservation);
      if (taken !== undefined) return taken;
      const { reservation: held } = await this.look(reservation.binding);
      if (held !== undefined) return held;
    }
  }

  async takeOver(next: Reservation, from: { readonly attempt: number }): Promise<boolean> {
    const values = [next.binding, next.actionId, next.attempt, next.notAfter, next.generation, from.attempt];
    return ((await this.#pool.query({ name: 'gateway-take-over', text: takeOver, values })).rowCount ?? 0) > 0;
  }

  async release({ binding, actionId, attempt }: Reservation): Promise<void> {
    await this.#pool.query({ name: 'gateway-release', text: release, values: [binding, actionId, attempt] });
  }

  generation(): Promise<Generation> {
    return this.#generations.do(undefined);
  }

  async #arrive(bindings: readonly string[]) {
    const result = await this.#pool.query({ name: 'gateway-arrive', text: arrive, values: [bindings] });
    const rows = result.rows as ArrivedRow[];
    const { now, fenced } = rows[0]!;
    const found = lookedOf(rows.filter((row) => row.binding !== null));
    return bindings.map((binding) => ({ looked: found.get(binding) ?? {}, generation: { generation: now, fenced } }));
  }

  async #look(bindings: readonly string[]): Promise<readonly Looked[]> {
    const { rows } = await this.#pool.query({ name: 'gateway-look', text: look, values: [bindings] });
    const found = lookedOf(rows as LookedRow[]);
    return bindings.map((binding) => found.get(binding) ?? {});
  }

  /** One statement cannot write a row twice: of two requests for one binding in a batch, the second finds the first's row. */
  async #reserve(reservations: readonly Reservation[]): Promise<readonly (Reservation | undefined)[]> {
    const first = new Map<string, Reservation>();
    for (const reservation of reservations)
      if (!first.has(reservation.binding)) first.set(reservation.binding, reservation);
    const rows = [...first.values()];
    const values = [
      rows.map((r) => r.binding),
      rows.map((r) => r.fingerprint),
      rows.map((r) => r.object),
      rows.map((r) => r.actionId),
      rows.map((r) => r.notAfter),
      rows.map((r) => r.generation),
    ];
    const result = await this.#pool.query({ name: 'gateway-reserve', text: reserve, values });
    const taken = new Map((result.rows as Row[]).map((row) => [row.binding, fromRow(row)]));
    return reservations.map(({ binding }) => taken.get(binding));
  }
}
