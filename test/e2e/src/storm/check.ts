import { expect } from '@jest/globals';
import { receiptOf } from '@kungfu/protocol';
import { type Recorded } from '../truth/facts.ts';
import type { Sent } from './sailor.ts';

const utf8 = new TextDecoder();

/**
 * That what clients were told and what the log holds are the same: each accepted action has exactly one fact and the receipt
 * is that fact's, no fact has no client, no binding has two facts (L2-1, L3-1, O2). `before`: facts that were there already.
 */
export const checkFacts = (facts: readonly Recorded[], sent: readonly Sent[]): void => {
  const caused = facts.flatMap(({ fact }) => (fact.cause.kind === 'action' ? [{ fact, cause: fact.cause }] : []));
  const bindings = Map.groupBy(caused, ({ cause }) => cause.binding);
  expect([...bindings].filter(([, some]) => some.length > 1).map(([binding]) => binding)).toEqual([]);
  const agents = new Set(sent.map(({ agent }) => agent));
  const recorded = caused
    .filter(({ cause }) => agents.has(cause.agent))
    .map(({ fact }) => utf8.decode(receiptOf(fact)));
  const told = sent.flatMap(({ receiptText }) => receiptText ?? []);
  expect(recorded.toSorted()).toEqual(told.toSorted());
};

/** That every accepted action answers with its first receipt, byte for byte, and says that it is a replay. */
export const checkReplays = async (sent: readonly Sent[]): Promise<void> => {
  const accepted = sent.filter(({ receiptText }) => receiptText !== undefined);
  for (const some of chunks(accepted, 20)) {
    await Promise.all(
      some.map(async ({ action, key, receiptText, again }) => {
        const { status, text, headers } = await again();
        const replay = {
          action,
          key,
          status,
          receipt: text.startsWith(`{"receipt":${receiptText},`),
          replayed: headers['idempotent-replayed'],
          secret: text.includes('"secret":'),
        };
        expect(replay).toEqual({ action, key, status: 200, receipt: true, replayed: 'true', secret: false });
      }),
    );
  }
};

const chunks = <T>(some: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(some.length / size) }, (_, index) => some.slice(index * size, (index + 1) * size));
