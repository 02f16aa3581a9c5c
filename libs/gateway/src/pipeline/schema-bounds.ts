/**
 * The work on a stranger's schema that could take long; it runs in a thread of its own (schema-worker.ts). Node loads this file
 * there as it is written, also in tests: it imports packages and this folder only, and has no syntax but what can be erased.
 */
import { runInNewContext } from 'node:vm';
import { type Schema, Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkSync } from 'recheck';
import { patternCost } from './pattern-cost.ts';

/** Nodes of a schema once its references are followed: more could make checking a payload slow. */
const expandedNodesMax = 10_000;
const recheckMsMax = 100;
/** All patterns of one schema together: looking at them holds up the process. */
const patternsMsMax = 500;
/** `recheck` takes what has no endless repetition for safe, though `x?x?x?…xxx` is not: its ways are bounded here. */
const waysMax = 10_000;
const atomsMax = 150;
const loopsMax = 10;
/** Checking a payload is ended after so long, as a miss. */
const checkMsMax = 500;
/** Keywords whose members are schemas under names that the author chose. */
const schemaMaps: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas'];
/** An array whose items have to be unique is compared item by item. */
const uniqueItemsMax = 1_000;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Only ever runs the schema of schemas, which is not a stranger's. */
const schemaOfSchemas = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** A place within a value: a JSON pointer, or the steps to it. */
export type Place = string | readonly (string | number)[];
/** Why a schema is refused, and the first place where. */
export type SchemaFault = { readonly keyword: 'schema' | 'unbounded'; readonly place: Place };

/** What is wrong with a schema that is declared: no JSON Schema 2020-12, or not to be checked in bounded time. Undefined if nothing. */
export const faultOf = (schema: unknown): SchemaFault | undefined => {
  const misshapen = misshapenPlace(schema);
  if (misshapen !== undefined) return { keyword: 'schema', place: misshapen };
  const unbounded = unboundedPlace(schema);
  return unbounded === undefined ? undefined : { keyword: 'unbounded', place: unbounded };
};

const misshapenPlace = (schema: unknown): string | undefined => {
  if (isRecord(schema) && '$schema' in schema && schema['$schema'] !== dialect) return '/$schema';
  if (schemaOfSchemas.validateSchema(schema as boolean) === true) return undefined;
  return schemaOfSchemas.errors?.[0]?.instancePath ?? '';
};

/**
 * Whether a participant's schema can be checked in bounded time: only references inside it and none that come back to
 * themselves, patterns that match in linear time, no comparison of unboundedly many items. The first place that cannot;
 * undefined if all can.
 */
const unboundedPlace = (schema: unknown): readonly (string | number)[] | undefined => {
  try {
    expand(schema, schema, [], new Set(), { nodes: 0, patternsMs: 0 });
    return undefined;
  } catch (error) {
    if (error instanceof Unbounded) return error.place;
    throw error;
  }
};

class Unbounded extends Error {
  readonly place: readonly (string | number)[];

  constructor(place: readonly (string | number)[]) {
    super('unbounded');
    this.place = place;
  }
}

type Count = { nodes: number; patternsMs: number };

const expand = (
  root: unknown,
  node: unknown,
  path: readonly (string | number)[],
  following: ReadonlySet<string>,
  count: Count,
): void => {
  if (typeof node !== 'object' || node === null) return;
  count.nodes += 1;
  if (count.nodes > expandedNodesMax) throw new Unbounded(path);
  const schema = node as Readonly<Record<string, unknown>>;
  for (const name of ['$dynamicRef', '$recursiveRef', '$id', '$anchor', '$dynamicAnchor'])
    if (name in schema && !Array.isArray(node)) throw new Unbounded([...path, name]);
  if ('pattern' in schema && typeof schema['pattern'] === 'string')
    checkPattern(schema['pattern'], [...path, 'pattern'], count);
  if (isRecord(schema['patternProperties']))
    for (const pattern of Object.keys(schema['patternProperties']))
      checkPattern(pattern, [...path, 'patternProperties', pattern], count);
  if (
    schema['uniqueItems'] === true &&
    !(typeof schema['maxItems'] === 'number' && schema['maxItems'] <= uniqueItemsMax)
  )
    throw new Unbounded([...path, 'uniqueItems']);
  if (typeof schema['$ref'] === 'string') follow(root, schema['$ref'], [...path, '$ref'], following, count);
  for (const [name, inner] of Object.entries(node)) {
    if (
      name === 'const' ||
      name === 'enum' ||
      name === 'default' ||
      name === 'examples' ||
      name === '$defs' ||
      name === 'definitions'
    )
      continue;
    if (!(schemaMaps.includes(name) && isRecord(inner))) {
      expand(root, inner, [...path, name], following, count);
      continue;
    }
    for (const [key, each] of Object.entries(inner)) expand(root, each, [...path, name, key], following, count);
  }
};

const follow = (
  root: unknown,
  ref: string,
  path: readonly (string | number)[],
  following: ReadonlySet<string>,
  count: Count,
): void => {
  if (following.has(ref) || !(ref === '#' || ref.startsWith('#/'))) throw new Unbounded(path);
  const steps = stepsOf(ref);
  if (steps === undefined) throw new Unbounded(path);
  const target = steps.reduce(
    (node: unknown, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string, unknown>)[step]
        : undefined,
    root,
  );
  if (target === undefined || ref === '#') throw new Unbounded(path);
  expand(root, target, path, new Set([...following, ref]), count);
};

/** The steps of a reference inside the schema; undefined where its escapes are none. */
const stepsOf = (ref: string): readonly string[] | undefined => {
  try {
    return ref
      .split('/')
      .slice(1)
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};

const checkPattern = (pattern: string, path: readonly (string | number)[], count: Count): void => {
  if (count.patternsMs > patternsMsMax || !isRegExp(pattern) || !isSmall(pattern)) throw new Unbounded(path);
  const begun = performance.now();
  const verdict = checkSync(pattern, 'u', { checker: 'automaton', timeout: recheckMsMax });
  count.patternsMs += performance.now() - begun;
  if (verdict.status !== 'safe') throw new Unbounded(path);
};

const isSmall = (pattern: string): boolean => {
  const { atoms, loops, ways } = patternCost(pattern);
  return atoms <= atomsMax && loops <= loopsMax && ways <= waysMax;
};

const isRegExp = (pattern: string): boolean => {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a payload misses a schema: the keyword, and the place in the payload as a JSON pointer. */
export type Miss = { readonly keyword: string; readonly place: string };

const missesMax = 20;

/**
 * Where a payload misses the output structure (T-44): place in the payload and keyword, never the words of whoever wrote the
 * schema. Interpreted: no code is made from a stranger's schema.
 */
export const missesOf = (schema: unknown, payload: unknown): readonly Miss[] => {
  const { valid, errors } = checked(schema, payload);
  if (valid) return [];
  return errors
    .slice(0, missesMax)
    .map(({ keyword, instanceLocation }) => ({ keyword, place: decodeURI(instanceLocation.slice(1)) }));
};

type Checked = Pick<ReturnType<Validator['validate']>, 'valid' | 'errors'>;

/** Whatever the validator throws, or does not come to an end with, lies in this schema and payload: a miss of the whole. */
const checked = (schema: unknown, payload: unknown): Checked => {
  const run = (): Checked => new Validator(schema as Schema | boolean, '2020-12', false).validate(payload);
  try {
    return runInNewContext('run()', { run }, { timeout: checkMsMax }) as Checked;
  } catch {
    return { valid: false, errors: [{ keyword: 'unbounded', instanceLocation: '#', keywordLocation: '#', error: '' }] };
  }
};

/** Work for the thread, and what it answers. */
export type SchemaJob = { readonly declare: unknown } | { readonly check: unknown; readonly payload: unknown };
export type SchemaAnswer = { readonly fault?: SchemaFault; readonly misses?: readonly Miss[] };

/** Does one piece of work. Throws what the schema makes the libraries throw. */
export const answerTo = (job: SchemaJob): SchemaAnswer => {
  if ('check' in job) return { misses: missesOf(job.check, job.payload) };
  const fault = faultOf(job.declare);
  return fault === undefined ? {} : { fault };
};
