/** What a lease is for: `thread/3`, `projector/thread/3`, `scheduler`. */
export type LeaseName = string;

/** A lease held. It is a hint that spares fights, never a proof: safety comes from the epochs (engine.md §3). */
export interface Lease {
  readonly name: LeaseName;
  /** Whether the last renewal is younger than 0.8 of the time to live: only then may the holder act. */
  fresh(): boolean;
}

/**
 * Shares named leases out evenly over the living instances, sticky. Renews every second, seeks every 300 ms, time to live 3 s.
 * When the database is away, what is held goes stale (not fresh) and becomes fresh again or is lost when it is back.
 */
export interface Leases {
  /**
   * Seeks the leases until stop(). `gained` and `lost` are called once for each change, never twice in a row for one name.
   * A lease that ran out is lost when another took it or when this instance finds it gone.
   */
  seek(names: readonly LeaseName[], on: { gained: (lease: Lease) => void; lost: (name: LeaseName) => void }): Seeking;
}

export interface Seeking {
  /** Gives back one lease after its holder has stopped; it is not sought again by this instance for a while. */
  release(name: LeaseName): Promise<void>;
  /** Gives everything back and seeks no more. Call after the holders have stopped. */
  stop(): Promise<void>;
}
