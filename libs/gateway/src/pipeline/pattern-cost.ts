/** What a pattern costs to match, as far as its text tells: how large it is, and how many ways lead through it. */
export type PatternCost = {
  /** Single characters and classes, repeated ones as often as they may stand. */
  readonly atoms: number;
  /** Repetitions without an end. */
  readonly loops: number;
  /** Ways through what is repeated a bounded number of times; Infinity where those ways may themselves repeat. */
  readonly ways: number;
};

type Part = { readonly atoms: number; readonly ways: number; readonly varies: boolean };
type Group = { readonly alternatives: Part[]; sequence: Part };
type Quantifier = { readonly min: number; readonly max: number; readonly length: number };

const empty: Part = { atoms: 0, ways: 1, varies: false };
const atom: Part = { atoms: 1, ways: 1, varies: false };

/** Reads a pattern that `new RegExp(pattern, 'u')` takes. Linear in its length. */
export const patternCost = (pattern: string): PatternCost => {
  const groups: Group[] = [];
  let group: Group = { alternatives: [], sequence: empty };
  let loops = 0;
  for (let at = 0; at < pattern.length; ) {
    const token = tokenAt(pattern, at);
    at += token.length;
    if (token.startsWith('(')) {
      groups.push(group);
      group = { alternatives: [], sequence: empty };
      continue;
    }
    if (token === '|') {
      group.alternatives.push(group.sequence);
      group.sequence = empty;
      continue;
    }
    if (token === '^' || token === '$' || token === '\\b' || token === '\\B') continue;
    const single = token !== ')';
    const part = single ? atom : whole(group);
    if (!single) group = groups.pop()!;
    const quantifier = quantifierAt(pattern, at);
    at += quantifier?.length ?? 0;
    if (quantifier?.max === Number.POSITIVE_INFINITY) loops += 1;
    group.sequence = joined(group.sequence, quantifier === undefined ? part : repeated(part, quantifier));
  }
  const { atoms, ways } = whole(group);
  return { atoms, ways, loops };
};

/** An escape, a class, the opening of a group, or one character. */
const tokenAt = (pattern: string, at: number): string => {
  const rest = pattern.slice(at);
  const found =
    /^\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[1-9][0-9]*|[\s\S])/u.exec(rest) ??
    /^\[(?:\\[\s\S]|[^\]\\])*\]/u.exec(rest) ??
    /^\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/u.exec(rest);
  return found?.[0] ?? String.fromCodePoint(rest.codePointAt(0)!);
};

const quantifierAt = (pattern: string, at: number): Quantifier | undefined => {
  const found = /^(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})\??/.exec(pattern.slice(at, at + 64));
  if (found === null) return undefined;
  const [{ length }, sign, min, comma, max] = found;
  if (sign !== undefined)
    return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY, length };
  const least = Number(min);
  if (comma === undefined) return { min: least, max: least, length };
  return { min: least, max: max === '' ? Number.POSITIVE_INFINITY : Number(max), length };
};

const whole = ({ alternatives, sequence }: Group): Part =>
  [...alternatives, sequence].reduce((all, one) => ({
    atoms: all.atoms + one.atoms,
    ways: all.ways + one.ways,
    varies: all.varies || one.varies,
  }));

const joined = (a: Part, b: Part): Part => ({
  atoms: a.atoms + b.atoms,
  ways: a.ways * b.ways,
  varies: a.varies || b.varies,
});

const repeated = (part: Part, { min, max }: Quantifier): Part => {
  if (max === Number.POSITIVE_INFINITY)
    return { atoms: part.atoms * Math.max(1, min), ways: part.varies ? Number.POSITIVE_INFINITY : 1, varies: false };
  const ways = part.ways ** max * (max - min + 1);
  return { atoms: part.atoms * max, ways, varies: part.varies || ways > 1 };
};
