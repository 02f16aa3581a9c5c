import { accept, type Context, type Decision, refuse } from '../kernel.ts';
import type { InboxAction } from './actions.ts';
import type { InboxEffect, MatchedSubscription, ResumePolicy } from './effects.ts';
import { limitOf } from './limit-of.ts';
import { resumesBy } from './resumes.ts';
import { type Existing, eventAt, type InboxState, lastSequence, numberOf, secretOf, sequenceOf } from './state.ts';

export type Come = Extract<InboxAction, { type: 'akep.receive' | 'akep.notify' }>;
type Received = Extract<InboxEffect, { type: 'inbox.event-received' }>;

/**
 * Stores an event once and queues what it resumes, in one fact. What is known already comes first (W-6), then the stamp: no
 * subscription matched is `invalid_target`, one that is not as it was matched, or a key that verifies no more, `changed`.
 */
export const receive = (state: InboxState, action: Come, context: Context): Decision<InboxEffect> => {
  if (state.status === 'absent') return refuse(action.matched.length === 0 ? 'invalid_target' : 'changed');
  const known = sequenceOf(state, action.event);
  // Only another lane comes here with a known id: of its own, the owner's binding has answered already.
  if (known !== undefined)
    return refuse(eventAt(state, known)?.hash === action.hash ? 'no_effect' : 'idempotency_conflict');
  if (action.matched.length === 0) return refuse('invalid_target');
  if (!action.matched.every(isAsMatched(state)) || !isVerified(state, action)) return refuse('changed');
  return store(state, action, context);
};

const isAsMatched =
  ({ subscriptions }: Existing) =>
  ({ subscription, revision }: MatchedSubscription): boolean =>
    subscriptions[subscription]?.revision === revision;

const isVerified = (inbox: Existing, action: Come): boolean =>
  action.type === 'akep.notify' || secretOf(inbox, action) !== undefined;

const store = (inbox: Existing, action: Come, context: Context): Decision<InboxEffect> => {
  const policy = policyOf(inbox, action);
  const resumes = resumesBy(inbox, lastSequence(inbox) + 1, action, policy);
  if (inbox.openResumes + resumes.length > limitOf(context, 'akepOpenResumesMax')) return refuse('overloaded');
  return accept<InboxEffect>(stored(inbox, action, policy, context.at), ...resumes);
};

/** The advice, if a matched subscription lists it; else the event is appended only (P-1). */
const policyOf = ({ subscriptions }: Existing, { advised, matched }: Come): ResumePolicy => {
  if (advised === 'never') return 'never';
  const lists = matched.some(({ subscription }) => subscriptions[subscription]!.resumePolicies.includes(advised));
  return lists ? advised : 'append_only';
};

const stored = (inbox: Existing, action: Come, policy: ResumePolicy, at: number): Received => {
  const { event, eventType, knowledge, priority, hash, advised, task, subjects, interrupt, causation, matched } =
    action;
  const retained = matched.map(({ subscription }) => inbox.subscriptions[subscription]!.retentionSeconds);
  return {
    type: 'inbox.event-received',
    sequence: lastSequence(inbox) + 1,
    // Log time may stand still: "received time, then event id" is the sequence all the same.
    receivedAt: Math.max(at, inbox.receivedAt + 1),
    event,
    eventType,
    knowledge,
    ...(priority === undefined ? {} : { priority }),
    hash,
    advised,
    ...(task === undefined ? {} : { task }),
    subjects,
    ...(interrupt === undefined ? {} : { interrupt }),
    ...(causation === undefined ? {} : { causation }),
    matched,
    origin: originOf(action),
    policy,
    keptSeconds: Math.max(...retained),
    ...(action.order === undefined ? {} : { order: ordered(inbox, action.order) }),
  };
};

const originOf = (action: Come): Received['origin'] => {
  if (action.type === 'akep.notify') return { kind: 'kungfu', notice: action.notice };
  const { producer, key, content } = action;
  return { kind: 'producer', producer, key, content };
};

/** The first number of a subject is in order, whatever it is; then each has to be the next. */
const ordered = (inbox: Existing, { subject, number }: NonNullable<Come['order']>): NonNullable<Received['order']> => {
  const last = numberOf(inbox, subject) ?? number - 1;
  if (number === last + 1) return { subject, number };
  return { subject, number, mark: number > last ? 'skipped' : 'backwards' };
};
