import type { ContentRef, MemoryEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import type { Effect, Folding } from './folding.ts';

/** What effects on a Memory change (§5); `memory.created` stands in facts of threads too (engine.md §8). */
export const foldMemory = (folding: Folding, effect: MemoryEffect) => {
  const { plan, fact } = folding;
  const { id } = fact.object;
  switch (effect.type) {
    case 'memory.created':
      return effect.entry === undefined ? create(folding, effect) : bear(folding, effect, effect.entry);
    case 'memory.born':
      return found(folding, effect);
    case 'memory.updated':
      plan.memories.change(id, { id }, { version: effect.version });
      return addVersion(folding, id, effect.version, effect.content);
    case 'memory.published':
      return plan.memories.change(id, { id }, { visibility: 'public' });
    case 'memory.unpublished':
      return plan.memories.change(id, { id }, { visibility: 'private' });
    case 'memory.withdrawn':
      return plan.memories.change(id, { id }, { status: 'withdrawn' });
  }
};

const fresh = { status: 'valid', visibility: 'private', version: 1 } as const;

const create = (folding: Folding, { memory, author, content }: Effect<'memory.created'>): void => {
  const { at, revision } = folding.fact;
  folding.plan.memories.make(memory, { id: memory, author, createdAt: at, ...fresh, revision });
  addVersion(folding, memory, 1, content);
};

/** Born in an entry: the thread's fact owns where and when, and the first version. */
const bear = (folding: Folding, { memory, author, content }: Effect<'memory.created'>, entry: number): void => {
  const { at, object } = folding.fact;
  folding.plan.bornMemories.make(memory, { id: memory, author, at, thread: object.id, entry });
  addVersion(folding, memory, 1, content);
};

/** The first fact of the memory's own partition on one born in an entry. */
const found = ({ plan, fact }: Folding, { genesis }: Effect<'memory.born'>): void => {
  const { id } = fact.object;
  plan.memories.make(id, { id, author: genesis.author, ...fresh, revision: fact.revision });
};

const addVersion = ({ plan, fact }: Folding, memory: string, version: number, content: ContentRef): void =>
  plan.versions.make(keyOf(memory, version), { memory, version, content, at: fact.at });
