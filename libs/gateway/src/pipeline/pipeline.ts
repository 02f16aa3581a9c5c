/**
 * Takes a request through to its outcome (engine.md §4): receipt, rate, reservation, content, action, waiting.
 *
 * Whole interface: execute(), stop(). Safe to repeat at any point, under the same key: what the process leaves behind when it
 * dies is a reservation, which the next request with the key waits for, or takes over once it has run out.
 */
import type { Clock, Log, Random } from '@kungfu/log-port';
import {
  type ActionCatalogue,
  type ActionDefinition,
  type ActionInput,
  type ActionInputs,
  type ActionName,
  administration,
  type AgentId,
  isActionName,
  isRefusalCode,
  type KindName,
  type Limits,
  type RefusalCode,
  type WalkPartition,
} from '@kungfu/protocol';
import type { Outcome, Pipeline, PublicRequest } from '../http/pipeline-port.ts';
import type { ActionLimiter } from '../limits/limiter.ts';
import type { Wakes } from '../reads/wakes.ts';
import { Appender, type ContentPosition } from './appender.ts';
import { bindingOf, derivedId, fingerprintOf, randomId, sha256 } from './identity.ts';
import { Outcomes } from './outcomes.ts';
import { type SchemaChecker, schemasInProcess } from './output-schema.ts';
import { type Payload, type Prepared, prepare } from './prepare.ts';
import type { GatewayTables, Generation, Looked, References, Reservation, StoredReceipt } from './tables.ts';

export type PipelineBounds = {
  /** An attempt not decided by then is refused `expired`. */
  readonly attemptMs: number;
  readonly maxSkewMs: number;
  /** How long a request waits for its outcome. */
  readonly waitMs: number;
  readonly pollMs: number;
  /** Requests in flight; more are refused `overloaded`. */
  readonly inFlightMax: number;
};
export const pipelineBounds: PipelineBounds = {
  attemptMs: 10_000,
  maxSkewMs: 2_000,
  waitMs: 15_000,
  pollMs: 250,
  inFlightMax: 2_000,
};

export type PipelineOptions = {
  readonly catalogue: ActionCatalogue;
  readonly limits: Limits;
  readonly log: Log;
  readonly tables: GatewayTables;
  readonly references: References;
  readonly limiter: ActionLimiter;
  /** Looks at output structures; without it, this process does so itself. */
  readonly schemas?: SchemaChecker;
  readonly wakes: Wakes;
  readonly clock: Clock;
  readonly random: Random;
  readonly walkPartitions: () => Promise<readonly WalkPartition[]>;
  readonly bounds?: Partial<PipelineBounds>;
  /** Hears of failures that the caller only sees as `pending`. */
  readonly onTrouble: (error: unknown) => void;
};

type Logical = {
  readonly request: PublicRequest;
  readonly definition: ActionDefinition;
  readonly binding: string;
  readonly fingerprint: string;
  readonly until: number;
};

/** What an action is sent with: its contents are in the log, unless it is not known whether they are. */
type Ready = {
  readonly prepared: Prepared;
  readonly inactive: readonly AgentId[];
  readonly content: readonly ContentPosition[] | undefined;
};

export class ActionPipeline implements Pipeline {
  readonly #options: PipelineOptions;
  readonly #bounds: PipelineBounds;
  readonly #appender: Appender;
  readonly #outcomes: Outcomes;
  readonly #schemas: SchemaChecker;
  #inFlight = 0;
  #idle: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#bounds = { ...pipelineBounds, ...options.bounds };
    this.#appender = new Appender(options.log);
    this.#schemas = options.schemas ?? schemasInProcess;
    this.#outcomes = new Outcomes({ ...options, pollMs: this.#bounds.pollMs });
  }

  /** Never throws for what a caller can cause; throws what the database throws when it is away. */
  async execute(request: PublicRequest): Promise<Outcome> {
    if (this.#stopping !== undefined || this.#inFlight >= this.#bounds.inFlightMax) return refused('overloaded', 1);
    this.#inFlight += 1;
    try {
      return await this.#execute(request);
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#idle?.();
    }
  }

  /** Takes no more, waits for those in flight and closes what it has opened. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    await this.#appender.close();
  }

  async #execute(request: PublicRequest): Promise<Outcome> {
    if (!isActionName(request.action)) return refused('not_found');
    const definition = this.#options.catalogue[request.action];
    const binding = bindingOf(request.agent, request.action, request.key);
    const logical = {
      request,
      definition,
      binding,
      fingerprint: fingerprintOf(request, definition),
      until: this.#options.clock.now() + this.#bounds.waitMs,
    };
    const { tables } = this.#options;
    const { looked, generation } = await tables.arrive(binding);
    if (looked.receipt !== undefined) return replay(looked.receipt, logical.fingerprint);
    // Rows may be missing while fenced: a refusal could deny what the log still holds (engine.md §4.7).
    if (generation.fenced) return refused('pending', 1);
    const limited = (await this.#limit(logical, looked)) ?? (await this.#declared(logical, looked));
    if (limited !== undefined) return limited;
    const attempt = (): Promise<Outcome> => this.#attempt(logical, looked.reservation, generation);
    return definition.name === 'thread.join' ? this.#join(request.agent, looked, attempt) : attempt();
  }

  /** Whatever does not come to `grant_invalid` has not failed (T-7). */
  async #join(agent: string, looked: Looked, attempt: () => Promise<Outcome>): Promise<Outcome> {
    const joining = await this.#options.limiter.join(agent);
    if ('retryAfter' in joining) return overRate(looked, joining.retryAfter);
    let outcome: Outcome | undefined;
    try {
      outcome = await attempt();
      return outcome;
    } finally {
      if (outcome?.kind !== 'refused' || outcome.code !== 'grant_invalid')
        await joining.notFailed().catch(this.#options.onTrouble);
    }
  }

  /**
   * What is no schema, or could not be checked in bounded time, is refused when it is declared (contract.md, Limits). That is
   * found out against time: so neither a replay (L3-1) nor a request that already holds its binding depends on it, and it is
   * weighed by the rates.
   */
  async #declared({ request, fingerprint }: Logical, { reservation }: Looked): Promise<Outcome | undefined> {
    const declared = declaredSchema(request);
    if (declared === undefined) return undefined;
    if (reservation?.refused === undefined && reservation?.fingerprint === fingerprint) return undefined;
    const errors = await this.#schemas.declared(declared.schema, declared.at);
    return errors.length === 0 ? undefined : { kind: 'refused', code: 'invalid', errors };
  }

  async #limit({ request, definition }: Logical, looked: Looked): Promise<Outcome | undefined> {
    if (request.agent === administration) return undefined;
    const retryAfter = await this.#options.limiter.consume(request.agent, definition.name as ActionName);
    return retryAfter === undefined ? undefined : overRate(looked, retryAfter);
  }

  /** Takes the binding, or waits for whoever holds it, or takes over what has run out. */
  async #attempt(
    logical: Logical,
    seen: Reservation | undefined,
    { generation, fenced }: Generation,
  ): Promise<Outcome> {
    const { clock } = this.#options;
    if (fenced) return refused('pending', 1);
    // Of the same request, what it was found to be about stands; another request's object is never this one's.
    const same = seen !== undefined && seen.refused === undefined && seen.fingerprint === logical.fingerprint;
    const object = same ? seen.object : await this.#objectOf(logical);
    if (object === undefined) return this.#unknownGrant(logical);
    const fresh: Reservation = {
      binding: logical.binding,
      fingerprint: logical.fingerprint,
      object,
      actionId: randomId('action', this.#options.random),
      attempt: 1,
      notAfter: clock.now() + this.#bounds.attemptMs,
      generation,
    };
    // Where the binding looked free, what is sent is made ready meanwhile: of a request that comes to nothing, only content is left over.
    const free = seen === undefined || seen.refused !== undefined;
    const [{ row, found }, ready] = await both(
      this.#reserve(fresh),
      free ? this.#ready(logical, object) : Promise.resolve(undefined),
    );
    if (found !== undefined) return this.#confirmed(logical, fresh, found, ready);
    if (clock.now() <= row.notAfter + this.#bounds.maxSkewMs) {
      if (row.fingerprint !== logical.fingerprint) return refused('pending', 1);
      return this.#outcome(logical, row, await this.#followed(row, logical.until), true);
    }
    return this.#takeOver(logical, row, generation);
  }

  /** The row as it stands then; once taken, in a second statement, what is found under the binding (engine.md §4.4). */
  async #reserve(fresh: Reservation): Promise<{ readonly row: Reservation; readonly found?: Looked }> {
    const { tables } = this.#options;
    const row = await tables.reserve(fresh);
    return row.actionId === fresh.actionId ? { row, found: await tables.look(row.binding) } : { row };
  }

  /** Goes on only if the row is still this attempt's and no receipt has come (engine.md §4.4). */
  async #confirmed(
    logical: Logical,
    mine: Reservation,
    { receipt, reservation }: Looked,
    ready: Ready | undefined,
  ): Promise<Outcome> {
    if (receipt !== undefined) {
      await this.#options.tables.release(mine);
      return replay(receipt, logical.fingerprint);
    }
    if (reservation?.actionId !== mine.actionId || reservation.attempt !== mine.attempt) return refused('pending', 1);
    return this.#send(logical, mine, ready ?? (await this.#ready(logical, mine.object)));
  }

  async #takeOver(logical: Logical, row: Reservation, generation: number): Promise<Outcome> {
    const { tables, clock } = this.#options;
    const next: Reservation = {
      ...row,
      attempt: row.attempt + 1,
      generation,
      notAfter: Math.max(row.notAfter, clock.now() + this.#bounds.attemptMs),
    };
    if (!(await tables.takeOver(next, row))) return refused('pending', 1);
    if (row.fingerprint === logical.fingerprint)
      return this.#send(logical, next, await this.#ready(logical, next.object));
    return this.#interrupt(logical, next);
  }

  /** Has the old action refused, so that the binding is free for this request (engine.md §4.4). */
  async #interrupt(logical: Logical, old: Reservation): Promise<Outcome> {
    const kind = logical.definition.kind;
    const looked = await this.#followed(old, logical.until, () =>
      this.#append(kind, { ...this.#envelope(logical, old), payload: anyPayload(kind), interrupted: true }),
    );
    if (looked.receipt !== undefined) return replay(looked.receipt, logical.fingerprint);
    if (looked.reservation !== undefined && looked.reservation.refused === undefined) return refused('pending', 1);
    if (this.#options.clock.now() >= logical.until) return refused('pending', 1);
    return this.#attempt(logical, looked.reservation, await this.#options.tables.generation());
  }

  /** What an action about an object is sent with. Refuses nothing: what is wrong is stamped for the owner to say. */
  async #ready(logical: Logical, object: string): Promise<Ready> {
    const { request, definition } = logical;
    const prepared = await prepare(definition.name as ActionName, request.body as ActionInputs[ActionName] as never, {
      agent: request.agent,
      object,
      binding: logical.binding,
      random: this.#options.random,
      references: this.#options.references,
      schemas: this.#schemas,
      limits: this.#options.limits,
      walkPartitions: definition.kind === 'agent' ? await this.#options.walkPartitions() : [],
    });
    const named = [request.agent, ...prepared.names].filter((agent) => agent !== administration);
    const [inactive, content] = await both(
      named.length === 0 ? Promise.resolve([]) : this.#options.references.inactive(named),
      this.#content(prepared.content),
    );
    return { prepared, inactive: [...new Set(inactive)] as AgentId[], content };
  }

  /** Holding the reservation, nothing is refused here any more. */
  async #send(logical: Logical, mine: Reservation, { prepared, inactive, content }: Ready): Promise<Outcome> {
    const action: ActionInput = {
      ...this.#envelope(logical, mine),
      payload: prepared.payload,
      ...(inactive.length === 0 ? {} : { inactive: [...inactive] }),
      ...(content === undefined || content.length === 0 ? {} : { content: [...content] }),
    };
    const looked = await this.#followed(mine, logical.until, async () => {
      if (content !== undefined) await this.#append(logical.definition.kind, action);
    });
    return this.#outcome(logical, mine, looked, false, prepared);
  }

  /** Follows an attempt from before it is appended until its outcome is known; without an append, one of another request. */
  async #followed(attempt: Reservation, until: number, append?: () => Promise<void>): Promise<Looked> {
    const following = this.#outcomes.follow(attempt, append === undefined);
    try {
      await append?.();
      return await following.outcome(until);
    } finally {
      following.end();
    }
  }

  #envelope(
    { request, binding }: Logical,
    { actionId, attempt, object, fingerprint, notAfter, generation }: Reservation,
  ): Omit<ActionInput, 'payload'> {
    return {
      kind: 'action',
      id: actionId as `action_${string}`,
      attempt,
      object,
      agent: request.agent as AgentId,
      binding,
      fingerprint,
      notAfter,
      generation,
    };
  }

  /** Where the contents have come to lie; undefined if that is not known: then the action is not sent. */
  async #content(contents: Prepared['content']): Promise<readonly ContentPosition[] | undefined> {
    try {
      return await this.#appender.contents(contents);
    } catch (error) {
      this.#options.onTrouble(error);
      return undefined;
    }
  }

  /** After a failed append nobody knows what landed: the outcome tells. */
  async #append(kind: KindName, action: ActionInput): Promise<void> {
    try {
      await this.#appender.action(kind, action);
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  async #outcome(
    logical: Logical,
    row: Reservation,
    looked: Looked,
    replayed: boolean,
    prepared?: Prepared,
  ): Promise<Outcome> {
    const { receipt, reservation } = looked;
    if (receipt !== undefined) return this.#done(logical, receipt, replayed, prepared);
    if (reservation?.actionId !== row.actionId || reservation.refused === undefined) return refused('pending', 1);
    const { code, retryAfter } = reservation.refused;
    const known: RefusalCode = isRefusalCode(code) ? code : 'failed';
    const errors = prepared?.errors !== undefined && known === 'schema_mismatch' ? { errors: prepared.errors } : {};
    return { kind: 'refused', code: known, ...(retryAfter === undefined ? {} : { retryAfter }), ...errors };
  }

  /** The secret is told only if its hash is the one in the fact, and only by the attempt that made it (L3-4). */
  #done(logical: Logical, stored: StoredReceipt, replayed: boolean, prepared: Prepared | undefined): Outcome {
    if (stored.fingerprint !== logical.fingerprint) return refused('idempotency_conflict');
    const { secret } = prepared ?? {};
    const mine = secret !== undefined && Buffer.from(stored.receipt).includes(secret.hash);
    return { kind: 'done', receipt: stored.receipt, replayed, ...(mine ? { secret: secret.secret } : {}) };
  }

  /** The object decided on: named by the path, found by a secret, or made by the request. */
  async #objectOf({ request, definition, binding }: Logical): Promise<string | undefined> {
    if (request.object !== undefined) return request.object;
    if (definition.name === 'thread.join')
      return this.#options.references.threadOfGrant(sha256((request.body as { secret: string }).secret));
    return derivedId(definition.kind, binding);
  }

  /** Only live hashes are indexed: every other secret is refused alike (T-7), after the account, which comes first. */
  async #unknownGrant({ request }: Logical): Promise<Outcome> {
    const inactive = (await this.#options.references.inactive([request.agent])).length > 0;
    return refused(inactive ? 'agent_inactive' : 'grant_invalid');
  }
}

/** Both at once; neither is still under way when it throws what one of them has thrown. */
const both = async <A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> => {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
};

const refused = (code: RefusalCode, retryAfter?: number): Outcome => ({
  kind: 'refused',
  code,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** Whoever holds the binding may not be refused (engine.md §4.3). */
const overRate = ({ reservation }: Looked, retryAfter: number): Outcome =>
  reservation === undefined || reservation.refused !== undefined
    ? refused('rate_limited', retryAfter)
    : refused('pending', 1);

const replay = ({ fingerprint, receipt }: StoredReceipt, asked: string): Outcome =>
  fingerprint === asked ? { kind: 'done', receipt, replayed: true } : refused('idempotency_conflict');

type DeclaredSchema = { readonly schema: unknown; readonly at: string };

/** The output structure that a request declares, and its place in the request; undefined if it declares none. */
const declaredSchema = ({ action, body }: PublicRequest): DeclaredSchema | undefined => {
  switch (action) {
    case 'thread.post':
      return declaredAt('/assign', (body as ActionInputs['thread.post']).assign?.content.outputSchema);
    case 'task.create':
    case 'task.revise':
      return declaredAt('', (body as ActionInputs['task.revise']).content.outputSchema);
    default:
      return undefined;
  }
};

const declaredAt = (part: string, schema: unknown): DeclaredSchema | undefined =>
  schema === undefined ? undefined : { schema, at: `${part}/content/outputSchema` };

/** An interrupted action is refused before its payload is looked at. */
const anyPayload = (kind: ActionDefinition['kind']): Payload => {
  switch (kind) {
    case 'agent':
      return { type: 'agent.activate', partitions: [] };
    case 'memory':
      return { type: 'memory.publish' };
    case 'thread':
      return { type: 'thread.leave' };
    case 'task':
      return { type: 'task.pause' };
  }
};
