import type { Clock } from '@kungfu/log-port';
import { type KeyHolder, keyHolders, type Reader } from '@kungfu/read-model';
import { LRUCache } from 'lru-cache';
import { Batcher } from '../pipeline/batcher.ts';
import { hashOf } from './bearer.ts';

/** How long a key that was found is believed. A gateway forgets at once what it revoked itself (`forget`). */
const believedMs = 500;
const rememberedMax = 10_000;

/**
 * Who a key belongs to. A key revoked through this gateway is refused from the answer on, one revoked through another
 * within half a second; unknown keys are never remembered.
 */
export class Keys {
  readonly #found = new LRUCache<string, { readonly agent: string; readonly until: number }>({ max: rememberedMax });
  /** Rises with every `forget`, so that an answer under way is not remembered after it. */
  #age = 0;
  /** Requests in flight share a statement. */
  readonly #holders: Batcher<string, KeyHolder | undefined>;

  constructor(
    reader: Reader,
    private readonly clock: Clock,
  ) {
    this.#holders = new Batcher(async (hashes) => {
      const found = await keyHolders(reader, [...new Set(hashes)]);
      return hashes.map((hash) => found.get(hash));
    });
  }

  /** The agent of a key; undefined for unknown and revoked ones alike. Throws what the database throws. */
  async agentOf(secret: string): Promise<string | undefined> {
    const hash = hashOf(secret);
    const found = this.#found.get(hash);
    if (found !== undefined && this.clock.now() < found.until) return found.agent;
    const asked = { age: this.#age, at: this.clock.now() };
    const holder = await this.#holders.do(hash);
    if (holder === undefined) {
      this.#found.delete(hash);
      return undefined;
    }
    if (this.#age === asked.age) this.#found.set(hash, { agent: holder.agent, until: asked.at + believedMs });
    return holder.agent;
  }

  /** After a revocation: everything is looked up again. */
  forget(): void {
    this.#age += 1;
    this.#found.clear();
  }
}
