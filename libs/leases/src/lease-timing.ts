/** Times of a lease in milliseconds (engine.md §3). */
export type LeaseTiming = {
  /** A lease that was not renewed for so long may be taken by another. */
  readonly timeToLiveMs: number;
  readonly renewMs: number;
  readonly seekMs: number;
  /** A lease given back is not sought again by the same instance for so long, while others live. */
  readonly restMs: number;
};
export const leaseTiming: LeaseTiming = { timeToLiveMs: 3_000, renewMs: 1_000, seekMs: 300, restMs: 2_000 };

/** A holder acts only while its last renewal is younger than this share of the time to live. */
export const freshShare = 0.8;
