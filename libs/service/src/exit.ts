import type { Logger } from 'pino';

/** Milliseconds that a shutdown may take; Kubernetes' own limit is 30 s. */
const shutdownMsMax = 25_000;

/** Errors that say in one line what to do about them; told without a stack. Undefined for all others. */
export const explain = (error: unknown): string | undefined => {
  const { name, message, code, port, address } = Object(error) as Partial<NodeJS.ErrnoException> & {
    port?: number;
    address?: string;
  };
  if (name !== undefined && oneLiners.has(name)) return message;
  return port === undefined && address === undefined
    ? undefined
    : listening[code ?? '']?.(`port ${port} of ${address}`);
};

/** Why a door could not be opened. */
const listening: Readonly<Record<string, (door: string) => string>> = {
  EADDRINUSE: (door) => `${door} is in use`,
  EACCES: (door) => `${door} needs more rights than this process has`,
  EADDRNOTAVAIL: (door) => `${door}: this machine has no such address`,
};

const oneLiners: ReadonlySet<string> = new Set([
  'ConfigError',
  'DataFolderInUse',
  'FolderClosed',
  'TopicMismatch',
  'Complaint',
]);

/** What is wrong is the caller's to mend: told in one line. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

/** What a process does: started, it goes on until it is stopped. */
export type Running = { stop(): Promise<void> };

/**
 * Starts something as the whole of this process. SIGTERM, SIGINT and SIGHUP abort the start or stop what runs, and end with 0; a
 * second one, or a stop that fails or takes too long, ends with 1. A start that fails is told and ends with 1. An error that
 * nobody caught ends at once with 1: what has to survive that is in the log.
 */
export const runProcess = async (
  logger: Logger,
  start: (signal: AbortSignal) => Promise<Running>,
  tell: (error: unknown) => void,
): Promise<void> => {
  const stopping = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) die(logger, `${signal} again: ending at once`);
    logger.info(`${signal}: shutting down`);
    stopping.abort();
    setTimeout(() => die(logger, 'the shutdown takes too long'), shutdownMsMax).unref();
    starting.then(
      (running) =>
        running.stop().then(
          () => process.exit(0),
          (error: unknown) => die(logger, 'the shutdown failed', error),
        ),
      () => process.exit(0),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  process.on('uncaughtException', (error) => die(logger, 'an error that nobody caught', error));
  process.on('unhandledRejection', (error) => die(logger, 'a rejection that nobody caught', error));
  const starting = start(stopping.signal);
  try {
    await starting;
  } catch (error) {
    if (stopping.signal.aborted) return;
    tell(error);
    process.exit(1);
  }
};

const die = (logger: Logger, message: string, err?: unknown): never => {
  logger.fatal(err === undefined ? {} : { err }, message);
  process.exit(1);
};
