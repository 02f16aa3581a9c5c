/** The closed set of next steps (§8, O-4, O-13). */
export const nextSteps = ['respond', 'deliver', 'judge', 'revise', 'retry', 'wait', 'done', 'stop'] as const;
export type NextStep = (typeof nextSteps)[number];

/** How a refusal is told: HTTP status, next step and a fixed sentence that says how to mend it (L2-3). */
export type RefusalInfo = {
  readonly status: number;
  readonly nextStep: NextStep;
  readonly title: string;
  readonly detail: string;
};

/** Every refusal there is. Closed: whatever refuses uses one of these (contract.md, Refusals). */
export const refusals = {
  unauthenticated: {
    status: 401,
    nextStep: 'stop',
    title: 'Not authenticated',
    detail: 'Send the key of an agent as "Authorization: Bearer <key>". A revoked or unknown key is not accepted.',
  },
  agent_inactive: {
    status: 403,
    nextStep: 'stop',
    title: 'The agent is deactivated',
    detail: 'Only an active agent may act. Reading still works; ask the administration to activate the agent.',
  },
  not_found: {
    status: 404,
    nextStep: 'stop',
    title: 'Not found',
    detail: 'There is no such object that you may know of. Use a reference that a read or a receipt handed out.',
  },
  grant_invalid: {
    status: 403,
    nextStep: 'stop',
    title: 'No valid admission',
    detail: 'This secret admits to no thread now. Ask a governor of the thread for a new grant.',
  },
  not_permitted: {
    status: 403,
    nextStep: 'stop',
    title: 'Not permitted',
    detail: 'You may know this object but not do this to it. Its working set lists the actions available to you.',
  },
  last_governor: {
    status: 409,
    nextStep: 'retry',
    title: 'The last governor stays',
    detail:
      'An open thread always has a governor. Give another member the role of governor first, or close the thread.',
  },
  thread_closed: {
    status: 409,
    nextStep: 'stop',
    title: 'The thread is closed',
    detail: 'A closed thread is read-only and is never opened again. Continue in a new thread.',
  },
  memory_withdrawn: {
    status: 409,
    nextStep: 'stop',
    title: 'The Memory is withdrawn',
    detail: 'A withdrawn Memory takes no further versions or references. Create a new Memory.',
  },
  task_paused: {
    status: 409,
    nextStep: 'wait',
    title: 'The Task is paused',
    detail: 'Its author has paused new engagements. Try again once it is resumed.',
  },
  no_effect: {
    status: 409,
    nextStep: 'done',
    title: 'Already so',
    detail: 'It is already as you asked; nothing was changed.',
  },
  not_pending: {
    status: 409,
    nextStep: 'done',
    title: 'Nothing pending',
    detail: 'There is no pending response to end here.',
  },
  deadline_passed: {
    status: 409,
    nextStep: 'stop',
    title: 'The deadline has passed',
    detail:
      'Its deadline ended it before this action was accepted. Redo the work through a new assignment or engagement.',
  },
  wrong_state: {
    status: 409,
    nextStep: 'stop',
    title: 'Not possible in this state',
    detail: 'The object is not in a state that allows this. Read its working set for the actions available now.',
  },
  adoption_limit: {
    status: 409,
    nextStep: 'judge',
    title: 'The adoption limit is reached',
    detail: 'The Task has been adopted as often as its contract allows. The delivery can still be rejected.',
  },
  not_eligible: {
    status: 403,
    nextStep: 'stop',
    title: 'Not eligible',
    detail: 'The contract names conditions that you do not meet.',
  },
  own_task: {
    status: 403,
    nextStep: 'stop',
    title: 'Your own Task',
    detail: 'The author and the judge of a Task cannot take it.',
  },
  invalid_target: {
    status: 422,
    nextStep: 'retry',
    title: 'The target does not fit',
    detail:
      'The entry, member, role or reference you named cannot be used here. Name one that fits and send the request again.',
  },
  schema_mismatch: {
    status: 422,
    nextStep: 'retry',
    title: 'The payload misses the output structure',
    detail: 'Correct the payload at the places listed under errors and send the request again.',
  },
  invalid: {
    status: 422,
    nextStep: 'retry',
    title: 'The request does not have the right shape',
    detail: 'Correct the places listed under errors and send the request again.',
  },
  too_large: {
    status: 413,
    nextStep: 'retry',
    title: 'Too large',
    detail: 'Shorten the request to the limits served at /v1 and send it again.',
  },
  changed: {
    status: 409,
    nextStep: 'retry',
    title: 'It has changed meanwhile',
    detail: 'What your request was checked against has changed. Read the object again and send the request again.',
  },
  capacity_members: {
    status: 409,
    nextStep: 'wait',
    title: 'The thread is full',
    detail: 'The thread has as many members as it may. Try again when one has left.',
  },
  capacity_responses: {
    status: 409,
    nextStep: 'wait',
    title: 'Too many open responses',
    detail: 'The thread has as many open responses as it may. Try again when some have ended.',
  },
  capacity_assignments: {
    status: 409,
    nextStep: 'wait',
    title: 'Too many live assignments',
    detail: 'The thread has as many live assignments as it may. Try again when some have ended.',
  },
  capacity_engagements: {
    status: 409,
    nextStep: 'wait',
    title: 'Too many open engagements',
    detail: 'The Task has as many open engagements as it may. Try again when some have ended.',
  },
  rate_limited: {
    status: 429,
    nextStep: 'wait',
    title: 'Too many requests',
    detail: 'Wait as long as retryAfter says, then send the request again under the same key.',
  },
  overloaded: {
    status: 503,
    nextStep: 'wait',
    title: 'Overloaded',
    detail:
      'The service has more to do than it can do at once. Wait as long as retryAfter says, then send the request again under the same key.',
  },
  idempotency_conflict: {
    status: 422,
    nextStep: 'retry',
    title: 'The key was used for another request',
    detail: 'Send this request under a new Idempotency-Key.',
  },
  expired: {
    status: 503,
    nextStep: 'retry',
    title: 'Not decided in time',
    detail: 'The request came too late to be decided and had no effect. Send it again under the same key.',
  },
  interrupted: {
    status: 503,
    nextStep: 'retry',
    title: 'Interrupted',
    detail:
      'An earlier attempt under this key was stopped and had no effect. Send the request again under the same key.',
  },
  pending: {
    status: 503,
    nextStep: 'retry',
    title: 'Not known yet',
    detail: 'The outcome is not known yet. Send the same request again under the same key to learn it.',
  },
  malformed: {
    status: 400,
    nextStep: 'retry',
    title: 'Malformed',
    detail: 'The request cannot be read. Send UTF-8 JSON without duplicate keys and a well-formed Idempotency-Key.',
  },
  invalid_cursor: {
    status: 400,
    nextStep: 'retry',
    title: 'The cursor does not fit',
    detail: 'Use a cursor as it was handed out, with the same query, or start again without one.',
  },
  method_not_allowed: {
    status: 405,
    nextStep: 'retry',
    title: 'Method not allowed',
    detail: 'Use one of the methods listed under Allow.',
  },
  unsupported_media_type: {
    status: 415,
    nextStep: 'retry',
    title: 'Unsupported media type',
    detail: 'Send the body as application/json in UTF-8.',
  },
  failed: {
    status: 500,
    nextStep: 'stop',
    title: 'Failed',
    detail: 'This is a fault of the service. It has been reported; the request had no effect.',
  },
} as const satisfies Record<string, RefusalInfo>;

export type RefusalCode = keyof typeof refusals;
export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);
