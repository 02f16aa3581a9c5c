import assert from 'node:assert/strict';
import { defaultLimits } from '../limits.ts';
import type { Context, DecisionLimits, Kind } from '../kernel.ts';
import type { RefusalCode } from '../refusals.ts';

/** The time of every fact and action of a spec that does not say another: 2030-01-01. */
export const begin = Date.UTC(2030, 0, 1);

type When = { readonly at?: number; readonly inactive?: readonly string[]; readonly limits?: Partial<DecisionLimits> };
type AtTime<E> = E | readonly [at: number, effect: E];

/**
 * given(effects).when(agent, action).then(effects), .thenRefused(code) or .thenDue(effects). What was recorded has to fold to
 * the same state twice, also by way of the pieces that a store keeps; a refusal leaves the state as it was.
 */
export const specFor = <S, A, E>(kind: Kind<S, A, E>, object: string) => {
  const fold = (state: S, history: readonly AtTime<E>[]): S =>
    history.reduce<S>(
      (s, item) =>
        Array.isArray(item) ? kind.evolve(s, item[1] as E, item[0] as number) : kind.evolve(s, item as E, begin),
      state,
    );
  const restored = (state: S): S =>
    kind.fromPieces(
      new Map(Object.entries(JSON.parse(JSON.stringify(Object.fromEntries(kind.pieces(state)))) as object)),
    );

  const given = (...history: readonly AtTime<E>[]) => {
    const state = fold(kind.initial, history);
    assert.deepEqual(restored(state), state, 'the state does not survive its store');
    return {
      state,
      when: (agent: string, action: A, { at = begin, inactive = [], limits = {} }: When = {}) => {
        const context: Context = {
          object,
          agent,
          at,
          inactive: (other) => inactive.includes(other),
          limits: { ...defaultLimits, ...limits },
        };
        const before = JSON.stringify([...kind.pieces(state)]);
        const decision = kind.decide(state, action, context);
        assert.equal(JSON.stringify([...kind.pieces(state)]), before, 'deciding changed the state');
        return {
          decision,
          then: (...effects: readonly E[]): void => {
            assert.deepEqual(decision, { kind: 'accepted', effects });
            const after = effects.reduce<S>((s, e) => kind.evolve(s, e, at), state);
            assert.deepEqual(
              fold(
                state,
                effects.map((e) => [at, e] as const),
              ),
              after,
            );
            assert.deepEqual(restored(after), after);
          },
          thenExisting: (existing: object): void =>
            assert.deepEqual(decision, { kind: 'accepted', effects: [], existing }),
          thenRefused: (code: RefusalCode): void => assert.deepEqual(decision, { kind: 'refused', code }),
        };
      },
      dueAt: (at: number) => ({
        then: (...effects: readonly E[]): void => {
          const fired: E[] = [];
          let now = state;
          for (const { dueAt, effects: ended } of kind.due(state, at)) {
            assert.ok(dueAt <= at, 'a deadline fires before it is due');
            fired.push(...ended);
            now = ended.reduce<S>((s, e) => kind.evolve(s, e, at), now);
          }
          assert.deepEqual(fired, effects);
          assert.deepEqual(kind.due(now, at), [], 'a deadline fires twice');
        },
      }),
      whenDeactivated: (agent: string, at = begin) => ({
        then: (...effects: readonly E[]): void => {
          assert.deepEqual(kind.deactivate(state, agent, at), effects);
          const after = effects.reduce<S>((s, e) => kind.evolve(s, e, at), state);
          assert.deepEqual(kind.deactivate(after, agent, at), [], 'the walk touches an object twice');
        },
      }),
    };
  };
  return { given };
};
