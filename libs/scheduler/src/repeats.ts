/** Remembers what has been sent of late, so that it is sent again only after a while. Keeps nothing for longer than that. */
export class Repeats {
  readonly #sentAt = new Map<string, number>();
  readonly #repeatMs: number;

  constructor(repeatMs: number) {
    this.#repeatMs = repeatMs;
  }

  isDue(name: string, now: number): boolean {
    const sentAt = this.#sentAt.get(name);
    // A clock that was put back must not silence anything.
    return sentAt === undefined || now - sentAt >= this.#repeatMs || now < sentAt;
  }

  sent(names: readonly string[], now: number): void {
    for (const [name, sentAt] of this.#sentAt)
      if (now - sentAt >= this.#repeatMs || now < sentAt) this.#sentAt.delete(name);
    for (const name of names) this.#sentAt.set(name, now);
  }
}
