import type { Log } from '@kungfu/log-port';
import type { Limits } from '@kungfu/protocol';
import type { Client } from './client.ts';

/** A Kungfu that runs as processes of its own on this machine, with temporary data. */
export interface System {
  readonly log: 'postgres' | 'kafka';
  /** Its services by name; each can be killed and started again. */
  readonly services: readonly string[];
  /** Its processes for whoever measures them. */
  readonly processes: () => readonly { readonly label: string; readonly pid: number }[];
  readonly databaseUrl: string;
  /** Where every service writes its output: JSON lines, and what it tells whoever started it. */
  readonly outputFiles: () => readonly string[];
  /** A client without a key. */
  readonly anyone: Client;
  readonly administration: Client;
  readonly adminToken: string;
  /** kill -9 of a service. */
  kill(service: string): Promise<void>;
  /** Starts a killed service again and waits until it is ready. */
  start(service: string): Promise<void>;
  /** The log, to be read directly; close it before stop(). */
  openLog(): Promise<Log>;
  /** Ends everything and removes the data. Throws when a service that was asked to end did not end with 0. */
  stop(): Promise<void>;
}

export type StartOptions = {
  readonly rateLimits?: boolean;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  readonly partitions?: number;
  /** Folder for a CPU profile of each service, written when it ends by itself. */
  readonly profile?: string;
  readonly logLevel?: string;
};

/** An agent made for a test. */
export type TestAgent = { readonly id: string; readonly secret: string; readonly client: Client };

/** Makes an agent with a key through the administration. */
export const makeAgent = async (system: System, labels: string[] = []): Promise<TestAgent> => {
  const { receipt, secret } = await system.administration.settled('agent.create', undefined, { labels });
  if (secret === undefined) throw new Error('a new agent comes with a key');
  return { id: receipt.object, secret, client: system.anyone.as(secret) };
};
