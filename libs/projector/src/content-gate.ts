import type { Log, TopicPartition } from '@kungfu/log-port';
import type { ProjectedPosition } from '@kungfu/read-model';
import { contentTopic } from '@kungfu/protocol';

export type Need = { readonly partition: number; readonly next: number };

/**
 * Whether the content that a fact refers to has been projected: the content position that the fact carries, or the end of
 * the content log, has been passed (engine.md §5).
 */
export class ContentGate {
  readonly #log: Log;
  readonly #load: (partitions: readonly TopicPartition[]) => Promise<readonly ProjectedPosition[]>;
  readonly #passed = new Map<number, number>();
  /** Needs that go beyond the end of the content log, which has lost them: up to where, and the end that was found. */
  readonly #lost = new Map<number, { readonly next: number; readonly end: number }>();
  readonly #unmet = new Map<number, number>();

  constructor(log: Log, load: (partitions: readonly TopicPartition[]) => Promise<readonly ProjectedPosition[]>) {
    this.#log = log;
    this.#load = load;
  }

  note({ partition, next }: Need): void {
    this.#passed.set(partition, Math.max(next, this.#passed.get(partition) ?? 0));
  }

  /** Whether all needs are met; those that are not are looked into by the next refresh. */
  passed(needs: readonly Need[]): boolean {
    const unmet = needs.filter((need) => !this.#isMet(need));
    for (const { partition, next } of unmet)
      this.#unmet.set(partition, Math.max(next, this.#unmet.get(partition) ?? 0));
    return unmet.length === 0;
  }

  /** Looks where the needs that were not met stand now; true if it has learnt anything. */
  async refresh(): Promise<boolean> {
    const needs = [...this.#unmet]
      .map(([partition, next]) => ({ partition, next }))
      .filter((need) => !this.#isMet(need));
    this.#unmet.clear();
    if (needs.length === 0) return false;
    for (const position of await this.#load(needs.map(({ partition }) => ({ topic: contentTopic, partition }))))
      this.note(position);
    for (const need of needs) if (!this.#isMet(need)) await this.#lookAtEnd(need);
    return needs.some((need) => this.#isMet(need));
  }

  /** What was appended before the fact stands before the end that is found now, unless the log has lost it. */
  async #lookAtEnd({ partition, next }: Need): Promise<void> {
    const end = await this.#log.end({ topic: contentTopic, partition });
    if (end < next) this.#lost.set(partition, { next, end });
  }

  #isMet({ partition, next }: Need): boolean {
    const passed = this.#passed.get(partition) ?? 0;
    const lost = this.#lost.get(partition);
    return passed >= next || (lost !== undefined && next <= lost.next && passed >= lost.end);
  }
}
