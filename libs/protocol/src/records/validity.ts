import type { FactRecord } from './codec.ts';

/**
 * Which records of a fact topic count, the same for every reader: owner, projector, verify, an analyst's job (engine.md §3).
 * The epoch is the nonce of the latest claim seen; a record counts if it is of the epoch and its number follows the last
 * that counted. A claim always counts and takes the next number.
 */
export type Chain = { readonly epoch: string; readonly n: number };
export const emptyChain: Chain = { epoch: '', n: 0 };

export type Validity =
  | { readonly kind: 'valid'; readonly chain: Chain }
  /** Of another epoch: skip (O4). */
  | { readonly kind: 'void' }
  /** Right epoch, wrong number: stop the partition and raise the alarm. */
  | { readonly kind: 'gap'; readonly expected: number; readonly found: number };

export const validity = (chain: Chain, record: FactRecord): Validity => {
  if (record.type === 'claim') return { kind: 'valid', chain: { epoch: record.claim.nonce, n: chain.n + 1 } };
  if (record.epoch !== chain.epoch) return { kind: 'void' };
  if (record.n !== chain.n + 1) return { kind: 'gap', expected: chain.n + 1, found: record.n };
  return { kind: 'valid', chain: { epoch: chain.epoch, n: record.n } };
};
