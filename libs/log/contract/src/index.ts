export * from './log-contract.ts';
