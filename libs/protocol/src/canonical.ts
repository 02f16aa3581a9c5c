/**
 * One text for one value: members of objects in the order of their names, absent members left out, everything else as JSON
 * has it. So an absent field differs from an empty one, and no two values collide (L3-8).
 */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};

/** The value with the arrays at these JSON pointers as sets: sorted, each member once. Other arrays are lists. */
export const withSets = (value: unknown, pointers: readonly string[]): unknown => {
  let result = value;
  for (const pointer of pointers) result = atPath(result, pointer.split('/').slice(1));
  return result;
};

const atPath = (value: unknown, path: readonly string[]): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) ? asSet(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: atPath((value as Record<string, unknown>)[name], rest) };
};

const asSet = (items: readonly unknown[]): unknown[] => {
  const byText = new Map(items.map((item) => [canonical(item), item]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
};
