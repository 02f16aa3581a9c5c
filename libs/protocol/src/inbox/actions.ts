import { z } from 'zod';
import { contentRef, ordinal, sha256, subscriptionId } from '../ids.ts';
import {
  ackStatus,
  akepEventId,
  akepToken,
  eventOrigin,
  eventTerms,
  kungfuNotice,
  subscriptionTerms,
} from './effects.ts';

const onSubscription = { subscription: subscriptionId };
const [fromProducer] = eventOrigin.options;
const { kind: _, ...produced } = fromProducer.shape;
const secret = { ...onSubscription, producer: akepToken, key: akepToken };
/** A secret to be: its ciphertext, and the hash of what the agent is shown once (S-3). */
const newSecret = { ...secret, content: contentRef, hash: sha256 };

/** What doors say of an event that has come; the producer's own number of it for a subject, if it gave one. */
const event = {
  ...eventTerms,
  order: z.strictObject({ subject: akepToken, number: z.int().min(0) }).optional(),
};

/** Actions on an inbox as they stand on `kungfu.actions.akep.inbox`. The object is the id of the agent whose inbox it is (S-4). */
export const inboxAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('akep.subscribe'), ...onSubscription, ...subscriptionTerms }),
  z.strictObject({ type: z.literal('akep.revise-subscription'), ...onSubscription, ...subscriptionTerms }),
  z.strictObject({ type: z.literal('akep.unsubscribe'), ...onSubscription }),
  z.strictObject({ type: z.literal('akep.issue-secret'), ...newSecret }),
  /** The producer's active secrets stay valid for so long; 0 retires them at once. */
  z.strictObject({ type: z.literal('akep.rotate-secret'), ...newSecret, overlapSeconds: z.int().min(0) }),
  z.strictObject({ type: z.literal('akep.retire-secret'), ...secret }),
  /** Brings the position of what has gone out back to this sequence. */
  z.strictObject({ type: z.literal('akep.resend'), ...onSubscription, after: z.int().min(0) }),
  z.strictObject({ type: z.literal('akep.enable-endpoint'), ...onSubscription }),
  /** By the ingesting gateway for the agent; `content` is the raw body, `key` the one that verified it. */
  z.strictObject({ type: z.literal('akep.receive'), ...event, ...produced }),
  /** By the bridge for the agent (B-1). */
  z.strictObject({ type: z.literal('akep.notify'), ...event, notice: kungfuNotice }),
  z.strictObject({ type: z.literal('akep.ack'), event: akepEventId, status: ackStatus }),
  /** Without anything to wait for, the task waits no longer. `after` absent: only events still to come. */
  z.strictObject({
    type: z.literal('akep.wait'),
    task: akepToken,
    eventTypes: z.array(akepToken),
    subjects: z.array(akepToken),
    interrupts: z.array(akepToken),
    after: z.int().min(0).optional(),
  }),
  /** The resume with this number, or the oldest of this task, or the oldest of all that nobody holds. */
  z.strictObject({
    type: z.literal('akep.claim'),
    resume: ordinal.optional(),
    task: akepToken.optional(),
    leaseSeconds: z.int().min(1),
  }),
  z.strictObject({ type: z.literal('akep.complete'), resume: ordinal, lease: ordinal }),
  /** By the notifier for the agent, after its tries (D-4). */
  z.strictObject({
    type: z.literal('akep.disable-endpoint'),
    ...onSubscription,
    how: z.enum(['failing', 'gone', 'forbidden-address']),
    failures: z.int().min(0),
  }),
  /** By the notifier for the agent: the events after `from`, where its position stood, up to `upTo` have gone out. */
  z.strictObject({ type: z.literal('akep.delivered'), ...onSubscription, from: z.int().min(0), upTo: ordinal }),
]);
export type InboxAction = Readonly<z.infer<typeof inboxAction>>;
