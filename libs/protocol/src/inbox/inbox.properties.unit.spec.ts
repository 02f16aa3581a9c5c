import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { akepCatalogue, akepServiceActions, commonRefusals } from '../catalogue/index.ts';
import { defaultLimits } from '../limits.ts';
import type { RefusalCode } from '../refusals.ts';
import { ada, begin, bob, inboxActions, inboxSteps, type PlayedOnInbox, playInbox } from '../testing/index.ts';
import type { InboxAction } from './actions.ts';
import { inboxKind } from './decide.ts';
import { type InboxEffect, inboxEffect } from './effects.ts';
import type { Existing, InboxState } from './state.ts';

const runs = { numRuns: 100 };
const day = 86_400_000;
const effectsOf = (played: readonly PlayedOnInbox[]): readonly InboxEffect[] =>
  played.flatMap(({ facts }) => facts.flat());
type Of<T extends InboxEffect['type']> = Extract<InboxEffect, { type: T }>;
const only = <T extends InboxEffect['type']>(effects: readonly InboxEffect[], type: T): readonly Of<T>[] =>
  effects.filter((effect): effect is Of<T> => effect.type === type);

const everyLife = (check: (all: readonly PlayedOnInbox[]) => void): void =>
  fc.assert(
    fc.property(inboxSteps(), (steps) => check(playInbox(steps))),
    runs,
  );
const everyStep = (check: (played: PlayedOnInbox) => void): void => everyLife((all) => all.forEach(check));

const existing = (state: InboxState): Existing => {
  if (state.status === 'absent') throw new Error('the inbox is absent');
  return state;
};
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
};

describe('any life of an inbox', () => {
  it('reaches every effect and every refusal there is, so that the properties below say something', () => {
    const lives = fc.sample(inboxSteps(), { seed: 7, numRuns: 300 }).map((steps) => playInbox(steps));
    const effects = new Set(lives.flatMap(effectsOf).map(({ type }) => type));
    expect([...effects].sort()).toEqual(inboxEffect.options.map(({ shape }) => shape.type.value).sort());
    const codes = new Set(
      lives.flat().flatMap(({ decision }) => (decision?.kind === 'refused' ? [decision.code] : [])),
    );
    for (const code of [
      'agent_inactive',
      'not_found',
      'invalid_target',
      'changed',
      'wrong_state',
      'no_effect',
      'not_pending',
      'idempotency_conflict',
    ] as const)
      expect(codes).toContain(code);
    const received = lives.flatMap((life) => only(effectsOf(life), 'inbox.event-received'));
    expect(new Set(received.map(({ order }) => order?.mark))).toEqual(new Set([undefined, 'skipped', 'backwards']));
    const hows = lives.flatMap((life) => only(effectsOf(life), 'inbox.resume-queued')).map(({ how }) => how);
    expect(new Set(hows)).toEqual(new Set(['waited', 'immediate']));
    expect(
      Math.max(...lives.flatMap((life) => only(effectsOf(life), 'inbox.resume-leased')).map((e) => e.lease)),
    ).toBeGreaterThan(2);
  });

  it('[R-1] [R-6] numbers its events 1, 2, 3 … with rising received times, so that what is visible is a prefix', () =>
    everyLife((all) => {
      const received = only(effectsOf(all), 'inbox.event-received');
      expect(received.map(({ sequence }) => sequence)).toEqual(received.map((_, i) => i + 1));
      const times = received.map(({ receivedAt }) => receivedAt);
      for (const [i, time] of times.entries()) expect(time).toBeGreaterThan(times[i - 1] ?? 0);
    }));

  it('[R-1] gives no event a received time before the log took it', () =>
    everyStep(({ facts, at }) => {
      for (const { receivedAt } of only(facts.flat(), 'inbox.event-received'))
        expect(receivedAt).toBeGreaterThanOrEqual(at);
    }));

  it('[W-6] stores an event id once', () =>
    everyLife((all) => {
      const ids = only(effectsOf(all), 'inbox.event-received').map(({ event }) => event);
      expect(new Set(ids).size).toBe(ids.length);
    }));

  it('[W-7] [W-9] stores only what a subscription of now has matched, as it stands', () =>
    everyStep(({ facts, before }) => {
      for (const { matched } of only(facts.flat(), 'inbox.event-received')) {
        expect(matched.length).toBeGreaterThan(0);
        for (const { subscription, revision } of matched)
          expect(existing(before).subscriptions[subscription]).toMatchObject({ revision });
      }
    }));

  it('[W-5] stores nothing that a retired secret has verified', () =>
    everyLife((all) => {
      const live = new Set<string>();
      const until = new Map<string, number>();
      for (const { facts, at } of all)
        for (const effect of facts.flat()) {
          if (effect.type === 'inbox.secret-issued') live.add(`${effect.producer} ${effect.key}`);
          if (effect.type === 'inbox.secret-retiring') until.set(`${effect.producer} ${effect.key}`, effect.until);
          if (effect.type === 'inbox.secret-retired') {
            live.delete(`${effect.producer} ${effect.key}`);
            until.delete(`${effect.producer} ${effect.key}`);
          }
          if (effect.type !== 'inbox.event-received' || effect.origin.kind !== 'producer') continue;
          const key = `${effect.origin.producer} ${effect.origin.key}`;
          expect(live).toContain(key);
          expect(until.get(key) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(at);
        }
    }));

  it('[P-1] resumes nothing by an event that local policy only appends, and no task but its own', () =>
    everyLife((all) => {
      const events = new Map(only(effectsOf(all), 'inbox.event-received').map((one) => [one.sequence, one]));
      for (const { sequence, task, event: id, how } of only(effectsOf(all), 'inbox.resume-queued')) {
        const event = events.get(sequence)!;
        expect(event.event).toBe(id);
        expect(['resume_if_waiting', 'resume_immediately']).toContain(event.policy);
        expect(event.policy).toBe(event.advised);
        expect(event.task ?? task).toBe(task);
        if (how === 'immediate') expect(event.policy).toBe('resume_immediately');
      }
    }));

  it('[P-1] resumes a waiting task by what it waits for, and its wait ends with that', () =>
    everyStep(({ facts, after }) => {
      const waiting = only(facts.flat(), 'inbox.resume-queued').filter(({ how }) => how === 'waited');
      const waits = existing(after).waits.flatMap((bucket) => bucket.map(([task]) => task));
      for (const { task } of waiting) expect(waits).not.toContain(task);
      expect(existing(after).waiting).toBe(waits.length);
    }));

  it('[P-2] queues a resume at most once for an event and a task, and numbers them without gaps', () =>
    everyLife((all) => {
      const queued = only(effectsOf(all), 'inbox.resume-queued');
      expect(new Set(queued.map(({ sequence, task }) => `${sequence} ${task}`)).size).toBe(queued.length);
      expect(queued.map(({ resume }) => resume)).toEqual(queued.map((_, i) => i + 1));
    }));

  it('[P-2] leases a resume to one at a time, under rising numbers, and lets only the newest complete it, once', () =>
    everyLife((all) => {
      const leases = new Map<number, { lease: number; until: number }>();
      const done = new Set<number>();
      for (const { facts, at } of all)
        for (const effect of facts.flat()) {
          if (effect.type === 'inbox.resume-leased') {
            const before = leases.get(effect.resume) ?? { lease: 0, until: 0 };
            expect(effect.lease).toBe(before.lease + 1);
            expect(before.until).toBeLessThanOrEqual(at);
            expect(done).not.toContain(effect.resume);
            leases.set(effect.resume, effect);
          }
          if (effect.type !== 'inbox.resume-completed') continue;
          expect(effect.lease).toBe(leases.get(effect.resume)?.lease);
          expect(done).not.toContain(effect.resume);
          done.add(effect.resume);
        }
    }));

  it('[L4-4] counts the resumes that are open, and looks for them from the first that is', () =>
    everyLife((all) => {
      const open = new Map<number, number>();
      for (const effect of effectsOf(all)) {
        if (effect.type === 'inbox.resume-queued') open.set(effect.resume, effect.sequence);
        if (effect.type === 'inbox.resume-completed') open.delete(effect.resume);
        if (effect.type === 'inbox.events-expired')
          for (const [resume, sequence] of open) if (sequence <= effect.upTo) open.delete(resume);
      }
      const { openResumes, firstOpen } = existing(all.at(-1)!.after);
      expect(openResumes).toBe(open.size);
      for (const resume of open.keys()) expect(resume).toBeGreaterThanOrEqual(firstOpen);
    }));

  it('[R-4] acknowledges forwards only: stored, then applied or rejected', () =>
    everyLife((all) => {
      const status = new Map<string, string>();
      for (const effect of only(effectsOf(all), 'inbox.event-acknowledged')) {
        const before = status.get(effect.event);
        expect([undefined, 'stored']).toContain(before);
        expect(effect.status).not.toBe(before);
        status.set(effect.event, effect.status);
      }
    }));

  it('[R-5] ends the retention of events in their order, each once', () =>
    everyLife((all) => {
      let upTo = 0;
      for (const span of only(effectsOf(all), 'inbox.events-expired')) {
        expect(span.from).toBe(upTo + 1);
        expect(span.upTo).toBeGreaterThanOrEqual(span.from);
        upTo = span.upTo;
      }
      expect(existing(all.at(-1)!.after).expired).toBe(upTo);
    }));

  it('[R-5] keeps an event for the retention of its subscriptions, seven days if nobody has acknowledged it', () =>
    everyLife((all) => {
      const events = new Map<number, { keptMs: number; receivedAt: number; acknowledged: boolean }>();
      for (const { facts, at } of all)
        for (const effect of facts.flat()) {
          if (effect.type === 'inbox.event-received')
            events.set(effect.sequence, {
              keptMs: effect.keptSeconds * 1_000,
              receivedAt: effect.receivedAt,
              acknowledged: false,
            });
          if (effect.type === 'inbox.event-acknowledged') events.get(effect.sequence)!.acknowledged = true;
          if (effect.type !== 'inbox.events-expired') continue;
          for (let sequence = effect.from; sequence <= effect.upTo; sequence++) {
            const { keptMs, receivedAt, acknowledged } = events.get(sequence)!;
            expect(at - receivedAt).toBeGreaterThanOrEqual(acknowledged ? keptMs : Math.max(keptMs, 7 * day));
          }
        }
    }));

  it('[R-7] marks exactly what is not the next number of its subject', () =>
    everyLife((all) => {
      const last = new Map<string, number>();
      for (const { order } of only(effectsOf(all), 'inbox.event-received')) {
        if (order === undefined) continue;
        const before = last.get(order.subject);
        const mark =
          before === undefined || order.number === before + 1
            ? undefined
            : order.number > before
              ? 'skipped'
              : 'backwards';
        expect(order.mark).toBe(mark);
        last.set(order.subject, Math.max(before ?? order.number, order.number));
      }
    }));

  it('[D-4] moves what has gone out forwards from where it stood, and back only where it is asked to', () =>
    everyStep(({ facts, before, after }) => {
      for (const effect of facts.flat()) {
        if (effect.type !== 'inbox.delivered' && effect.type !== 'inbox.resend-asked') continue;
        const [was, is] = [before, after].map((state) => existing(state).subscriptions[effect.subscription]);
        if (was?.delivery === 'relay' || is?.delivery === 'relay' || was === undefined || is === undefined)
          throw new Error('nothing goes out to it');
        expect(is.position > was.position).toBe(effect.type === 'inbox.delivered');
        expect(is.position).toBeLessThanOrEqual(existing(after).events.flat().length);
      }
    }));

  it('[R-5] [W-5] fires deadlines when they are due and not before, in the order of due time, each once', () =>
    everyStep(({ at, fired, before }) => {
      expect(fired.map(({ dueAt }) => dueAt)).toEqual(fired.map(({ dueAt }) => dueAt).sort((a, b) => a - b));
      expect(fired.every(({ dueAt }) => dueAt <= at)).toBe(true);
      expect(inboxKind.due(before, at)).toEqual([]);
    }));

  it('[L1-1] folds to the same state from its facts, and survives its store', () =>
    everyLife((all) => {
      const { after } = all.at(-1)!;
      const facts = all.flatMap(({ at, facts: of }) => of.flat().map((effect) => [effect, at] as const));
      const folded = facts.reduce<InboxState>((state, [effect, at]) => inboxKind.evolve(state, effect, at), {
        status: 'absent',
      });
      expect(folded).toEqual(after);
      const stored = JSON.parse(JSON.stringify([...inboxKind.pieces(after)])) as [string, unknown][];
      expect(inboxKind.fromPieces(new Map(stored))).toEqual(after);
    }));

  it('[L1-2] is never changed in place: deciding and folding work on a frozen state', () =>
    everyStep(({ before, context, step, facts, fired, at }) => {
      frozen(before);
      if (step.kind === 'act') inboxKind.decide(before, frozen(step.action), context);
      facts
        .slice(fired.length)
        .flat()
        .reduce<InboxState>((state, effect) => frozen(inboxKind.evolve(state, effect, at)), before);
    }));

  const catalogue: Readonly<Record<string, { readonly refusals: readonly RefusalCode[] }>> = {
    ...akepCatalogue(),
    ...akepServiceActions,
  };
  it('[L2-3] changes nothing when it refuses, and refuses only what the catalogue lists', () =>
    everyStep(({ step, decision, before, after }) => {
      if (step.kind !== 'act' || decision?.kind !== 'refused') return;
      expect(after).toBe(before);
      if (step.agent !== ada) return expect(['not_found', 'agent_inactive']).toContain(decision.code);
      expect([...catalogue[step.action.type]!.refusals, ...commonRefusals]).toContain(decision.code);
    }));

  it('[S-4] is nothing to anyone but its agent', () =>
    fc.assert(
      fc.property(inboxSteps(20), inboxActions, (steps, action) => {
        const { after, context } = playInbox(steps).at(-1)!;
        const asked = { ...context, agent: bob, inactive: () => false };
        expect(inboxKind.decide(after, action, asked)).toEqual({ kind: 'refused', code: 'not_found' });
      }),
      runs,
    ));

  it('[L4-4] stays within its capacities', () =>
    fc.assert(
      fc.property(inboxSteps(), (steps) => {
        const limits = {
          akepSubscriptionsMax: 2,
          akepSecretsMax: 2,
          akepInboxSecretsMax: 3,
          akepWaitsMax: 1,
          akepOpenResumesMax: 2,
        };
        for (const { after } of playInbox(steps, limits)) {
          const { subscriptions, secrets, waiting, openResumes } = existing(after);
          expect(Object.keys(subscriptions).length).toBeLessThanOrEqual(2);
          expect(secrets.length).toBeLessThanOrEqual(3);
          for (const producer of ['prod_1', 'prod_2'])
            expect(secrets.filter((one) => one.producer === producer).length).toBeLessThanOrEqual(2);
          expect(waiting).toBeLessThanOrEqual(1);
          expect(openResumes).toBeLessThanOrEqual(2);
        }
      }),
      runs,
    ));
});

describe('an inbox of 100,000 events', () => {
  const subscription = 'subscription_00000000000000000000000001' as const;
  const told = (n: number) => ({
    event: `event_${n}`,
    eventType: 'tool.completed',
    knowledge: 'tool_result' as const,
    hash: '0'.repeat(64),
    advised: 'append_only' as const,
    subjects: [],
    matched: [{ subscription, revision: 1 }],
    order: { subject: `subject_${n % 20_000}`, number: Math.floor(n / 20_000) },
  });
  const notice = { what: 'entry-posted' as const, ref: 'thread_1/entries/1', occurredAt: begin };
  const notified = (n: number): InboxAction => ({ type: 'akep.notify', ...told(n), notice });
  const received = (sequence: number): InboxEffect => ({
    type: 'inbox.event-received',
    sequence,
    receivedAt: begin + sequence,
    ...told(sequence),
    origin: { kind: 'kungfu', notice },
    policy: 'append_only',
    keptSeconds: 604_800,
  });
  const content = { id: 'content_00000000000000000000000001', bytes: 1, sha256: 'ab'.repeat(32) } as const;
  const filled = (count: number): InboxState => {
    let state = inboxKind.evolve(
      inboxKind.initial,
      {
        type: 'inbox.subscribed',
        subscription,
        revision: 1,
        content,
        eventTypes: ['tool.completed'],
        delivery: 'relay',
        ackRequired: false,
        retentionSeconds: 604_800,
        resumePolicies: ['append_only'],
        payloadBytesMax: 1,
      },
      begin,
    );
    for (let sequence = 1; sequence <= count; sequence++) state = inboxKind.evolve(state, received(sequence), begin);
    return state;
  };
  const changed = (from: InboxState, to: InboxState): readonly string[] => {
    const before = inboxKind.pieces(from);
    return [...inboxKind.pieces(to)].filter(([name, piece]) => before.get(name) !== piece).map(([name]) => name);
  };
  const full = filled(100_000);

  it('[R-6] takes one more by writing four pieces of bounded size, whatever it holds', () => {
    const more = inboxKind.evolve(full, received(100_001), begin);
    const names = changed(full, more);
    expect(names.map((name) => name.split('.')[0]).sort()).toEqual(['core', 'events', 'numbers', 'sequences']);
    const pieces = inboxKind.pieces(more);
    for (const name of names) expect(JSON.stringify(pieces.get(name)).length).toBeLessThan(100_000);
  });

  it('[R-4] is acknowledged by writing one piece and the core', () => {
    const after = inboxKind.evolve(
      full,
      { type: 'inbox.event-acknowledged', event: 'event_500', sequence: 500, status: 'stored' },
      begin,
    );
    expect([...changed(full, after)].sort()).toEqual(['core', 'events.1']);
  });

  it('[W-6] [R-5] knows every id for ever, and forgets the rest when its retention is over', () => {
    const fired = inboxKind.due(full, begin + 8 * day);
    expect(fired).toHaveLength(100);
    const over = fired
      .flatMap(({ effects }) => effects)
      .reduce<InboxState>((state, effect) => inboxKind.evolve(state, effect, begin + 8 * day), full);
    expect(existing(over).events.flat().length).toBeLessThanOrEqual(256);
    const context = { object: ada, agent: ada, at: begin + 8 * day, inactive: () => false, limits: defaultLimits };
    expect(inboxKind.decide(over, notified(77), context)).toEqual({ kind: 'refused', code: 'idempotency_conflict' });
    expect(inboxKind.decide(over, notified(100_001), context)).toMatchObject({ kind: 'accepted' });
  });
});
