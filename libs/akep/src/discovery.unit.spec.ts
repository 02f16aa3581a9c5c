import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discoveryDocument, type SwitchedOn } from './discovery.ts';

const everything: SwitchedOn = {
  ingestion: true,
  replay: true,
  sse: true,
  webSocket: true,
  push: true,
  queue: true,
  taskState: true,
  bridge: true,
};
const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, false])) as SwitchedOn;
const limits = {
  eventBytesMax: 1_048_576,
  subscriptionsMax: 100,
  pageEventsDefault: 100,
  pageEventsMax: 1_000,
  waitSecondsMax: 60,
  retentionSecondsMin: 86_400,
  retentionSecondsMax: 2_592_000,
  retentionSecondsDefault: 604_800,
};
const document = (on: SwitchedOn) =>
  discoveryDocument({ name: 'Kungfu', issuer: 'https://kungfu.example', on, limits }) as {
    readonly endpoints: Readonly<Record<string, string>>;
    readonly delivery_profiles: readonly string[];
    readonly signature_algorithms: readonly string[];
  };
const only = (...names: readonly (keyof SwitchedOn)[]) =>
  document({ ...nothing, ...Object.fromEntries(names.map((name) => [name, true])) });

describe('the discovery document', () => {
  it('[P-4] says what there is, where, and within which limits', () => {
    expect(document(everything)).toMatchObject({
      spec: 'akep.v1',
      service_name: 'Kungfu',
      issuer: 'https://kungfu.example',
      endpoints: {
        events: 'https://kungfu.example/akep/events',
        replay: 'https://kungfu.example/akep/events',
        wait: 'https://kungfu.example/akep/events/wait',
        ack: 'https://kungfu.example/akep/events/{event_id}/ack',
        stream: 'https://kungfu.example/akep/events/stream',
        socket: 'https://kungfu.example/akep/socket',
        subscriptions: 'https://kungfu.example/akep/subscriptions',
        tasks: 'https://kungfu.example/akep/tasks/{task_id}',
      },
      signature_algorithms: ['v1'],
      auth_schemes: ['bearer'],
      event_schema: 'https://kungfu.example/akep/schemas/event.json',
      subscription_schema: 'https://kungfu.example/akep/schemas/subscription.json',
      retention: {
        minimum_unacked_seconds: 604_800,
        minimum_seconds: 86_400,
        default_seconds: 604_800,
        maximum_seconds: 2_592_000,
      },
      limits: {
        max_payload_bytes: 1_048_576,
        max_subscriptions: 100,
        default_page_events: 100,
        max_page_events: 1_000,
        max_wait_seconds: 60,
        timestamp_tolerance_seconds: 300,
      },
    });
  });
  it('[P-6] lists the profiles', () => {
    expect(document(everything).delivery_profiles).toEqual(
      expect.arrayContaining([
        'core_event_receiver',
        'replay_inbox',
        'relay',
        'task_state',
        'knowledge_publisher_results',
      ]),
    );
  });
  it('[P-4] lists nothing that is switched off', () => {
    expect(document(nothing)).toMatchObject({ delivery_profiles: [], signature_algorithms: [] });
    expect(Object.keys(document(nothing).endpoints)).toEqual(['subscriptions']);
    expect(only('ingestion').delivery_profiles).toEqual(['core_event_receiver', 'webhook']);
    expect(only('replay').delivery_profiles).toEqual(['replay_inbox']);
    expect(only('push').signature_algorithms).toEqual(['v1']);
    expect(only('sse').endpoints).toHaveProperty('stream');
    expect(only('webSocket').endpoints).not.toHaveProperty('stream');
    expect(only('taskState').delivery_profiles).toEqual(['task_state']);
  });
  it('[P-4] never says more when less is on', () => {
    const said = (on: SwitchedOn) => [...document(on).delivery_profiles, ...Object.keys(document(on).endpoints)];
    const switches = fc.record(Object.fromEntries(Object.keys(everything).map((name) => [name, fc.boolean()])));
    const name = fc.constantFrom(...(Object.keys(everything) as (keyof SwitchedOn)[]));
    fc.assert(
      fc.property(switches, name, (some, off) => {
        const on = some as SwitchedOn;
        expect(said(on)).toEqual(expect.arrayContaining(said({ ...on, [off]: false })));
      }),
    );
  });
});
