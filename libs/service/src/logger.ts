import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** One JSON line an event, on standard output by default; written before the call returns, so that a crash loses none. */
export const createLogger = ({ KUNGFU_LOG_LEVEL }: Config, service: string, fileDescriptor: 1 | 2 = 1): Logger =>
  pino(
    { level: KUNGFU_LOG_LEVEL, base: { service }, serializers: { err: described } },
    pino.destination({ dest: fileDescriptor, sync: true }),
  );

type Described = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: Described;
};

/**
 * What a log line says of an error: never its other fields, since drivers put connections and the values of rows there (C-3).
 */
export const described = (error: unknown): Described => {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: String(error) };
  const { name, message, code, stack, cause } = error as NodeJS.ErrnoException;
  return {
    type: name ?? 'object',
    message: String(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: described(cause) }),
  };
};

/** Lets Nest write through pino: its own news are for those who debug. */
export class NestLogger implements LoggerService {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.#logger.debug(contextOf(rest), textOf(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.#logger.debug(contextOf(rest), textOf(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.#logger.trace(contextOf(rest), textOf(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.#logger.warn(contextOf(rest), textOf(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.#logger.error(errorOf(message, rest), textOf(message));
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.#logger.fatal(errorOf(message, rest), textOf(message));
  }
}

const textOf = (message: unknown): string =>
  message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);

/** Nest says last which part of it speaks. */
const contextOf = (rest: readonly unknown[]): { context?: string } => {
  const last = rest.at(-1);
  return typeof last === 'string' ? { context: last } : {};
};

const errorOf = (message: unknown, rest: readonly unknown[]): object => {
  const [stack] = rest;
  if (message instanceof Error) return { ...contextOf(rest), err: message };
  return rest.length > 1 && typeof stack === 'string' ? { ...contextOf(rest), stack } : contextOf(rest);
};
