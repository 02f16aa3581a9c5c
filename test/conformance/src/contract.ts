/** The refusals of the contract, as this program expects them: an own copy, so that the service is measured by it. */
const refusals = {
  unauthenticated: [401, 'stop'],
  agent_inactive: [403, 'stop'],
  not_found: [404, 'stop'],
  grant_invalid: [403, 'stop'],
  not_permitted: [403, 'stop'],
  last_governor: [409, 'retry'],
  thread_closed: [409, 'stop'],
  memory_withdrawn: [409, 'stop'],
  task_paused: [409, 'wait'],
  no_effect: [409, 'done'],
  not_pending: [409, 'done'],
  deadline_passed: [409, 'stop'],
  wrong_state: [409, 'stop'],
  adoption_limit: [409, 'judge'],
  not_eligible: [403, 'stop'],
  own_task: [403, 'stop'],
  invalid_target: [422, 'retry'],
  schema_mismatch: [422, 'retry'],
  invalid: [422, 'retry'],
  too_large: [413, 'retry'],
  changed: [409, 'retry'],
  capacity_members: [409, 'wait'],
  capacity_responses: [409, 'wait'],
  capacity_assignments: [409, 'wait'],
  capacity_engagements: [409, 'wait'],
  rate_limited: [429, 'wait'],
  overloaded: [503, 'wait'],
  idempotency_conflict: [422, 'retry'],
  expired: [503, 'retry'],
  interrupted: [503, 'retry'],
  pending: [503, 'retry'],
  malformed: [400, 'retry'],
  invalid_cursor: [400, 'retry'],
  method_not_allowed: [405, 'retry'],
  unsupported_media_type: [415, 'retry'],
  failed: [500, 'stop'],
} as const satisfies Record<string, readonly [status: number, nextStep: string]>;

export type Code = keyof typeof refusals;
export const expected = (code: Code): { readonly status: number; readonly nextStep: string } => {
  const [status, nextStep] = refusals[code];
  return { status, nextStep };
};

/** The closed set of §8. */
export const nextSteps: ReadonlySet<string> = new Set([
  'respond',
  'deliver',
  'judge',
  'revise',
  'retry',
  'wait',
  'done',
  'stop',
]);
/** Refusals after which the same request is sent again under the same key. */
export const again: ReadonlySet<string> = new Set(['pending', 'expired', 'interrupted', 'overloaded']);
