import type { AkepEvent } from '../schemas/event.ts';
import type { Subscription } from '../schemas/subscription.ts';

/** An event that uses every field. */
export const fullEvent: AkepEvent = {
  spec: 'akep.v1',
  event_id: 'evt_01HX5S8ZQ9J6W9E5W4H8A2K7D3',
  event_type: 'knowledge.acquired',
  occurred_at: '2026-05-17T03:00:00Z',
  source: {
    producer_id: 'prod_survey_01',
    name: 'survey',
    type: 'publisher',
    source_event_id: 'submission_456_completed',
  },
  subject: {
    task_id: 'task_123',
    thread_id: 'thread_456',
    agent_id: 'agent_local',
    floor: 3,
    vacant: true,
    note: null,
  },
  knowledge: {
    kind: 'observation',
    content_type: 'application/json; charset=utf-8',
    uri: 'https://survey.example/artifacts/456',
    summary: 'The video is ready. Condition good, noise low.',
    confidence: 0.82,
    expires_at: '2026-06-17T03:00:00.250+02:00',
    content: { condition: 'good', measures: [{ decibel: 31 }] },
    hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  routing: {
    resume_policy: 'resume_if_waiting',
    priority: 'normal',
    interrupt_id: 'interrupt_1',
    causation_id: 'evt_previous_01',
    sequence: 42,
  },
  links: { self: 'https://survey.example/akep/events/1', ack: 'https://survey.example/akep/events/1/ack' },
  extensions: { 'example.survey': { round: 2 } },
};

/** An event with required fields only. */
export const leastEvent: AkepEvent = {
  spec: 'akep.v1',
  event_id: 'evt_0001',
  event_type: 'tool.completed',
  occurred_at: '2026-05-17T03:00:00Z',
  source: { producer_id: 'abc', name: 's', type: 'tool' },
  subject: { task_id: 't' },
  knowledge: { kind: 'tool_result', content_type: 'text/plain', summary: 'Done.' },
  routing: { resume_policy: 'append_only' },
};

/** A subscription that `fullEvent` matches when it comes from its producer under this key. */
export const subscription: Subscription = {
  spec: 'akep.v1',
  sink: 'agent.local.123',
  event_types: ['knowledge.acquired', 'tool.completed'],
  filters: { 'subject.task_id': 'task_123', 'knowledge.kind': ['observation', 'tool_result'] },
  delivery: {
    type: 'webhook',
    url: 'https://agent.example/akep/events',
    ack_required: true,
    replay_retention_seconds: 604_800,
  },
  security: {
    accepted_source_names: ['survey'],
    accepted_producer_ids: ['prod_survey_01'],
    signature_key_ids: ['2026-05'],
  },
  capabilities: { resume_policies: ['append_only', 'resume_if_waiting'], max_payload_bytes: 1_048_576 },
};

/** The value with something else at this path; undefined takes the field away. */
export const withAt = (value: unknown, path: string, replacement: unknown): unknown => {
  const [step, ...rest] = path.split('/').slice(1);
  if (step === undefined) return replacement;
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  const replaced = withAt(inner ?? {}, rest.map((name) => `/${name}`).join(''), replacement);
  return replaced === undefined ? others : { ...others, [step]: replaced };
};
