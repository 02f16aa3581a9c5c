import type { ActionDefinition } from '@kungfu/protocol';
import { inputShape } from '../shape/dto.ts';
import { type Refusal, refused } from '../shape/refusal.ts';
import type { PublicRequest } from './pipeline-port.ts';

/** An action as a door has understood it: who asks under which key, what the path or the reference names, and the body. */
export type Asking = {
  readonly agent: string;
  readonly key: string;
  /** By the names of the path template, as text. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/**
 * What every door makes of an action: the same request for the same content, whichever way it came (L3-1, L6-1). Gives a
 * refusal when the shape does not fit.
 */
export const requestMaker = (definition: ActionDefinition): ((asking: Asking) => PublicRequest | Refusal) => {
  const shape = inputShape(definition);
  return ({ agent, key, path, body }) => {
    const object = definition.object === undefined ? undefined : path[definition.object];
    const given = inputOf(definition, path, body);
    if (given.kind === 'refused') return given;
    const input = shape(object, given.value);
    if (input.kind === 'refused') return missesPath(definition, input) ? refused('not_found') : input;
    if (object !== undefined && !idPattern.test(object)) return refused('not_found');
    return { agent, action: definition.name, key, body: input.value, ...(object === undefined ? {} : { object }) };
  };
};

type Body = { readonly kind: 'body'; readonly value: unknown };

/** The action's input: the body, and the parts that the path names; the body cannot name them too. */
const inputOf = (
  { parts }: ActionDefinition,
  path: Readonly<Record<string, string>>,
  body: unknown,
): Body | Refusal => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kind: 'body', value: body };
  const repeated = parts.find((part) => Object.hasOwn(body, part));
  if (repeated !== undefined)
    return refused('invalid', [{ pointer: `/${repeated}`, keyword: 'unknown', detail: 'There is no such field.' }]);
  const named = parts.map((part) => [part, isNumber(part) ? numberOf(path[part]) : path[part]] as const);
  return { kind: 'body', value: { ...body, ...Object.fromEntries(named) } };
};

const isNumber = (part: string): boolean => part === 'entry' || part === 'assignment';
const numberOf = (text: string | undefined): number | string | undefined =>
  /^[1-9][0-9]{0,9}$/.test(text ?? '') ? Number(text) : text;

/** Whether nothing but the path is wrong: then it names nothing that exists. */
const missesPath = ({ parts }: ActionDefinition, { errors = [] }: Refusal): boolean =>
  errors.length > 0 && errors.every(({ pointer }) => parts.some((part) => pointer === `/${part}`));

/** Whether an object in the path has no id that could be one of ours; what is odd in it never reaches the database. */
export const namesNothing = (path: Readonly<Record<string, string>>): boolean =>
  ['thread', 'memory', 'task', 'engagement', 'agent'].some(
    (name) => path[name] !== undefined && !idPattern.test(path[name]),
  );

/** An id of one of ours: anything else names nothing. */
const idPattern = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
