export * from './config.ts';
export * from './tokens.ts';
