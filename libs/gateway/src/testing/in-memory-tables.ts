import type { Refused } from '@kungfu/protocol';
import type { GatewayTables, Generation, Looked, Reservation, StoredReceipt } from '../pipeline/tables.ts';

/** The gateways' tables in memory, and the projector's hand in them: the twin for specs and simulation. */
export class InMemoryGatewayTables implements GatewayTables {
  readonly #reservations = new Map<string, Reservation>();
  readonly #receipts = new Map<string, StoredReceipt>();
  state = { generation: 0, fenced: false };

  async arrive(binding: string): Promise<{ readonly looked: Looked; readonly generation: Generation }> {
    const [looked, generation] = await Promise.all([this.look(binding), this.generation()]);
    return { looked, generation };
  }

  async look(binding: string): Promise<Looked> {
    const receipt = this.#receipts.get(binding);
    const reservation = this.#reservations.get(binding);
    return { ...(receipt === undefined ? {} : { receipt }), ...(reservation === undefined ? {} : { reservation }) };
  }

  async decided(bindings: readonly string[]): Promise<ReadonlyMap<string, Looked>> {
    const looks = await Promise.all(bindings.map(async (binding) => [binding, await this.look(binding)] as const));
    return new Map(
      looks.filter(([, { receipt, reservation }]) => receipt !== undefined || reservation?.refused !== undefined),
    );
  }

  async reserve(reservation: Reservation): Promise<Reservation> {
    const held = this.#reservations.get(reservation.binding);
    if (held !== undefined && held.refused === undefined) return held;
    this.#reservations.set(reservation.binding, reservation);
    return reservation;
  }

  async takeOver(next: Reservation, from: { readonly attempt: number }): Promise<boolean> {
    const held = this.#reservations.get(next.binding);
    if (held?.actionId !== next.actionId || held.attempt !== from.attempt || held.refused !== undefined) return false;
    this.#reservations.set(next.binding, { ...next, notAfter: Math.max(held.notAfter, next.notAfter) });
    return true;
  }

  async release({ binding, actionId, attempt }: Reservation): Promise<void> {
    const held = this.#reservations.get(binding);
    if (held?.actionId === actionId && held.attempt === attempt && held.refused === undefined)
      this.#reservations.delete(binding);
  }

  async generation(): Promise<Generation> {
    return this.state;
  }

  /** The projector's part: a fact's receipt frees the binding. */
  project(binding: string, receipt: StoredReceipt): void {
    if (!this.#receipts.has(binding)) this.#receipts.set(binding, receipt);
    this.#reservations.delete(binding);
  }

  /** The projector's part: a refusal tells the newest attempt only. */
  refuse({ binding, action, attempt, code, retryAfter }: Refused): void {
    const held = this.#reservations.get(binding);
    if (held?.actionId !== action || held.attempt !== attempt) return;
    this.#reservations.set(binding, {
      ...held,
      refused: { code, ...(retryAfter === undefined ? {} : { retryAfter }) },
    });
  }

  get receipts(): ReadonlyMap<string, StoredReceipt> {
    return this.#receipts;
  }
  get reservations(): ReadonlyMap<string, Reservation> {
    return this.#reservations;
  }
}
