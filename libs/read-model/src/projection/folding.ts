import type { AnyEffect, Fact } from '@kungfu/protocol';
import type { Place, Plan } from './rows.ts';

/** One fact on its way into a plan, and where it stands in the log. */
export type Folding = {
  readonly plan: Plan;
  readonly fact: Fact;
  readonly kind: string;
  readonly partition: number;
  readonly offset: number;
  /** Index of the effect being folded. */
  readonly effect: number;
};

export type Effect<T extends AnyEffect['type']> = Extract<AnyEffect, { readonly type: T }>;

export const placeOf = ({ fact, kind, partition, offset, effect }: Folding): Place => ({
  at: fact.at,
  kind,
  partition,
  offset,
  effect,
});

/** The one effect of this type in the same fact. Throws if there is none: such a fact is not known to this version. */
export const inSameFact = <T extends AnyEffect['type']>({ fact }: Folding, type: T): Effect<T> => {
  const found = fact.effects.find((effect): effect is Effect<T> => effect.type === type);
  if (found === undefined) throw new Error(`a fact on ${fact.object.id} without ${type}`);
  return found;
};
