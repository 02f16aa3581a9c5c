import type { InboxEffect } from '@kungfu/protocol';

type Stated = Extract<InboxEffect, { readonly type: 'inbox.subscribed' }>;

/** What a revision of a subscription states. `content` is the id of its document. */
export type AkepTerms = Omit<Stated, 'type' | 'subscription' | 'content' | 'startsAfter'> & {
  readonly content: string;
  readonly changedAt: number;
};

/** The terms of an effect, with the time of its fact. */
export const termsOf = (effect: Omit<Stated, 'type'>, changedAt: number): AkepTerms => {
  const { revision, eventTypes, delivery, ackRequired, retentionSeconds, resumePolicies, payloadBytesMax, content } =
    effect;
  const limits = { retentionSeconds, resumePolicies, payloadBytesMax };
  return { revision, eventTypes, delivery, ackRequired, ...limits, content: content.id, changedAt };
};
