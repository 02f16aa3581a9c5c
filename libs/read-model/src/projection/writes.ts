import * as columns from './columns.ts';
import * as inbox from './inbox-columns.ts';
import type { Columns } from './columns.ts';
import type { Plan } from './rows.ts';
import {
  changeRows,
  endDuties,
  endOpportunities,
  expireEvents,
  expireResumes,
  insertBornMemories,
  insertDuties,
  insertRows,
  replaceRows,
  upsertMemories,
} from './statements.ts';
import { weighOffers } from './weigh-offers.ts';

/** One statement of a batch: its name, its constant text, and the rows that it takes as one JSON array. */
export type Write = {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Columns[];
  /** Its rows come back with the agent whose duties or opportunities they change. */
  readonly tells?: true;
};

/**
 * The statements of a plan, always all of them, in the order in which they are run. Changes of rows that stood
 * before come first: a membership that ends makes room for the next one of the same agent. An assignment is written before
 * the duties that it lays on somebody.
 */
export const allWritesOf = (plan: Plan): readonly Write[] => [...changes(plan), ...inserts(plan)];

const changes = (plan: Plan): readonly Write[] => [
  write('change-agent', changeRows('agent'), plan.agents.changed, columns.agentColumns),
  write('change-agent-key', changeRows('agent_key'), plan.keys.changed, columns.keyColumns),
  write('change-memory', changeRows('memory'), plan.memories.changed, columns.memoryColumns),
  write('change-thread', changeRows('thread'), plan.threads.changed, columns.threadColumns),
  write('change-grant', changeRows('thread_grant'), plan.grants.changed, columns.grantChangeColumns),
  write('change-membership', changeRows('membership'), plan.memberships.changed, columns.membershipColumns),
  write('change-response', changeRows('response'), plan.responses.changed, columns.responseColumns),
  tell(
    write(
      'end-respond',
      `${changeRows('obligation')} returning t.holder as agent`,
      plan.responses.changed,
      columns.respondEnding,
    ),
  ),
  write('change-assignment', changeRows('assignment'), plan.assignments.changed, columns.assignmentColumns),
  tell({ name: 'end-opportunity', text: endOpportunities, rows: endedOpportunities(plan) }),
  tell(write('end-duty', endDuties, plan.duties.changed, columns.dutyEnding)),
  write('change-task', changeRows('task'), plan.tasks.changed, columns.taskColumns),
  // Once it ends, its agent may take the Task again.
  tell(
    write(
      'change-engagement',
      `${changeRows('engagement')} returning t.agent`,
      plan.engagements.changed,
      columns.engagementColumns,
    ),
  ),
  tell(write('end-engagement-duty', endDuties, plan.engagementDuties.changed, columns.engagementDutyEnding)),
  write('change-deadline', changeRows('deadline'), plan.deadlines.changed, columns.deadlineColumns),
  write(
    'change-akep-subscription',
    changeRows('akep_subscription'),
    plan.akepSubscriptions.changed,
    inbox.akepSubscriptionColumns,
  ),
  write('change-akep-secret', changeRows('akep_secret'), plan.akepSecrets.changed, inbox.akepSecretColumns),
  write('change-akep-event', changeRows('akep_event'), plan.akepEvents.changed, inbox.akepEventColumns),
  write('change-akep-wait', changeRows('akep_wait'), plan.akepWaits.changed, inbox.akepWaitColumns),
  write('change-akep-resume', changeRows('akep_resume'), plan.akepResumes.changed, inbox.akepResumeColumns),
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
  tell(write('insert-respond', insertTold('obligation', 'holder'), plan.responses.made, columns.respondObligation)),
  write('insert-assignment', insertRows('assignment'), plan.assignments.made, columns.assignmentColumns),
  tell(
    write('insert-opportunity', insertTold('opportunity', 'agent'), plan.assignments.made, columns.opportunityColumns),
  ),
  tell(write('insert-duty', insertDuties, plan.duties.made, columns.dutyObligation)),
  write('insert-task', insertRows('task'), plan.tasks.made, columns.taskColumns),
  write('insert-audience', insertRows('task_audience'), plan.audiences.made, columns.audienceColumns),
  write('insert-contract', insertRows('contract'), plan.contracts.made, columns.contractColumns),
  tell(write('insert-offer', insertTold('opportunity', 'agent'), plan.offers.made, columns.offerColumns)),
  tell({ name: 'weigh-offers', text: weighOffers, rows: weighedTasks(plan) }),
  write('insert-engagement', insertRows('engagement'), plan.engagements.made, columns.engagementColumns),
  tell(
    write(
      'insert-engagement-duty',
      insertTold('obligation', 'holder'),
      plan.engagementDuties.made,
      columns.engagementDuty,
    ),
  ),
  write('insert-deadline', insertRows('deadline'), plan.deadlines.made, columns.deadlineColumns),
  write(
    'insert-akep-subscription',
    insertRows('akep_subscription'),
    plan.akepSubscriptions.made,
    inbox.akepSubscriptionColumns,
  ),
  write('insert-akep-secret', replaceRows('akep_secret'), plan.akepSecrets.made, inbox.akepSecretColumns),
  tell(write('insert-akep-event', insertTold('akep_event', 'agent'), plan.akepEvents.made, inbox.akepEventColumns)),
  write('expire-akep-event', expireEvents, plan.akepExpiries.made, inbox.akepExpiryColumns),
  write('insert-akep-wait', replaceRows('akep_wait'), plan.akepWaits.made, inbox.akepWaitColumns),
  write('insert-akep-resume', insertRows('akep_resume'), plan.akepResumes.made, inbox.akepResumeColumns),
  write('expire-akep-resume', expireResumes, plan.akepExpiries.made, inbox.akepExpiryColumns),
];

const write = <Row>(name: string, text: string, rows: readonly Row[], into: (row: Row) => Columns): Write => ({
  name,
  text,
  rows: rows.map(into),
});
const tell = (written: Write): Write => ({ ...written, tells: true });
const insertTold = (table: 'obligation' | 'opportunity' | 'akep_event', agent: string): string =>
  `${insertRows(table)} returning ${agent} as agent`;
const asIs = (row: object): Columns => row as Columns;

const endedOpportunities = ({ assignments }: Plan): readonly Columns[] =>
  assignments.changed.flatMap(({ thread, assignment, opportunityEndedAt }) =>
    opportunityEndedAt === undefined ? [] : [columns.opportunityEnding(thread, assignment, opportunityEndedAt)],
  );

/** Those with another contract or another number of adoptions. */
const weighedTasks = ({ contracts, tasks }: Plan): readonly Columns[] => {
  const adopted = tasks.changed.filter(({ adoptions }) => adoptions !== undefined).map(({ id }) => id);
  return [...new Set([...contracts.made.map(({ task }) => task), ...adopted])].sort().map((id) => ({ id }));
};
