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

export type ExitHandling = {
  /** Closes, then ends the process with the code given. */
  exit(code: number): Promise<void>;
};

/**
 * SIGTERM, SIGINT and SIGHUP close and end with 0; a second one, or a close that fails or takes too long, ends with 1. An error that
 * nobody caught ends at once with 1: what has to survive that is in the log.
 */
export const handleExits = (logger: Logger, close: () => Promise<void>): ExitHandling => {
  let closing = false;
  const exit = async (code: number): Promise<void> => {
    if (closing) return;
    closing = true;
    setTimeout(() => die(logger, 'the shutdown takes too long', undefined), shutdownMsMax).unref();
    try {
      await close();
    } catch (error) {
      die(logger, 'the shutdown failed', error);
    }
    process.exit(code);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (closing) die(logger, `${signal} again: ending at once`, undefined);
    logger.info(`${signal}: shutting down`);
    void exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => die(logger, 'an error that nobody caught', error));
  process.on('unhandledRejection', (error) => die(logger, 'a rejection that nobody caught', error));
  return { exit };
};

const die = (logger: Logger, message: string, err: unknown): never => {
  logger.fatal({ err }, message);
  process.exit(1);
};
