import type { InboxEffect } from '../inbox/effects.ts';
import type { ReceiptPart } from './receipt.ts';

/** What a receipt of an action on an inbox tells besides: names of its own, so that those of Kungfu stay as they are (B-3). */
export type InboxReceipt = {
  readonly subscription?: string;
  readonly revision?: number;
  readonly producer?: string;
  readonly event?: string;
  readonly sequence?: number;
  /** How far the receiver is with the event. */
  readonly status?: string;
  readonly resume?: number;
  readonly lease?: number;
  /** ISO 8601: how long the lease is held (P-2). */
  readonly until?: string;
};

/** These, in the order in which they stand in a receipt. Frozen (L3-1). */
export const aboutInbox = [
  'subscription',
  'revision',
  'producer',
  'event',
  'sequence',
  'status',
  'resume',
  'lease',
  'until',
] as const satisfies readonly (keyof InboxReceipt)[];
export type AboutInbox = InboxReceipt & { readonly task?: string };

/** What the action made or changed, most telling first; the inbox itself has the id of its agent. */
export const inboxRef = (object: string, { resume, event, subscription, task }: AboutInbox): string => {
  if (resume !== undefined) return `resumes/${resume}`;
  return event ?? subscription ?? task ?? object;
};

/** A resume that an event or a wait has queued is told as what became of it, not as what the action is about. */
export const partOfInbox = (effect: InboxEffect, action: string): ReceiptPart => {
  const became = effect.type.slice('inbox.'.length);
  switch (effect.type) {
    case 'inbox.subscribed':
    case 'inbox.subscription-revised': {
      const { subscription, revision } = effect;
      return { about: { subscription, revision }, transition: { ref: subscription, became } };
    }
    case 'inbox.unsubscribed':
    case 'inbox.delivered':
    case 'inbox.resend-asked':
    case 'inbox.endpoint-enabled': {
      const { subscription } = effect;
      return { about: { subscription }, transition: { ref: subscription, became } };
    }
    case 'inbox.endpoint-disabled': {
      const { subscription, how } = effect;
      return { about: { subscription }, transition: { ref: subscription, became, how } };
    }
    case 'inbox.secret-issued': {
      const { producer, key, hash } = effect;
      return { about: { producer, key, secretFingerprint: hash }, transition: { ref: key, became } };
    }
    case 'inbox.secret-retiring':
      return { transition: { ref: effect.key, became } };
    case 'inbox.secret-retired': {
      const { producer, key } = effect;
      return {
        ...(action === 'akep.retire-secret' ? { about: { producer, key } } : {}),
        transition: { ref: key, became },
      };
    }
    case 'inbox.event-received': {
      const { event, sequence } = effect;
      return { about: { event, sequence }, transition: { ref: event, became } };
    }
    case 'inbox.event-acknowledged': {
      const { event, sequence, status } = effect;
      return { about: { event, sequence, status }, transition: { ref: event, became: status } };
    }
    case 'inbox.events-expired':
      return {};
    case 'inbox.wait-declared':
    case 'inbox.wait-ended':
      return { about: { task: effect.task }, transition: { ref: effect.task, became } };
    case 'inbox.resume-queued':
      return { transition: { ref: `resumes/${effect.resume}`, became, how: effect.how } };
    case 'inbox.resume-leased': {
      const { task, event, sequence, resume, lease, until } = effect;
      const about = { task, event, sequence, resume, lease, until: new Date(until).toISOString() };
      return { about, transition: { ref: `resumes/${resume}`, became } };
    }
    case 'inbox.resume-completed': {
      const { task, event, sequence, resume, lease } = effect;
      return { about: { task, event, sequence, resume, lease }, transition: { ref: `resumes/${resume}`, became } };
    }
  }
};
