import { z } from 'zod';
import { contentRef, millis, ordinal, sha256, subscriptionId } from '../ids.ts';

/**
 * An identifier or name that somebody outside has given (a task, a producer, a key id, an interrupt), as facts may hold it.
 * What is longer or has other characters stands as `sha256:` and a keyed hash; the gateway sees to that, and to it that
 * nothing from outside passes for such a hash. Equality is all that is asked of it.
 */
export const akepToken = z.string().regex(/^[A-Za-z0-9_:.-]{1,128}$/);
/** An event's id: unique and stable over retries (E-2). */
export const akepEventId = z.string().regex(/^[A-Za-z0-9_:-]{8,128}$/);

/** What a producer advises to do with an event (E-6); local policy wins (P-1). */
export const resumePolicy = z.enum(['never', 'append_only', 'resume_if_waiting', 'resume_immediately']);
export type ResumePolicy = z.infer<typeof resumePolicy>;

/** How far the receiver is with an event. */
export const ackStatus = z.enum(['stored', 'applied', 'rejected']);
export type AckStatus = z.infer<typeof ackStatus>;

/** How a subscriber gets its events: by fetching them (polling, long poll, SSE, WebSocket), by webhook, or by a topic. */
export const akepDelivery = z.enum(['relay', 'webhook', 'queue']);

/** A subscription as actions and effects carry it. `content` holds its whole document: filters, address and sink are text. */
export const subscriptionTerms = {
  content: contentRef,
  eventTypes: z.array(akepToken),
  delivery: akepDelivery,
  ackRequired: z.boolean(),
  /** How long its events are kept for replay, at least. */
  retentionSeconds: z.int().min(1),
  /** What may be resumed by an event that it matches; the rest is appended only (P-1). */
  resumePolicies: z.array(resumePolicy),
  payloadBytesMax: z.int().min(1),
};

/** What a subscription matched, and as what it was known then (design: stamped match). */
export const matchedSubscription = z.strictObject({ subscription: subscriptionId, revision: ordinal });
export type MatchedSubscription = Readonly<z.infer<typeof matchedSubscription>>;

/** What actions and effects say of an event: structure, no text (L6-1). */
export const eventTerms = {
  event: akepEventId,
  eventType: akepToken,
  /** Kind of knowledge (E-5). */
  knowledge: z.enum(['observation', 'tool_result', 'approval', 'document', 'artifact', 'message', 'memory']),
  priority: z.enum(['low', 'normal', 'high', 'urgent']).optional(),
  /** Keyed hash of the raw body: equal bodies are told without being guessed. */
  hash: sha256,
  /** What the producer advises. */
  advised: resumePolicy,
  task: akepToken.optional(),
  /** Each key of the subject with its value, as one token: what waits name (P-1). */
  subjects: z.array(akepToken),
  interrupt: akepToken.optional(),
  causation: akepToken.optional(),
  matched: z.array(matchedSubscription),
};

/** What of Kungfu a notification is about: kind and reference, no text (B-1, B-2). */
export const kungfuNotice = z.strictObject({
  what: z.enum(['obligation-arose', 'obligation-ended', 'opportunity-opened', 'memory-changed', 'entry-posted']),
  /** As reads hand it out: `thread_…/entries/7`. */
  ref: z.string().regex(/^[a-z0-9_/]{1,200}$/),
  obligation: z.enum(['respond', 'deliver', 'judge']).optional(),
  /** Log time of the fact that it tells of. */
  occurredAt: millis,
});
export type KungfuNotice = Readonly<z.infer<typeof kungfuNotice>>;

/** Where an event came from: a producer, whose key was verified and whose raw body is content; or Kungfu, by the bridge. */
export const eventOrigin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('producer'), producer: akepToken, key: akepToken, content: contentRef }),
  z.strictObject({ kind: z.literal('kungfu'), notice: kungfuNotice }),
]);

/** Events after this sequence go out; told where a subscription begins to have them sent (D-4, D-6). */
const starting = { startsAfter: z.int().min(0).optional() };
const secret = { producer: akepToken, key: akepToken };
/** A resume: its number in the inbox, the event (id and sequence) that queued it, and the task to be resumed. */
const resume = { resume: ordinal, event: akepEventId, sequence: ordinal, task: akepToken };
const onSubscription = { subscription: subscriptionId };

/** Effects on an inbox. Storage format: add, never rename. Events and resumes are numbered from 1. */
export const inboxEffect = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('inbox.subscribed'),
    ...onSubscription,
    revision: ordinal,
    ...subscriptionTerms,
    ...starting,
  }),
  z.strictObject({
    type: z.literal('inbox.subscription-revised'),
    ...onSubscription,
    revision: ordinal,
    ...subscriptionTerms,
    ...starting,
  }),
  z.strictObject({ type: z.literal('inbox.unsubscribed'), ...onSubscription }),
  /** `content` is the ciphertext, `hash` that of the secret, as it was shown once (S-3). */
  z.strictObject({ type: z.literal('inbox.secret-issued'), ...secret, content: contentRef, hash: sha256 }),
  /** Verifies until then, beside the one that has taken its place (W-5). */
  z.strictObject({ type: z.literal('inbox.secret-retiring'), ...secret, until: millis }),
  /** Verifies nothing any more; its ciphertext is to be erased (W-5). */
  z.strictObject({ type: z.literal('inbox.secret-retired'), ...secret, content: contentRef }),
  /**
   * Sequence and received time rise from event to event. `policy` is what local policy has made of the advice
   * (P-1); `keptSeconds` the longest retention of the subscriptions matched.
   */
  z.strictObject({
    type: z.literal('inbox.event-received'),
    sequence: ordinal,
    receivedAt: millis,
    ...eventTerms,
    origin: eventOrigin,
    policy: resumePolicy,
    keptSeconds: z.int().min(1),
    /** The producer's own number of it for the subject; `mark` where that skips or does not rise. */
    order: z
      .strictObject({
        subject: akepToken,
        number: z.int().min(0),
        mark: z.enum(['skipped', 'backwards']).optional(),
      })
      .optional(),
  }),
  z.strictObject({
    type: z.literal('inbox.event-acknowledged'),
    event: akepEventId,
    sequence: ordinal,
    status: ackStatus,
  }),
  /** All events from `from` up to `upTo` are past their retention: no longer replayed, their content may be erased. */
  z.strictObject({ type: z.literal('inbox.events-expired'), from: ordinal, upTo: ordinal }),
  /** The task waits for an event of one of these types or subjects, or for one of these interrupts (P-1); in place of its wait before. */
  z.strictObject({
    type: z.literal('inbox.wait-declared'),
    task: akepToken,
    eventTypes: z.array(akepToken),
    subjects: z.array(akepToken),
    interrupts: z.array(akepToken),
    /** Events after this sequence count. */
    after: z.int().min(0),
  }),
  /** The task waits for nothing any more, without having been resumed. */
  z.strictObject({ type: z.literal('inbox.wait-ended'), task: akepToken }),
  /** `waited`: the event is what the task waited for, and its wait has ended with this. `immediate`: by the policy alone. */
  z.strictObject({ type: z.literal('inbox.resume-queued'), ...resume, how: z.enum(['waited', 'immediate']) }),
  /** Taken by one runtime until then; a later lease of the same resume has a higher number (P-2). */
  z.strictObject({ type: z.literal('inbox.resume-leased'), ...resume, lease: ordinal, until: millis }),
  z.strictObject({ type: z.literal('inbox.resume-completed'), ...resume, lease: ordinal }),
  /** The events up to this sequence have gone out to the subscriber (D-4, D-6). */
  z.strictObject({ type: z.literal('inbox.delivered'), ...onSubscription, upTo: ordinal }),
  /** Events after this sequence go out again. */
  z.strictObject({ type: z.literal('inbox.resend-asked'), ...onSubscription, after: z.int().min(0) }),
  z.strictObject({
    type: z.literal('inbox.endpoint-disabled'),
    ...onSubscription,
    how: z.enum(['failing', 'gone', 'forbidden-address']),
    failures: z.int().min(0),
  }),
  z.strictObject({ type: z.literal('inbox.endpoint-enabled'), ...onSubscription }),
]);
export type InboxEffect = Readonly<z.infer<typeof inboxEffect>>;
