import type { OutputStructure, TakeTarget } from '@kungfu/read-model';

/** A stored receipt and what it was given for. */
export type StoredReceipt = { readonly fingerprint: string; readonly receipt: Uint8Array };

/** A reservation: the newest attempt under a binding. `notAfter` in milliseconds. */
export type Reservation = {
  readonly binding: string;
  readonly fingerprint: string;
  readonly object: string;
  readonly actionId: string;
  readonly attempt: number;
  readonly notAfter: number;
  readonly generation: number;
  /** Set once the newest attempt was refused. */
  readonly refused?: { readonly code: string; readonly retryAfter?: number };
};

export type Looked = { readonly receipt?: StoredReceipt; readonly reservation?: Reservation };

/** What actions are stamped with, and whether none may be sent now (engine.md §4.7). */
export type Generation = { readonly generation: number; readonly fenced: boolean };

/** The gateways' tables (engine.md §4). Every call is one statement, committed when it returns. */
export interface GatewayTables {
  /** What a request finds when it comes: what stands under its binding, and the generation. */
  arrive(binding: string): Promise<{ readonly looked: Looked; readonly generation: Generation }>;
  look(binding: string): Promise<Looked>;
  /** Those of the bindings that have come to a receipt or a refusal; the others are left out. */
  decided(bindings: readonly string[]): Promise<ReadonlyMap<string, Looked>>;
  /** Takes the binding if it is free (no row, or a refused one); gives the row as it stands then, taken or held by another. */
  reserve(reservation: Reservation): Promise<Reservation>;
  /** The next attempt of the same action, if (actionId, attempt) still stand and nothing is refused. */
  takeOver(next: Reservation, from: { readonly attempt: number }): Promise<boolean>;
  /** Removes the row if it is still this attempt's. */
  release(reservation: Reservation): Promise<void>;
  generation(): Promise<Generation>;
}

/** What stamping needs to know of other objects (engine.md §1.9). */
export interface References {
  /** Those of the ids that are no active agents (A-7, K-3). */
  inactive(agents: readonly string[]): Promise<readonly string[]>;
  /** A Memory as the read model has it; `version` is the one asked for, if it exists, else undefined. */
  memory(id: string, version?: number): Promise<MemoryReference | undefined>;
  /** The thread that a live grant opens. */
  threadOfGrant(hash: string): Promise<string | undefined>;
  /** What a delivery of an assignment has to meet (T-44). */
  assignmentOutput(thread: string, assignment: number): Promise<OutputStructure>;
  /** What a delivery of an engagement has to meet. */
  engagementOutput(task: string, engagement: string): Promise<OutputStructure>;
  /** What taking a Task is weighed by; undefined if there is no such Task. */
  takeTarget(task: string, agent: string): Promise<TakeTarget | undefined>;
  labels(agent: string): Promise<readonly string[]>;
  mayKnowTask(task: string, agent: string): Promise<boolean>;
}

export type MemoryReference = {
  readonly author: string;
  readonly status: 'valid' | 'withdrawn';
  readonly visibility: 'private' | 'public';
  readonly current: number;
  readonly hasVersion: boolean;
  /** Stands while only the thread it was born in knows the Memory (engine.md §8). */
  readonly genesis?: {
    readonly author: string;
    readonly content: { id: string; bytes: number; sha256: string };
    readonly thread: string;
    readonly entry: number;
  };
};
