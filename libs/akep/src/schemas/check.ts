import { type Keyword, type ShapeError, shapeError } from '@kungfu/protocol';
import { type ErrorObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type AkepEvent, eventSchema } from './event.ts';
import { type Subscription, subscriptionSchema } from './subscription.ts';

/** What a check comes to: the value as its type, or the places that do not fit. Places and keywords, never the values. */
export type Checked<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly errors: readonly ShapeError[] };

/** More places than these are not listed. */
const errorsMax = 20;
/** Names that a stranger chose and that are longer than this are not repeated. */
const nameCharactersMax = 100;

/**
 * Both schemas are our own, so they are compiled, once: faster by far than interpreting, and in strict mode a mistyped keyword
 * stops the process at its start. Schemas of strangers are never compiled (the gateway interprets those).
 */
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
formats.default(ajv, ['date-time', 'uri']);
const event = ajv.compile<AkepEvent>(eventSchema);
const subscription = ajv.compile<Subscription>(subscriptionSchema);

/** Whether a parsed body is an event (E-1 to E-7, E-9). Bounded by the size of the body. */
export const checkEvent = (value: unknown): Checked<AkepEvent> => check(event, value);

/** Whether a parsed body is a subscription, as a whole (S-1, E-9). */
export const checkSubscription = (value: unknown): Checked<Subscription> => check(subscription, value);

const check = <T>(validate: ValidateFunction<T>, value: unknown): Checked<T> =>
  validate(value) ? { kind: 'ok', value } : { kind: 'refused', errors: errorsOf(validate.errors ?? []) };

const errorsOf = (errors: readonly ErrorObject[]): readonly ShapeError[] => {
  const byPlace = new Map<string, ShapeError>();
  for (const error of errors) {
    if (isPartOfAnother(error)) continue;
    const found = shapeError(boundedPointer(pointerOf(error)), keywordOf(error));
    byPlace.set(`${found.keyword} ${found.pointer}`, found);
    if (byPlace.size === errorsMax) break;
  }
  return [...byPlace.values()];
};

/** Branches of a choice tell nothing that the choice does not; a condition's own error nothing beside that of its branch. */
const isPartOfAnother = ({ schemaPath, keyword }: ErrorObject): boolean =>
  keyword === 'if' || schemaPath.includes('/anyOf/') || schemaPath.includes('/propertyNames/');

/** The place itself; for a field that is absent or unknown, the place where it would stand or stands. */
const pointerOf = ({ instancePath, params }: ErrorObject): string => {
  const name = params['missingProperty'] ?? params['additionalProperty'] ?? params['propertyName'];
  return name === undefined ? instancePath : `${instancePath}/${escaped(String(name))}`;
};

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Up to the first step that is too long to be repeated. */
const boundedPointer = (pointer: string): string => {
  const steps = pointer.split('/');
  const long = steps.findIndex((step) => step.length > nameCharactersMax);
  return long === -1 ? pointer : steps.slice(0, long).join('/');
};

const keywordOf = ({ keyword, instancePath }: ErrorObject): Keyword => {
  const known = keywords[keyword];
  if (known === undefined) throw new Error(`no word for the keyword ${keyword} at ${instancePath}`);
  return known;
};

/** Every keyword that the two schemas use, in the words of Kungfu's answers. */
const keywords: { readonly [keyword: string]: Keyword } = {
  required: 'required',
  anyOf: 'required',
  additionalProperties: 'unknown',
  'false schema': 'unknown',
  type: 'type',
  enum: 'enum',
  pattern: 'format',
  format: 'format',
  propertyNames: 'format',
  uniqueItems: 'format',
  minimum: 'minimum',
  maximum: 'maximum',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
  maxProperties: 'maxItems',
};
