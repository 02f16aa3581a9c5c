export * from './command-words.ts';
export * from './filters.ts';
export * from './schemas/check.ts';
export * from './schemas/event.ts';
export * from './schemas/subscription.ts';
export * from './mac.ts';
export * from './webhook.ts';
export * from './webhook-headers.ts';
