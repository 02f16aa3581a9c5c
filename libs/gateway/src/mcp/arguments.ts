import { type ActionDefinition, jsonSchemaOf, type JsonSchema, type ShapeError, shapeError } from '@kungfu/protocol';
import type { z } from 'zod';

/** The arguments of a tool call, by name. */
export type Args = Readonly<Record<string, unknown>>;

/** What a field comes to: its value in the action's input, nothing, or why it does not fit. */
type Value =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'wrong';
      readonly error: ShapeError;
    };
const absent: Value = { kind: 'absent' };
const given = (value: unknown): Value => (value === undefined ? absent : { kind: 'value', value });
const wrong = (argument: string, keyword: Parameters<typeof shapeError>[1]): Value => ({
  kind: 'wrong',
  error: shapeError(`/${argument}`, keyword),
});

/** One field of an action's input, and the flat arguments that it is made of. */
export type Field = {
  /** Where it stands in the input. */
  readonly at: readonly string[];
  readonly arguments: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly required: boolean;
  /** Whether the object that it stands in always has it. */
  readonly essential: boolean;
  readonly value: (args: Args) => Value;
  /** Where an error inside of it stands in the arguments. */
  readonly pointer: (inside: readonly string[]) => readonly string[];
};

const names = { type: 'array', items: { type: 'string' } } as const;
const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

/** Of two alternatives that a word names, the second with a list; the list alone means the second. */
const worded =
  (
    word: string,
    list: string,
    fixed: Readonly<Record<string, Value>>,
    named: string,
    wrap: (items: unknown) => unknown,
  ) =>
  (args: Args): Value => {
    const items = args[list];
    const said = args[word] ?? (items === undefined ? undefined : named);
    if (said === undefined) return absent;
    if (said === named) return items === undefined ? wrong(list, 'required') : given(wrap(items));
    if (typeof said !== 'string' || !Object.hasOwn(fixed, said)) return wrong(word, 'enum');
    return items === undefined ? fixed[said]! : wrong(list, 'unknown');
  };

/** Fields that take another form when they are flat, by their place. */
const special: Readonly<Record<string, Omit<Field, 'at' | 'required' | 'essential'>>> = {
  ask: {
    arguments: [
      { name: 'ask', schema: oneOf('default', 'nobody', 'named') },
      { name: 'askAgents', schema: names },
    ],
    value: worded('ask', 'askAgents', { default: absent, nobody: given([]) }, 'named', (items) => items),
    pointer: (inside) => ['askAgents', ...inside],
  },
  audience: {
    arguments: [
      { name: 'audience', schema: oneOf('open', 'restricted') },
      { name: 'restrictedTo', schema: names },
    ],
    value: worded('audience', 'restrictedTo', { open: given('open') }, 'restricted', (restricted) => ({
      restricted,
    })),
    pointer: ([, ...inside]) => ['restrictedTo', ...inside],
  },
  grant: {
    arguments: [
      { name: 'grant', schema: { type: 'boolean' } },
      { name: 'role', schema: oneOf('observer', 'speaker', 'governor') },
    ],
    value: ({ grant, role }) => {
      if (grant !== undefined && typeof grant !== 'boolean') return wrong('grant', 'type');
      if (role === undefined) return grant === true ? given({}) : absent;
      return grant === false ? wrong('role', 'unknown') : given({ role });
    },
    pointer: () => ['role'],
  },
};

/** Flat names that are not the last step of the place. */
const renamed: Readonly<Record<string, string>> = { 'assign/to': 'assignTo' };

/** Parts of the input that the reference names. */
const byReference: readonly string[] = ['entry', 'assignment', 'engagement', 'replyTo'];

/** The fields of an action's input, flat; what the reference names is left out. */
export const fieldsOf = ({ input }: Pick<ActionDefinition, 'input'>): readonly Field[] => fieldsIn(input, [], true);

const fieldsIn = (schema: z.ZodObject, at: readonly string[], required: boolean): readonly Field[] =>
  Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>)
    .filter(([name]) => at.length > 0 || !byReference.includes(name))
    .flatMap(([name, inner]) => fieldOf(inner, [...at, name], required && inner.def.type !== 'optional'));

const fieldOf = (schema: z.ZodType, at: readonly string[], required: boolean): readonly Field[] => {
  const place = at.join('/');
  const essential = schema.def.type !== 'optional';
  if (Object.hasOwn(special, place)) return [{ at, required, essential, ...special[place]! }];
  const inner = innerOf(schema);
  if (inner.def.type === 'object') return fieldsIn(inner as z.ZodObject, at, required);
  const name = renamed[place] ?? at.at(-1)!;
  return [
    {
      at,
      required,
      essential,
      arguments: [{ name, schema: slim(jsonSchemaOf(inner)) }],
      value: (args) => given(args[name]),
      pointer: (inside) => [name, ...inside],
    },
  ];
};

const innerOf = (schema: z.ZodType): z.ZodType =>
  schema.def.type === 'optional' ? ((schema as z.ZodOptional).unwrap() as z.ZodType) : schema;

/** What a model needs of a schema; the bounds are checked and told by refusals. A reference is text, never a bare number. */
export const slim = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values, items, anyOf } = schema;
  if (anyOf !== undefined) return { type: 'string' };
  return {
    ...(type === undefined ? {} : { type: Array.isArray(type) ? (type as readonly unknown[])[0] : type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(items === undefined ? {} : { items: slim(items as JsonSchema) }),
  };
};

/** An input, or where the arguments do not fit. */
export type Nested =
  | { readonly kind: 'input'; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'wrong';
      readonly errors: readonly ShapeError[];
    };

/** The action's input that flat arguments mean. Arguments that are not fields are the caller's to refuse. */
export const nest = (fields: readonly Field[], args: Args): Nested => {
  const errors: ShapeError[] = [];
  const input: Record<string, unknown> = {};
  for (const { at, value } of fields) {
    const found = value(args);
    if (found.kind === 'wrong') errors.push(found.error);
    if (found.kind === 'value') put(input, at, found.value);
  }
  return errors.length > 0 ? { kind: 'wrong', errors } : { kind: 'input', value: input };
};

const put = (into: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) into[name!] = value;
  else {
    into[name!] ??= {};
    put(into[name!] as Record<string, unknown>, rest, value);
  }
};

/** A pointer into the action's input, as a pointer into the flat arguments (contract.md, Shapes). */
export const flatPointer = (fields: readonly Field[], pointer: string): string => {
  const steps = pointer.split('/').slice(1);
  const holder = fields.find(({ at }) => at.length <= steps.length && at.every((step, i) => step === steps[i]));
  if (holder !== undefined) return written(holder.pointer(steps.slice(holder.at.length)));
  if (byReference.includes(steps[0] ?? '')) return '/ref';
  if (steps.length === 0) return '';
  const inside = fields.filter(({ at }) => steps.every((step, i) => step === at[i]));
  const first = inside.find(({ essential }) => essential) ?? inside[0];
  return first === undefined ? pointer : written(first.pointer([]));
};

const written = (steps: readonly string[]): string => steps.map((step) => `/${step}`).join('');
