import { type AnyEffect, type Fact, receiptOf, type Refused } from '@kungfu/protocol';
import { foldAgent } from './fold-agent.ts';
import { foldAssignment } from './fold-assignment.ts';
import { foldInbox } from './fold-inbox.ts';
import { foldMemory } from './fold-memory.ts';
import { foldTask } from './fold-task.ts';
import { foldThread } from './fold-thread.ts';
import type { Folding } from './folding.ts';
import type { FactAdvance, Unfoldable } from './port.ts';
import { Plan } from './rows.ts';

const factsPrefix = 'kungfu.facts.';
/** The kind of a fact topic: `akep.inbox` of `kungfu.facts.akep.inbox`. */
const kindOf = (topic: string): string => topic.slice(factsPrefix.length);

/** The changes of a batch, and what could not be folded; the plan holds nothing of a partition that could not. Pure. */
export const planBatch = (
  batch: readonly FactAdvance[],
): { readonly plan: Plan; readonly folded: readonly FactAdvance[]; readonly unfoldable: readonly Unfoldable[] } => {
  const unfoldable: Unfoldable[] = [];
  let folded = batch;
  for (;;) {
    const plan = new Plan();
    const failed = folded.find((advance) => {
      const failure = foldAdvance(plan, advance);
      if (failure !== undefined) unfoldable.push(failure);
      return failure !== undefined;
    });
    if (failed === undefined) return { plan, folded, unfoldable };
    folded = folded.filter((advance) => advance !== failed);
  }
};

/** Folds what one partition says, in its order; what could not be folded, if anything. */
const foldAdvance = (plan: Plan, { to, facts, refused }: FactAdvance): Unfoldable | undefined => {
  const { topic, partition } = to;
  for (const { offset, fact } of facts) {
    try {
      foldFact({ plan, fact, kind: kindOf(topic), partition, offset, effect: 0 });
    } catch (error) {
      return { topic, partition, offset, error };
    }
  }
  for (const refusal of refused) foldRefusal(plan, refusal);
  return undefined;
};

const foldFact = (folding: Folding): void => {
  const { fact } = folding;
  for (const [i, effect] of fact.effects.entries()) foldEffect({ ...folding, effect: i }, effect);
  foldObject(folding);
  foldReceipt(folding);
};

/** One line a case; what an effect means for the rows stands with its kind of object. */
const foldEffect = (folding: Folding, effect: AnyEffect) => {
  switch (effect.type) {
    case 'agent.created':
    case 'agent.labels-set':
    case 'agent.key-issued':
    case 'agent.key-revoked':
    case 'agent.deactivating':
    case 'agent.deactivated':
    case 'agent.activating':
    case 'agent.activated':
    case 'account.inactive':
    case 'account.active':
    case 'account.applied':
      return foldAgent(folding, effect);
    case 'memory.created':
    case 'memory.born':
    case 'memory.updated':
    case 'memory.published':
    case 'memory.unpublished':
    case 'memory.withdrawn':
      return foldMemory(folding, effect);
    case 'thread.created':
    case 'grant.issued':
    case 'grant.voided':
    case 'member.joined':
    case 'member.role-set':
    case 'membership.ended':
    case 'entry.posted':
    case 'response.owed':
    case 'response.ended':
    case 'thread.closed':
      return foldThread(folding, effect);
    case 'assignment.created':
    case 'assignment.taken':
    case 'assignment.delivered':
    case 'assignment.adopted':
    case 'assignment.rejected':
    case 'assignment.dropped':
    case 'assignment.voided':
    case 'assignment.timed-out':
    case 'assignment.undecided':
    case 'judgment.forfeited':
      return foldAssignment(folding, effect);
    case 'task.created':
    case 'contract.stated':
    case 'task.paused':
    case 'task.resumed':
    case 'engagement.confirmed':
    case 'engagement.delivered':
    case 'engagement.adopted':
    case 'engagement.rejected':
    case 'engagement.undecided':
    case 'engagement.dropped':
    case 'engagement.timed-out':
      return foldTask(folding, effect);
    case 'inbox.subscribed':
    case 'inbox.subscription-revised':
    case 'inbox.unsubscribed':
    case 'inbox.secret-issued':
    case 'inbox.secret-retiring':
    case 'inbox.secret-retired':
    case 'inbox.event-received':
    case 'inbox.event-acknowledged':
    case 'inbox.events-expired':
    case 'inbox.wait-declared':
    case 'inbox.wait-ended':
    case 'inbox.resume-queued':
    case 'inbox.resume-leased':
    case 'inbox.resume-completed':
    case 'inbox.delivered':
    case 'inbox.resend-asked':
    case 'inbox.endpoint-disabled':
    case 'inbox.endpoint-enabled':
      return foldInbox(folding, effect);
  }
};

/** Each fact moves the revision of its object, one without effects too. */
const foldObject = ({ plan, fact }: Folding) => {
  const { id, kind } = fact.object;
  const { at, revision } = fact;
  if (standsOnAccount(fact)) return;
  switch (kind) {
    case 'agent':
      return plan.agents.change(id, { id }, { revision });
    case 'memory':
      return plan.memories.change(id, { id }, { revision });
    case 'thread':
      return plan.threads.change(id, { id }, { revision, lastAt: at });
    case 'task':
      return plan.tasks.change(id, { id }, { revision, lastAt: at });
    case 'akep.inbox':
      return undefined;
  }
};

/** A step of an account walk in a partition stands on the agent, which is no object of that partition (engine.md §6). */
const standsOnAccount = ({ object, cause }: Fact): boolean =>
  cause.kind === 'account' && object.kind !== 'agent' && object.id === cause.agent;

const foldReceipt = ({ plan, fact }: Folding): void => {
  if (fact.cause.kind !== 'action') return;
  const { binding, agent, action, fingerprint } = fact.cause;
  const receipt = receiptOf(fact);
  if (receipt === undefined) throw new Error(`a fact of the action ${action} without a receipt`);
  plan.receipts.make(binding, { binding, agent, action, fingerprint, receipt, at: fact.at });
};

const foldRefusal = (plan: Plan, { action, attempt, binding, code, retryAfter }: Refused): void =>
  plan.refusals.make(`${action}/${attempt}`, {
    binding,
    action,
    attempt,
    code,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
