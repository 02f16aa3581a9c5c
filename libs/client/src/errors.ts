import type { Refusal } from './types.ts';

/**
 * Nobody answered, as often as was tried: the outcome of an action is not known. Send the same request again under `key`;
 * it has one effect however often it is sent.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(
    readonly request: string,
    /** The idempotency key of an action; undefined for a read. */
    readonly key: string | undefined,
    readonly attempts: number,
    cause: unknown,
  ) {
    super(`no answer to ${request} in ${attempts} attempts`, { cause });
  }
}

/** Something answered that does not speak as Kungfu does: look at the address, or what stands between. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer';
  constructor(
    readonly request: string,
    readonly status: number,
  ) {
    super(`an answer to ${request} that is none of Kungfu: status ${status}`);
  }
}

/** A refusal met while iterating, where there is no result to put it in. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.detail}`);
  }
}
