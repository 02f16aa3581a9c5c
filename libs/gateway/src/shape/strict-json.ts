import { isUtf8 } from 'node:buffer';

/** A body that cannot be read as one meaning: bad UTF-8, bad JSON, a repeated key, a number that would change (engine.md §4, 1). */
export type Unreadable = { readonly kind: 'unreadable' };
export type StrictJson = { readonly kind: 'json'; readonly value: unknown } | Unreadable;

/** Deeper than this no body of ours is. */
const depthMax = 100;
const unreadable: Unreadable = { kind: 'unreadable' };

/**
 * Reads JSON without ever changing what was sent: refused are bytes that are no UTF-8, a byte order mark, repeated keys,
 * `__proto__`, halves of characters, numbers that are not finite and integers that a double cannot hold exactly.
 */
export const parseStrictJson = (bytes: Uint8Array): StrictJson => {
  if (!isUtf8(bytes)) return unreadable;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return faithful(text) ? { kind: 'json', value } : unreadable;
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable;
    throw error;
  }
};

/** What is open around a place in the text: the keys of an object so far, or a list. */
type Level = { readonly keys: Set<string> | undefined; expectsKey: boolean };

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Whether parsing this text, which is JSON, kept all of it. One pass; the text is never parsed as a whole again. */
const faithful = (text: string): boolean => {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    const level = levels.at(-1);
    if (character === '"') {
      const end = endOfString(text, at);
      if (!keptString(text.slice(at, end + 1), level)) return false;
      at = end;
    } else if (character === '{' || character === '[') {
      if (levels.length === depthMax) return false;
      levels.push({ keys: character === '{' ? new Set() : undefined, expectsKey: character === '{' });
    } else if (character === '}' || character === ']') levels.pop();
    else if (character === ',' && level?.keys !== undefined) level.expectsKey = true;
    else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const literal = number.exec(text)![0];
      if (!keptNumber(literal)) return false;
      at += literal.length - 1;
    }
  }
  return true;
};

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
};

const keptString = (literal: string, level: Level | undefined): boolean => {
  const value = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (!value.isWellFormed()) return false;
  if (level?.keys === undefined || !level.expectsKey) return true;
  if (value === '__proto__' || level.keys.has(value)) return false;
  level.keys.add(value);
  level.expectsKey = false;
  return true;
};

const keptNumber = (literal: string): boolean => {
  const value = Number(literal);
  return /[.eE]/.test(literal) ? Number.isFinite(value) : Number.isSafeInteger(value);
};
