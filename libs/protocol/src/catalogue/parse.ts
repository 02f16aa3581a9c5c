import { z } from 'zod';
import type { Keyword } from './fields.ts';
import type { ActionInputs, ActionName } from './inputs.ts';
import { parseReference } from './references.ts';
import type { ActionDefinition } from './types.ts';

/** One place in the caller's own request that does not fit (contract.md, Shapes). */
export type ShapeError = {
  readonly pointer: string;
  readonly keyword: string;
  readonly detail: string;
  /** Where one of several fields has to stand: the pointers of all of them. */
  readonly alternatives?: readonly string[];
};

/** What a shape check comes to. `too_large` when nothing but lengths of text is wrong. */
export type Shaped<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: 'invalid' | 'too_large'; readonly errors: readonly ShapeError[] };

/** An action's input that has passed. */
export type ParsedInput<N extends ActionName> = { readonly kind: 'ok'; readonly value: ActionInputs[N] };

/** More places than these are not listed. */
const errorsMax = 20;
/** Names of unknown fields longer than this are not repeated. */
const nameCharactersMax = 100;

/**
 * Checks the public shape of an action's input and brings it into the one form that is fingerprinted: fields that are null
 * are left out, and a reference to a part of the same object becomes its number. Sets keep the caller's order.
 */
export const parseInput = <N extends ActionName>(
  definition: ActionDefinition<N>,
  object: string | undefined,
  body: unknown,
): Shaped<ActionInputs[N]> => {
  const result = parseShape(definition.input, body);
  return result.kind === 'refused' ? result : { kind: 'ok', value: ownParts(result.value, object) as ActionInputs[N] };
};

/** Checks a value against a schema of the catalogue; fields that are null are left out first. */
export const parseShape = (schema: z.ZodType, value: unknown): Shaped<unknown> => {
  const result = schema.safeParse(withoutNulls(schema, value), { reportInput: true });
  if (result.success) return { kind: 'ok', value: result.data };
  const errors = result.error.issues.flatMap(errorsOf);
  const code = errors.every(({ keyword }) => keyword === 'maxLength') ? 'too_large' : 'invalid';
  return { kind: 'refused', code, errors: errors.slice(0, errorsMax) };
};

/** Leaves out the fields that are null, as far as the schema knows the fields: never inside a payload or an output schema. */
const withoutNulls = (schema: z.ZodType, value: unknown): unknown => {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    kept.map(([name, field]) => [name, Object.hasOwn(shape, name) ? withoutNulls(shape[name]!, field) : field]),
  );
};

/** References to parts of the object itself become numbers; references to another object stay for the owner to refuse. */
const ownParts = (value: unknown, object: string | undefined): unknown => {
  if (!isRecord(value)) return value;
  const replyTo = numberOf(value['replyTo'], object);
  const assign = isRecord(value['assign']) ? { ...value['assign'] } : undefined;
  if (assign?.['redoes'] !== undefined) assign['redoes'] = numberOf(assign['redoes'], object);
  return { ...value, ...(replyTo === undefined ? {} : { replyTo }), ...(assign === undefined ? {} : { assign }) };
};

const numberOf = (reference: unknown, object: string | undefined): unknown => {
  const found = typeof reference === 'string' ? parseReference(reference) : undefined;
  if (found?.kind === 'entry' && found.thread === object) return found.entry;
  return found?.kind === 'assignment' && found.thread === object ? found.assignment : reference;
};

const errorsOf = (issue: z.core.$ZodIssue): readonly ShapeError[] => {
  if (issue.code !== 'unrecognized_keys')
    return [{ ...shapeError(pointerOf(issue.path), keywordOf(issue)), ...alternativesOf(issue) }];
  return issue.keys.map((key) =>
    shapeError(pointerOf(key.length > nameCharactersMax ? issue.path : [...issue.path, key]), 'unknown'),
  );
};

const alternativesOf = (issue: z.core.$ZodIssue): Pick<ShapeError, 'alternatives'> => {
  const fields = issue.code === 'custom' ? (issue.params?.['fields'] as readonly string[] | undefined) : undefined;
  return fields === undefined ? {} : { alternatives: fields.map((field) => pointerOf([...issue.path, field])) };
};

export const shapeError = (pointer: string, keyword: Keyword): ShapeError => ({
  pointer,
  keyword,
  detail: details[keyword],
});

/** A JSON pointer (RFC 6901). */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The keyword of an issue of the schema library. */
const keywordOf = (issue: z.core.$ZodIssue): Keyword => {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.['keyword'] as Keyword | undefined) ?? 'format';
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'type';
    case 'too_big':
      return bound(issue.origin, 'max');
    case 'too_small':
      return bound(issue.origin, 'min');
    case 'invalid_value':
      return issue.input === undefined ? 'required' : 'enum';
    case 'invalid_format':
      return 'format';
    case 'invalid_union':
      return 'type';
    case 'unrecognized_keys':
      return 'unknown';
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return 'type';
  }
};

const bound = (origin: string, side: 'min' | 'max'): Keyword => {
  if (origin === 'string') return `${side}Length`;
  if (origin === 'array') return `${side}Items`;
  return side === 'min' ? 'minimum' : 'maximum';
};

/** One fixed sentence a keyword. */
const details: { readonly [K in Keyword]: string } = {
  required: 'A field that must be given is absent.',
  unknown: 'There is no such field.',
  type: 'The value has the wrong type.',
  format: 'The value does not have the right form.',
  minimum: 'The number is below the smallest allowed.',
  maximum: 'The number is above the largest allowed.',
  minLength: 'The text is shorter than allowed.',
  maxLength: 'The text is longer than allowed.',
  minItems: 'The list has fewer items than allowed.',
  maxItems: 'The list has more items than allowed.',
  oneOf: 'Exactly one of the alternatives has to be given.',
  enum: 'The value is none of those allowed.',
  oneLine: 'The text has more than one line.',
  maxDepth: 'The value is nested deeper than allowed.',
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
