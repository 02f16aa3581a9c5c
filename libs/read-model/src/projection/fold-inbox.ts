import type { InboxEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import type { Effect, Folding } from './folding.ts';
import type { AkepSubscriptionRow } from './inbox-rows.ts';
import { termsOf } from './inbox-terms.ts';

/** What effects on an inbox change: its subscriptions, secrets, events, waits and resumes. */
export const foldInbox = (folding: Folding, effect: InboxEffect): void => {
  switch (effect.type) {
    case 'inbox.subscribed':
      return subscribe(folding, effect);
    case 'inbox.subscription-revised':
      return revise(folding, effect);
    case 'inbox.unsubscribed':
      return changeSubscription(folding, effect, { endedAt: folding.fact.at });
    case 'inbox.delivered':
      return changeSubscription(folding, effect, { position: effect.upTo });
    case 'inbox.resend-asked':
      return changeSubscription(folding, effect, { position: effect.after });
    case 'inbox.endpoint-disabled':
      return changeSubscription(folding, effect, disabled(effect));
    case 'inbox.endpoint-enabled':
      return changeSubscription(folding, effect, fresh);
    case 'inbox.secret-issued':
      return issue(folding, effect);
    case 'inbox.secret-retiring':
      return changeSecret(folding, effect, { status: 'retiring', until: effect.until });
    case 'inbox.secret-retired':
      return changeSecret(folding, effect, { status: 'retired', until: null });
    case 'inbox.event-received':
      return receive(folding, effect);
    case 'inbox.event-acknowledged':
      return acknowledge(folding, effect);
    case 'inbox.events-expired':
      return expire(folding, effect);
    case 'inbox.wait-declared':
      return declareWait(folding, effect);
    case 'inbox.wait-ended':
      return endWait(folding, effect.task);
    case 'inbox.resume-queued':
      return queue(folding, effect);
    case 'inbox.resume-leased':
      return changeResume(folding, effect, { status: 'leased', lease: effect.lease, until: effect.until });
    case 'inbox.resume-completed':
      return changeResume(folding, effect, { status: 'done', endedAt: folding.fact.at });
  }
};

const subscribe = ({ plan, fact }: Folding, effect: Effect<'inbox.subscribed'>): void => {
  const agent = fact.object.id;
  plan.akepSubscriptions.make(keyOf(agent, effect.subscription), {
    agent,
    id: effect.subscription,
    ...termsOf(effect, fact.at),
    createdAt: fact.at,
    position: 0,
    ...startOf(effect),
  });
};

/** What begins to go out by itself: from where, and with nothing against its endpoint (D-4, D-6). */
const startOf = ({
  startsAfter,
}: {
  readonly startsAfter?: number | undefined;
}): Partial<AkepSubscriptionRow> & Fresh => (startsAfter === undefined ? fresh : { ...fresh, position: startsAfter });
const fresh = { endpoint: 'enabled', disabledHow: null, failures: 0 } as const;
type Fresh = typeof fresh;

const revise = (folding: Folding, effect: Effect<'inbox.subscription-revised'>): void =>
  changeSubscription(folding, effect, {
    ...termsOf(effect, folding.fact.at),
    ...(effect.startsAfter === undefined ? {} : startOf(effect)),
  });

const changeSubscription = (
  { plan, fact }: Folding,
  { subscription: id }: { readonly subscription: string },
  change: Partial<AkepSubscriptionRow>,
): void => {
  const agent = fact.object.id;
  plan.akepSubscriptions.change(keyOf(agent, id), { agent, id }, change);
};

const disabled = ({ how, failures }: Effect<'inbox.endpoint-disabled'>): Partial<AkepSubscriptionRow> => ({
  endpoint: 'disabled',
  disabledHow: how,
  failures,
});

type Named = { readonly producer: string; readonly key: string };
const issue = ({ plan, fact }: Folding, { producer, key, content }: Effect<'inbox.secret-issued'>): void => {
  const agent = fact.object.id;
  const row = { agent, producer, key, content: content.id, status: 'active', issuedAt: fact.at, until: null } as const;
  plan.akepSecrets.make(keyOf(agent, producer, key), row);
};

const changeSecret = (
  { plan, fact }: Folding,
  { producer, key }: Named,
  change: { readonly status: 'retiring' | 'retired'; readonly until: number | null },
): void => {
  const agent = fact.object.id;
  plan.akepSecrets.change(keyOf(agent, producer, key), { agent, producer, key }, change);
};

const receive = ({ plan, fact }: Folding, effect: Effect<'inbox.event-received'>): void => {
  const agent = fact.object.id;
  const { type: _, matched, ...event } = effect;
  const ids = matched.map(({ subscription }) => subscription);
  plan.akepEvents.make(sequenceKey(agent, event.sequence), {
    agent,
    ...event,
    matched: ids,
    status: 'unacknowledged',
    expired: false,
  });
};

/** In the order of numbers, as rows are written. */
const sequenceKey = (agent: string, sequence: number): string => keyOf(agent, String(sequence).padStart(10, '0'));

const acknowledge = ({ plan, fact }: Folding, { sequence, status }: Effect<'inbox.event-acknowledged'>): void => {
  const agent = fact.object.id;
  const change = { status, acknowledgedAt: fact.at };
  plan.akepEvents.change(sequenceKey(agent, sequence), { agent, sequence }, change);
};

const expire = ({ plan, fact }: Folding, { from, upTo }: Effect<'inbox.events-expired'>): void =>
  plan.akepExpiries.make(sequenceKey(fact.object.id, from), { agent: fact.object.id, from, upTo, at: fact.at });

const declareWait = ({ plan, fact }: Folding, { type: _, ...wait }: Effect<'inbox.wait-declared'>): void => {
  const agent = fact.object.id;
  plan.akepWaits.make(keyOf(agent, wait.task), { agent, ...wait, at: fact.at, endedAt: null });
};

const endWait = ({ plan, fact }: Folding, task: string): void => {
  const agent = fact.object.id;
  plan.akepWaits.change(keyOf(agent, task), { agent, task }, { endedAt: fact.at });
};

/** What a task waited for is what resumes it: its wait ends with this. */
const queue = (folding: Folding, { type: _, ...resume }: Effect<'inbox.resume-queued'>): void => {
  const { plan, fact } = folding;
  const agent = fact.object.id;
  const row = { agent, ...resume, status: 'queued', at: fact.at } as const;
  plan.akepResumes.make(keyOf(agent, String(resume.resume).padStart(10, '0')), row);
  if (resume.how === 'waited') endWait(folding, resume.task);
};

type ResumeChange = { readonly status: 'leased' | 'done'; lease?: number; until?: number; endedAt?: number };
const changeResume = ({ plan, fact }: Folding, { resume }: { readonly resume: number }, change: ResumeChange): void => {
  const agent = fact.object.id;
  plan.akepResumes.change(keyOf(agent, String(resume).padStart(10, '0')), { agent, resume }, change);
};
