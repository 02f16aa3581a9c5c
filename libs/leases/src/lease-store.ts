/** Where leases stand, shared by all instances; times are the store's own clock. */
export interface LeaseStore {
  /** Says that this instance lives and what it seeks. */
  announce(instance: string, group: string, timeToLiveMs: number): Promise<void>;
  /** How many instances of the group live. */
  living(group: string): Promise<number>;
  /** Renews those of the names that this instance still holds; gives them back. */
  renew(instance: string, names: readonly string[], timeToLiveMs: number): Promise<readonly string[]>;
  /** Takes up to `most` of the names that are free or have run out; gives those taken. */
  take(instance: string, names: readonly string[], most: number, timeToLiveMs: number): Promise<readonly string[]>;
  /** Frees those of the names that this instance holds. */
  free(instance: string, names: readonly string[]): Promise<void>;
  /** This instance is no longer living. */
  leave(instance: string, group: string): Promise<void>;
}
