import { parseArgs } from 'node:util';

export type LogName = 'postgres' | 'kafka';
export type Part = 'raw' | 'product';
/** The way that posts come in. */
export type DoorName = 'http' | 'mcp';

/** What the bench is asked to do. */
export type Options = {
  readonly logs: readonly LogName[];
  readonly parts: readonly Part[];
  readonly door: DoorName;
  readonly connections: readonly number[];
  readonly warmupMs: number;
  readonly measureMs: number;
  /** The file that the JSON goes to; absent: it is printed. */
  readonly json?: string;
  /** Folder for CPU profiles of the services; absent: none are taken. */
  readonly profile?: string;
  readonly requestsMax: number;
  readonly partitions: number;
  /** Of the text of a post. */
  readonly contentBytes: number;
  /** Calls of each read, when reads are measured instead of posts. */
  readonly readCalls?: number;
  /** Agents that wait, when waiting is measured instead of posts. */
  readonly waiters?: number;
  /** Actions a second while they wait. */
  readonly rate: number;
};

export const usage = `npm run bench -- [options]
  --log postgres|kafka|both    which log; default both (Kafka needs KAFKA_BROKERS, or Java 17 and Maven)
  --only raw|product           only one of the two that are compared
  --door http|mcp              how posts come in; default http
  --connections 1,16,64,256    how many requests are under way at a time
  --seconds 10                 how long each is measured
  --warmup 3                   seconds before
  --partitions 8               of each topic
  --bytes 400                  of content in each post
  --reads                      measure how reads scale instead of how fast posting is
  --calls 200                  of each read, on little and on much
  --waiters 2000               measure so many agents that wait for their turn
  --rate 500                   actions a second while they wait
  --json FILE                  write the results there as JSON
  --profile DIR                write a CPU profile of each service there`;

/** A flag is wrong; the message says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** However fast it is, a run ends. */
const requestsMax = 2_000_000;

/** Reads the flags. Throws UsageError. */
export const readOptions = (args: readonly string[]): Options => {
  const values = parse(args);
  return {
    logs: either(values.log ?? 'both', ['postgres', 'kafka'], 'both', '--log'),
    parts: either(values.only ?? 'both', ['raw', 'product'], 'both', '--only'),
    door: oneOf(values.door ?? 'http', ['http', 'mcp'], '--door'),
    connections: (values.connections ?? '1,16,64,256').split(',').map((text) => whole(text, '--connections', 1, 4_096)),
    measureMs: 1_000 * whole(values.seconds ?? '10', '--seconds', 1, 600),
    warmupMs: 1_000 * whole(values.warmup ?? '3', '--warmup', 0, 60),
    partitions: whole(values.partitions ?? '8', '--partitions', 1, 1_024),
    contentBytes: whole(values.bytes ?? '400', '--bytes', 2, 100_000),
    requestsMax,
    ...(values.reads === true ? { readCalls: whole(values.calls ?? '200', '--calls', 1, 100_000) } : {}),
    rate: whole(values.rate ?? '500', '--rate', 2, 100_000),
    ...(values.waiters === undefined ? {} : { waiters: whole(values.waiters, '--waiters', 1, 20_000) }),
    ...(values.json === undefined ? {} : { json: values.json }),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
  };
};

const parse = (args: readonly string[]) => {
  const text = { type: 'string' } as const;
  const options = {
    log: text,
    only: text,
    door: text,
    connections: text,
    seconds: text,
    warmup: text,
    partitions: text,
    bytes: text,
    reads: { type: 'boolean' } as const,
    calls: text,
    waiters: text,
    rate: text,
    json: text,
    profile: text,
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const either = <T extends string>(text: string, all: readonly T[], every: string, flag: string): readonly T[] => {
  const found = text === every ? all : all.filter((one) => one === text);
  if (found.length === 0) throw new UsageError(`${flag} takes ${[...all, every].join(', ')}, not ${text}`);
  return found;
};

const oneOf = <T extends string>(text: string, all: readonly T[], flag: string): T => {
  const found = all.find((one) => one === text);
  if (found === undefined) throw new UsageError(`${flag} takes ${all.join(', ')}, not ${text}`);
  return found;
};

const whole = (text: string, flag: string, min: number, max: number): number => {
  const value = Number(text);
  if (!/^[0-9]{1,9}$/.test(text) || value < min || value > max)
    throw new UsageError(`${flag} takes ${min} to ${max}, not ${text}`);
  return value;
};
