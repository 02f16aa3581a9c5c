import {
  type Description,
  type JsonSchema,
  type ReadCatalogue,
  type ReadDefinition,
  type ReadName,
  shapeError,
} from '@kungfu/protocol';
import { type Refusal, refused } from '../shape/refusal.ts';
import { type Args, slim } from './arguments.ts';
import { type Place, placeOf, type RefKind } from './references.ts';
import { type Asked, described, propertiesOf, titleOf, type Tool, toolName } from './tool.ts';

/** Bytes of JSON of an answer: what is asked for by default, and what can be asked for. */
export const maxBytesDefault = 32_768;
const bytesMin = 4_096;
const bytesMax = 262_144;
/** Seconds that one call may wait: hosts end longer calls. */
export const waitSecondsMax = 25;

type Argument = { readonly name: string; readonly schema: JsonSchema };
type Row = {
  readonly name: string;
  readonly does: readonly ReadName[];
  readonly description?: Description;
  readonly arguments: readonly Argument[];
  readonly required: readonly string[];
  /** Which read it is, and of what. */
  readonly read: (args: Args) => { readonly read: ReadName; readonly path: Place['path'] } | Refusal;
  /** The arguments that are the read's query. */
  readonly query: readonly string[];
};

const text = (what: string, when: string, whenNot: string, next: string): Description => ({
  what,
  when,
  whenNot,
  next,
});
const ofType =
  (type: string) =>
  (name: string): Argument => ({ name, schema: { type } });
const [string, integer, boolean] = [ofType('string'), ofType('integer'), ofType('boolean')];
const oneOf = (name: string, values: readonly string[]): Argument => ({
  name,
  schema: { type: 'string', enum: values },
});
const at = (name: string, keyword: Parameters<typeof shapeError>[1]): Refusal =>
  refused('invalid', [shapeError(`/${name}`, keyword)]);

/** The read that shows a reference whole. */
const opens: Partial<Record<RefKind, ReadName>> = {
  thread: 'thread.get',
  entry: 'thread.entry',
  assignment: 'thread.assignment',
  memory: 'memory.get',
  version: 'memory.version',
  task: 'task.get',
  contract: 'task.version',
  engagement: 'task.engagement',
};

/** The read that hands out the long text of a reference. An assignment has two: what is wanted, and the payload. */
const pieces: Partial<Record<RefKind, ReadName>> = {
  entry: 'thread.entry.content',
  assignment: 'thread.assignment.content',
  memory: 'memory.content',
  version: 'memory.version.content',
  contract: 'task.version.content',
  engagement: 'task.engagement.payload',
};
const payloadOfAssignment: ReadName = 'thread.assignment.payload';

/** What can be listed; of an object where its kind stands. */
const lists: Readonly<Record<string, ReadName | Partial<Record<RefKind, ReadName>>>> = {
  opportunities: 'opportunities.list',
  waiting: 'waiting.list',
  threads: 'threads.list',
  memories: 'memories.list',
  tasks: 'tasks.list',
  members: { thread: 'thread.members' },
  entries: { thread: 'thread.entries' },
  assignments: { thread: 'thread.assignments' },
  engagements: { task: 'task.engagements' },
  versions: { memory: 'memory.versions', task: 'task.versions' },
};

const byRef =
  (reads: Partial<Record<RefKind, ReadName>>) =>
  ({ ref }: Args): ReturnType<Row['read']> => {
    if (ref === undefined) return at('ref', 'required');
    const place = placeOf(ref);
    const read = place === undefined ? undefined : reads[place.kind];
    return place === undefined || read === undefined ? at('ref', 'format') : { read, path: place.path };
  };

const piece = (args: Args): ReturnType<Row['read']> => {
  const { part = 'wanted' } = args;
  const found = byRef(pieces)(args);
  if (part !== 'wanted' && part !== 'payload') return at('part', 'enum');
  return 'read' in found && found.read === pieces.assignment && part === 'payload'
    ? { ...found, read: payloadOfAssignment }
    : found;
};

const listed = (args: Args): ReturnType<Row['read']> => {
  const { what } = args;
  if (what === undefined) return at('what', 'required');
  const list = typeof what === 'string' && Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (list === undefined) return at('what', 'enum');
  if (typeof list === 'object') return byRef(list)(args);
  return args['ref'] === undefined ? { read: list, path: {} } : at('ref', 'unknown');
};

const rows: readonly Row[] = [
  {
    name: 'turn',
    does: ['turn.list'],
    description: text(
      'Lists every obligation you have, oldest first, each with its `ref` and `nextStep`.',
      'Use it at the start of every session and after every piece of work.',
      'Not in a loop: wait with `waitSeconds` and `since`.',
      'Open each `ref` and do its `nextStep`; an empty turn: find opportunities.',
    ),
    arguments: [integer('waitSeconds'), string('since'), string('cursor')],
    required: [],
    read: () => ({ read: 'turn.list', path: {} }),
    query: ['waitSeconds', 'cursor'],
  },
  {
    name: 'open',
    does: Object.values(opens),
    description: text(
      'Shows an object or one of its parts by its `ref`: state, digests, your obligations, and `available`, the actions open to you now.',
      'Use it before you act.',
      'Not for the rest of a `truncated` text: read.',
      'Do what `available` lists, by its `ref`.',
    ),
    arguments: [string('ref')],
    required: ['ref'],
    read: byRef(opens),
    query: [],
  },
  {
    name: 'read',
    does: [...Object.values(pieces), payloadOfAssignment],
    description: text(
      'Hands out the long text of an entry, Memory, assignment, contract version or payload in pieces.',
      'Use it where `truncated` is true.',
      'Not to see state: open.',
      'Go on at `next` until it is null.',
    ),
    arguments: [string('ref'), oneOf('part', ['wanted', 'payload']), integer('offset')],
    required: ['ref'],
    read: piece,
    query: ['offset'],
  },
  {
    name: 'find',
    does: Object.values(lists).flatMap((list) => (typeof list === 'string' ? [list] : Object.values(list))),
    description: text(
      'Lists what you may take (opportunities), what others owe you (waiting), threads, memories and tasks; with `ref` what an object holds.',
      'Use it when your turn is empty or to find something again.',
      'Not for what you owe: turn.',
      'Open what you need by its `ref`; follow `cursor` until it is null.',
    ),
    arguments: [
      oneOf('what', Object.keys(lists)),
      string('ref'),
      boolean('mine'),
      string('status'),
      oneOf('visibility', ['private', 'public']),
      boolean('eligible'),
      oneOf('order', ['oldest', 'newest']),
      integer('limit'),
      string('cursor'),
    ],
    required: ['what'],
    read: listed,
    query: ['mine', 'status', 'visibility', 'eligible', 'order', 'limit', 'cursor'],
  },
];

/** The tools of the default set that read. */
export const mergedReadTools = (catalogue: ReadCatalogue): readonly Tool[] => rows.map((row) => toolOf(row, catalogue));

/** A tool for each other read that an agent may want. */
export const generatedReadTools = (catalogue: ReadCatalogue): readonly Tool[] => {
  const merged = new Set<string>(rows.flatMap(({ does }) => does));
  return Object.values(catalogue)
    .filter(({ name, door }) => (door === 'agents' && !merged.has(name)) || name === 'service.get')
    .map((definition) => toolOf(rowOf(definition), catalogue));
};

const rowOf = ({ name, path, query }: ReadDefinition<ReadName>): Row => {
  const parameters = [...path.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1]!);
  const asked = Object.keys(query.shape);
  const required = [...parameters, ...asked.filter((one) => !query.shape[one].safeParse(undefined).success)];
  return {
    name: name.endsWith('.get') ? name.slice(0, -'.get'.length) : name,
    does: [name],
    arguments: [...parameters, ...asked].map((one) => string(one)),
    required,
    read: (args) => {
      const missing = required.find((one) => typeof args[one] !== 'string');
      if (missing !== undefined) return at(missing, args[missing] === undefined ? 'required' : 'type');
      return { read: name, path: Object.fromEntries(parameters.map((one) => [one, String(args[one])])) };
    },
    query: asked,
  };
};

const toolOf = (row: Row, catalogue: ReadCatalogue): Tool => ({
  name: toolName(row.name),
  title: titleOf(row.name),
  description: described(row.description ?? catalogue[row.does[0]!].description),
  inputSchema: {
    type: 'object',
    properties: propertiesOf(
      [...row.arguments, integer('maxBytes')].map(({ name, schema }) => ({ name, schema: slim(schema) })),
    ),
    required: row.required,
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  does: row.does,
  asked: (args) => asked(row, args),
});

const asked = (row: Row, args: Args): Asked | Refusal => {
  const wrong = misfit(row, args);
  if (wrong !== undefined) return wrong;
  const found = row.read(args);
  if (!('read' in found)) return found;
  const { since, maxBytes = maxBytesDefault } = args;
  return {
    kind: 'ask',
    ...found,
    query: queryOf(row, args),
    bytesMax: maxBytes as number,
    ...(since === undefined ? {} : { since: since as string }),
  };
};

/** What the arguments of a read can be wrong in, apart from what the catalogue's query says. */
const misfit = (row: Row, { maxBytes, since, waitSeconds, ...args }: Args): Refusal | undefined => {
  const known = new Set([...row.arguments.map(({ name }) => name), 'maxBytes']);
  const unknown = Object.keys({ ...args, ...(since === undefined ? {} : { since }) }).find((name) => !known.has(name));
  if (unknown !== undefined) return at(unknown.length > 100 ? '' : unknown, 'unknown');
  if (maxBytes !== undefined && !Number.isInteger(maxBytes)) return at('maxBytes', 'type');
  if ((maxBytes as number) < bytesMin) return at('maxBytes', 'minimum');
  if ((maxBytes as number) > bytesMax) return at('maxBytes', 'maximum');
  if (since !== undefined && typeof since !== 'string') return at('since', 'type');
  if (waitSeconds !== undefined && !known.has('waitSeconds')) return at('waitSeconds', 'unknown');
  return typeof waitSeconds === 'number' && waitSeconds > waitSecondsMax ? at('waitSeconds', 'maximum') : undefined;
};

/** As a query string has it; false means the same as nothing. */
const queryOf = ({ query }: Row, args: Args): Readonly<Record<string, string>> =>
  Object.fromEntries(
    query.filter((name) => args[name] !== undefined && args[name] !== false).map((name) => [name, asText(args[name])]),
  );

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
