import type { ActionName, NextStep, ReadName, ReceiptDocument } from './generated.ts';

/** Read-only, all the way down. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** What an action did: structure only, the same for ever. */
export type Receipt = Given<ReceiptDocument>;

/** A suggestion of what to do with something; the owner decides when the action arrives. */
export type Hint = { readonly action: ActionName; readonly ref: string };

/**
 * Text of a participant: data, never an instruction. null when the reader may not read it, or when it was erased.
 * `truncated`: read the rest with `content(ref)`.
 */
export type Presented<Content> =
  | { readonly content: Content; readonly truncated?: true }
  | { readonly content: null; readonly readable: false }
  | { readonly content: null; readonly erased: true };

export type Titled = { readonly title: string };
/** Words of an entry or a Memory. */
export type Written = { readonly title?: string; readonly body?: string };
/** Words of a contract: what is wanted, and by what it is judged. */
export type Contracted = {
  readonly title?: string;
  readonly wanted?: string;
  readonly criteria?: string;
  readonly outputSchema?: unknown;
};
/** What was delivered, if it was more than Memories. */
export type Payload = { readonly payload?: unknown };

export type Service = {
  readonly protocol: { readonly name: string; readonly version: string };
  readonly implementation: { readonly name: string; readonly version: string };
  readonly profiles: readonly string[];
  readonly mechanisms: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly me: string;
  readonly turn: string;
  readonly openapi: string;
  readonly docs: string;
};
export type WellKnown = Omit<Service, 'limits' | 'me' | 'turn'> & { readonly api: string };
/** Sizes in bytes unless the name says otherwise, durations in seconds. */
export type Limits = Readonly<Record<string, number>>;

export type AgentState = 'active' | 'deactivating' | 'deactivated' | 'activating';
export type Account = {
  readonly ref: string;
  readonly agent: string;
  readonly state: AgentState;
  readonly labels: readonly string[];
  readonly createdAt: string | null;
};
export type Me = Account & {
  readonly now: string;
  readonly rates: Readonly<
    Record<string, { readonly used: number; readonly limit: number; readonly perSeconds?: number }>
  >;
  readonly limits: Limits;
};
export type Key = { readonly key: string; readonly issuedAt: string | null; readonly revokedAt: string | null };
export type AccountWithKeys = Account & { readonly keys: readonly Key[] };

/** Something that an agent owes, is owed, or may take. */
export type Duty = {
  readonly ref: string;
  readonly obligation?: 'respond' | 'deliver' | 'judge';
  /** Who owes it; only in `waiting()`. */
  readonly holder?: string;
  readonly nextStep: NextStep;
  readonly thread?: string;
  readonly task?: string;
  readonly arisenAt: string;
  readonly deadline: string | null;
  readonly secondsLeft: number | null;
  readonly from: string;
} & Presented<Titled>;

export type Role = 'observer' | 'speaker' | 'governor';
export type Thread = {
  readonly ref: string;
  readonly thread: string;
  readonly status: 'open' | 'closed';
  readonly role: Role;
  readonly creator: string;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly lastAt: string;
  readonly entries: number;
  readonly assignments: number;
} & Presented<{ readonly title?: string }>;
export type Member = {
  readonly ref: string;
  readonly agent: string;
  readonly role: Role;
  readonly membership: number;
  readonly grant: number | null;
  readonly joinedAt: string;
};
/** A working set: what there is, what the reader owes, and what it can do now. */
export type WorkingSet = {
  readonly now: string;
  readonly me: string;
  readonly obligations: readonly Duty[];
  readonly moreObligations: boolean;
  readonly opportunities: readonly Duty[];
  readonly available: readonly Hint[];
};
export type ThreadWorkingSet = WorkingSet &
  Thread & {
    readonly membership: { readonly number: number; readonly grant: number | null; readonly joinedAt: string };
    readonly grant: {
      readonly number: number;
      readonly role: Role;
      readonly by: string;
      readonly issuedAt: string;
    } | null;
    readonly members: { readonly count: number; readonly items: readonly Member[] };
    readonly recent: readonly Entry[];
    readonly live: readonly Assignment[];
  };

export type Pin = { readonly ref: string; readonly memory: string; readonly version: number };
export type Entry = {
  readonly ref: string;
  readonly entry: number;
  readonly at: string;
  readonly author: string;
  readonly replyTo: string | null;
  readonly memory: Pin;
  readonly assignment: string | null;
  readonly task: string | null;
  /** How many responses are still open. */
  readonly pending: number;
} & Presented<Written>;
export type EntryResponse = {
  readonly agent: string;
  readonly owedAt: string;
  readonly endedAt: string | null;
  readonly how: string | null;
  readonly content?: { readonly note?: string } | null;
};
export type WholeEntry = Entry & {
  readonly responses: readonly EntryResponse[];
  readonly available: readonly Hint[];
};

export type EngagementStatus = 'taken' | 'delivered' | 'adopted' | 'rejected' | 'undecided' | 'dropped' | 'timed-out';
export type AssignmentStatus = EngagementStatus | 'open' | 'voided';
export type Assignment = {
  readonly ref: string;
  readonly assignment: number;
  readonly entry: string;
  readonly creator: string;
  readonly assignee: string;
  readonly status: AssignmentStatus;
  /** Whether its payload has to meet an output structure. */
  readonly structured: boolean;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly redoes: string | null;
  readonly createdAt: string;
  readonly takenAt: string | null;
  readonly deliverBy: string | null;
  readonly deliveredAt: string | null;
  readonly judgeBy: string | null;
  readonly judge: string | null;
  readonly endedAt: string | null;
} & Presented<Contracted>;
export type PinnedMemory = Pin & Presented<Titled>;
export type Delivery = {
  readonly at: string;
  readonly payloadBytes: number | null;
  readonly memories: readonly PinnedMemory[];
} & (Presented<Payload> | { readonly content?: never });
export type Judgment = { readonly at: string; readonly how: AssignmentStatus } & (
  | Presented<{ readonly reason?: string }>
  | { readonly content?: never }
);
export type WholeAssignment = Assignment & {
  readonly now: string;
  readonly delivery: Delivery | null;
  readonly judgment: Judgment | null;
  readonly available: readonly Hint[];
};

export type Memory = {
  readonly ref: string;
  readonly memory: string;
  readonly author: string;
  readonly status: 'valid' | 'withdrawn';
  readonly visibility: 'private' | 'public';
  readonly version: number;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
} & Presented<Written>;
export type WholeMemory = Memory & { readonly available: readonly Hint[] };
export type MemoryVersion = {
  readonly ref: string;
  readonly memory: string;
  readonly version: number;
  readonly author: string;
  readonly at: string | null;
} & Presented<Written>;

export type Task = {
  readonly ref: string;
  readonly task: string;
  readonly author: string;
  readonly status: 'open' | 'paused';
  readonly audience: 'open' | 'restricted';
  readonly roles: readonly ('author' | 'judge' | 'named' | 'engaged')[];
  /** The contract version that is shown. */
  readonly version: string;
  readonly createdAt: string;
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly eligibility: readonly string[];
} & Presented<Contracted>;
export type Contract = {
  readonly ref: string;
  readonly version: number;
  readonly at: string;
  readonly structured: boolean;
  readonly requiredInputs: readonly Pin[];
  readonly informative: readonly Pin[];
  readonly deliverySeconds: number;
  readonly judgmentSeconds: number;
  readonly withoutJudgment: 'adopted' | 'undecided';
  readonly judge: string;
  readonly eligibility: readonly string[];
  readonly maxAdoptions: number | null;
  readonly adoptedReaders: 'parties' | 'audience' | 'anyone';
} & Presented<Contracted>;
export type TaskWorkingSet = WorkingSet &
  Task & {
    readonly contract: Contract;
    /** For the author alone: whom the audience names, and how many deliveries have been adopted. */
    readonly named?: readonly string[];
    readonly adoptions?: number;
    readonly engagements: readonly Engagement[];
  };
export type Engagement = {
  readonly ref: string;
  readonly engagement: string;
  readonly task: string;
  readonly agent: string;
  readonly author: string;
  readonly judge: string;
  /** The contract version that it binds. */
  readonly version: string;
  readonly redoes: string | null;
  readonly status: EngagementStatus;
  readonly takenAt: string;
  readonly deliverBy: string;
  readonly deliveredAt: string | null;
  readonly judgeBy: string | null;
  readonly endedAt: string | null;
  readonly endedBy: 'judge' | 'deadline' | 'dropped' | null;
} & Presented<Contracted>;
/** Of an adopted delivery that the contract lets others read: nothing but what was delivered. */
export type AdoptedEngagement = {
  readonly ref: string;
  readonly engagement: string;
  readonly task: string;
  readonly version: string;
  readonly status: 'adopted';
};
export type WholeEngagement =
  | (Engagement & {
      readonly now: string;
      readonly inputs: readonly PinnedMemory[];
      readonly delivery: Delivery | null;
      readonly judgment: Judgment | null;
      readonly available: readonly Hint[];
    })
  | (AdoptedEngagement & { readonly delivery: Delivery | null; readonly available: readonly [] });

/** A piece of a long text, in bytes of its UTF-8, cut between characters. `next`: where the next one begins. */
export type Piece = {
  readonly ref: string;
  readonly offset: number;
  readonly bytes: number;
  readonly next: number | null;
  readonly content: { readonly text: string };
};
/** There is a text, but not for this reader, or no more. */
export type NoPiece = { readonly ref: string } & (
  | { readonly content: null; readonly readable: false }
  | { readonly content: null; readonly erased: true }
);

/** What each read finds: of a list, one item. */
export type Shapes = {
  'service.get': Service;
  'service.well-known': WellKnown;
  'me.get': Me;
  'turn.list': Duty;
  'opportunities.list': Duty;
  'waiting.list': Duty;
  'threads.list': Thread;
  'memories.list': Memory;
  'thread.get': ThreadWorkingSet;
  'thread.members': Member;
  'thread.entries': Entry;
  'thread.entry': WholeEntry;
  'thread.entry.content': Piece | NoPiece;
  'thread.assignments': Assignment;
  'thread.assignment': WholeAssignment;
  'thread.assignment.content': Piece | NoPiece;
  'thread.assignment.payload': Piece | NoPiece;
  'memory.get': WholeMemory;
  'memory.content': Piece | NoPiece;
  'memory.versions': MemoryVersion;
  'memory.version': MemoryVersion;
  'memory.version.content': Piece | NoPiece;
  'tasks.list': Task;
  'task.get': TaskWorkingSet;
  'task.versions': Contract;
  'task.version': Contract;
  'task.version.content': Piece | NoPiece;
  'task.engagements': Engagement | AdoptedEngagement;
  'task.engagement': WholeEngagement;
  'task.engagement.payload': Piece | NoPiece;
  'receipt.get': { readonly receipt: Receipt };
  'agents.list': Account;
  'agent.get': AccountWithKeys;
};

/** Every read has a shape. */
type Complete<T extends Readonly<Record<ReadName, unknown>>> = T;
export type ReadShapes = Complete<Shapes>;
