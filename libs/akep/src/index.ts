export * from './schemas/check.ts';
export * from './schemas/event.ts';
export * from './schemas/subscription.ts';
