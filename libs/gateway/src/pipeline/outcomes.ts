import type { Clock } from '@kungfu/log-port';
import type { Wakes } from '../reads/wakes.ts';
import type { GatewayTables, Looked, Reservation } from './tables.ts';

/** One attempt that somebody waits for. */
export interface Following {
  /** What stands once something has been decided, or when `until` has come. Throws what the database throws. */
  outcome(until: number): Promise<Looked>;
  /** Ends the waiting; always call it. */
  end(): void;
}

type Attempt = Pick<Reservation, 'binding' | 'actionId'>;
type Found = { readonly looked: Looked } | { readonly error: unknown };

/**
 * Waits until attempts have come to something: a receipt, a refusal, or that the row is gone (engine.md §4.6).
 *
 * Whole interface: follow(). One loop looks for all who wait, so that a wake-up costs one statement however many they are. An
 * attempt is followed before it is appended: then no wake-up that tells of it can be missed. What no wake-up tells, because
 * one was lost or the row went without receipt or refusal, is found by looking at each attempt once in a while.
 */
export class Outcomes {
  readonly #tables: GatewayTables;
  readonly #clock: Clock;
  readonly #wakes: Wakes;
  readonly #pollMs: number;
  readonly #waiting = new Set<Waiting>();
  #looking = false;

  constructor(options: { tables: GatewayTables; clock: Clock; wakes: Wakes; pollMs: number }) {
    this.#tables = options.tables;
    this.#clock = options.clock;
    this.#wakes = options.wakes;
    this.#pollMs = options.pollMs;
  }

  /** Begins to wait for an attempt. `old`: it may have come to something already. */
  follow({ binding, actionId }: Attempt, old = false): Following {
    const waiting = new Waiting(binding, actionId, old ? 0 : this.#clock.now() + this.#pollMs);
    this.#waiting.add(waiting);
    if (!this.#looking) void this.#look();
    return { outcome: (until) => this.#outcome(waiting, until), end: () => this.#waiting.delete(waiting) };
  }

  async #outcome(waiting: Waiting, until: number): Promise<Looked> {
    waiting.until = until;
    if (waiting.found === undefined && waiting.lookAt === 0) await this.#lookAt([waiting]);
    return waiting.outcome();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const waiter = this.#wakes.register();
    try {
      while (this.#waiting.size > 0) {
        await waiter.wait(this.#pollMs);
        await this.#pass();
      }
    } catch (error) {
      for (const waiting of this.#waiting) waiting.find({ error });
      this.#waiting.clear();
    } finally {
      waiter.end();
      this.#looking = false;
    }
  }

  /** What the projector has told of all that wait; and everything about those whose time has come. */
  async #pass(): Promise<void> {
    const asked = [...this.#waiting].filter(({ found }) => found === undefined);
    if (asked.length === 0) return;
    const decided = await this.#tables.decided(asked.map(({ binding }) => binding));
    for (const waiting of asked) {
      const looked = decided.get(waiting.binding);
      if (looked !== undefined && waiting.isDecided(looked)) waiting.find({ looked });
    }
    const now = this.#clock.now();
    await this.#lookAt(
      asked.filter(({ found, lookAt, until }) => found === undefined && Math.min(lookAt, until) <= now),
    );
  }

  async #lookAt(some: readonly Waiting[]): Promise<void> {
    const looks = await Promise.all(some.map(({ binding }) => this.#tables.look(binding)));
    const now = this.#clock.now();
    some.forEach((waiting, i) => {
      const looked = looks[i]!;
      waiting.lookAt = now + this.#pollMs;
      if (waiting.isDecided(looked) || now >= waiting.until) waiting.find({ looked });
    });
  }
}

class Waiting {
  found: Found | undefined;
  until = Number.POSITIVE_INFINITY;
  #told: (() => void) | undefined;

  constructor(
    readonly binding: string,
    readonly actionId: string,
    /** When to look at everything about it; 0: before it is waited for. */
    public lookAt: number,
  ) {}

  find(found: Found): void {
    this.found ??= found;
    this.#told?.();
  }

  async outcome(): Promise<Looked> {
    if (this.found === undefined) await new Promise<void>((resolve) => (this.#told = resolve));
    if ('error' in this.found!) throw this.found.error;
    return this.found!.looked;
  }

  isDecided({ receipt, reservation }: Looked): boolean {
    return (
      receipt !== undefined ||
      reservation === undefined ||
      reservation.actionId !== this.actionId ||
      reservation.refused !== undefined
    );
  }
}
