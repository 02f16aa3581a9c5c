import type { AnyEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import { type Effect, type Folding, placeOf } from './folding.ts';
import type { EngagementChange, EngagementStatus } from './rows.ts';

type TaskEffect = Extract<AnyEffect, { type: `task.${string}` | 'contract.stated' | `engagement.${string}` }>;
type OnEngagement = { readonly number: number };

/** What effects on a Task, its contract and its engagements change (§7, O-1). */
export const foldTask = (folding: Folding, effect: TaskEffect) => {
  const { plan, fact } = folding;
  const task = fact.object.id;
  switch (effect.type) {
    case 'task.created':
      return create(folding, effect);
    case 'contract.stated':
      return state(folding, effect);
    case 'task.paused':
      return plan.tasks.change(task, { id: task }, { paused: true });
    case 'task.resumed':
      return plan.tasks.change(task, { id: task }, { paused: false });
    case 'engagement.confirmed':
      return confirm(folding, effect);
    case 'engagement.delivered':
      return deliver(folding, effect);
    case 'engagement.adopted':
      plan.tasks.change(task, { id: task }, { adoptions: effect.adoptions });
      return end(folding, effect, 'judge', 'adopted', { endedHow: effect.by });
    case 'engagement.rejected':
      return end(folding, effect, 'judge', 'rejected', { endedHow: 'judge', reason: effect.content.id });
    case 'engagement.undecided':
      return end(folding, effect, 'judge', 'undecided', { endedHow: 'deadline' });
    case 'engagement.dropped':
      return end(folding, effect, 'deliver', 'dropped', { endedHow: 'dropped' });
    case 'engagement.timed-out':
      return end(folding, effect, 'deliver', 'timed-out', { endedHow: 'deadline' });
  }
};

/** A restricted Task is an opportunity of each agent that it names (O-5). */
const create = (folding: Folding, { author, audience }: Effect<'task.created'>): void => {
  const { plan, fact } = folding;
  const { id: task } = fact.object;
  const { at, revision } = fact;
  plan.tasks.make(task, {
    id: task,
    author,
    audience: audience.kind,
    paused: false,
    version: 0,
    adoptions: 0,
    createdAt: at,
    revision,
    lastAt: at,
  });
  if (audience.kind === 'open') return;
  for (const agent of audience.agents) {
    plan.audiences.make(keyOf(task, agent), { task, agent });
    plan.offers.make(keyOf(agent, task), { task, agent, from: author, place: placeOf(folding) });
  }
};

const state = ({ plan, fact }: Folding, effect: Effect<'contract.stated'>): void => {
  const task = fact.object.id;
  const { type: _, content, ...terms } = effect;
  plan.contracts.make(keyOf(task, effect.version), { task, ...terms, content: content.id, at: fact.at });
  plan.tasks.change(task, { id: task }, { version: effect.version });
};

const confirm = (folding: Folding, effect: Effect<'engagement.confirmed'>): void => {
  const { plan, fact } = folding;
  const task = fact.object.id;
  const { type: _, engagement, ...bound } = effect;
  plan.engagements.make(keyOf(task, effect.number), {
    task,
    id: engagement,
    ...bound,
    status: 'taken',
    takenAt: fact.at,
    memories: [],
  });
  begin(folding, effect, 'deliver', { holder: effect.agent, from: effect.author, deadline: effect.deliverBy });
};

const deliver = (folding: Folding, effect: Effect<'engagement.delivered'>): void => {
  const { agent, content, memories, judge, judgeBy } = effect;
  const payload = content === undefined ? {} : { payload: content };
  change(folding, effect, { status: 'delivered', deliveredAt: folding.fact.at, memories, judgeBy, ...payload });
  endDuty(folding, effect, 'deliver');
  begin(folding, effect, 'judge', { holder: judge, from: agent, deadline: judgeBy });
};

type Duty = 'deliver' | 'judge';

const end = (
  folding: Folding,
  effect: OnEngagement,
  duty: Duty,
  status: EngagementStatus,
  how: EngagementChange,
): void => {
  change(folding, effect, { status, endedAt: folding.fact.at, ...how });
  endDuty(folding, effect, duty);
};

const change = ({ plan, fact }: Folding, { number }: OnEngagement, changed: EngagementChange): void => {
  const task = fact.object.id;
  plan.engagements.change(keyOf(task, number), { task, number }, changed);
};

type Owed = { readonly holder: string; readonly from: string; readonly deadline: number };

const begin = (
  folding: Folding,
  { engagement, number }: OnEngagement & { readonly engagement: string },
  obligation: Duty,
  { holder, from, deadline }: Owed,
): void => {
  const { plan, fact, kind } = folding;
  const task = fact.object.id;
  const place = placeOf(folding);
  plan.engagementDuties.make(keyOf(task, number, obligation), {
    task,
    number,
    obligation,
    engagement,
    holder,
    from,
    deadline,
    place,
  });
  plan.deadlines.make(keyOf(kind, task, number, obligation), {
    kind,
    object: task,
    part: number,
    what: obligation,
    dueAt: deadline,
  });
};

/** With the duty ends its deadline. */
const endDuty = ({ plan, fact, kind }: Folding, { number }: OnEngagement, obligation: Duty): void => {
  const task = fact.object.id;
  const { at: endedAt } = fact;
  plan.engagementDuties.change(keyOf(task, number, obligation), { task, number, obligation }, { endedAt });
  plan.deadlines.change(
    keyOf(kind, task, number, obligation),
    { kind, object: task, part: number, what: obligation },
    { endedAt },
  );
};
