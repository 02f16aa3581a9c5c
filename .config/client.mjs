// The generated part of libs/client: its types, routes and methods, made from the catalogue alone.
import { spawnSync } from 'node:child_process';
import { compile } from 'json-schema-to-typescript';
import {
  actionCatalogue,
  bodySchema,
  commonRefusals,
  jsonSchemaOf,
  nextSteps,
  querySchemas,
  readCatalogue,
  receiptSchema,
  refusals,
} from '../libs/protocol/dist/index.js';
import { root } from './run.mjs';

export const clientFile = 'libs/client/src/generated.ts';

const actions = Object.values(actionCatalogue());
const reads = Object.values(readCatalogue());
/** What any read can be refused for besides its own codes. */
const anyRead = ['pending', 'overloaded', 'failed'];

const pascal = (name) => name.replaceAll(/(?:^|[.-])([a-z])/g, (_, letter) => letter.toUpperCase());
const camel = (name) => name.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const quoted = (text) => `'${text}'`;
const union = (names) => names.map(quoted).join(' | ') || 'never';
const parametersOf = (path) => [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name);
const doc = (...sentences) =>
  sentences.length === 1
    ? `/** ${sentences[0]} */`
    : ['/**', ...sentences.map((line) => ` * ${line}`), ' */'].join('\n');
const sentencesOf = ({ description: { what, when, whenNot, next } }) => [what, when, whenNot, next];

const options = { additionalProperties: false, bannerComment: '', format: false, ignoreMinAndMaxItems: true };
const typeOf = async (name, schema) => (await compile(anyJson(schema), name, options)).trim();

/** A type of which nothing more is said. */
const looseType = (type) => (type === 'object' ? '{ [name: string]: unknown }' : type);

/** A schema that says nothing but in words takes any JSON. */
const anyJson = (schema) => {
  if (Array.isArray(schema)) return schema.map(anyJson);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return { ...schema, tsType: 'unknown' };
  if (Array.isArray(schema.type)) return { ...schema, tsType: schema.type.map(looseType).join(' | ') };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keyword === 'properties'
        ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, anyJson(field)]))
        : anyJson(value),
    ]),
  );
};

const hasBody = (action) => Object.keys(bodySchema(action).properties).length > 0;
const needsBody = (action) => (bodySchema(action).required ?? []).length > 0;

const inputType = (action) => typeOf(`${pascal(action.name)}Input`, bodySchema(action));

/** Numbers and truth in a query are text on the wire only. */
const valueSchema = ({ pattern, ...schema }) => {
  if (schema.const === 'true') return { const: true };
  return pattern?.startsWith('^(0|[1-9]') ? { type: 'integer' } : schema;
};
const queryType = (read) => {
  const query = querySchemas(read);
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, valueSchema(schema)]));
  const required = query.filter((one) => one.required).map(({ name }) => name);
  return typeOf(`${pascal(read.name)}Query`, { type: 'object', properties, required });
};

const actionRow = (action) =>
  `'${action.name}': { method: '${action.method}', path: '${action.path}', body: ${hasBody(action)} },`;
const readRow = (read) => `'${read.name}': '${read.path}',`;
const refusalRow = ([code, { status, nextStep }]) => `${code}: { status: ${status}, nextStep: '${nextStep}' },`;

const codesOfAction = (action) =>
  ['CommonRefusalCode', ...action.refusals.filter((code) => !commonRefusals.includes(code)).map(quoted)].join(' | ');
const codesOfRead = (read) => union([...new Set([...read.refusals, ...anyRead])]);

const onOf = (path) => {
  const names = parametersOf(path);
  return names.length === 0 ? [] : [`on: On<${union(names)}>`];
};

/** An action as a method: the object and part it is on, its body, options. */
const actionMethod = (action) => {
  const { name, path } = action;
  const input = `ActionInputs['${name}']`;
  const body = needsBody(action) ? [`input: ${input}`] : hasBody(action) ? [`input: ${input} = {}`] : [];
  const given = [...onOf(path), ...body, 'options?: ActionOptions'].join(', ');
  const on = parametersOf(path).length > 0 ? 'on' : 'undefined';
  return [
    doc(...sentencesOf(action), `Who may: ${action.who}`),
    `${camel(name.slice(name.indexOf('.') + 1))}: (${given}): Promise<ActionResult<'${name}'>> => this.caller.act('${name}', ${on}, ${hasBody(action) ? 'input' : 'undefined'}, options)`,
  ].join('\n');
};

const isPaged = (read) => 'cursor' in read.query.shape;
const isPiece = (read) => 'offset' in read.query.shape;

/** What follows the name of a read's method: a list is given back at once, and read when it is iterated. */
const readCall = (read, arrow) => {
  const { name, path } = read;
  const query = querySchemas(read);
  const needed = query.some(({ required }) => required);
  const type = isPaged(read) ? `ListQuery<'${name}'>` : `ReadQueries['${name}']`;
  const queryParameter = query.length === 0 ? [] : [`query: ${type}${needed ? '' : ' = {}'}`];
  const given = [...onOf(path), ...queryParameter, 'options?: CallOptions'].join(', ');
  const on = parametersOf(path).length > 0 ? 'on' : 'undefined';
  const call = `this.caller.${isPaged(read) ? 'list' : 'read'}('${name}', ${on}, ${query.length === 0 ? '{}' : 'query'}, options)`;
  const result = isPaged(read) ? `List<'${name}'>` : `Promise<ReadResult<'${name}'>>`;
  return arrow ? `(${given}): ${result} => ${call}` : `(${given}): ${result} { return ${call}; }`;
};

const objects = ['memory', 'thread', 'task', 'agent'];
const groupOf = ({ name }) => name.slice(0, name.indexOf('.'));
const isOfObject = (read) => objects.includes(groupOf(read));
const lastOf = ({ name }) => name.slice(name.indexOf('.') + 1);

const groupMember = (read) => [doc(...sentencesOf(read)), `${camel(lastOf(read))}: ${readCall(read, true)}`].join('\n');
/** `turn.list` is `turn()`, `me.get` is `me()`. */
const rootMember = (read) => {
  const name = ['get', 'list'].includes(lastOf(read)) ? groupOf(read) : camel(lastOf(read));
  return [doc(...sentencesOf(read)), `${name}${readCall(read, false)}`].join('\n');
};

const door = (name, about, actionsOf, readsOf) => {
  const methods = readsOf.filter((read) => !isPiece(read));
  const groups = [...new Set(actionsOf.map(groupOf))].map((group) => {
    const members = [
      ...actionsOf.filter((action) => groupOf(action) === group).map(actionMethod),
      ...methods.filter((read) => isOfObject(read) && groupOf(read) === group).map(groupMember),
    ];
    return `readonly ${group} = {\n${members.join(',\n\n')},\n};`;
  });
  const roots = methods.filter((read) => !isOfObject(read)).map(rootMember);
  return [
    doc(about),
    `export abstract class ${name} {`,
    'protected abstract readonly caller: Caller;',
    [...groups, ...roots].join('\n\n'),
    '}',
  ].join('\n');
};

const record = (name, about, rows) => [doc(about), `export type ${name} = {`, ...rows, '};'].join('\n');
const table = (name, about, rows) => [doc(about), `export const ${name} = {`, ...rows, '} as const;'].join('\n');

const parts = async () => [
  '// Generated by `npm run generate` from the catalogue; `npm run verify` fails when it is not fresh.',
  [
    "import type { Caller } from './caller.ts';",
    "import type { List } from './list.ts';",
    "import type { On } from './references.ts';",
    "import type { ActionOptions, ActionResult, CallOptions, Given, ListQuery, ReadResult } from './types.ts';",
  ].join('\n'),
  table(
    'refusals',
    'Every refusal there is: the set is closed. HTTP status, and what to do next.',
    Object.entries(refusals).map(refusalRow),
  ),
  `export type RefusalCode = keyof typeof refusals;`,
  [doc('What any action can be refused for.'), `export type CommonRefusalCode = ${union(commonRefusals)};`].join('\n'),
  `export const nextSteps = [${nextSteps.map(quoted).join(', ')}] as const;`,
  `export type NextStep = (typeof nextSteps)[number];`,
  table('actions', 'Where each action is asked for, and whether it takes a body.', actions.map(actionRow)),
  `export type ActionName = keyof typeof actions;`,
  table('reads', 'Where each read stands.', reads.map(readRow)),
  `export type ReadName = keyof typeof reads;`,
  `export type ListName = ${union(reads.filter(isPaged).map(({ name }) => name))};`,
  `export type PieceName = ${union(reads.filter(isPiece).map(({ name }) => name))};`,
  ...(await Promise.all(actions.filter(hasBody).map(inputType))),
  ...(await Promise.all(reads.filter((read) => querySchemas(read).length > 0).map(queryType))),
  await typeOf('ReceiptDocument', jsonSchemaOf(receiptSchema)),
  record(
    'ActionInputs',
    'What each action takes besides what it is on.',
    actions.map(
      (action) => `'${action.name}': ${hasBody(action) ? `Given<${pascal(action.name)}Input>` : 'undefined'};`,
    ),
  ),
  record(
    'ActionRefusals',
    'What each action can be refused for.',
    actions.map((action) => `'${action.name}': ${codesOfAction(action)};`),
  ),
  record(
    'ReadQueries',
    'What each read can be asked with.',
    reads.map(
      (read) =>
        `'${read.name}': ${querySchemas(read).length > 0 ? `Given<${pascal(read.name)}Query>` : 'Record<never, never>'};`,
    ),
  ),
  record(
    'ReadRefusals',
    'What each read can be refused for.',
    reads.map((read) => `'${read.name}': ${codesOfRead(read)};`),
  ),
  door(
    'AgentMethods',
    'Every action and read of an agent.',
    actions.filter((action) => action.door === 'agents'),
    reads.filter((read) => read.door !== 'administration'),
  ),
  door(
    'AdministrationMethods',
    'Every action and read of the administration.',
    actions.filter((action) => action.door === 'administration'),
    reads.filter((read) => read.door === 'administration'),
  ),
];

/** In the format of the house. Throws when the formatter does not take it. */
const formatted = (text) => {
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/biome',
    ['format', '--config-path=.config/lint.biome.json', `--stdin-file-path=${clientFile}`],
    { cwd: root, input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${clientFile} cannot be formatted: ${stderr}`);
  return stdout;
};

/** The text of `clientFile`. */
export const clientSource = async () => formatted((await parts()).join('\n\n'));
