import { columnsOf, time, timeOrNull } from './columns.ts';
import type {
  AkepEventRow,
  AkepExpiryRow,
  AkepResumeRow,
  AkepSecretRow,
  AkepSubscriptionRow,
  AkepWaitRow,
} from './inbox-rows.ts';

export const akepSubscriptionColumns = columnsOf<AkepSubscriptionRow>({
  agent: 'agent',
  id: 'id',
  revision: 'revision',
  eventTypes: 'event_types',
  delivery: 'delivery',
  ackRequired: 'ack_required',
  retentionSeconds: 'retention_seconds',
  resumePolicies: 'resume_policies',
  payloadBytesMax: 'payload_bytes_max',
  content: 'content',
  createdAt: time('created_at'),
  changedAt: time('changed_at'),
  position: 'position',
  endpoint: 'endpoint',
  disabledHow: 'disabled_how',
  failures: 'failures',
  endedAt: time('ended_at'),
});

export const akepSecretColumns = columnsOf<AkepSecretRow>({
  agent: 'agent',
  producer: 'producer',
  key: 'key',
  content: 'content',
  status: 'status',
  issuedAt: time('issued_at'),
  until: timeOrNull('until'),
});

export const akepEventColumns = columnsOf<AkepEventRow>({
  agent: 'agent',
  sequence: 'sequence',
  receivedAt: time('received_at'),
  event: 'event',
  eventType: 'event_type',
  knowledge: 'knowledge',
  priority: 'priority',
  hash: 'hash',
  advised: 'advised',
  policy: 'policy',
  task: 'task',
  subjects: 'subjects',
  interrupt: 'interrupt',
  causation: 'causation',
  matched: 'matched',
  origin: (origin) =>
    origin.kind === 'producer'
      ? { producer: origin.producer, key: origin.key, content: origin.content.id, bytes: origin.content.bytes }
      : { notice: origin.notice },
  keptSeconds: 'kept_seconds',
  order: ({ subject, number, mark }) => ({ order_subject: subject, order_number: number, order_mark: mark ?? null }),
  status: 'status',
  acknowledgedAt: time('acknowledged_at'),
  expired: 'expired',
});

export const akepExpiryColumns = columnsOf<AkepExpiryRow>({
  agent: 'agent',
  from: 'first',
  upTo: 'last',
  at: time('at'),
});

export const akepWaitColumns = columnsOf<AkepWaitRow>({
  agent: 'agent',
  task: 'task',
  eventTypes: 'event_types',
  subjects: 'subjects',
  interrupts: 'interrupts',
  after: 'after',
  at: time('at'),
  endedAt: timeOrNull('ended_at'),
});

export const akepResumeColumns = columnsOf<AkepResumeRow>({
  agent: 'agent',
  resume: 'resume',
  event: 'event',
  sequence: 'sequence',
  task: 'task',
  how: 'how',
  status: 'status',
  at: time('at'),
  lease: 'lease',
  until: time('until'),
  endedAt: time('ended_at'),
});
