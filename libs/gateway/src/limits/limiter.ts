import type { ActionName, Limits } from '@kungfu/protocol';
import type { Pool } from 'pg';
import type { ReadLimiter } from '../reads/reads.ts';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

/** Rates of actions, atomic over all gateways (L4-4). Each answer is the seconds to wait, or undefined if it fits. */
export interface ActionLimiter {
  consume(agent: string, action: ActionName): Promise<number | undefined>;
  /** A join that was refused counts against the joins that may fail. */
  failedJoin(agent: string): Promise<number | undefined>;
}

type Rate = 'actions' | 'creations' | 'reads' | 'failed-joins';
const schemaName = 'gateway';

/** The limiter over Postgres; its table is made when it is first used. */
export class Limiter implements ActionLimiter, ReadLimiter {
  readonly #rates: Readonly<Record<Rate, RateLimiterPostgres>>;

  constructor(rates: Readonly<Record<Rate, RateLimiterPostgres>>) {
    this.#rates = rates;
  }

  async consume(agent: string, action: ActionName): Promise<number | undefined> {
    const over = await take(this.#rates.actions, agent);
    if (over !== undefined) return over;
    if (action === 'thread.create') return take(this.#rates.creations, agent);
    return action === 'thread.join' ? peek(this.#rates['failed-joins'], agent) : undefined;
  }

  failedJoin(agent: string): Promise<number | undefined> {
    return take(this.#rates['failed-joins'], agent);
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
}

/** Makes the tables if need be. Throws what the database throws. */
export const createLimiter = async (pool: Pool, limits: Limits): Promise<Limiter> => {
  await pool.query(`create schema if not exists ${schemaName}`);
  const rate = (name: Rate, points: number, duration: number): Promise<RateLimiterPostgres> =>
    new Promise((resolve, reject) => {
      const made: RateLimiterPostgres = new RateLimiterPostgres(
        { storeClient: pool, schemaName, tableName: 'rate', keyPrefix: name, points, duration },
        (error?: Error) => (error === undefined ? resolve(made) : reject(error)),
      );
    });
  return new Limiter({
    actions: await rate('actions', limits.actionsPerMinute, 60),
    creations: await rate('creations', limits.creationsPerHour, 3_600),
    reads: await rate('reads', limits.readsPerMinute, 60),
    'failed-joins': await rate('failed-joins', limits.failedJoinsPerQuarterHour, 900),
  });
};

/** No limit at all: for measuring, and for those who limit in front of the service. */
export const unlimited = {
  consume: async () => undefined,
  failedJoin: async () => undefined,
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

const peek = async (rate: RateLimiterPostgres, agent: string): Promise<number | undefined> => {
  const state = await rate.get(agent);
  return state !== null && state.consumedPoints >= rate.points ? seconds(state) : undefined;
};
