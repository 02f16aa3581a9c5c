import type { AckStatus, InboxEffect } from '@kungfu/protocol';
import type { AkepTerms } from './inbox-terms.ts';

type Of<T extends InboxEffect['type']> = Extract<InboxEffect, { readonly type: T }>;

/** A subscription and its endpoint. `position`: events up to it have gone out, where they go out by themselves (D-4, D-6). */
export type AkepSubscriptionRow = AkepTerms & {
  readonly agent: string;
  readonly id: string;
  readonly createdAt: number;
  readonly position: number;
  readonly endpoint: 'enabled' | 'disabled';
  readonly endedAt?: number;
  readonly disabledHow?: Of<'inbox.endpoint-disabled'>['how'] | null;
  readonly failures?: number;
};

/** A producer's secret; its ciphertext is content (S-3). `until` where another has taken its place (W-5). */
export type AkepSecretRow = {
  readonly agent: string;
  readonly producer: string;
  readonly key: string;
  readonly content: string;
  readonly status: 'active' | 'retiring' | 'retired';
  readonly issuedAt: number;
  readonly until?: number | null;
};

type Received = Of<'inbox.event-received'>;
/** An event of an inbox, in its order. */
export type AkepEventRow = Omit<Received, 'type' | 'matched'> & {
  readonly agent: string;
  readonly matched: readonly string[];
  readonly status: 'unacknowledged' | AckStatus;
  readonly acknowledgedAt?: number;
  readonly expired: boolean;
};

/** The events of an inbox that are past their retention. */
export type AkepExpiryRow = {
  readonly agent: string;
  readonly from: number;
  readonly upTo: number;
  readonly at: number;
};

export type AkepWaitRow = Omit<Of<'inbox.wait-declared'>, 'type'> & {
  readonly agent: string;
  readonly at: number;
  readonly endedAt?: number | null;
};

export type AkepResumeRow = Omit<Of<'inbox.resume-queued'>, 'type'> & {
  readonly agent: string;
  /** `expired`: its event is past its retention. */
  readonly status: 'queued' | 'leased' | 'done' | 'expired';
  readonly at: number;
  readonly lease?: number;
  readonly until?: number;
  readonly endedAt?: number;
};
