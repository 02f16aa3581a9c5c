import type { Measured } from '../measure/measured.ts';

/** What the raw pipeline is asked to run; passed as JSON in the arguments of its process. */
export type RawOrder = {
  readonly log: 'postgres' | 'kafka';
  readonly brokers: readonly string[];
  readonly databaseUrl: string;
  readonly partitions: number;
  readonly connections: readonly number[];
  readonly warmupMs: number;
  readonly measureMs: number;
  readonly requestsMax: number;
  readonly contentBytes: number;
  /** Processes whose CPU is told beside its own. */
  readonly watched: readonly { readonly label: string; readonly pid: number }[];
};

/** What a process of the bench sends over IPC. */
export type BenchMessage = { readonly measured: Measured } | { readonly failed: string };
