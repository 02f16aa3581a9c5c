export * from './events.ts';
export * from './projector-loop.ts';
export * from './projector.module.ts';
export * from './rebuild.ts';
