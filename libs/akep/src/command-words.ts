import { pointerOf } from '@kungfu/protocol';

/**
 * Names of fields that say "do this" (E-8), in the form that names are compared in: lower case, letters and digits only. So
 * `tool_call`, `toolCall` and `TOOL-CALL` are one. The list is closed; a name that only contains one of them (`run_id`,
 * `command_center`) is none.
 */
export const commandWords: ReadonlySet<string> = new Set([
  // A command by that name.
  'command',
  'commands',
  'cmd',
  'cmds',
  'commandline',
  'directive',
  'directives',
  // The call of a tool or function, as model interfaces write it.
  'toolcall',
  'toolcalls',
  'tooluse',
  'tooluses',
  'tooluseblock',
  'toolinvocation',
  'toolinvocations',
  'functioncall',
  'functioncalls',
  // An order to run something.
  'execute',
  'exec',
  'eval',
  'run',
  'runcommand',
  'invoke',
  'invocation',
  'invocations',
  'spawn',
  'shell',
  'shellcommand',
  'script',
  'scripts',
  // Words for a model to follow.
  'instruction',
  'instructions',
  'systeminstruction',
  'systeminstructions',
  'prompt',
  'prompts',
  'systemprompt',
  'systemprompts',
]);

/** Whether a field of this name would encode a command (E-8). */
export const isCommandWord = (name: string): boolean => commandWords.has(comparable(name));

/** Wide letters, accents, separators and what cannot be seen make no other word. */
const comparable = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** More places than these are not listed. */
const placesMax = 20;
/** Paths are not repeated below this. */
const stepsMax = 20;

/**
 * Where an event encodes a command: JSON pointers of fields anywhere but in `knowledge.content` that are named like one, at any
 * depth, in lists, extensions, links and subject too (E-8). Names, not values: knowledge may speak of commands. Each field is
 * looked at once; deep nesting cannot overflow the stack.
 */
export const commandsIn = (event: unknown): readonly string[] => {
  const places: string[] = [];
  const open: Node[] = [{ value: event, path: [] }];
  for (let node = open.pop(); node !== undefined && places.length < placesMax; node = open.pop()) {
    if (typeof node.value !== 'object' || node.value === null) continue;
    const isList = Array.isArray(node.value);
    for (const [name, value] of Object.entries(node.value)) {
      const path = node.path.length < stepsMax ? [...node.path, name] : node.path;
      if (isContent(node.path, name)) continue;
      if (!isList && isCommandWord(name)) places.push(pointerOf(path));
      open.push({ value, path });
    }
  }
  return places.slice(0, placesMax);
};

type Node = { readonly value: unknown; readonly path: readonly string[] };

const isContent = (path: readonly string[], name: string): boolean =>
  name === 'content' && path.length === 1 && path[0] === 'knowledge';
