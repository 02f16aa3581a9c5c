import { type ActionDefinition, parseReference, type Reference } from '@kungfu/protocol';

export type RefKind = Reference['kind'];

/** A reference as a path names it: the object and its part, as text. */
export type Place = { readonly kind: RefKind; readonly path: Readonly<Record<string, string>> };

/** Undefined for what is no reference. */
export const placeOf = (ref: unknown): Place | undefined => {
  const found = typeof ref === 'string' ? parseReference(ref) : undefined;
  if (found === undefined) return undefined;
  const { kind, ...path } = found;
  return { kind, path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])) };
};

/** What kind of thing an action is done to; undefined when it makes the object or a secret finds it. */
export const refKindOf = ({ object, parts }: Pick<ActionDefinition, 'object' | 'parts'>): RefKind | undefined => {
  const part = parts.find((one) => one === 'entry' || one === 'assignment' || one === 'engagement');
  return (part as RefKind | undefined) ?? (object as RefKind | undefined);
};
