/** What an action or a read is on: a reference as it was handed out, or ids and numbers by their names in the path. */
export type On<Parameter extends string> = string | { readonly [P in Parameter]: ValueOf<P> };

/** Numbers count inside of one object; everything else has an id. */
type ValueOf<Parameter> = Parameter extends 'entry' | 'assignment' | 'version' ? number | string : string;

const parameters = /\{([a-z]+)\}/g;

/**
 * The path of an action or a read with everything filled in. A reference may name more than the path needs: posting on
 * `thread_…/entries/7` posts in its thread. Throws TypeError when it names less, or something else: that is a mistake of
 * the program, and nothing was sent.
 */
export const fillPath = (path: string, on: string | object | undefined): string => {
  const named = typeof on === 'string' ? (matchReference(path, on) ?? {}) : { ...on };
  return path.replace(parameters, (_, name: string) => {
    const value = (named as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string' && value !== '' && !value.includes('/')) return encodeURIComponent(value);
    if (typeof value === 'number') return String(value);
    throw new TypeError(`${told(on)} does not name the ${name} of ${path}`);
  });
};

const told = (on: unknown): string => (typeof on === 'string' ? `'${on}'` : 'what was given');

/** What a reference names of the parameters of a path; undefined if it is a reference to something else. */
export const matchReference = (path: string, reference: string): Readonly<Record<string, string>> | undefined => {
  const steps = stepsOf(path);
  const [first = '', ...rest] = reference.split('/');
  const [object, ...parts] = steps;
  if (object === undefined || first === '' || !fits(object.name, first)) return undefined;
  const named: Record<string, string> = { [object.name]: first };
  for (const [place, { name, collection }] of parts.entries()) {
    const [given, part] = [rest[2 * place], rest[2 * place + 1]];
    if (given !== collection || part === undefined || part === '') return undefined;
    named[name] = part;
  }
  return named;
};

/** Whether a reference names exactly the parameters of a path, no more and no less. */
export const isReferenceOf = (path: string, reference: string): boolean =>
  matchReference(path, reference) !== undefined && reference.split('/').length === 2 * stepsOf(path).length - 1;

type Step = { readonly collection: string; readonly name: string };

/** The parameters of a path, each with the segment before it: `entries/{entry}`. */
const stepsOf = (path: string): readonly Step[] => {
  const segments = path.split('/');
  return segments.flatMap((segment, place) => {
    const name = /^\{([a-z]+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ collection: segments[place - 1] ?? '', name }];
  });
};

const objects: ReadonlySet<string> = new Set(['memory', 'thread', 'task', 'agent']);
/** Ids of objects begin with their kind; an idempotency key is any word. */
const fits = (name: string, id: string): boolean => !objects.has(name) || id.startsWith(`${name}_`);
