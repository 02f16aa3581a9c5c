/**
 * Injection tokens of what every service stands on; the platform module provides them, globally. Modules inject these and
 * never build a log, a pool or a clock themselves.
 */
export const LOG = Symbol('kungfu.log');
export const LEASES = Symbol('kungfu.leases');
/** pg.Pool on the primary: hot paths, raw SQL. */
export const POOL = Symbol('kungfu.pool');
export const CLOCK = Symbol('kungfu.clock');
export const TIMERS = Symbol('kungfu.timers');
export const RANDOM = Symbol('kungfu.random');
/** pino.Logger */
export const LOGGER = Symbol('kungfu.logger');
/** Config of config.ts */
export const CONFIG = Symbol('kungfu.config');
