/** A long-running part of a service: an owner host, a projector, a scheduler, the gateway's doors. */
export interface Loop {
  /** Resolves when it runs. Throws when it cannot; then it is not stopped. */
  start(): Promise<void>;
  /** Stops taking, finishes what is in hand, gives its leases back. */
  stop(): Promise<void>;
  /** What keeps it from its work, where it can tell; undefined: nothing. */
  trouble?(): string | undefined;
}

/** A loop under the name that logs and health checks call it by. */
export type NamedLoop = { readonly name: string; readonly loop: Loop };
