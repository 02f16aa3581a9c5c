import type { ActionName, Limits } from '@kungfu/protocol';
import type { Pool } from 'pg';
import type { ReadLimiter } from '../reads/reads.ts';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

/** Rates of actions, atomic over all gateways (L4-4). Each answer is the seconds to wait, or undefined if it fits. */
export interface ActionLimiter {
  consume(agent: string, action: ActionName): Promise<number | undefined>;
  /**
   * Before each attempt to join: takes it for one that fails, so that no more can be under way than may still fail (T-7). What a
   * process that dies has taken counts until the quarter of an hour is over.
   */
  join(agent: string): Promise<Joining>;
}

/** A join under way, or the seconds to wait. */
export type Joining = { readonly retryAfter: number } | { readonly notFailed: () => Promise<void> };

type Rate = 'actions' | 'creations' | 'reads' | 'failed-joins';
const schemaName = 'gateway';

/** What makes a new thread or Task. */
const creations: ReadonlySet<ActionName> = new Set(['thread.create', 'task.create']);

/** When a window of a rate ends, in milliseconds: which window it is. */
type Window = { readonly expire: string };
/** In one statement: a point of the window, or no row if it has none left. Rows are as the library writes them. */
const hold = `
  insert into ${schemaName}.rate as r (key, points, expire) values ($1, 1, $2)
  on conflict (key) do update set
    points = case when r.expire <= $3 then 1 else r.points + 1 end,
    expire = case when r.expire <= $3 then excluded.expire else r.expire end
  where r.expire <= $3 or r.points < $4
  returning expire`;
/** A point goes back to the window that it is of. */
const giveBack = `update ${schemaName}.rate set points = points - 1 where key = $1 and expire = $2 and points > 0`;

/** The limiter over Postgres; its table is made when it is first used. */
export class Limiter implements ActionLimiter, ReadLimiter {
  readonly #pool: Pool;
  readonly #rates: Readonly<Record<Rate, RateLimiterPostgres>>;

  constructor(pool: Pool, rates: Readonly<Record<Rate, RateLimiterPostgres>>) {
    this.#pool = pool;
    this.#rates = rates;
  }

  async consume(agent: string, action: ActionName): Promise<number | undefined> {
    const over = await take(this.#rates.actions, agent);
    if (over !== undefined) return over;
    return creations.has(action) ? take(this.#rates.creations, agent) : undefined;
  }

  async join(agent: string): Promise<Joining> {
    const rate = this.#rates['failed-joins'];
    const key = rate.getKey(agent);
    const now = Date.now();
    const values = [key, now + rate.msDuration, now, rate.points];
    const [taken] = (await this.#pool.query<Window>({ name: 'rate-hold', text: hold, values })).rows;
    if (taken !== undefined) return { notFailed: () => this.#giveBack(key, taken.expire) };
    const state = await rate.get(agent);
    return { retryAfter: state === null ? 1 : seconds(state) };
  }

  /** One read of this agent. */
  read(agent: string): Promise<number | undefined> {
    return take(this.#rates.reads, agent);
  }

  async use(
    agent: string,
  ): Promise<Readonly<Record<Rate, { readonly used: number; readonly limit: number; readonly perSeconds: number }>>> {
    const entries = await Promise.all(
      Object.entries(this.#rates).map(async ([name, rate]) => {
        const state = await rate.get(agent);
        return [
          name,
          { used: Math.min(state?.consumedPoints ?? 0, rate.points), limit: rate.points, perSeconds: rate.duration },
        ] as const;
      }),
    );
    return Object.fromEntries(entries) as Record<Rate, { used: number; limit: number; perSeconds: number }>;
  }

  async #giveBack(key: string, expire: string): Promise<void> {
    await this.#pool.query({ name: 'rate-give-back', text: giveBack, values: [key, expire] });
  }
}

/** `if not exists` does not keep two gateways that start at once from making the same: the key of an advisory lock. */
const tablesLock = 4607;

/** Makes the table if need be. Throws what the database throws. */
export const createLimiter = async (pool: Pool, limits: Limits): Promise<Limiter> => {
  const holder = await pool.connect();
  try {
    await holder.query('select pg_advisory_lock($1)', [tablesLock]);
    await holder.query(`create schema if not exists ${schemaName}`);
    const limiter = new Limiter(pool, await ratesOf(pool, limits));
    await holder.query('select pg_advisory_unlock($1)', [tablesLock]);
    holder.release();
    return limiter;
  } catch (error) {
    // Ends the connection, and with it the lock.
    holder.release(true);
    throw error;
  }
};

const ratesOf = async (pool: Pool, limits: Limits): Promise<Readonly<Record<Rate, RateLimiterPostgres>>> => {
  const rate = (name: Rate, points: number, duration: number): Promise<RateLimiterPostgres> =>
    new Promise((resolve, reject) => {
      const made: RateLimiterPostgres = new RateLimiterPostgres(
        { storeClient: pool, schemaName, tableName: 'rate', keyPrefix: name, points, duration },
        (error?: Error) => (error === undefined ? resolve(made) : reject(error)),
      );
    });
  return {
    actions: await rate('actions', limits.actionsPerMinute, 60),
    creations: await rate('creations', limits.creationsPerHour, 3_600),
    reads: await rate('reads', limits.readsPerMinute, 60),
    'failed-joins': await rate('failed-joins', limits.failedJoinsPerQuarterHour, 900),
  };
};

/** No limit at all: for measuring, and for those who limit in front of the service. */
export const unlimited = {
  consume: async () => undefined,
  join: async () => ({ notFailed: async () => {} }),
  read: async () => undefined,
  use: async () => ({}),
} satisfies ActionLimiter & ReadLimiter;

const seconds = (state: RateLimiterRes): number => Math.max(1, Math.ceil(state.msBeforeNext / 1_000));

const take = async (rate: RateLimiterPostgres, agent: string): Promise<number | undefined> => {
  try {
    await rate.consume(agent);
    return undefined;
  } catch (error) {
    if (error instanceof RateLimiterRes) return seconds(error);
    throw error;
  }
};
