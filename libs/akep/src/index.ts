export * from './addresses.ts';
export * from './command-words.ts';
export * from './cursor.ts';
export * from './discovery.ts';
export * from './filters.ts';
export * from './mac.ts';
export * from './retries.ts';
export * from './schemas/check.ts';
export {
  type AkepEvent,
  coreEventTypes,
  eventSchema,
  type Scalar,
  type SubjectKey,
  subjectKeys,
} from './schemas/event.ts';
export {
  type Filters,
  type FilterTerm,
  filterBounds,
  type Subscription,
  subscriptionSchema,
} from './schemas/subscription.ts';
export * from './webhook.ts';
export * from './webhook-headers.ts';
