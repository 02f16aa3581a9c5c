import type { Clock } from '@kungfu/log-port';
import type { Wakes } from '../reads/wakes.ts';
import type { GatewayTables, Looked, Reservation } from './tables.ts';

/** Waits until an attempt has come to something: its receipt, its refusal, or that its row is gone (engine.md §4.6). */
export class Outcomes {
  readonly #tables: GatewayTables;
  readonly #clock: Clock;
  readonly #wakes: Wakes;
  readonly #pollMs: number;

  constructor(options: { tables: GatewayTables; clock: Clock; wakes: Wakes; pollMs: number }) {
    this.#tables = options.tables;
    this.#clock = options.clock;
    this.#wakes = options.wakes;
    this.#pollMs = options.pollMs;
  }

  /** What stands once something has been decided, or when `until` has come. A wake-up that is lost costs a poll. */
  async await(reservation: Pick<Reservation, 'binding' | 'actionId'>, until: number): Promise<Looked> {
    const waiter = this.#wakes.register();
    try {
      for (;;) {
        const looked = await this.#tables.look(reservation.binding);
        if (isDecided(looked, reservation) || this.#clock.now() >= until) return looked;
        await waiter.wait(this.#pollMs);
      }
    } finally {
      waiter.end();
    }
  }
}

const isDecided = ({ receipt, reservation }: Looked, { actionId }: Pick<Reservation, 'actionId'>): boolean =>
  receipt !== undefined || reservation === undefined || reservation.actionId !== actionId || reservation.refused !== undefined;
