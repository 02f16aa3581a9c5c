import type { AgentId } from '../ids.ts';
import { accept, type Context, type Decision, type Kind, refuse } from '../kernel.ts';
import type { EngagementDelivery, TaskAction } from './actions.ts';
import { due } from './deadlines.ts';
import type { TaskEffect } from './effects.ts';
import {
  type Ended,
  engagementOf,
  evolve,
  type Existing,
  fromPieces,
  isNamed,
  judges,
  knows,
  limitReached,
  type Live,
  nextNumber,
  openOf,
  pieces,
  type TaskState,
} from './state.ts';

type Of<T extends TaskAction['type']> = Extract<TaskAction, { type: T }>;
type OnEngagement = Extract<TaskAction, { type: `engagement.${string}` }>;
type OnTask = Exclude<TaskAction, OnEngagement | { type: 'task.create' }>;

/** Decides an action on a Task (§7). The owner has fired due deadlines before (L4-3). */
export const decide = (state: TaskState, action: TaskAction, context: Context): Decision<TaskEffect> => {
  if (context.inactive(context.agent)) return refuse('agent_inactive');
  if (action.type === 'task.create') return create(state, action, context);
  if (state.status !== 'open') return refuse('not_found');
  return isOnEngagement(action) ? onEngagement(state, action, context) : onTask(state, action, context);
};

const isOnEngagement = (action: TaskAction): action is OnEngagement => action.type.startsWith('engagement.');

/** To an agent that may not know the Task it is as if there were none (V-14). */
const onTask = (task: Existing, action: OnTask, context: Context): Decision<TaskEffect> => {
  const agent = context.agent as AgentId;
  if (!knows(task, agent)) return refuse('not_found');
  if (action.type === 'task.take') return take(task, action, context);
  if (agent !== task.author) return refuse('not_permitted');
  switch (action.type) {
    case 'task.revise':
      return revise(task, action, context);
    case 'task.pause':
      return task.paused ? refuse('no_effect') : accept({ type: 'task.paused' });
    case 'task.resume':
      return task.paused ? accept({ type: 'task.resumed' }) : refuse('no_effect');
  }
};

/** Creates a Task with the first version of its contract (K-1, K-6). */
const create = (state: TaskState, action: Of<'task.create'>, context: Context): Decision<TaskEffect> => {
  if (state.status !== 'absent') return refuse('wrong_state');
  const author = context.agent as AgentId;
  const { audience } = action;
  const named = audience.kind === 'open' ? [] : audience.agents;
  if (named.some((agent) => agent === author || context.inactive(agent))) return refuse('invalid_target');
  if (!contractFits(action, audience.kind, context)) return refuse('invalid_target');
  if (action.unusable !== undefined) return refuse(action.unusable);
  return accept({ type: 'task.created', author, audience }, stated(action, 1));
};

/** A new version, which binds only later engagements (K-5); the audience stays (K-6). */
const revise = (task: Existing, action: Of<'task.revise'>, context: Context): Decision<TaskEffect> => {
  if (!contractFits(action, task.audience.kind, context)) return refuse('invalid_target');
  if (action.unusable !== undefined) return refuse(action.unusable);
  return accept(stated(action, task.terms.version + 1));
};

type Contract = Of<'task.create'> | Of<'task.revise'>;
/** The judge is an active agent (K-3); deliveries of a restricted Task are not for everyone (V-11). */
const contractFits = (
  { judge, adoptedReaders }: Contract,
  audience: 'open' | 'restricted',
  { inactive }: Context,
): boolean => !inactive(judge) && !(audience === 'restricted' && adoptedReaders === 'anyone');

const stated = (action: Contract, version: number): TaskEffect => {
  const { content, structured, requiredInputs, informative, deliverySeconds, judgmentSeconds } = action;
  const { withoutJudgment, judge, eligibility, maxAdoptions, adoptedReaders } = action;
  return {
    type: 'contract.stated',
    version,
    content,
    structured,
    requiredInputs,
    informative,
    deliverySeconds,
    judgmentSeconds,
    withoutJudgment,
    judge,
    eligibility,
    ...(maxAdoptions === undefined ? {} : { maxAdoptions }),
    adoptedReaders,
  };
};

/**
 * Confirms an engagement, or returns the open one (K-8, K-9, L2-4). With a delivery it equals the two actions in order, also
 * when the engagement was there already (L2-2, K-10).
 */
const take = (task: Existing, action: Of<'task.take'>, context: Context): Decision<TaskEffect> => {
  const agent = context.agent as AgentId;
  const refused = notTaking(task, action, agent);
  if (refused !== undefined) return refused;
  const open = openOf(task, agent);
  return open === undefined ? engage(task, action, context) : again(open, action, context.at);
};

/** Permission to take: neither author nor judge, in the audience, with every label asked for (K-4, K-6, K-7). */
const notTaking = (task: Existing, { labels }: Of<'task.take'>, agent: AgentId): Decision<never> | undefined => {
  if (agent === task.author || judges(task, agent)) return refuse('own_task');
  const eligible = task.terms.eligibility.every((label) => labels.includes(label));
  return isNamed(task, agent) && eligible ? undefined : refuse('not_eligible');
};

const again = (open: Live, { version, delivery }: Of<'task.take'>, at: number): Decision<TaskEffect> => {
  if (delivery === undefined)
    return {
      kind: 'accepted',
      effects: [],
      existing: { type: 'engagement', engagement: open.engagement, number: open.number },
    };
  if (open.status !== 'taken') return refuse('wrong_state');
  return version === open.version ? deliver(open, delivery, at) : refuse('changed');
};

const engage = (task: Existing, action: Of<'task.take'>, context: Context): Decision<TaskEffect> => {
  const { at, limits } = context;
  const { terms } = task;
  // While the author is inactive nobody can take it (K-7): as if it were paused.
  if (task.paused || context.inactive(task.author)) return refuse('task_paused');
  if (limitReached(task.adoptions, terms)) return refuse('adoption_limit');
  if (!redoesFits(task, action, context)) return refuse('invalid_target');
  if (task.live.size >= limits.openEngagementsMax) return refuse('capacity_engagements');
  if (action.version !== undefined && action.version !== terms.version) return refuse('changed');
  const effect = confirmation(task, action, context);
  if (action.delivery === undefined) return accept(effect);
  const live = (evolve(task, effect) as Existing).live.get(action.engagement)!;
  const delivered = deliver(live, action.delivery, at);
  return delivered.kind === 'refused' ? delivered : accept(effect, ...delivered.effects);
};

/** Redoing refers to an own engagement of this Task that has ended (O-13). */
const redoesFits = (task: Existing, { redoes }: Of<'task.take'>, { agent }: Context): boolean => {
  const earlier = redoes === undefined ? undefined : engagementOf(task, redoes);
  return redoes === undefined || (earlier !== undefined && !('status' in earlier) && earlier.agent === agent);
};

const confirmation = (
  task: Existing,
  { engagement, redoes }: Of<'task.take'>,
  { agent, at }: Context,
): Extract<TaskEffect, { type: 'engagement.confirmed' }> => ({
  type: 'engagement.confirmed',
  engagement,
  number: nextNumber(task),
  agent: agent as AgentId,
  author: task.author,
  judge: task.terms.judge,
  version: task.terms.version,
  inputs: [...task.terms.requiredInputs],
  deliverBy: at + task.terms.deliverySeconds * 1_000,
  ...(redoes === undefined ? {} : { redoes }),
});

/** Engaged agent, author and judge know an engagement; to anyone else there is none (V-10). */
const onEngagement = (task: Existing, action: OnEngagement, context: Context): Decision<TaskEffect> => {
  const agent = context.agent as AgentId;
  const found = engagementOf(task, action.engagement);
  if (found === undefined || ![task.author, found.agent, found.judge].includes(agent)) return refuse('not_found');
  if (!may(found, agent, action)) return refuse('not_permitted');
  if (!('status' in found)) return refuse(found.byDeadline ? 'deadline_passed' : 'wrong_state');
  return decideLive(task, found, action, context.at);
};

/** The engaged agent delivers and drops, the judge of the bound version judges (K-10, K-11). */
const may = ({ agent, judge }: Live | Ended, acting: AgentId, { type }: OnEngagement): boolean => {
  switch (type) {
    case 'engagement.deliver':
    case 'engagement.drop':
      return agent === acting;
    case 'engagement.adopt':
    case 'engagement.reject':
      return judge === acting;
  }
};

const decideLive = (task: Existing, live: Live, action: OnEngagement, at: number): Decision<TaskEffect> => {
  const { engagement, number, status } = live;
  switch (action.type) {
    case 'engagement.deliver':
      return status === 'taken' ? deliver(live, action.delivery, at) : refuse('wrong_state');
    case 'engagement.drop':
      return status === 'taken' ? accept({ type: 'engagement.dropped', engagement, number }) : refuse('wrong_state');
    case 'engagement.adopt':
      return adopt(task, live);
    case 'engagement.reject':
      return status === 'delivered'
        ? accept({ type: 'engagement.rejected', engagement, number, content: action.content })
        : refuse('wrong_state');
  }
};

const deliver = (
  { engagement, number, agent, judge, judgmentSeconds }: Live,
  { content, memories, unusable }: EngagementDelivery,
  at: number,
): Decision<TaskEffect> => {
  if (unusable !== undefined) return refuse(unusable);
  return accept({
    type: 'engagement.delivered',
    engagement,
    number,
    agent,
    memories,
    judge,
    judgeBy: at + judgmentSeconds * 1_000,
    ...(content === undefined ? {} : { content }),
  });
};

/** First come, first served, against all adoptions of the Task (K-15). */
const adopt = ({ adoptions }: Existing, live: Live): Decision<TaskEffect> => {
  if (live.status !== 'delivered') return refuse('wrong_state');
  if (limitReached(adoptions, live)) return refuse('adoption_limit');
  const { engagement, number } = live;
  return accept({ type: 'engagement.adopted', engagement, number, by: 'judge', adoptions: adoptions + 1 });
};

/** The Task: a contract offered to agents that need not know one another (§7). An account that ends cancels nothing (K-13, A-5). */
export const taskKind: Kind<TaskState, TaskAction, TaskEffect> = {
  name: 'task',
  initial: { status: 'absent' },
  evolve,
  decide,
  due: (state, at) => (state.status === 'open' ? due(state, at) : []),
  deactivate: () => [],
  ties: () => [],
  pieces,
  fromPieces,
};
