import * as columns from './columns.ts';
import type { Columns } from './columns.ts';
import type { Plan } from './rows.ts';
import {
  changeRows,
  endDuties,
  endOpportunities,
  insertBornMemories,
  insertDuties,
  insertRows,
  upsertMemories,
} from './statements.ts';

/** One statement of a batch: its name, its constant text, and the rows that it takes as one JSON array. */
export type Write = { readonly name: string; readonly text: string; readonly rows: readonly Columns[] };

/**
 * The statements of a plan, in the order in which they are sent; those without rows are left out. Changes of rows that stood
 * before come first: a membership that ends makes room for the next one of the same agent. An assignment is written before
 * the duties that it lays on somebody.
 */
export const writesOf = (plan: Plan): readonly Write[] =>
  [...changes(plan), ...inserts(plan)].filter(({ rows }) => rows.length > 0);

const changes = (plan: Plan): readonly Write[] => [
  write('change-agent', changeRows('agent'), plan.agents.changed, columns.agentColumns),
  write('change-agent-key', changeRows('agent_key'), plan.keys.changed, columns.keyColumns),
  write('change-memory', changeRows('memory'), plan.memories.changed, columns.memoryColumns),
  write('change-thread', changeRows('thread'), plan.threads.changed, columns.threadColumns),
  write('change-grant', changeRows('thread_grant'), plan.grants.changed, columns.grantChangeColumns),
  write('change-membership', changeRows('membership'), plan.memberships.changed, columns.membershipColumns),
  write('change-response', changeRows('response'), plan.responses.changed, columns.responseColumns),
  write('end-respond', changeRows('obligation'), plan.responses.changed, columns.respondEnding),
  write('change-assignment', changeRows('assignment'), plan.assignments.changed, columns.assignmentColumns),
  { name: 'end-opportunity', text: endOpportunities, rows: endedOpportunities(plan) },
  write('end-duty', endDuties, plan.duties.changed, columns.dutyEnding),
  write('change-task', changeRows('task'), plan.tasks.changed, columns.taskColumns),
  write('change-engagement', changeRows('engagement'), plan.engagements.changed, columns.engagementColumns),
  write('end-engagement-duty', endDuties, plan.engagementDuties.changed, columns.engagementDutyEnding),
  write('change-deadline', changeRows('deadline'), plan.deadlines.changed, columns.deadlineColumns),
];

const inserts = (plan: Plan): readonly Write[] => [
  write('insert-agent', insertRows('agent'), plan.agents.made, columns.agentColumns),
  write('insert-agent-key', insertRows('agent_key'), plan.keys.made, columns.keyColumns),
  write('insert-walk', insertRows('walk'), plan.walks.made, asIs),
  write('insert-walk-applied', insertRows('walk_applied'), plan.walksApplied.made, asIs),
  write('insert-born-memory', insertBornMemories, plan.bornMemories.made, columns.bornMemoryColumns),
  write('insert-memory', upsertMemories, plan.memories.made, columns.memoryColumns),
  write('insert-memory-version', insertRows('memory_version'), plan.versions.made, columns.versionColumns),
  write('insert-thread', insertRows('thread'), plan.threads.made, columns.threadColumns),
  write('insert-grant', insertRows('thread_grant'), plan.grants.made, columns.grantColumns),
  write('insert-membership', insertRows('membership'), plan.memberships.made, columns.membershipColumns),
  write('insert-entry', insertRows('entry'), plan.entries.made, columns.entryColumns),
  write('insert-response', insertRows('response'), plan.responses.made, columns.responseColumns),
  write('insert-respond', insertRows('obligation'), plan.responses.made, columns.respondObligation),
  write('insert-assignment', insertRows('assignment'), plan.assignments.made, columns.assignmentColumns),
  write('insert-opportunity', insertRows('opportunity'), plan.assignments.made, columns.opportunityColumns),
  write('insert-duty', insertDuties, plan.duties.made, columns.dutyObligation),
  write('insert-task', insertRows('task'), plan.tasks.made, columns.taskColumns),
  write('insert-audience', insertRows('task_audience'), plan.audiences.made, columns.audienceColumns),
  write('insert-contract', insertRows('contract'), plan.contracts.made, columns.contractColumns),
  write('insert-offer', insertRows('opportunity'), plan.offers.made, columns.offerColumns),
  write('insert-engagement', insertRows('engagement'), plan.engagements.made, columns.engagementColumns),
  write('insert-engagement-duty', insertRows('obligation'), plan.engagementDuties.made, columns.engagementDuty),
  write('insert-deadline', insertRows('deadline'), plan.deadlines.made, columns.deadlineColumns),
];

const write = <Row>(name: string, text: string, rows: readonly Row[], into: (row: Row) => Columns): Write => ({
  name,
  text,
  rows: rows.map(into),
});
const asIs = (row: object): Columns => row as Columns;

const endedOpportunities = ({ assignments }: Plan): readonly Columns[] =>
  assignments.changed.flatMap(({ thread, assignment, opportunityEndedAt }) =>
    opportunityEndedAt === undefined ? [] : [columns.opportunityEnding(thread, assignment, opportunityEndedAt)],
  );
