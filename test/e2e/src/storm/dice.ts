/** Repeatable choices: mulberry32. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of some; throws when there are none. */
  pick<T>(some: readonly T[]): T {
    const found = some[Math.floor(this.next() * some.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }
}
