/** Reads the beginning of a JSON document: what is complete, and a text that was cut as far as it goes. */
export const partialJson = (text: string): unknown => {
  const { closers, safe, inText } = scan(text);
  if (inText === undefined) return JSON.parse(safe.text + safe.closers);
  // The last escape may be cut too: at most five characters of it.
  for (let drop = 0; drop < 12; drop += 1) {
    const parsed = tryParse(`${text.slice(0, text.length - drop)}"${closers}`);
    if (parsed !== undefined) return parsed;
  }
  return JSON.parse(safe.text + safe.closers);
};

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

type Scan = {
  readonly closers: string;
  readonly safe: { readonly text: string; readonly closers: string };
  readonly inText: number | undefined;
};

const scan = (text: string): Scan => {
  const stack: string[] = [];
  let key = false;
  let safe = { text: '{', closers: '}' };
  const closers = (): string => [...stack].reverse().join('');
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') {
      const end = endOfText(text, at);
      if (end === undefined) return { closers: closers(), safe, inText: key ? undefined : at };
      at = end;
      if (!key) safe = { text: text.slice(0, at + 1), closers: closers() };
    } else if (character === '{' || character === '[') {
      stack.push(character === '{' ? '}' : ']');
      key = character === '{';
      safe = { text: text.slice(0, at + 1), closers: closers() };
    } else if (character === '}' || character === ']') {
      stack.pop();
      safe = { text: text.slice(0, at + 1), closers: closers() };
    } else if (character === ',') {
      safe = { text: text.slice(0, at), closers: closers() };
      key = stack.at(-1) === '}';
    } else if (character === ':') {
      key = false;
    }
  }
  return { closers: closers(), safe, inText: undefined };
};

/** Where a text that begins at a quote ends; undefined if it does not. */
const endOfText = (text: string, start: number): number | undefined => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return undefined;
};
