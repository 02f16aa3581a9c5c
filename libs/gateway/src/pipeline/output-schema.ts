import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Timers } from '@kungfu/log-port';
import { pointerOf, type ShapeError } from '@kungfu/protocol';
import { answerTo, type Place, type SchemaAnswer, type SchemaFault, type SchemaJob } from './schema-bounds.ts';

/**
 * Looks at the output structures that participants declare, and at what they deliver into them (T-44). `at` is the pointer of the
 * schema or the payload within the request: the errors are places of that request. Empty if nothing is wrong. Throws only if it
 * cannot work at all.
 */
export interface SchemaChecker {
  /** Why a schema cannot be declared: it is no JSON Schema 2020-12, or cannot be checked in bounded time (contract.md, Limits). */
  declared(schema: unknown, at: string): Promise<readonly ShapeError[]>;
  /** Where a payload misses the structure. */
  misses(schema: unknown, payload: unknown, at: string): Promise<readonly ShapeError[]>;
}

/** In the caller's own thread, which it may hold up for half a second: for specs and simulation. */
export const schemasInProcess: SchemaChecker = {
  declared: async (schema, at) => declaredErrors(answerTo({ declare: schema }), at),
  misses: async (schema, payload, at) => missErrors(answerTo({ check: schema, payload }), at),
};

/** No job that ends by itself takes so long: then the thread is ended. */
const jobMsMax = 2_000;

/**
 * In threads of their own, so that no schema holds up anything else: one for what is declared and one for what is delivered, both
 * started when first needed. What takes too long, or more memory than a thread may have, is answered as unbounded, and its
 * thread ended.
 *
 * Whole interface: declared(), misses(), stop().
 */
export class SchemaThreads implements SchemaChecker {
  readonly #declaring: SchemaThread;
  readonly #checking: SchemaThread;

  constructor(timers: Timers, jobMs: number = jobMsMax) {
    this.#declaring = new SchemaThread(timers, jobMs);
    this.#checking = new SchemaThread(timers, jobMs);
  }

  async declared(schema: unknown, at: string): Promise<readonly ShapeError[]> {
    const answer = await this.#declaring.do({ declare: schema });
    return declaredErrors(answer ?? { fault: { keyword: 'unbounded', place: '' } }, at);
  }

  async misses(schema: unknown, payload: unknown, at: string): Promise<readonly ShapeError[]> {
    const answer = await this.#checking.do({ check: schema, payload });
    return missErrors(answer ?? { misses: [{ keyword: 'unbounded', place: '' }] }, at);
  }

  /** Ends the threads; whoever still waits is answered as if the job had taken too long. */
  async stop(): Promise<void> {
    await Promise.all([this.#declaring.stop(), this.#checking.stop()]);
  }
}

class SchemaThread {
  readonly #timers: Timers;
  readonly #jobMs: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(timers: Timers, jobMs: number) {
    this.#timers = timers;
    this.#jobMs = jobMs;
  }

  /** One job after another. Undefined if it did not come to an end; throws if no thread can be started. */
  do(job: SchemaJob): Promise<SchemaAnswer | undefined> {
    const answer = this.#last.then(() => this.#answer(job));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#last;
    await this.#end();
  }

  async #answer(job: SchemaJob): Promise<SchemaAnswer | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    this.#worker ??= await this.#started();
    const over = new AbortController();
    const late = this.#timers.sleep(this.#jobMs, AbortSignal.any([over.signal, this.#stopping.signal]));
    const answered = answerOf(this.#worker, job, over.signal);
    const answer = await Promise.race([answered, late.then(() => undefined)]);
    over.abort();
    if (answer === undefined) await this.#end();
    return answer;
  }

  async #started(): Promise<Worker> {
    const worker = await started();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** A file beside this one, which is built or not. */
const file = new URL(`./schema-worker${extname(import.meta.url)}`, import.meta.url);
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** A thread that is ready for work and keeps no process alive. Throws if it cannot be loaded. */
const started = async (): Promise<Worker> => {
  const worker = new Worker(file, { resourceLimits });
  await once(worker, 'message');
  // Whoever waits for it hears of it too; when nobody waits, its end is all that counts.
  worker.on('error', () => {});
  worker.unref();
  return worker;
};

/** Undefined if the thread fails over the job. */
const answerOf = async (worker: Worker, job: SchemaJob, signal: AbortSignal): Promise<SchemaAnswer | undefined> => {
  try {
    worker.postMessage(job);
    const [answer] = await once(worker, 'message', { signal });
    return answer as SchemaAnswer;
  } catch {
    return undefined;
  }
};

const pointer = (at: string, place: Place): string => at + (typeof place === 'string' ? place : pointerOf(place));

const details: Readonly<Record<SchemaFault['keyword'], string>> = {
  schema: 'This is no JSON Schema 2020-12.',
  unbounded:
    'The schema cannot be checked in bounded time here: no remote or recursive references, only patterns that match in linear time.',
};

const declaredErrors = ({ fault }: SchemaAnswer, at: string): readonly ShapeError[] =>
  fault === undefined
    ? []
    : [{ pointer: pointer(at, fault.place), keyword: fault.keyword, detail: details[fault.keyword] }];

const missErrors = ({ misses = [] }: SchemaAnswer, at: string): readonly ShapeError[] =>
  misses.map(({ keyword, place }) => ({
    pointer: pointer(at, place),
    keyword,
    detail: 'The payload misses the output structure here.',
  }));
