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

const ends: ReadonlySet<string> = new Set(
  ['adopted', 'rejected', 'undecided', 'dropped', 'timed-out'].map((how) => `engagement.${how}`),
);

/** That every engagement was delivered and ended at most once, and no Task adopted more than its limit (L5-2, K-14, K-15). */
export const checkEngagements = (facts: readonly Recorded[], limit: number): void => {
  const effects = facts.flatMap(({ fact }) => fact.effects.map((effect) => ({ effect, task: fact.object.id })));
  const times = (counts: (type: string) => boolean): readonly number[] => {
    const some = effects.filter(({ effect }) => 'engagement' in effect && counts(effect.type));
    return [...Map.groupBy(some, ({ effect }) => (effect as { engagement: string }).engagement)].map(
      ([, all]) => all.length,
    );
  };
  expect(times((type) => ends.has(type)).filter((n) => n !== 1)).toEqual([]);
  expect(times((type) => type === 'engagement.delivered').filter((n) => n !== 1)).toEqual([]);
  const adopted = effects.filter(({ effect }) => effect.type === 'engagement.adopted');
  const perTask = [...Map.groupBy(adopted, ({ task }) => task)].map(([, all]) => all.length);
  expect(perTask.filter((n) => n > limit)).toEqual([]);
  // A storm that adopted nothing would have shown nothing.
  expect(perTask.length).toBeGreaterThan(0);
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
