export * from './in-memory-store.ts';
export * from './lease-store.ts';
export * from './lease-timing.ts';
export * from './postgres-store.ts';
export * from './store-leases.ts';

import type { Clock, Leases, Timers } from '@kungfu/log-port';
import type { Pool } from 'pg';
import { PostgresLeaseStore } from './postgres-store.ts';
import { StoreLeases } from './store-leases.ts';

export type PostgresLeasesOptions = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly instance: string;
  readonly onTrouble?: (error: unknown) => void;
};

/** Leases in Postgres; their schema is made when they are first sought. */
export const createPostgresLeases = ({ pool, ...options }: PostgresLeasesOptions): Leases =>
  new StoreLeases({ store: new PostgresLeaseStore(pool), ...options });
