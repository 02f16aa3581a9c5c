import { defaultLimits, type Limits } from '../limits.ts';
import type { RefusalCode } from '../refusals.ts';
import { type ActionName, actionInputs, actionNames } from './inputs.ts';
import { texts } from './texts.ts';
import type { ActionDefinition, Annotations, Part } from './types.ts';

/** What any action can be refused for: what the gateway finds, and what time and faults bring. */
export const commonRefusals = [
  'unauthenticated',
  'malformed',
  'invalid',
  'too_large',
  'unsupported_media_type',
  'idempotency_conflict',
  'rate_limited',
  'overloaded',
  'expired',
  'interrupted',
  'pending',
  'failed',
  'agent_inactive',
] as const satisfies readonly RefusalCode[];

type Row = {
  readonly route: `${ActionDefinition['method']} ${string}`;
  readonly refusals: readonly RefusalCode[];
  readonly sets?: readonly string[];
  readonly secret?: true;
  readonly destructive?: true;
};

const entries = '/v1/threads/{thread}/entries';
const assignments = '/v1/threads/{thread}/assignments/{assignment}';
const accounts = '/admin/v1/agents';
const judged = ['not_found', 'not_permitted', 'wrong_state', 'deadline_passed'] as const;
const delivered = [
  'not_found',
  'not_permitted',
  'wrong_state',
  'deadline_passed',
  'schema_mismatch',
  'invalid_target',
  'memory_withdrawn',
  'thread_closed',
  'changed',
] as const;

const engagements = '/v1/tasks/{task}/engagements';
const contracted = ['invalid_target', 'memory_withdrawn'] as const;
const onEngagement = ['not_found', 'not_permitted', 'wrong_state', 'deadline_passed'] as const;
const outputRefusals = ['schema_mismatch', 'invalid_target', 'memory_withdrawn', 'changed'] as const;

const rows: { readonly [N in ActionName]: Row } = {
  'memory.create': { route: 'POST /v1/memories', refusals: [] },
  'memory.update': {
    route: 'POST /v1/memories/{memory}/versions',
    refusals: ['not_found', 'not_permitted', 'memory_withdrawn'],
  },
  'memory.publish': {
    route: 'POST /v1/memories/{memory}/publish',
    refusals: ['not_found', 'not_permitted', 'memory_withdrawn', 'no_effect'],
  },
  'memory.unpublish': {
    route: 'POST /v1/memories/{memory}/unpublish',
    refusals: ['not_found', 'not_permitted', 'memory_withdrawn', 'no_effect'],
  },
  'memory.withdraw': {
    route: 'POST /v1/memories/{memory}/withdraw',
    refusals: ['not_found', 'not_permitted', 'memory_withdrawn'],
    destructive: true,
  },
  'thread.create': { route: 'POST /v1/threads', refusals: [], secret: true },
  'thread.grant': {
    route: 'POST /v1/threads/{thread}/grant',
    refusals: ['not_found', 'not_permitted', 'thread_closed'],
    secret: true,
  },
  'thread.revoke-grant': {
    route: 'DELETE /v1/threads/{thread}/grant',
    refusals: ['not_found', 'not_permitted', 'thread_closed', 'no_effect'],
    destructive: true,
  },
  'thread.join': { route: 'POST /v1/join', refusals: ['grant_invalid', 'capacity_members'] },
  'thread.leave': {
    route: 'POST /v1/threads/{thread}/leave',
    refusals: ['not_found', 'last_governor'],
    destructive: true,
  },
  'thread.close': {
    route: 'POST /v1/threads/{thread}/close',
    refusals: ['not_found', 'not_permitted', 'thread_closed'],
    destructive: true,
  },
  'thread.remove': {
    route: 'DELETE /v1/threads/{thread}/members/{member}',
    refusals: ['not_found', 'not_permitted', 'thread_closed', 'invalid_target', 'last_governor'],
    destructive: true,
  },
  'thread.set-role': {
    route: 'PUT /v1/threads/{thread}/members/{member}',
    refusals: ['not_found', 'not_permitted', 'thread_closed', 'invalid_target', 'last_governor', 'no_effect'],
  },
  'thread.post': {
    route: `POST ${entries}`,
    refusals: [
      'not_found',
      'not_permitted',
      'thread_closed',
      'invalid_target',
      'memory_withdrawn',
      'capacity_responses',
      'capacity_assignments',
    ],
    sets: ['/ask'],
  },
  'thread.handle': { route: `POST ${entries}/{entry}/handle`, refusals: ['not_found', 'thread_closed', 'not_pending'] },
  'thread.retract': {
    route: `POST ${entries}/{entry}/retract`,
    refusals: ['not_found', 'not_permitted', 'thread_closed', 'not_pending'],
  },
  'assignment.take': { route: `POST ${assignments}/take`, refusals: delivered },
  'assignment.deliver': { route: `POST ${assignments}/deliver`, refusals: delivered },
  'assignment.drop': { route: `POST ${assignments}/drop`, refusals: judged, destructive: true },
  'assignment.void': { route: `POST ${assignments}/void`, refusals: judged, destructive: true },
  'assignment.adopt': { route: `POST ${assignments}/adopt`, refusals: judged },
  'assignment.reject': { route: `POST ${assignments}/reject`, refusals: judged },
  'task.create': {
    route: 'POST /v1/tasks',
    refusals: contracted,
    sets: ['/eligibility', '/audience/restricted'],
  },
  'task.revise': {
    route: 'POST /v1/tasks/{task}/versions',
    refusals: ['not_found', 'not_permitted', ...contracted],
    sets: ['/eligibility'],
  },
  'task.pause': { route: 'POST /v1/tasks/{task}/pause', refusals: ['not_found', 'not_permitted', 'no_effect'] },
  'task.resume': { route: 'POST /v1/tasks/{task}/resume', refusals: ['not_found', 'not_permitted', 'no_effect'] },
  'task.take': {
    route: `POST ${engagements}`,
    refusals: [
      'not_found',
      'own_task',
      'not_eligible',
      'task_paused',
      'adoption_limit',
      'wrong_state',
      'capacity_engagements',
      ...outputRefusals,
    ],
  },
  'engagement.deliver': {
    route: `POST ${engagements}/{engagement}/deliver`,
    refusals: [...onEngagement, ...outputRefusals],
  },
  'engagement.drop': { route: `POST ${engagements}/{engagement}/drop`, refusals: onEngagement, destructive: true },
  'engagement.adopt': {
    route: `POST ${engagements}/{engagement}/adopt`,
    refusals: [...onEngagement, 'adoption_limit'],
  },
  'engagement.reject': { route: `POST ${engagements}/{engagement}/reject`, refusals: onEngagement },
  'agent.create': { route: `POST ${accounts}`, refusals: [], sets: ['/labels'], secret: true },
  'agent.issue-key': { route: `POST ${accounts}/{agent}/keys`, refusals: ['not_found'], secret: true },
  'agent.revoke-key': {
    route: `DELETE ${accounts}/{agent}/keys/{key}`,
    refusals: ['not_found', 'no_effect'],
    destructive: true,
  },
  'agent.set-labels': {
    route: `PUT ${accounts}/{agent}/labels`,
    refusals: ['not_found', 'no_effect'],
    sets: ['/labels'],
  },
  'agent.deactivate': {
    route: `POST ${accounts}/{agent}/deactivate`,
    refusals: ['not_found', 'no_effect', 'wrong_state'],
    destructive: true,
  },
  'agent.activate': { route: `POST ${accounts}/{agent}/activate`, refusals: ['not_found', 'no_effect', 'wrong_state'] },
};

export type ActionCatalogue = { readonly [N in ActionName]: ActionDefinition<N> };

/** Every action there is, with inputs bounded by these limits. */
export const actionCatalogue = (limits: Limits = defaultLimits): ActionCatalogue => {
  const inputs = actionInputs(limits);
  const all = actionNames.map((name) => [name, define(name, inputs[name])] as const);
  return Object.fromEntries(all) as unknown as ActionCatalogue;
};

const define = (name: ActionName, input: ActionDefinition['input']): ActionDefinition => {
  const { route, refusals, sets = [], secret = false, destructive = false } = rows[name];
  const [method, path] = route.split(' ') as [ActionDefinition['method'], string];
  const kind = kindOf(name);
  const parameters = [...path.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1]!);
  return {
    name,
    kind,
    method,
    path,
    input,
    sets,
    secret,
    refusals,
    door: kind === 'agent' ? 'administration' : 'agents',
    ...(parameters.includes(kind) ? { object: kind } : {}),
    parts: parameters.filter((parameter): parameter is Part => parameter !== kind),
    ...texts[name],
    annotations: annotations(destructive),
  };
};

/** Every action is repeatable under its key (L3-1); nothing reaches outside the service. */
const annotations = (destructive: boolean): Annotations => ({
  readOnly: false,
  destructive,
  idempotent: true,
  openWorld: false,
});

/** Which kind of object an action decides on; assignments are parts of a thread, engagements of a Task. */
const kindOf = (name: ActionName): ActionDefinition['kind'] => {
  switch (name.slice(0, name.indexOf('.'))) {
    case 'agent':
      return 'agent';
    case 'memory':
      return 'memory';
    case 'task':
    case 'engagement':
      return 'task';
    default:
      return 'thread';
  }
};
