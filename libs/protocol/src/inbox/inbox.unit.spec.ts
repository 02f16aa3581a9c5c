import { describe, expect, it } from '@jest/globals';
import { ada, begin, bob, contentNumber, hashNumber, specFor, subscriptionNumber } from '../testing/index.ts';
import { type InboxAction, inboxAction } from './actions.ts';
import { inboxKind } from './decide.ts';
import type { InboxEffect, ResumePolicy } from './effects.ts';

const { given } = specFor(inboxKind, ada);
const hour = 3_600_000;
const day = 24 * hour;

type ActionOf<T extends InboxAction['type']> = Extract<InboxAction, { type: T }>;
type EffectOf<T extends InboxEffect['type']> = Extract<InboxEffect, { type: T }>;
type Terms = Omit<ActionOf<'akep.subscribe'>, 'type' | 'subscription'>;

// What happened in Ada's inbox.
const terms: Terms = {
  content: contentNumber(1),
  eventTypes: ['tool.completed'],
  delivery: 'webhook',
  ackRequired: true,
  retentionSeconds: 604_800,
  resumePolicies: ['append_only', 'resume_if_waiting', 'resume_immediately'],
  payloadBytesMax: 1_048_576,
};
const on = (n: number) => ({ subscription: subscriptionNumber(n) });
const subscribed = (n = 1, more: Partial<Terms> = {}): InboxEffect => ({
  type: 'inbox.subscribed',
  ...on(n),
  revision: 1,
  ...terms,
  ...more,
});
/** As it is recorded where its events begin to go out by themselves, after those that came before. */
const started = (n = 1, startsAfter = 0): InboxEffect => ({ ...subscribed(n), startsAfter }) as InboxEffect;
const revised = (n: number, revision: number, more: Partial<Terms> = {}): InboxEffect => ({
  type: 'inbox.subscription-revised',
  ...on(n),
  revision,
  ...terms,
  ...more,
});
const key = (n: number, producer = 'prod_1') => ({ producer, key: `key-${n}` });
const issued = (n: number, producer?: string): InboxEffect => ({
  type: 'inbox.secret-issued',
  ...key(n, producer),
  content: contentNumber(10 + n),
  hash: hashNumber(n),
});
const retiring = (n: number, until: number): InboxEffect => ({ type: 'inbox.secret-retiring', ...key(n), until });
const retired = (n: number, producer?: string): InboxEffect => ({
  type: 'inbox.secret-retired',
  ...key(n, producer),
  content: contentNumber(10 + n),
});

const matched = [{ ...on(1), revision: 1 }];
const told = (n: number) => ({
  event: `event_${n}`,
  eventType: 'tool.completed',
  knowledge: 'tool_result' as const,
  hash: hashNumber(n),
  advised: 'resume_if_waiting' as ResumePolicy,
  subjects: [] as string[],
  matched,
});
type Received = EffectOf<'inbox.event-received'>;
const received = (sequence: number, more: Partial<Received> = {}): Received => ({
  type: 'inbox.event-received',
  sequence,
  receivedAt: begin + sequence - 1,
  ...told(sequence),
  origin: { kind: 'producer', ...key(1), content: contentNumber(20) },
  policy: more.advised ?? 'resume_if_waiting',
  keptSeconds: 604_800,
  ...more,
});
const inbox = [subscribed(), issued(1)];

// What is asked for.
const subscribe = (n = 1, more: Partial<Terms> = {}): InboxAction => ({
  type: 'akep.subscribe',
  ...on(n),
  ...terms,
  ...more,
});
const revise = (n: number, more: Partial<Terms> = {}): InboxAction => ({
  type: 'akep.revise-subscription',
  ...on(n),
  ...terms,
  ...more,
});
const newSecret = (n: number, producer?: string) => ({
  ...on(1),
  ...key(n, producer),
  content: contentNumber(10 + n),
  hash: hashNumber(n),
});
const issue = (n: number, producer?: string): InboxAction => ({ type: 'akep.issue-secret', ...newSecret(n, producer) });
const rotate = (n: number, overlapSeconds: number): InboxAction => ({
  type: 'akep.rotate-secret',
  ...newSecret(n),
  overlapSeconds,
});
const receive = (n: number, more: Partial<ActionOf<'akep.receive'>> = {}): InboxAction => ({
  type: 'akep.receive',
  ...told(n),
  ...key(1),
  content: contentNumber(20),
  ...more,
});
const notice = {
  what: 'obligation-arose',
  ref: 'thread_1/entries/7',
  obligation: 'respond',
  occurredAt: begin,
} as const;
const notify = (n: number, more: Partial<ActionOf<'akep.notify'>> = {}): InboxAction => ({
  type: 'akep.notify',
  ...told(n),
  notice,
  ...more,
});
const ack = (n: number, status: 'stored' | 'applied' | 'rejected'): InboxAction => ({
  type: 'akep.ack',
  event: `event_${n}`,
  status,
});
const acked = (n: number, status: 'stored' | 'applied' | 'rejected'): InboxEffect => ({
  type: 'inbox.event-acknowledged',
  event: `event_${n}`,
  sequence: n,
  status,
});
const nothing = { eventTypes: [], subjects: [], interrupts: [] };
const wait = (task: string, more: Partial<ActionOf<'akep.wait'>>): InboxAction => ({
  type: 'akep.wait',
  task,
  ...nothing,
  ...more,
});
const waits = (task: string, after: number, more: Partial<EffectOf<'inbox.wait-declared'>>): InboxEffect => ({
  type: 'inbox.wait-declared',
  task,
  ...nothing,
  after,
  ...more,
});
const resume = (n: number, sequence: number, task: string) => ({
  resume: n,
  event: `event_${sequence}`,
  sequence,
  task,
});
const queued = (n: number, sequence: number, task: string, how: 'waited' | 'immediate' = 'waited'): InboxEffect => ({
  type: 'inbox.resume-queued',
  ...resume(n, sequence, task),
  how,
});
const leased = (n: number, sequence: number, task: string, lease: number, until: number): InboxEffect => ({
  type: 'inbox.resume-leased',
  ...resume(n, sequence, task),
  lease,
  until,
});
const completed = (n: number, sequence: number, task: string, lease: number): InboxEffect => ({
  type: 'inbox.resume-completed',
  ...resume(n, sequence, task),
  lease,
});
const claim = (more: Partial<ActionOf<'akep.claim'>> = {}): InboxAction => ({
  type: 'akep.claim',
  leaseSeconds: 60,
  ...more,
});
const complete = (n: number, lease: number): InboxAction => ({ type: 'akep.complete', resume: n, lease });
const delivered = (from: number, upTo: number, n = 1): InboxAction => ({
  type: 'akep.delivered',
  ...on(n),
  from,
  upTo,
});
const wentOut = (upTo: number): InboxEffect => ({ type: 'inbox.delivered', ...on(1), upTo });
const disable: InboxAction = { type: 'akep.disable-endpoint', ...on(1), how: 'failing', failures: 9 };
const disabled: InboxEffect = { type: 'inbox.endpoint-disabled', ...on(1), how: 'failing', failures: 9 };
const enable: InboxAction = { type: 'akep.enable-endpoint', ...on(1) };
const enabled: InboxEffect = { type: 'inbox.endpoint-enabled', ...on(1) };
const resend = (after: number): InboxAction => ({ type: 'akep.resend', ...on(1), after });

/** One action of each kind, all of which an inbox with one subscription could take or refuse. */
const everyAction: readonly InboxAction[] = [
  subscribe(2),
  revise(1),
  { type: 'akep.unsubscribe', ...on(1) },
  issue(2),
  rotate(2, 60),
  { type: 'akep.retire-secret', ...on(1), ...key(1) },
  resend(0),
  enable,
  receive(9),
  notify(9),
  ack(1, 'stored'),
  wait('task_1', { eventTypes: ['tool.completed'] }),
  claim(),
  complete(1, 1),
  disable,
  delivered(0, 1),
];

describe('an inbox', () => {
  it('[S-4] is its agent’s alone: to anyone else there is none', () => {
    expect(everyAction.map(({ type }) => type)).toEqual(inboxAction.options.map(({ shape }) => shape.type.value));
    for (const action of everyAction) {
      given(...inbox, received(1))
        .when(bob, action)
        .thenRefused('not_found');
      given().when(bob, action).thenRefused('not_found');
    }
  });
  it('[S-4] takes nothing of a deactivated agent, nor for it, and keeps what it has', () => {
    for (const action of everyAction)
      given(...inbox, received(1))
        .when(ada, action, { inactive: [ada] })
        .thenRefused('agent_inactive');
    given(...inbox, received(1))
      .whenDeactivated(ada)
      .then();
    expect(inboxKind.ties(subscribed())).toEqual([]);
  });
  it('[S-1] begins with the first subscription; before that there is nothing in it', () => {
    for (const action of everyAction.filter(
      ({ type }) => !['akep.subscribe', 'akep.receive', 'akep.notify'].includes(type),
    ))
      given().when(ada, action).thenRefused('not_found');
    given().when(ada, subscribe()).then(started());
  });
  it('[L1-1] cannot come from a fact on one that is absent, nor from one that does not fit', () => {
    const fold = (...effects: readonly InboxEffect[]) => given(...effects);
    for (const effect of [issued(1), received(1), wentOut(1), queued(1, 1, 'task_1')])
      expect(() => fold(effect)).toThrow('a fact on an inbox that is absent');
    expect(() => fold(...inbox, received(2))).toThrow('event 2 after event 0');
    expect(() => fold(...inbox, acked(1, 'stored'))).toThrow('event 1, which is not kept');
    expect(() => fold(...inbox, received(1), queued(2, 1, 'task_1', 'immediate'))).toThrow('resume 2 after resume 0');
    expect(() => fold(...inbox, completed(1, 1, 'task_1', 1))).toThrow('resume 1, which is not open');
    expect(() => fold(...inbox, { type: 'inbox.wait-ended', task: 'task_1' })).toThrow('a wait that there is not');
    expect(() => fold(subscribed(1, { delivery: 'relay' }), enabled)).toThrow('nothing goes out');
    const once = [...inbox, received(1, { task: 'task_1' }), queued(1, 1, 'task_1', 'immediate')];
    expect(() => fold(...once, queued(2, 1, 'task_1', 'immediate'))).toThrow('a second resume by event_1');
  });
});

describe('a subscription', () => {
  it('[S-1] is one of several, each with the document it states', () => {
    given(...inbox)
      .when(ada, subscribe(2, { delivery: 'relay' }))
      .then(subscribed(2, { delivery: 'relay' }));
    given(...inbox)
      .when(ada, subscribe(1))
      .thenRefused('wrong_state');
  });
  it('[S-1] is revised, which every event matched before hears of by its revision', () => {
    given(...inbox)
      .when(ada, revise(1, { retentionSeconds: 86_400 }))
      .then(revised(1, 2, { retentionSeconds: 86_400 }));
    given(...inbox, revised(1, 2))
      .when(ada, revise(1))
      .then(revised(1, 3));
    given(...inbox)
      .when(ada, revise(2))
      .thenRefused('not_found');
  });
  it('[S-1] ends, and is found no more', () => {
    const ended: InboxEffect = { type: 'inbox.unsubscribed', ...on(2) };
    given(...inbox, subscribed(2))
      .when(ada, { type: 'akep.unsubscribe', ...on(2) })
      .then(ended);
    for (const action of [revise(2), { type: 'akep.unsubscribe', ...on(2) } as const])
      given(...inbox, subscribed(2), ended)
        .when(ada, action)
        .thenRefused('not_found');
  });
  it('[W-5] that is the last takes the secrets with it', () => {
    given(...inbox, issued(2))
      .when(ada, { type: 'akep.unsubscribe', ...on(1) })
      .then({ type: 'inbox.unsubscribed', ...on(1) }, retired(1), retired(2));
  });
  it('[L4-4] is one of at most so many', () => {
    const limits = { akepSubscriptionsMax: 2 };
    given(...inbox)
      .when(ada, subscribe(2), { limits })
      .then(started(2));
    given(...inbox, subscribed(2))
      .when(ada, subscribe(3), { limits })
      .thenRefused('wrong_state');
  });
});

describe('secrets', () => {
  it('[W-5] [S-3] are several a producer, each under a key id of its own', () => {
    given(subscribed()).when(ada, issue(1)).then(issued(1));
    given(...inbox)
      .when(ada, issue(2))
      .then(issued(2));
    given(...inbox)
      .when(ada, issue(1))
      .thenRefused('wrong_state');
    given(...inbox)
      .when(ada, issue(1, 'prod_2'))
      .then(issued(1, 'prod_2'));
    given(...inbox)
      .when(ada, { ...issue(2), ...on(2) } as InboxAction)
      .thenRefused('not_found');
  });
  it('[W-5] rotate: the new one is active, the old ones verify for the overlap', () => {
    given(...inbox, issued(2), issued(3, 'prod_2'))
      .when(ada, rotate(4, 60))
      .then(issued(4), retiring(1, begin + 60_000), retiring(2, begin + 60_000));
    given(...inbox, retiring(1, begin + 60_000), issued(2))
      .when(ada, rotate(3, 3_600))
      .then(issued(3), retiring(2, begin + hour));
    given(...inbox)
      .when(ada, rotate(2, 0))
      .then(issued(2), retired(1));
  });
  it('[W-5] rotate only where there is one to take the place of', () => {
    given(subscribed()).when(ada, rotate(1, 60)).thenRefused('wrong_state');
    given(...inbox, retiring(1, begin + 60_000))
      .when(ada, rotate(2, 60))
      .thenRefused('wrong_state');
    given(...inbox)
      .when(ada, rotate(1, 60))
      .thenRefused('wrong_state');
  });
  it('[W-5] are retired at the end of their overlap, and not before', () => {
    const rotated = [...inbox, issued(2), retiring(1, begin + 60_000)];
    given(...rotated)
      .dueAt(begin + 59_999)
      .then();
    given(...rotated)
      .dueAt(begin + 60_000)
      .then(retired(1));
    given(...rotated, retired(1))
      .dueAt(begin + day)
      .then();
  });
  it('[W-5] are retired at once by an action; what is retired is found no more', () => {
    const retire: InboxAction = { type: 'akep.retire-secret', ...on(1), ...key(1) };
    given(...inbox)
      .when(ada, retire)
      .then(retired(1));
    given(...inbox, retiring(1, begin + 60_000))
      .when(ada, retire)
      .then(retired(1));
    given(...inbox, retired(1))
      .when(ada, retire)
      .thenRefused('not_found');
  });
  it('[W-5] that are retired verify nothing: an event verified by one meanwhile is weighed anew', () => {
    given(...inbox, retired(1))
      .when(ada, receive(1))
      .thenRefused('changed');
    given(...inbox, issued(2), retiring(1, begin + 60_000))
      .when(ada, receive(1))
      .then(received(1));
    given(...inbox)
      .when(ada, receive(1, { producer: 'prod_2' }))
      .thenRefused('changed');
  });
  it('[L4-4] are at most so many, of a producer and in all, retiring ones included', () => {
    const two = [...inbox, issued(2), retiring(1, begin + 60_000)];
    given(...two)
      .when(ada, issue(3), { limits: { akepSecretsMax: 2 } })
      .thenRefused('wrong_state');
    given(...two)
      .when(ada, rotate(3, 0), { limits: { akepSecretsMax: 2 } })
      .thenRefused('wrong_state');
    given(...two)
      .when(ada, issue(3, 'prod_2'), { limits: { akepSecretsMax: 2 } })
      .then(issued(3, 'prod_2'));
    given(...two)
      .when(ada, issue(3, 'prod_2'), { limits: { akepInboxSecretsMax: 2 } })
      .thenRefused('wrong_state');
  });
});

describe('receiving an event', () => {
  it('[R-1] [R-6] numbers it after all others, with a later received time, also where log time stands still', () => {
    given(...inbox)
      .when(ada, receive(1))
      .then(received(1));
    given(...inbox, received(1))
      .when(ada, receive(2))
      .then(received(2, { receivedAt: begin + 1 }));
    given(...inbox, received(1), received(2))
      .when(ada, receive(3), { at: begin + hour })
      .then(received(3, { receivedAt: begin + hour }));
  });
  it('[W-6] of which the id is known stores nothing: the same is there already, another never takes its place', () => {
    given(...inbox, received(1))
      .when(ada, receive(1))
      .thenRefused('no_effect');
    given(...inbox, received(1))
      .when(ada, receive(1, { hash: hashNumber(99) }))
      .thenRefused('idempotency_conflict');
    for (const other of [notify(1, { hash: hashNumber(99) }), receive(1, { hash: hashNumber(99), matched: [] })])
      given(...inbox, received(1), revised(1, 2))
        .when(ada, other)
        .thenRefused('idempotency_conflict');
  });
  it('[W-6] of which the id is known is known after its retention too', () => {
    given(...inbox, received(1), { type: 'inbox.events-expired', from: 1, upTo: 1 })
      .when(ada, receive(1))
      .thenRefused('idempotency_conflict');
  });
  it('[W-7] without a subscription that matches is refused', () => {
    given(...inbox)
      .when(ada, receive(1, { matched: [] }))
      .thenRefused('invalid_target');
    given()
      .when(ada, receive(1, { matched: [] }))
      .thenRefused('invalid_target');
  });
  it('[W-9] matched against what a subscription no longer is has to be matched anew', () => {
    given().when(ada, receive(1)).thenRefused('changed');
    given(...inbox, revised(1, 2))
      .when(ada, receive(1))
      .thenRefused('changed');
    given(...inbox)
      .when(ada, receive(1, { matched: [...matched, { ...on(2), revision: 1 }] }))
      .thenRefused('changed');
    given(...inbox, subscribed(2), { type: 'inbox.unsubscribed', ...on(1) })
      .when(ada, receive(1))
      .thenRefused('changed');
  });
  it('[B-1] from Kungfu stores what it is about by reference, and needs no secret', () => {
    given(subscribed())
      .when(ada, notify(1, { advised: 'append_only' }))
      .then(received(1, { advised: 'append_only', origin: { kind: 'kungfu', notice } }));
  });
  it('[R-5] keeps it as long as the longest retention that matched', () => {
    const two = [...matched, { ...on(2), revision: 1 }];
    given(...inbox, subscribed(2, { retentionSeconds: 2_592_000 }))
      .when(ada, receive(1, { matched: two }))
      .then(received(1, { matched: two, keptSeconds: 2_592_000 }));
  });
  it('[R-7] marks a number of the producer that skips or does not rise, subject by subject', () => {
    const order = (number: number, mark?: 'skipped' | 'backwards', subject = 'subject_1') => ({
      order: { subject, number, ...(mark === undefined ? {} : { mark }) },
    });
    const known = [...inbox, received(1, order(42))];
    given(...inbox)
      .when(ada, receive(1, order(42)))
      .then(received(1, order(42)));
    given(...inbox)
      .when(ada, receive(1, order(0)))
      .then(received(1, order(0)));
    given(...known)
      .when(ada, receive(2, order(43)))
      .then(received(2, order(43)));
    given(...known)
      .when(ada, receive(2, order(44)))
      .then(received(2, order(44, 'skipped')));
    for (const number of [0, 41, 42])
      given(...known)
        .when(ada, receive(2, order(number)))
        .then(received(2, order(number, 'backwards')));
    given(...known, received(2, order(44, 'skipped')), received(3, order(43, 'backwards')))
      .when(ada, receive(4, order(45)))
      .then(received(4, order(45)));
    given(...known)
      .when(ada, receive(2, order(7, undefined, 'subject_2')))
      .then(received(2, order(7, undefined, 'subject_2')));
  });
  it('[R-7] keeps the cause that a producer gives', () => {
    given(...inbox)
      .when(ada, receive(1, { causation: 'event_0', priority: 'urgent' }))
      .then(received(1, { causation: 'event_0', priority: 'urgent' }));
  });
});

describe('what an event resumes', () => {
  const task = 'task_1';
  const waiting = [...inbox, waits(task, 0, { eventTypes: ['tool.completed'] })];
  const about = (advised: ResumePolicy) => ({ advised, task });

  it('[P-1] is nothing where the policy is never or append_only', () => {
    for (const advised of ['never', 'append_only'] as const)
      given(...waiting)
        .when(ada, receive(1, about(advised)))
        .then(received(1, about(advised)));
  });
  it('[P-1] is nothing where the subscription does not list the policy: local policy wins', () => {
    for (const advised of ['resume_if_waiting', 'resume_immediately'] as const) {
      const local = [revised(1, 1, { resumePolicies: ['append_only'] })];
      given(...waiting, ...local)
        .when(ada, receive(1, about(advised)))
        .then(received(1, { ...about(advised), policy: 'append_only' }));
    }
    given(...waiting, revised(1, 1, { resumePolicies: ['resume_if_waiting'] }))
      .when(ada, receive(1, about('resume_immediately')))
      .then(received(1, { ...about('resume_immediately'), policy: 'append_only' }));
  });
  it('[P-1] counts the policy if one of the subscriptions that matched lists it', () => {
    const two = [...matched, { ...on(2), revision: 1 }];
    given(...inbox, revised(1, 1, { resumePolicies: ['append_only'] }), subscribed(2))
      .when(ada, receive(1, { matched: two }))
      .then(received(1, { matched: two }));
  });
  it('[P-1] is the task that waits for its type, its subject or its interrupt', () => {
    const comes = { ...about('resume_if_waiting'), subjects: ['thread_id:7', 'agent_id:8'], interrupt: 'interrupt_1' };
    for (const awaited of [
      { eventTypes: ['human.approved', 'tool.completed'] },
      { subjects: ['agent_id:8'] },
      { interrupts: ['interrupt_1'] },
    ])
      given(...inbox, waits(task, 0, awaited))
        .when(ada, receive(1, comes))
        .then(received(1, comes), queued(1, 1, task));
    for (const awaited of [
      { eventTypes: ['human.approved'] },
      { subjects: ['agent_id:9', 'interrupt_1'] },
      { interrupts: ['thread_id:7'] },
    ])
      given(...inbox, waits(task, 0, awaited))
        .when(ada, receive(1, comes))
        .then(received(1, comes));
  });
  it('[P-1] is no other task than the one it is about', () => {
    given(...inbox, waits('task_2', 0, { eventTypes: ['tool.completed'] }))
      .when(ada, receive(1, about('resume_if_waiting')))
      .then(received(1, about('resume_if_waiting')));
  });
  it('[P-1] is every task that waits for it, if it is about none', () => {
    const { decision } = given(...waiting, waits('task_2', 0, { eventTypes: ['tool.completed'] })).when(
      ada,
      receive(1),
    );
    if (decision.kind === 'refused') throw new Error(decision.code);
    const [stored, ...resumes] = decision.effects;
    expect(stored).toEqual(received(1));
    expect(resumes.map((effect) => 'task' in effect && effect.task).sort()).toEqual(['task_1', 'task_2']);
    expect(resumes.map((effect) => 'resume' in effect && effect.resume)).toEqual([1, 2]);
  });
  it('[P-1] is its task at once, waiting or not, where the policy is resume_immediately', () => {
    const comes = about('resume_immediately');
    given(...inbox)
      .when(ada, receive(1, comes))
      .then(received(1, comes), queued(1, 1, task, 'immediate'));
    given(...waiting)
      .when(ada, receive(1, comes))
      .then(received(1, comes), queued(1, 1, task, 'waited'));
    given(...inbox, waits(task, 0, { subjects: ['other'] }))
      .when(ada, receive(1, comes))
      .then(received(1, comes), queued(1, 1, task, 'immediate'));
    given(...inbox)
      .when(ada, receive(1, { advised: 'resume_immediately' }))
      .then(received(1, { advised: 'resume_immediately' }));
  });
  it('[P-2] is a task once: with the resume its wait has ended', () => {
    given(...waiting, received(1, about('resume_if_waiting')), queued(1, 1, task))
      .when(ada, receive(2, about('resume_if_waiting')))
      .then(received(2, about('resume_if_waiting')));
  });
  it('[L4-4] waits at the producer while as many resumes are open as may be', () => {
    const limits = { akepOpenResumesMax: 1 };
    const full = [...inbox, received(1, about('resume_immediately')), queued(1, 1, task, 'immediate')];
    given(...full)
      .when(ada, receive(2, about('resume_immediately')), { limits })
      .thenRefused('overloaded');
    given(...full)
      .when(ada, receive(2, about('append_only')), { limits })
      .then(received(2, about('append_only')));
    given(...full, leased(1, 1, task, 1, begin), completed(1, 1, task, 1))
      .when(ada, receive(2, about('resume_immediately')), { limits })
      .then(received(2, about('resume_immediately')), queued(2, 2, task, 'immediate'));
  });
});

describe('a wait', () => {
  const task = 'task_1';
  const awaited = { eventTypes: ['tool.completed'] };

  it('[P-1] is declared for what comes, and replaced', () => {
    given(...inbox)
      .when(ada, wait(task, awaited))
      .then(waits(task, 0, awaited));
    given(...inbox, received(1))
      .when(ada, wait(task, awaited))
      .then(waits(task, 1, awaited));
    given(...inbox, waits(task, 0, awaited), waits(task, 0, { subjects: ['x'] }))
      .when(ada, receive(1, { task }))
      .then(received(1, { task }));
  });
  it('[P-1] looks at events that came first, after the one named: the first that fits resumes', () => {
    const came = [...inbox, received(1, { eventType: 'file.updated' }), received(2), received(3)];
    given(...came)
      .when(ada, wait(task, { ...awaited, after: 0 }))
      .then(waits(task, 0, awaited), queued(1, 2, task));
    given(...came)
      .when(ada, wait(task, { ...awaited, after: 2 }))
      .then(waits(task, 2, awaited), queued(1, 3, task));
    given(...came)
      .when(ada, wait(task, { ...awaited, after: 3 }))
      .then(waits(task, 3, awaited));
    given(...came)
      .when(ada, wait(task, { ...awaited, after: 4 }))
      .thenRefused('invalid_target');
  });
  it('[P-1] is not met by an event that may resume nothing, or is about another task', () => {
    for (const other of [{ advised: 'append_only' as const }, { advised: 'never' as const }, { task: 'task_2' }])
      given(...inbox, received(1, other))
        .when(ada, wait(task, { ...awaited, after: 0 }))
        .then(waits(task, 0, awaited));
    given(...inbox, received(1, { task }))
      .when(ada, wait(task, { ...awaited, after: 0 }))
      .then(waits(task, 0, awaited), queued(1, 1, task));
  });
  it('[P-2] is never met twice by the same event, also one about no task', () => {
    for (const about of [{ task }, {}])
      given(...inbox, received(1, about), waits(task, 0, awaited), queued(1, 1, task))
        .when(ada, wait(task, { ...awaited, after: 0 }))
        .then(waits(task, 0, awaited));
    given(...inbox, received(1), waits(task, 0, awaited), queued(1, 1, task))
      .when(ada, wait('task_2', { ...awaited, after: 0 }))
      .then(waits('task_2', 0, awaited), queued(2, 1, 'task_2'));
  });
  it('[R-5] is not met by an event past its retention', () => {
    given(...inbox, received(1), received(2), { type: 'inbox.events-expired', from: 1, upTo: 1 })
      .when(ada, wait(task, { ...awaited, after: 0 }))
      .then(waits(task, 0, awaited), queued(1, 2, task));
  });
  it('[P-1] ends when nothing is waited for any more', () => {
    given(...inbox, waits(task, 0, awaited))
      .when(ada, wait(task, {}))
      .then({ type: 'inbox.wait-ended', task });
    given(...inbox)
      .when(ada, wait(task, {}))
      .thenRefused('no_effect');
    given(...inbox, waits(task, 0, awaited), { type: 'inbox.wait-ended', task })
      .when(ada, receive(1, { task }))
      .then(received(1, { task }));
  });
  it('[L4-4] is one of at most so many', () => {
    const limits = { akepWaitsMax: 1 };
    const one = [...inbox, waits(task, 0, awaited)];
    given(...one)
      .when(ada, wait('task_2', awaited), { limits })
      .thenRefused('wrong_state');
    given(...one)
      .when(ada, wait(task, { subjects: ['x'] }), { limits })
      .then(waits(task, 0, { subjects: ['x'] }));
    given(...one, { type: 'inbox.wait-ended', task })
      .when(ada, wait('task_2', awaited), { limits })
      .then(waits('task_2', 0, awaited));
    given(...inbox, received(1), received(2), waits(task, 0, awaited), queued(1, 1, task))
      .when(ada, wait('task_2', { ...awaited, after: 0 }), { limits: { akepOpenResumesMax: 1 } })
      .thenRefused('overloaded');
  });
});

describe('a resume', () => {
  const now = (n: number, task = `task_${n}`): readonly InboxEffect[] => [
    received(n, { task, advised: 'resume_immediately' }),
    queued(n, n, task, 'immediate'),
  ];
  const two = [...inbox, ...now(1), ...now(2)];
  const held = leased(1, 1, 'task_1', 1, begin + 60_000);

  it('[P-2] is leased to one runtime, the oldest first', () => {
    given(...two)
      .when(ada, claim())
      .then(held);
    given(...two, held)
      .when(ada, claim({ leaseSeconds: 3_600 }))
      .then(leased(2, 2, 'task_2', 1, begin + hour));
    given(...two, held, leased(2, 2, 'task_2', 1, begin + hour))
      .when(ada, claim())
      .thenRefused('not_pending');
    given(...inbox)
      .when(ada, claim())
      .thenRefused('not_pending');
  });
  it('[P-2] is leased by its number or its task', () => {
    given(...two)
      .when(ada, claim({ resume: 2 }))
      .then(leased(2, 2, 'task_2', 1, begin + 60_000));
    given(...two)
      .when(ada, claim({ task: 'task_2' }))
      .then(leased(2, 2, 'task_2', 1, begin + 60_000));
    given(...two)
      .when(ada, claim({ resume: 2, task: 'task_1' }))
      .thenRefused('invalid_target');
    given(...two)
      .when(ada, claim({ resume: 3 }))
      .thenRefused('not_found');
    given(...two)
      .when(ada, claim({ task: 'task_3' }))
      .thenRefused('not_pending');
    given(...two, held)
      .when(ada, claim({ resume: 1 }))
      .thenRefused('wrong_state');
    given(...two, held)
      .when(ada, claim({ task: 'task_1' }))
      .thenRefused('not_pending');
  });
  it('[P-2] whose lease has run out can be claimed again, under the next number', () => {
    const at = begin + 60_000;
    given(...two, held)
      .when(ada, claim({ resume: 1 }), { at: at - 1 })
      .thenRefused('wrong_state');
    for (const named of [{}, { resume: 1 }])
      given(...two, held)
        .when(ada, claim(named), { at })
        .then(leased(1, 1, 'task_1', 2, at + 60_000));
  });
  it('[P-2] is completed by the newest lease alone, also one that has run out with nobody after it', () => {
    given(...two, held)
      .when(ada, complete(1, 1))
      .then(completed(1, 1, 'task_1', 1));
    given(...two, held)
      .when(ada, complete(1, 1), { at: begin + hour })
      .then(completed(1, 1, 'task_1', 1));
    const again = leased(1, 1, 'task_1', 2, begin + hour);
    for (const lease of [1, 3])
      given(...two, held, again)
        .when(ada, complete(1, lease))
        .thenRefused('changed');
    given(...two, held, again)
      .when(ada, complete(1, 2))
      .then(completed(1, 1, 'task_1', 2));
  });
  it('[P-2] is completed once, and only after a claim', () => {
    given(...two)
      .when(ada, complete(1, 1))
      .thenRefused('wrong_state');
    given(...two)
      .when(ada, complete(3, 1))
      .thenRefused('not_found');
    const done = [...two, held, completed(1, 1, 'task_1', 1)];
    given(...done)
      .when(ada, complete(1, 1))
      .thenRefused('wrong_state');
    given(...done)
      .when(ada, claim({ resume: 1 }))
      .thenRefused('wrong_state');
    given(...done)
      .when(ada, claim())
      .then(leased(2, 2, 'task_2', 1, begin + 60_000));
  });
  it('[R-5] goes with its event', () => {
    const expired = [...two, { type: 'inbox.events-expired', from: 1, upTo: 1 } as const];
    given(...expired)
      .when(ada, claim({ resume: 1 }))
      .thenRefused('wrong_state');
    given(...expired)
      .when(ada, claim())
      .then(leased(2, 2, 'task_2', 1, begin + 60_000));
    given(...expired)
      .when(ada, receive(3, { task: 'task_3', advised: 'resume_immediately' }), { limits: { akepOpenResumesMax: 2 } })
      .then(received(3, { task: 'task_3', advised: 'resume_immediately' }), queued(3, 3, 'task_3', 'immediate'));
  });
  it('[P-2] is found among hundreds, those that are done forgotten', () => {
    const many = Array.from({ length: 300 }, (_, i) => now(i + 1)).flat();
    const over = Array.from({ length: 299 }, (_, i): readonly InboxEffect[] => [
      leased(i + 1, i + 1, `task_${i + 1}`, 1, begin),
      completed(i + 1, i + 1, `task_${i + 1}`, 1),
    ]).flat();
    const last = given(...inbox, ...many, ...over);
    last.when(ada, claim()).then(leased(300, 300, 'task_300', 1, begin + 60_000));
    last.when(ada, complete(1, 1)).thenRefused('wrong_state');
    expect(last.state).toMatchObject({ openResumes: 1, firstOpen: 300 });
  });
});

describe('an acknowledgement', () => {
  const one = [...inbox, received(1)];
  it('[R-4] says stored, then applied or rejected', () => {
    for (const status of ['stored', 'applied', 'rejected'] as const)
      given(...one)
        .when(ada, ack(1, status))
        .then(acked(1, status));
    for (const status of ['applied', 'rejected'] as const)
      given(...one, acked(1, 'stored'))
        .when(ada, ack(1, status))
        .then(acked(1, status));
  });
  it('[R-4] said again changes nothing, and is never taken back', () => {
    for (const status of ['stored', 'applied', 'rejected'] as const)
      given(...one, acked(1, status))
        .when(ada, ack(1, status))
        .thenRefused('no_effect');
    for (const [first, then] of [
      ['applied', 'rejected'],
      ['rejected', 'applied'],
      ['applied', 'stored'],
      ['rejected', 'stored'],
    ] as const)
      given(...one, acked(1, first))
        .when(ada, ack(1, then))
        .thenRefused('wrong_state');
  });
  it('[R-4] of an event that is unknown, or kept no more, is not found', () => {
    given(...one)
      .when(ada, ack(2, 'stored'))
      .thenRefused('not_found');
    given(...one, { type: 'inbox.events-expired', from: 1, upTo: 1 })
      .when(ada, ack(1, 'stored'))
      .thenRefused('not_found');
  });
});

describe('the retention of events', () => {
  const expired = (from: number, upTo: number): InboxEffect => ({ type: 'inbox.events-expired', from, upTo });
  const atHour = (ms: number): number => Math.ceil(ms / hour) * hour;

  it('[R-5] keeps what nobody has acknowledged for seven days at least, whatever the subscription says', () => {
    const one = [...inbox, received(1, { keptSeconds: 86_400 })];
    given(...one)
      .dueAt(begin + 7 * day - 1)
      .then();
    given(...one)
      .dueAt(begin + 7 * day)
      .then(expired(1, 1));
    given(...one, acked(1, 'stored'))
      .dueAt(begin + day - 1)
      .then();
    given(...one, acked(1, 'stored'))
      .dueAt(begin + day)
      .then(expired(1, 1));
  });
  it('[R-5] is that of the subscription where that is longer', () => {
    const one = [...inbox, received(1, { keptSeconds: 2_592_000 }), acked(1, 'applied')];
    given(...one)
      .dueAt(begin + 30 * day - 1)
      .then();
    given(...one)
      .dueAt(begin + 30 * day)
      .then(expired(1, 1));
  });
  it('[R-5] ends with the full hour, for all events of the hour at once', () => {
    const three = [...inbox, received(1), received(2), received(3, { receivedAt: begin + hour })];
    given(...three)
      .dueAt(begin + 7 * day)
      .then(expired(1, 1));
    given(...three)
      .dueAt(atHour(begin + 7 * day + 1))
      .then(expired(1, 3));
  });
  it('[R-5] ends in the order of events: one that has to stay keeps those after it', () => {
    const two = [...inbox, received(1, { keptSeconds: 2_592_000 }), received(2)];
    given(...two)
      .dueAt(begin + 8 * day)
      .then();
    given(...two)
      .dueAt(begin + 30 * day)
      .then(expired(1, 2));
    given(...inbox, received(1), received(2, { keptSeconds: 2_592_000 }), received(3))
      .dueAt(begin + 8 * day)
      .then(expired(1, 1));
  });
  it('[R-5] ends for a thousand in one fact at most', () => {
    const many = Array.from({ length: 2_300 }, (_, i) => received(i + 1));
    given(...inbox, ...many)
      .dueAt(begin + 8 * day)
      .then(expired(1, 1_000), expired(1_001, 2_000), expired(2_001, 2_300));
    given(...inbox, ...many, expired(1, 2_300))
      .when(ada, receive(2_301), { at: begin + 8 * day })
      .then(received(2_301, { receivedAt: begin + 8 * day }));
  });
  it('[R-5] [W-5] ends in the order of due time, with what else is due', () => {
    const mixed = [...inbox, issued(2), retiring(1, begin + 8 * day), received(1)];
    given(...mixed)
      .dueAt(begin + 9 * day)
      .then(expired(1, 1), retired(1));
    given(...inbox, issued(2), retiring(1, begin + day), received(1))
      .dueAt(begin + 9 * day)
      .then(retired(1), expired(1, 1));
  });
});

describe('what goes out by itself', () => {
  const three = [...inbox, received(1), received(2), received(3)];
  it('[D-4] [D-6] goes on from where it stands, event by event', () => {
    given(...three)
      .when(ada, delivered(0, 2))
      .then(wentOut(2));
    given(...three, wentOut(2))
      .when(ada, delivered(2, 3))
      .then(wentOut(3));
    given(...three, wentOut(2))
      .when(ada, delivered(0, 3))
      .thenRefused('changed');
    for (const [from, upTo] of [
      [0, 4],
      [2, 2],
      [2, 1],
    ] as const)
      given(...three)
        .when(ada, delivered(from, upTo))
        .thenRefused('invalid_target');
  });
  it('[D-4] begins with the events that come after it was asked for', () => {
    const later = [...three, subscribed(2, { delivery: 'queue' }), received(4)];
    given(...later)
      .when(ada, delivered(0, 4, 2))
      .thenRefused('changed');
    given(...later)
      .when(ada, delivered(3, 4, 2))
      .then({ type: 'inbox.delivered', ...on(2), upTo: 4 });
    given(...three)
      .when(ada, subscribe(2, { delivery: 'webhook' }))
      .then(started(2, 3));
    given(...three, subscribed(2, { delivery: 'relay' }), revised(2, 2, { delivery: 'webhook' }), received(4))
      .when(ada, delivered(3, 4, 2))
      .then({ type: 'inbox.delivered', ...on(2), upTo: 4 });
  });
  it('[D-4] goes on where it stood after a revision', () => {
    given(...three, wentOut(2), disabled, revised(1, 2))
      .when(ada, delivered(2, 3))
      .then(wentOut(3));
    given(...three, disabled, revised(1, 2))
      .when(ada, enable)
      .then(enabled);
  });
  it('[D-4] goes out again from where it is asked to, and nothing under way passes that over', () => {
    const again: InboxEffect = { type: 'inbox.resend-asked', ...on(1), after: 1 };
    given(...three, wentOut(3))
      .when(ada, resend(1))
      .then(again);
    given(...three, wentOut(2), again)
      .when(ada, delivered(2, 3))
      .thenRefused('changed');
    given(...three, wentOut(2), again)
      .when(ada, delivered(1, 3))
      .then(wentOut(3));
    given(...three, wentOut(2))
      .when(ada, resend(2))
      .thenRefused('no_effect');
    given(...three, wentOut(2))
      .when(ada, resend(3))
      .thenRefused('invalid_target');
  });
  it('[D-4] is disabled after its tries and enabled by the agent, and the inbox takes events all the while', () => {
    given(...inbox)
      .when(ada, disable)
      .then(disabled);
    given(...inbox, disabled)
      .when(ada, disable)
      .thenRefused('no_effect');
    given(...inbox, disabled)
      .when(ada, enable)
      .then(enabled);
    given(...inbox)
      .when(ada, enable)
      .thenRefused('no_effect');
    given(...inbox, disabled)
      .when(ada, receive(1))
      .then(received(1));
  });
  it('[D-1] is nothing where the agent fetches its events itself', () => {
    for (const action of [delivered(0, 1), disable, enable, resend(0)])
      given(subscribed(1, { delivery: 'relay' }))
        .when(ada, action)
        .thenRefused('wrong_state');
    for (const action of [delivered(0, 1, 2), { ...disable, ...on(2) }])
      given(...three)
        .when(ada, action)
        .thenRefused('not_found');
  });
});
