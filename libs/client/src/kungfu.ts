import { Caller, type Waited, type WaitOptions } from './caller.ts';
import { AdministrationMethods, AgentMethods } from './generated.ts';
import type { KeyStore } from './keys.ts';
import { LongText } from './long-text.ts';
import { type Opened, openerOf, pieceReadOf, type TextPart } from './opened.ts';
import type { CallOptions, ReadResult } from './types.ts';
import { type Sleep, sleep, type Wire } from './wire.ts';

export type ConnectionOptions = {
  /** Where Kungfu is: `https://kungfu.example`. What is no URL is a TypeError at once. */
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Keeps idempotency keys of what has no known outcome yet: a Map, or whatever outlives the program. */
  readonly keys?: KeyStore;
  /** Attempts of one request in all; 10 if absent. */
  readonly attemptsMax?: number;
  /** A refusal that asks for a longer pause than this is handed out instead of waited for; 60 if absent. Seconds. */
  readonly pauseSecondsMax?: number;
  /** An attempt without an answer after this is given up; 75 if absent. Seconds. */
  readonly attemptSecondsMax?: number;
  /** Waits between attempts; the timers of the world if absent. */
  readonly sleep?: Sleep;
};

/** `key`: the key of the agent, or a JWT of the issuer that Kungfu trusts. */
export type KungfuOptions = ConnectionOptions & { readonly key: string };
/** `url`: the administration has a port of its own. `token`: its token. */
export type AdministrationOptions = ConnectionOptions & { readonly token: string };

const attemptsMax = 10;
const pauseSecondsMax = 60;
const attemptSecondsMax = 75;

const callerOf = (options: ConnectionOptions, bearer: string): Caller => {
  const wire: Wire = {
    url: new URL(options.url).href.replace(/\/+$/, ''),
    bearer,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleep,
    attemptsMax: options.attemptsMax ?? attemptsMax,
    pauseSecondsMax: options.pauseSecondsMax ?? pauseSecondsMax,
    attemptSecondsMax: options.attemptSecondsMax ?? attemptSecondsMax,
  };
  return new Caller(wire, options.keys);
};

/**
 * An agent at Kungfu. Refusals are results; what is thrown is NoAnswer (nobody answered, however often it was tried),
 * StrangeAnswer (it is no Kungfu that answers), TypeError (a reference to something else) and the reason of an aborted signal.
 */
export class Kungfu extends AgentMethods {
  protected override readonly caller: Caller;

  constructor(options: KungfuOptions) {
    super();
    this.caller = callerOf(options, options.key);
  }

  /** Shows what a reference refers to: a working set, an entry, an assignment, a version, an engagement. */
  open<Reference extends string>(reference: Reference, options?: CallOptions): Promise<ReadResult<Opened<Reference>>> {
    return this.caller.read(openerOf(reference) as Opened<Reference>, reference, {}, options);
  }

  /**
   * Reads a long text in pieces: the words of an entry, an assignment, a Memory or a contract, or the payload of a delivery.
   * `length`: bytes of a piece.
   */
  content(
    reference: string,
    { part, length, ...options }: CallOptions & { readonly part?: TextPart; readonly length?: number } = {},
  ): LongText {
    const name = pieceReadOf(reference, part);
    return new LongText((offset) => this.caller.read(name, reference, { offset, length }, options));
  }

  /**
   * The turn as soon as there is something in it. With `since`, the tag of a turn that the caller has, as soon as it is another
   * one. Waits by long polling, for as long as it takes: end it with `signal`.
   */
  waitForTurn(options: WaitOptions = {}): Promise<ReadResult<'turn.list', Waited<'turn.list'>>> {
    return this.caller.wait('turn.list', options);
  }

  /** As waitForTurn, for what may be taken. */
  waitForOpportunities(
    options: WaitOptions = {},
  ): Promise<ReadResult<'opportunities.list', Waited<'opportunities.list'>>> {
    return this.caller.wait('opportunities.list', options);
  }
}

/** The administration of a Kungfu: accounts of agents and their keys. Throws what Kungfu throws. */
export class KungfuAdministration extends AdministrationMethods {
  protected override readonly caller: Caller;

  constructor(options: AdministrationOptions) {
    super();
    this.caller = callerOf(options, options.token);
  }
}
