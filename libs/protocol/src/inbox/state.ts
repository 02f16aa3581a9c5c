import { type Buckets, bucketPieces, bucketsFrom, lookUp, noBuckets, put, remove } from '../buckets.ts';
import { append, type Chunks, chunkPieces, chunksFrom, countOf, dropTo, nth, replace } from '../chunks.ts';
import type { ContentRef, SubscriptionId } from '../ids.ts';
import type { AckStatus, InboxEffect, ResumePolicy } from './effects.ts';

type Of<T extends InboxEffect['type']> = Extract<InboxEffect, { type: T }>;

/** What deciders need of an active subscription. */
export type Subscription = {
  readonly revision: number;
  readonly retentionSeconds: number;
  readonly resumePolicies: readonly ResumePolicy[];
} & (
  | { readonly delivery: 'relay' }
  /** Events up to `position` have gone out. */
  | { readonly delivery: 'webhook' | 'queue'; readonly position: number; readonly endpoint: 'enabled' | 'disabled' }
);

/** A secret that verifies; a retired one is forgotten. Its ciphertext is content. */
export type Secret = { readonly producer: string; readonly key: string; readonly content: ContentRef } & (
  | { readonly status: 'active' }
  | { readonly status: 'retiring'; readonly until: number }
);

/** An event that is kept. `resumable` where it may still resume a task that waits, or will wait, for it. */
export type Event = {
  readonly id: string;
  readonly hash: string;
  readonly receivedAt: number;
  readonly keptSeconds: number;
  readonly status: 'unacknowledged' | AckStatus;
  readonly resumable?: Resumable;
};
export type Resumable = Pick<Of<'inbox.event-received'>, 'eventType' | 'subjects' | 'interrupt' | 'task'> & {
  /** Tasks that it has resumed already (P-2). An event with a task of its own resumes no other. */
  readonly resumed: readonly string[];
};

/** What a task waits for (P-1). One resume ends it. */
export type Wait = Pick<Of<'inbox.wait-declared'>, 'task' | 'eventTypes' | 'subjects' | 'interrupts'>;

/** A resume of a task by the event with this sequence; at most one of both, ever (P-2). */
export type Resume = { readonly sequence: number; readonly task: string } & (
  | { readonly status: 'queued' }
  /** Held until then; held no longer, it can be claimed again, under the next lease number. */
  | { readonly status: 'leased'; readonly lease: number; readonly until: number }
  | { readonly status: 'done' }
);

export type Existing = {
  readonly status: 'open';
  /** Spreads keys over buckets; from a salted hash that producers do not know. */
  readonly seed: number;
  readonly subscriptions: Readonly<Record<SubscriptionId, Subscription>>;
  readonly secrets: readonly Secret[];
  readonly events: Chunks<Event>;
  /** Events up to this sequence are past their retention. */
  readonly expired: number;
  /** Received time of the last event; 0 before the first. */
  readonly receivedAt: number;
  /** Sequence of each event id ever received (W-6). */
  readonly sequences: Buckets<number>;
  /** The highest number that a producer has given, by subject. */
  readonly numbers: Buckets<number>;
  readonly waits: Buckets<Wait>;
  readonly waiting: number;
  readonly resumes: Chunks<Resume>;
  /** How many resumes are queued or leased, and the number of the first that may be. */
  readonly openResumes: number;
  readonly firstOpen: number;
};
export type InboxState = { readonly status: 'absent' } | Existing;

export const evolve = (state: InboxState, effect: InboxEffect): InboxState => {
  switch (effect.type) {
    case 'inbox.subscribed':
      return subscribed(state.status === 'absent' ? begun(effect) : state, effect);
    case 'inbox.subscription-revised':
      return subscribed(existing(state), effect);
    case 'inbox.unsubscribed':
      return unsubscribed(existing(state), effect);
    case 'inbox.secret-issued':
      return issued(existing(state), effect);
    case 'inbox.secret-retiring':
      return retiring(existing(state), effect);
    case 'inbox.secret-retired':
      return { ...existing(state), secrets: without(existing(state).secrets, effect) };
    case 'inbox.event-received':
      return received(existing(state), effect);
    case 'inbox.event-acknowledged':
      return onEvent(existing(state), effect.sequence, (event) => ({ ...event, status: effect.status }));
    case 'inbox.events-expired':
      return expired(existing(state), effect);
    case 'inbox.wait-declared':
      return waiting(existing(state), effect);
    case 'inbox.wait-ended':
      return waitEnded(existing(state), effect.task);
    case 'inbox.resume-queued':
      return queued(existing(state), effect);
    case 'inbox.resume-leased':
      return leased(existing(state), effect);
    case 'inbox.resume-completed':
      return completed(existing(state), effect);
    case 'inbox.delivered':
      return onEndpoint(existing(state), effect.subscription, { position: effect.upTo });
    case 'inbox.resend-asked':
      return onEndpoint(existing(state), effect.subscription, { position: effect.after });
    case 'inbox.endpoint-disabled':
      return onEndpoint(existing(state), effect.subscription, { endpoint: 'disabled' });
    case 'inbox.endpoint-enabled':
      return onEndpoint(existing(state), effect.subscription, { endpoint: 'enabled' });
  }
};

const existing = (state: InboxState): Existing => {
  if (state.status === 'absent') throw new Error('a fact on an inbox that is absent');
  return state;
};

const begun = ({ content }: Of<'inbox.subscribed'>): Existing => ({
  status: 'open',
  seed: Number.parseInt(content.sha256.slice(0, 8), 16),
  subscriptions: {},
  secrets: [],
  events: [],
  expired: 0,
  receivedAt: 0,
  sequences: noBuckets,
  numbers: noBuckets,
  waits: noBuckets,
  waiting: 0,
  resumes: [],
  openResumes: 0,
  firstOpen: 1,
});

/** What goes out by itself begins with the events after it was asked for; a revision goes on where it stood. */
const subscribed = (inbox: Existing, effect: Of<'inbox.subscribed'> | Of<'inbox.subscription-revised'>): Existing => {
  const { subscription, revision, retentionSeconds, resumePolicies, delivery } = effect;
  const before = inbox.subscriptions[subscription];
  const terms = { revision, retentionSeconds, resumePolicies };
  const { position, endpoint } =
    before === undefined || before.delivery === 'relay'
      ? { position: effect.startsAfter ?? lastSequence(inbox), endpoint: 'enabled' as const }
      : before;
  const stated: Subscription =
    delivery === 'relay' ? { ...terms, delivery } : { ...terms, delivery, position, endpoint };
  return { ...inbox, subscriptions: { ...inbox.subscriptions, [subscription]: stated } };
};

const unsubscribed = (inbox: Existing, { subscription }: Of<'inbox.unsubscribed'>): Existing => {
  const { [subscription]: _, ...subscriptions } = inbox.subscriptions;
  return { ...inbox, subscriptions };
};

type NamedSecret = { readonly producer: string; readonly key: string };
const isSecret =
  ({ producer, key }: NamedSecret) =>
  (secret: Secret): boolean =>
    secret.producer === producer && secret.key === key;
const without = (secrets: readonly Secret[], named: NamedSecret): readonly Secret[] =>
  secrets.filter((secret) => !isSecret(named)(secret));

const issued = (inbox: Existing, { producer, key, content }: Of<'inbox.secret-issued'>): Existing => ({
  ...inbox,
  secrets: [...inbox.secrets, { producer, key, content, status: 'active' }],
});

const retiring = (inbox: Existing, effect: Of<'inbox.secret-retiring'>): Existing => ({
  ...inbox,
  secrets: inbox.secrets.map((secret) =>
    isSecret(effect)(secret) ? { ...secret, status: 'retiring', until: effect.until } : secret,
  ),
});

const received = (inbox: Existing, effect: Of<'inbox.event-received'>): Existing => {
  const { sequence, receivedAt, event: id, hash, keptSeconds, order } = effect;
  if (sequence !== lastSequence(inbox) + 1) throw new Error(`event ${sequence} after event ${lastSequence(inbox)}`);
  const event: Event = { id, hash, receivedAt, keptSeconds, status: 'unacknowledged', ...resumableBy(effect) };
  return {
    ...inbox,
    receivedAt,
    events: append(inbox.events, event),
    sequences: put(inbox.sequences, inbox.seed, id, sequence),
    ...(order === undefined ? {} : { numbers: numbered(inbox, order) }),
  };
};

const resumableBy = (effect: Of<'inbox.event-received'>): Pick<Event, 'resumable'> => {
  const { policy, eventType, subjects, interrupt, task } = effect;
  if (policy === 'never' || policy === 'append_only') return {};
  const named = { ...(interrupt === undefined ? {} : { interrupt }), ...(task === undefined ? {} : { task }) };
  return { resumable: { eventType, subjects, ...named, resumed: [] } };
};

type Order = NonNullable<Of<'inbox.event-received'>['order']>;
const numbered = (inbox: Existing, { subject, number }: Order): Buckets<number> =>
  number > (numberOf(inbox, subject) ?? -1) ? put(inbox.numbers, inbox.seed, subject, number) : inbox.numbers;

const onEvent = (inbox: Existing, sequence: number, change: (event: Event) => Event): Existing => {
  const event = eventAt(inbox, sequence);
  if (event === undefined) throw new Error(`a fact on event ${sequence}, which is not kept`);
  return { ...inbox, events: replace(inbox.events, sequence, change(event)) };
};

/** With an event goes the resume that it queued: nothing is left to resume with. */
const expired = (inbox: Existing, { upTo }: Of<'inbox.events-expired'>): Existing =>
  closedResumes(recounted({ ...inbox, expired: upTo, events: dropTo(inbox.events, upTo) }));

const waiting = (inbox: Existing, effect: Of<'inbox.wait-declared'>): Existing => {
  const { task, eventTypes, subjects, interrupts } = effect;
  return {
    ...inbox,
    waits: put(inbox.waits, inbox.seed, task, { task, eventTypes, subjects, interrupts }),
    waiting: inbox.waiting + (waitOf(inbox, task) === undefined ? 1 : 0),
  };
};

const waitEnded = (inbox: Existing, task: string): Existing => {
  if (waitOf(inbox, task) === undefined) throw new Error('the end of a wait that there is not');
  return { ...inbox, waits: remove(inbox.waits, inbox.seed, task), waiting: inbox.waiting - 1 };
};

const queued = (inbox: Existing, { resume, sequence, task, how }: Of<'inbox.resume-queued'>): Existing => {
  if (resume !== lastResume(inbox) + 1) throw new Error(`resume ${resume} after resume ${lastResume(inbox)}`);
  const awake = how === 'waited' ? waitEnded(inbox, task) : inbox;
  const marked = onEvent(awake, sequence, (event) => resumedBy(event, task));
  return {
    ...marked,
    resumes: append(inbox.resumes, { sequence, task, status: 'queued' }),
    openResumes: inbox.openResumes + 1,
  };
};

/** An event with a task of its own can resume nothing else. */
const resumedBy = ({ resumable, ...event }: Event, task: string): Event => {
  if (resumable === undefined || resumable.resumed.includes(task)) throw new Error(`a second resume by ${event.id}`);
  return resumable.task === undefined
    ? { ...event, resumable: { ...resumable, resumed: [...resumable.resumed, task] } }
    : event;
};

const leased = (inbox: Existing, { resume, lease, until }: Of<'inbox.resume-leased'>): Existing =>
  onResume(inbox, resume, { status: 'leased', lease, until });

const completed = (inbox: Existing, { resume }: Of<'inbox.resume-completed'>): Existing =>
  closedResumes({ ...onResume(inbox, resume, { status: 'done' }), openResumes: inbox.openResumes - 1 });

type ResumeStatus =
  | { readonly status: 'leased'; readonly lease: number; readonly until: number }
  | { readonly status: 'done' };
const onResume = (inbox: Existing, number: number, status: ResumeStatus): Existing => {
  const resume = openResume(inbox, number);
  if (resume === undefined) throw new Error(`a fact on resume ${number}, which is not open`);
  const { sequence, task } = resume;
  return { ...inbox, resumes: replace(inbox.resumes, number, { sequence, task, ...status }) };
};

const recounted = (inbox: Existing): Existing => {
  let openResumes = 0;
  for (let n = inbox.firstOpen; n <= lastResume(inbox); n++) if (openResume(inbox, n) !== undefined) openResumes += 1;
  return { ...inbox, openResumes };
};

/** Moves on over those that are not open any more, and forgets them. */
const closedResumes = (inbox: Existing): Existing => {
  let { firstOpen } = inbox;
  while (firstOpen <= lastResume(inbox) && openResume(inbox, firstOpen) === undefined) firstOpen += 1;
  return firstOpen === inbox.firstOpen ? inbox : { ...inbox, firstOpen, resumes: dropTo(inbox.resumes, firstOpen - 1) };
};

const onEndpoint = (
  inbox: Existing,
  id: SubscriptionId,
  change: { readonly position: number } | { readonly endpoint: 'enabled' | 'disabled' },
): Existing => {
  const subscription = inbox.subscriptions[id];
  if (subscription === undefined || subscription.delivery === 'relay') throw new Error(`nothing goes out to ${id}`);
  return { ...inbox, subscriptions: { ...inbox.subscriptions, [id]: { ...subscription, ...change } } };
};

// Questions about the state that deciders ask.

export const lastSequence = ({ events }: Existing): number => countOf(events);
/** A kept event by its sequence. */
export const eventAt = ({ events, expired: upTo }: Existing, sequence: number): Event | undefined =>
  sequence <= upTo ? undefined : nth(events, sequence);
/** The sequence that an event of this id got, kept or not. */
export const sequenceOf = ({ sequences, seed }: Existing, id: string): number | undefined =>
  lookUp(sequences, seed, id);
export const numberOf = ({ numbers, seed }: Existing, subject: string): number | undefined =>
  lookUp(numbers, seed, subject);
export const waitOf = ({ waits, seed }: Existing, task: string): Wait | undefined => lookUp(waits, seed, task);
export const secretOf = ({ secrets }: Existing, named: NamedSecret): Secret | undefined =>
  secrets.find(isSecret(named));
export const lastResume = ({ resumes }: Existing): number => countOf(resumes);
/** A resume that is neither done nor past with its event. */
export const openResume = (inbox: Existing, number: number): Exclude<Resume, { status: 'done' }> | undefined => {
  const resume = nth(inbox.resumes, number);
  return resume === undefined || resume.status === 'done' || resume.sequence <= inbox.expired ? undefined : resume;
};

// The state in pieces for a store.

type Core = Pick<Existing, 'status' | 'seed' | 'expired' | 'receivedAt' | 'waiting' | 'openResumes' | 'firstOpen'>;

export const pieces = (state: InboxState): ReadonlyMap<string, unknown> => {
  if (state.status === 'absent') return new Map();
  const { subscriptions, secrets, events, sequences, numbers, waits, resumes, ...core } = state;
  return new Map<string, unknown>([
    ['core', core],
    ['subscriptions', subscriptions],
    ['secrets', secrets],
    ...chunkPieces('events', events),
    ...bucketPieces('sequences', sequences),
    ...bucketPieces('numbers', numbers),
    ...bucketPieces('waits', waits),
    ...chunkPieces('resumes', resumes),
  ]);
};

export const fromPieces = (all: ReadonlyMap<string, unknown>): InboxState => {
  const core = all.get('core') as Core | undefined;
  if (core === undefined) return { status: 'absent' };
  return {
    ...core,
    subscriptions: all.get('subscriptions') as Existing['subscriptions'],
    secrets: all.get('secrets') as Existing['secrets'],
    events: chunksFrom('events', all),
    sequences: bucketsFrom('sequences', all),
    numbers: bucketsFrom('numbers', all),
    waits: bucketsFrom('waits', all),
    resumes: chunksFrom('resumes', all),
  };
};
