/** Wall time in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Waiting that a simulation can drive. */
export interface Timers {
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness that a simulation can drive. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** So many random bytes as lower-case hex: nonces, salts. */
  hex(bytes: number): string;
}
