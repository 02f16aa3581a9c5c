import type { AgentId, ContentRef, Pin, TaskEffect } from '@kungfu/protocol';
import { Changes } from './changes.ts';
import type {
  AkepEventRow,
  AkepExpiryRow,
  AkepResumeRow,
  AkepSecretRow,
  AkepSubscriptionRow,
  AkepWaitRow,
} from './inbox-rows.ts';

/** Rows and changes as the planner makes them; the columns of the tables in words of the program. Times: milliseconds. */

/** Where in the order of the log something arose (engine.md §5). */
export type Place = {
  readonly at: number;
  readonly kind: string;
  readonly partition: number;
  readonly offset: number;
  readonly effect: number;
};

export type AgentRow = {
  readonly id: string;
  readonly status: 'active' | 'deactivating' | 'deactivated' | 'activating';
  readonly walk: number;
  readonly labels: readonly string[];
  readonly createdAt: number;
  readonly revision: number;
};
export type AgentKeyRow = {
  readonly id: string;
  readonly agent: string;
  readonly hash: string;
  readonly issuedAt: number;
  readonly revokedAt?: number;
};
export type WalkRow = {
  readonly agent: string;
  readonly walk: number;
  readonly change: 'deactivate' | 'activate';
  readonly kind: string;
  readonly partition: number;
};
export type WalkAppliedRow = {
  readonly agent: string;
  readonly walk: number;
  readonly kind: string;
  readonly partition: number;
};

/** What a thread knows of a Memory born in it. */
export type BornMemoryRow = {
  readonly id: string;
  readonly author: AgentId;
  readonly at: number;
  readonly thread: string;
  readonly entry: number;
};
/** What the memory's own facts say. `createdAt` stands unless it was born in an entry. */
export type MemoryRow = {
  readonly id: string;
  readonly author: AgentId;
  readonly createdAt?: number;
  readonly status: 'valid' | 'withdrawn';
  readonly visibility: 'private' | 'public';
  readonly version: number;
  readonly revision: number;
};
export type MemoryVersionRow = {
  readonly memory: string;
  readonly version: number;
  readonly content: ContentRef;
  readonly at: number;
};

export type ThreadRow = {
  readonly id: string;
  readonly status: 'open' | 'closed';
  readonly creator: AgentId;
  readonly content?: string;
  readonly createdAt: number;
  readonly closedAt?: number;
  readonly revision: number;
  readonly entries: number;
  readonly assignments: number;
  readonly lastAt: number;
};
export type GrantRow = {
  readonly thread: string;
  readonly number: number;
  readonly role: string;
  readonly hash: string;
  readonly by: AgentId;
  readonly issuedAt: number;
  readonly voidedAt?: number;
  readonly voidedHow?: string;
};
export type MembershipRow = {
  readonly thread: string;
  readonly membership: number;
  readonly agent: AgentId;
  readonly role: string;
  readonly grant?: number;
  readonly joinedAt: number;
  readonly endedAt?: number;
  readonly endedHow?: string;
};
export type EntryRow = {
  readonly thread: string;
  readonly entry: number;
  readonly author: AgentId;
  readonly membership: number;
  readonly replyTo?: number | undefined;
  readonly memory: Pin;
  readonly task?: string | undefined;
  readonly at: number;
};
/** A response owed, which is its obligation too. `from`: the author of the entry. */
export type ResponseRow = {
  readonly thread: string;
  readonly entry: number;
  readonly agent: AgentId;
  readonly from: AgentId;
  readonly place: Place;
  readonly endedAt?: number;
  readonly how?: string;
  readonly note?: string;
};

export type AssignmentStatus =
  | 'open'
  | 'taken'
  | 'delivered'
  | 'adopted'
  | 'rejected'
  | 'undecided'
  | 'dropped'
  | 'timed-out'
  | 'voided';
/** An untaken assignment is an opportunity of its assignee until `opportunityEndedAt`. */
export type AssignmentRow = {
  readonly thread: string;
  readonly assignment: number;
  readonly entry: number;
  readonly creator: AgentId;
  readonly assignee: AgentId;
  readonly content: string;
  readonly structured: boolean;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly redoes?: number | undefined;
  readonly place: Place;
  readonly opportunityEndedAt?: number;
} & AssignmentChange;
/** What happens to an assignment. `judge` null: the right is forfeited (T-15). */
export type AssignmentChange = {
  readonly status?: AssignmentStatus;
  readonly takenAt?: number;
  readonly deliverBy?: number;
  readonly deliveredAt?: number;
  readonly payload?: ContentRef;
  readonly memories?: readonly Pin[];
  readonly judgeBy?: number;
  readonly judge?: AgentId | null;
  readonly reason?: string;
  readonly endedAt?: number;
  readonly endedHow?: string;
};

/** The duty of an assignment, to deliver or to judge it. Whom it is from stands with the assignment. */
export type DutyRow = {
  readonly thread: string;
  readonly assignment: number;
  readonly obligation: 'deliver' | 'judge';
  readonly holder: AgentId;
  readonly deadline: number;
  readonly place: Place;
  readonly endedAt?: number;
};
export type TaskRow = {
  readonly id: string;
  readonly author: AgentId;
  readonly audience: 'open' | 'restricted';
  readonly paused: boolean;
  readonly version: number;
  readonly adoptions: number;
  readonly createdAt: number;
  readonly revision: number;
  readonly lastAt: number;
};
export type AudienceRow = { readonly task: string; readonly agent: AgentId };
/** A restricted Task as a named agent finds it (O-5). */
export type OfferRow = {
  readonly task: string;
  readonly agent: AgentId;
  readonly from: AgentId;
  readonly place: Place;
};
type Stated = Extract<TaskEffect, { type: 'contract.stated' }>;
export type ContractRow = Omit<Stated, 'type' | 'content'> & {
  readonly task: string;
  readonly content: string;
  readonly at: number;
};
export type EngagementStatus = 'taken' | 'delivered' | 'adopted' | 'rejected' | 'undecided' | 'dropped' | 'timed-out';
type Confirmed = Extract<TaskEffect, { type: 'engagement.confirmed' }>;
export type EngagementRow = Omit<Confirmed, 'type' | 'engagement'> & {
  readonly task: string;
  readonly id: string;
  readonly takenAt: number;
} & EngagementChange;
export type EngagementChange = {
  readonly status?: EngagementStatus;
  readonly deliveredAt?: number;
  readonly payload?: ContentRef;
  readonly memories?: readonly Pin[];
  readonly judgeBy?: number;
  readonly reason?: string;
  readonly endedAt?: number;
  /** By the judge, a deadline, or dropped. */
  readonly endedHow?: 'judge' | 'deadline' | 'dropped';
};
export type EngagementDutyRow = {
  readonly task: string;
  readonly number: number;
  readonly obligation: 'deliver' | 'judge';
  readonly engagement: string;
  readonly holder: string;
  readonly from: string;
  readonly deadline: number;
  readonly place: Place;
  readonly endedAt?: number;
};
export type DeadlineRow = {
  readonly kind: string;
  readonly object: string;
  readonly part: number;
  readonly what: 'deliver' | 'judge';
  readonly dueAt: number;
  readonly endedAt?: number;
};

export type ReceiptRow = {
  readonly binding: string;
  readonly agent: string;
  readonly action: string;
  readonly fingerprint: string;
  readonly receipt: Uint8Array;
  readonly at: number;
};
/** The newest refusal of an action, for the gateway that waits for it. */
export type RefusalRow = {
  readonly binding: string;
  readonly action: string;
  readonly attempt: number;
  readonly code: string;
  readonly retryAfter?: number;
};

type Keyed<Row, Key extends keyof Row> = Pick<Row, Key> & Partial<Row>;

/** Everything that a batch changes, a table each, folded to the last state of each row. */
export class Plan {
  readonly agents = new Changes<AgentRow, Keyed<AgentRow, 'id'>>();
  readonly keys = new Changes<AgentKeyRow, Keyed<AgentKeyRow, 'id'>>();
  readonly walks = new Changes<WalkRow>();
  readonly walksApplied = new Changes<WalkAppliedRow>();
  readonly bornMemories = new Changes<BornMemoryRow>();
  readonly memories = new Changes<MemoryRow, Keyed<MemoryRow, 'id'>>();
  readonly versions = new Changes<MemoryVersionRow>();
  readonly threads = new Changes<ThreadRow, Keyed<ThreadRow, 'id'>>();
  readonly grants = new Changes<GrantRow, Keyed<GrantRow, 'thread' | 'number'>>();
  readonly memberships = new Changes<MembershipRow, Keyed<MembershipRow, 'thread' | 'membership'>>();
  readonly entries = new Changes<EntryRow>();
  readonly responses = new Changes<ResponseRow, Keyed<ResponseRow, 'thread' | 'entry' | 'agent'>>();
  readonly assignments = new Changes<
    AssignmentRow,
    Pick<AssignmentRow, 'thread' | 'assignment'> & AssignmentChange & { readonly opportunityEndedAt?: number }
  >();
  readonly duties = new Changes<DutyRow, Keyed<DutyRow, 'thread' | 'assignment' | 'obligation'>>();
  readonly tasks = new Changes<TaskRow, Keyed<TaskRow, 'id'>>();
  readonly audiences = new Changes<AudienceRow>();
  readonly offers = new Changes<OfferRow>();
  readonly contracts = new Changes<ContractRow>();
  readonly engagements = new Changes<EngagementRow, Pick<EngagementRow, 'task' | 'number'> & EngagementChange>();
  readonly engagementDuties = new Changes<
    EngagementDutyRow,
    Keyed<EngagementDutyRow, 'task' | 'number' | 'obligation'>
  >();
  readonly deadlines = new Changes<DeadlineRow, Keyed<DeadlineRow, 'kind' | 'object' | 'part' | 'what'>>();
  readonly akepSubscriptions = new Changes<AkepSubscriptionRow, Keyed<AkepSubscriptionRow, 'agent' | 'id'>>();
  readonly akepSecrets = new Changes<AkepSecretRow, Keyed<AkepSecretRow, 'agent' | 'producer' | 'key'>>();
  readonly akepEvents = new Changes<AkepEventRow, Keyed<AkepEventRow, 'agent' | 'sequence'>>();
  readonly akepExpiries = new Changes<AkepExpiryRow>();
  readonly akepWaits = new Changes<AkepWaitRow, Keyed<AkepWaitRow, 'agent' | 'task'>>();
  readonly akepResumes = new Changes<AkepResumeRow, Keyed<AkepResumeRow, 'agent' | 'resume'>>();
  readonly receipts = new Changes<ReceiptRow>();
  readonly refusals = new Changes<RefusalRow>();
}
