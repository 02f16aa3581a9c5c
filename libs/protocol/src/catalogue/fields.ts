import { z } from 'zod';
import { agentId } from '../ids.ts';
import type { Limits } from '../limits.ts';
import { ordinalMax, parseReference } from './references.ts';

const utf8 = new TextEncoder();

/** Keywords of shape errors; each has one fixed sentence (contract.md, Shapes). */
export type Keyword =
  | 'required'
  | 'unknown'
  | 'type'
  | 'format'
  | 'minimum'
  | 'maximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'oneOf'
  | 'enum'
  | 'oneLine'
  | 'maxDepth';

type Checked<T> = { readonly value: T; readonly issues: unknown[] };

/** Adds an issue with one of our keywords to a zod check. */
const miss = (checked: Checked<unknown>, keyword: Keyword): void => {
  checked.issues.push({ code: 'custom', input: checked.value, params: { keyword } });
};

/** Text in characters (code points, as people count them). */
export const characters = (max: number, min = 1) =>
  z
    .string()
    .check((c) => {
      if (c.value.length < min) miss(c, 'minLength');
      if (c.value.length > max && [...c.value].length > max) miss(c, 'maxLength');
    })
    .meta({ minLength: min, maxLength: max });

/** Text in bytes of UTF-8. */
export const bytes = (max: number, min = 1) =>
  z
    .string()
    .check((c) => {
      if (c.value.length < min) miss(c, 'minLength');
      if (utf8.encode(c.value).length > max) miss(c, 'maxLength');
    })
    .meta({ minLength: min, description: `At most ${max} bytes of UTF-8.` });

/** A line break anywhere makes it more than one line. */
const lineBreaks = ['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
export const oneLine = (max: number) =>
  characters(max)
    .check((c) => {
      if (lineBreaks.some((lineBreak) => c.value.includes(lineBreak))) miss(c, 'oneLine');
    })
    .meta({ minLength: 1, maxLength: max, description: 'One line.' });

/** Any JSON, bounded in bytes of its compact form. */
export const json = (max: number) =>
  z
    .unknown()
    .check((c) => {
      if (c.value !== undefined && utf8.encode(JSON.stringify(c.value)).length > max) miss(c, 'maxLength');
    })
    .meta({ description: `Any JSON, at most ${max} bytes.` });

/** A JSON Schema as far as its shape goes; whether it can be checked in bounded time is the gateway's to find out. */
export const jsonSchema = ({ schemaBytesMax, schemaDepthMax }: Limits) =>
  json(schemaBytesMax)
    .check((c) => {
      if (c.value === undefined) return;
      if (typeof c.value !== 'boolean' && !isObject(c.value)) return miss(c, 'type');
      if (deeperThan(c.value, schemaDepthMax)) miss(c, 'maxDepth');
    })
    .meta({
      type: ['object', 'boolean'],
      description: `A JSON Schema 2020-12, at most ${schemaBytesMax} bytes, ${schemaDepthMax} levels deep.`,
    });

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const deeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => deeperThan(inner, levels - 1));
};

/** A number of a part: entry, assignment, version. */
export const partNumber = z.int().min(1).max(ordinalMax);

/** A reference of one of the kinds. */
const reference = (...kinds: readonly string[]) =>
  z
    .string()
    .check((c) => {
      const found = parseReference(c.value);
      if (found === undefined || !kinds.includes(found.kind)) miss(c, 'format');
    })
    .meta({ description: `A reference to: ${kinds.join(', ')}.` });

/** `memory_…` (its current version) or `memory_…/versions/4`. */
export const memoryReference = reference('memory', 'version');
/** `thread_…/entries/7`, or its number in the same thread. */
export const entryReference = z.union([partNumber, reference('entry')]);
/** `thread_…/assignments/2`, or its number in the same thread. */
export const assignmentReference = z.union([partNumber, reference('assignment')]);

/** `task_…`. */
export const taskReference = reference('task');
/** `task_…/engagements/engagement_…`. */
export const engagementReference = reference('engagement');

/** Seconds of a deadline. */
export const deadlineSeconds = ({ deadlineSecondsMin, deadlineSecondsMax }: Limits) =>
  z.int().min(deadlineSecondsMin).max(deadlineSecondsMax);

/** A set of agents: order and repetition do not matter (T-23). */
export const agents = (max: number) => z.array(agentId).max(max);

/** A label that the administration gives: printable, without blanks at the ends. */
export const labels = ({ labelsMax, labelCharactersMax }: Limits) =>
  z
    .array(
      characters(labelCharactersMax).regex(
        /^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{N}\p{P}\p{S} ]*[\p{L}\p{N}\p{P}\p{S}])?$/u,
      ),
    )
    .max(labelsMax);
