import { toleranceSecondsDefault } from './webhook-headers.ts';
import { commandWords } from './command-words.ts';
import { eventSchema } from './schemas/event.ts';
import { filterBounds, subscriptionSchema } from './schemas/subscription.ts';

/** What of AKEP a service has switched on; the document says no more than that (P-4). */
export type SwitchedOn = {
  /** Producers' webhooks are taken. */
  readonly ingestion: boolean;
  /** Pages, long poll, acknowledgements. */
  readonly replay: boolean;
  readonly sse: boolean;
  readonly webSocket: boolean;
  readonly push: boolean;
  readonly queue: boolean;
  readonly taskState: boolean;
  /** Facts of Kungfu come as events. */
  readonly bridge: boolean;
};

/** Limits as they are configured. */
export type AkepServiceLimits = {
  readonly eventBytesMax: number;
  readonly subscriptionsMax: number;
  readonly pageEventsDefault: number;
  readonly pageEventsMax: number;
  readonly waitSecondsMax: number;
  readonly retentionSecondsMin: number;
  readonly retentionSecondsMax: number;
  readonly retentionSecondsDefault: number;
  readonly toleranceSeconds?: number;
};

export type Service = {
  readonly name: string;
  /** Where the service is reached: scheme and host, perhaps a path; without a slash at the end. */
  readonly issuer: string;
  readonly on: SwitchedOn;
  readonly limits: AkepServiceLimits;
};

/** Unacknowledged events stay for seven days at least, whatever a subscription says. */
const unacknowledgedSecondsMin = 604_800;

/** Every endpoint, and what has to be on for it to be there. */
const endpoints: readonly (readonly [name: string, path: string, is: (on: SwitchedOn) => boolean])[] = [
  ['events', '/akep/events', ({ ingestion }) => ingestion],
  ['replay', '/akep/events', ({ replay }) => replay],
  ['wait', '/akep/events/wait', ({ replay }) => replay],
  ['ack', '/akep/events/{event_id}/ack', ({ replay }) => replay],
  ['stream', '/akep/events/stream', ({ sse }) => sse],
  ['socket', '/akep/socket', ({ webSocket }) => webSocket],
  ['subscriptions', '/akep/subscriptions', () => true],
  ['tasks', '/akep/tasks/{task_id}', ({ taskState }) => taskState],
  ['task_wait', '/akep/tasks/{task_id}/wait', ({ taskState }) => taskState],
  ['resumes_claim', '/akep/resumes/claim', ({ taskState }) => taskState],
  ['resumes_complete', '/akep/resumes/{resume_id}/complete', ({ taskState }) => taskState],
];

/** Every profile (P-6), and what has to be on for it to be true. */
const profiles: readonly (readonly [name: string, is: (on: SwitchedOn) => boolean])[] = [
  ['core_event_receiver', ({ ingestion }) => ingestion],
  ['webhook', ({ ingestion }) => ingestion],
  ['replay_inbox', ({ replay }) => replay],
  ['relay', ({ ingestion, replay }) => ingestion && replay],
  ['sse', ({ sse }) => sse],
  ['websocket', ({ webSocket }) => webSocket],
  ['webhook_push', ({ push }) => push],
  ['queue', ({ queue }) => queue],
  ['task_state', ({ taskState }) => taskState],
  ['knowledge_publisher_results', ({ ingestion, replay }) => ingestion && replay],
  ['kungfu_bridge', ({ bridge, replay }) => bridge && replay],
];

/** The document of `/.well-known/akep.json`: for anybody, and true (P-4, P-6). Addresses are absolute. */
export const discoveryDocument = ({ name, issuer, on, limits }: Service): Readonly<Record<string, unknown>> => ({
  spec: 'akep.v1',
  service_name: name,
  issuer,
  endpoints: Object.fromEntries(endpoints.flatMap(([of, path, is]) => (is(on) ? [[of, `${issuer}${path}`]] : []))),
  delivery_profiles: profiles.flatMap(([profile, is]) => (is(on) ? [profile] : [])),
  signature_algorithms: on.ingestion || on.push ? ['v1'] : [],
  auth_schemes: ['bearer'],
  event_schema: `${issuer}${eventSchema['$id']}`,
  subscription_schema: `${issuer}${subscriptionSchema['$id']}`,
  retention: {
    minimum_unacked_seconds: unacknowledgedSecondsMin,
    minimum_seconds: limits.retentionSecondsMin,
    default_seconds: limits.retentionSecondsDefault,
    maximum_seconds: limits.retentionSecondsMax,
  },
  limits: {
    max_payload_bytes: limits.eventBytesMax,
    max_subscriptions: limits.subscriptionsMax,
    max_filters: filterBounds.filtersMax,
    max_filter_depth: filterBounds.stepsMax,
    max_filter_members: filterBounds.membersMax,
    default_page_events: limits.pageEventsDefault,
    max_page_events: limits.pageEventsMax,
    max_wait_seconds: limits.waitSecondsMax,
    timestamp_tolerance_seconds: limits.toleranceSeconds ?? toleranceSecondsDefault,
  },
  refused_field_names: [...commandWords].sort(),
});
