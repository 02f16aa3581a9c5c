import { type AkepEvent, eventSchema } from './schemas/event.ts';
import { type Filters, type FilterTerm, filterBounds, type Subscription } from './schemas/subscription.ts';

/** Whether all filters hold for an event (S-2). Without filters, they do. More or deeper ones than allowed: they do not. */
export const filtersHold = (event: AkepEvent, filters: Filters): boolean => {
  const terms = Object.entries(filters);
  return terms.length <= filterBounds.filtersMax && terms.every(([path, term]) => holds(valueAt(event, path), term));
};

/** A scalar has to be equal, a list has to hold it; what is not there equals nothing (S-2). */
const holds = (value: unknown, term: FilterTerm): boolean => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  return Array.isArray(term) ? term.slice(0, filterBounds.membersMax).includes(value) : value === term;
};

/** What stands at a dotted path: own fields of objects only, never an item of a list nor what a prototype has. */
const valueAt = (event: AkepEvent, path: string): unknown => {
  const steps = path.split('.', filterBounds.stepsMax + 1);
  if (steps.length > filterBounds.stepsMax || !Object.hasOwn(fields, steps[0]!)) return undefined;
  let value: unknown = event;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
};

const fields = eventSchema['properties'] as object;

/** How an event came: who the key that verified it belongs to, and the key id that the request named, if it did (W-1). */
export type Arrival = { readonly producer: string; readonly keyId?: string };

/**
 * Whether an event that came so matches a subscription (W-7). Every check fails closed: a list in `security` that the event, its
 * verified producer or its named key is not in, a key id that is asked for and was not named, a producer id in the body that is
 * not that of the secret.
 */
export const matches = (subscription: Subscription, event: AkepEvent, { producer, keyId }: Arrival): boolean => {
  const {
    accepted_source_names: names,
    accepted_producer_ids: producers,
    signature_key_ids: keys,
  } = subscription.security;
  return (
    event.source.producer_id === producer &&
    isListed(producers, producer) &&
    isListed(names, event.source.name) &&
    isListed(keys, keyId) &&
    subscription.event_types.includes(event.event_type) &&
    filtersHold(event, subscription.filters)
  );
};

const isListed = (list: readonly string[] | undefined, value: string | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value));
