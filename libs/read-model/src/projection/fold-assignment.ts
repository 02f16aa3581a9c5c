import type { AnyEffect } from '@kungfu/protocol';
import { keyOf } from './changes.ts';
import { type Effect, type Folding, placeOf } from './folding.ts';
import type { AssignmentChange, AssignmentStatus } from './rows.ts';

type AssignmentEffect = Extract<AnyEffect, { type: `assignment.${string}` | 'judgment.forfeited' }>;

/** What effects on an assignment change: its row, the duty it lays on somebody, the deadline that runs (§6.4, O-1). */
export const foldAssignment = (folding: Folding, effect: AssignmentEffect) => {
  const { assignment } = effect;
  switch (effect.type) {
    case 'assignment.created':
      return create(folding, effect);
    case 'assignment.taken':
      return take(folding, effect);
    case 'assignment.delivered':
      return deliver(folding, effect);
    case 'assignment.adopted':
      return endJudging(folding, assignment, 'adopted', {});
    case 'assignment.rejected':
      return endJudging(folding, assignment, 'rejected', { reason: effect.content.id });
    case 'assignment.undecided':
      return endJudging(folding, assignment, 'undecided', {});
    case 'assignment.dropped':
      return endDelivering(folding, assignment, 'dropped', 'dropped');
    case 'assignment.timed-out':
      return endDelivering(folding, assignment, 'timed-out', 'timed-out');
    case 'assignment.voided':
      return effect.taker === undefined
        ? endUntaken(folding, assignment, effect.how)
        : endDelivering(folding, assignment, 'voided', effect.how);
    case 'judgment.forfeited':
      return forfeit(folding, assignment);
  }
};

/** Untaken it is no duty but an opportunity of its addressee (T-42, O-5). */
const create = (folding: Folding, effect: Effect<'assignment.created'>): void => {
  const { plan, fact } = folding;
  const thread = fact.object.id;
  const { type: _, content, ...contract } = effect;
  plan.assignments.make(keyOf(thread, effect.assignment), {
    thread,
    ...contract,
    content: content.id,
    status: 'open',
    memories: [],
    place: placeOf(folding),
  });
  plan.threads.change(thread, { id: thread }, { assignments: effect.assignment });
};

const take = (folding: Folding, { assignment, taker, deliverBy }: Effect<'assignment.taken'>): void => {
  const { at } = folding.fact;
  change(folding, assignment, { status: 'taken', takenAt: at, deliverBy, opportunityEndedAt: at });
  begin(folding, assignment, 'deliver', taker, deliverBy);
};

const deliver = (folding: Folding, effect: Effect<'assignment.delivered'>): void => {
  const { assignment, content, memories, judge, judgeBy } = effect;
  const payload = content === undefined ? {} : { payload: content };
  change(folding, assignment, {
    status: 'delivered',
    deliveredAt: folding.fact.at,
    memories,
    judge,
    judgeBy,
    ...payload,
  });
  endDuty(folding, assignment, 'deliver');
  endDeadline(folding, assignment, 'deliver');
  begin(folding, assignment, 'judge', judge, judgeBy);
};

const endUntaken = (folding: Folding, assignment: number, how: string): void => {
  const { at } = folding.fact;
  change(folding, assignment, { status: 'voided', endedAt: at, endedHow: how, opportunityEndedAt: at });
};

const endDelivering = (folding: Folding, assignment: number, status: AssignmentStatus, how: string): void => {
  change(folding, assignment, { status, endedAt: folding.fact.at, endedHow: how });
  endDuty(folding, assignment, 'deliver');
  endDeadline(folding, assignment, 'deliver');
};

const endJudging = (folding: Folding, assignment: number, status: AssignmentStatus, extra: AssignmentChange): void => {
  change(folding, assignment, { status, endedAt: folding.fact.at, endedHow: status, ...extra });
  endDuty(folding, assignment, 'judge');
  endDeadline(folding, assignment, 'judge');
};

/** The duty leaves the turn; the deadline goes on, and settles it as undecided (T-15). */
const forfeit = (folding: Folding, assignment: number): void => {
  change(folding, assignment, { judge: null });
  endDuty(folding, assignment, 'judge');
};

type Duty = 'deliver' | 'judge';

const change = (
  { plan, fact }: Folding,
  assignment: number,
  changed: AssignmentChange & { opportunityEndedAt?: number },
): void => {
  const thread = fact.object.id;
  plan.assignments.change(keyOf(thread, assignment), { thread, assignment }, changed);
};

const begin = (
  folding: Folding,
  assignment: number,
  obligation: Duty,
  holder: Effect<'assignment.taken'>['taker'],
  deadline: number,
): void => {
  const { plan, fact, kind } = folding;
  const thread = fact.object.id;
  plan.duties.make(keyOf(thread, assignment, obligation), {
    thread,
    assignment,
    obligation,
    holder,
    deadline,
    place: placeOf(folding),
  });
  plan.deadlines.make(keyOf(kind, thread, assignment, obligation), {
    kind,
    object: thread,
    part: assignment,
    what: obligation,
    dueAt: deadline,
  });
};

/** A duty ends once: that to judge may have been forfeited before the assignment ends as undecided (L5-2). */
const endDuty = ({ plan, fact }: Folding, assignment: number, obligation: Duty): void => {
  const thread = fact.object.id;
  const key = keyOf(thread, assignment, obligation);
  if (plan.duties.soFar(key)?.endedAt !== undefined) return;
  plan.duties.change(key, { thread, assignment, obligation }, { endedAt: fact.at });
};

const endDeadline = ({ plan, fact, kind }: Folding, assignment: number, what: Duty): void => {
  const thread = fact.object.id;
  plan.deadlines.change(
    keyOf(kind, thread, assignment, what),
    { kind, object: thread, part: assignment, what },
    { endedAt: fact.at },
  );
};
