import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, type Module, SourceTextModule } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './index.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = join(root, 'libs/client');
const packMsMax = 60_000;

/** What a program in a browser writes; nothing of Node is known to it. */
const consumer = `
import { Kungfu, KungfuAdministration, NoAnswer, type Refusal, type RefusalCode } from '@kungfu/client';

const kungfu = new Kungfu({ url: location.origin, key: 'k', keys: new Map<string, string>() });
export const post = async (thread: string): Promise<string> => {
  const result = await kungfu.thread.post(thread, { content: { body: 'Hello.' }, ask: [] as const });
  return result.ok ? result.receipt.ref : said(result.refusal);
};
const said = (refusal: Refusal): string => \`\${refusal.code} \${refusal.nextStep satisfies string}\`;
export const stops = (refusal: Refusal & { code: 'not_found' }): 'stop' => refusal.nextStep;
export const entry = async (ref: \`thread_\${string}/entries/\${number}\`) => {
  const read = await kungfu.open(ref);
  return read.ok ? read.found.responses.length : read.refusal.code;
};
export const turn = async () => {
  for await (const item of kungfu.turn({ limit: 10 })) document.title = item.content?.title ?? '';
};
export const codes: RefusalCode[] = ['not_found'];
export const lost = (error: unknown) => (error instanceof NoAnswer ? error.key : undefined);
export const admin = new KungfuAdministration({ url: location.origin, token: 't' });

// @ts-expect-error there is no such code
export const wrongCode: RefusalCode = 'not_there';
// @ts-expect-error a reason is needed
export const wrongInput = kungfu.assignment.reject('thread_1/assignments/1', { content: {} });
// @ts-expect-error an entry has a number
export const wrongPlace = kungfu.thread.handle({ thread: 'thread_1' });
`;

/** What the README shows, as one program. */
const readme = (): string =>
  [...readFileSync(join(source, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, block]) => block)
    .join('');

const tsconfig = (module: string, moduleResolution: string) => ({
  compilerOptions: {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['ES2023', 'DOM'],
    types: [],
    module,
    moduleResolution,
  },
  include: ['*.ts'],
});

describe('the package of the client', () => {
  let folder: { readonly path: string; remove(): Promise<void> };
  let installed: string;
  beforeAll(async () => {
    folder = await temporaryFolder('client-package');
    installed = join(folder.path, 'node_modules/@kungfu/client');
    mkdirSync(installed, { recursive: true });
    // What would be published; the types as prepack makes them, but out of the tree.
    const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
    await run('npm', packing, { cwd: source });
    const archive = readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? 'no archive';
    await run('tar', ['-xzf', join(folder.path, archive), '-C', installed, '--strip-components=1']);
    await run(tool('tsc'), ['-p', join(source, 'tsconfig.types.json'), '--outDir', join(installed, 'dist')]);
  }, packMsMax);
  afterAll(() => folder?.remove());

  const modules = () => readdirSync(join(installed, 'dist')).filter((name) => /\.(js|d\.ts)$/.test(name));

  it('needs nothing but itself', () => {
    const { dependencies, peerDependencies } = manifestOf(installed);
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
    expect(readdirSync(join(installed, 'dist'))).toEqual(expect.arrayContaining(['index.js', 'index.d.ts']));
    expect(readdirSync(join(installed, 'dist'))).not.toContain('testing');
    for (const name of modules()) {
      const text = readFileSync(join(installed, 'dist', name), 'utf8');
      expect({ name, imports: importsOf(text).filter((one) => !one.startsWith('./')) }).toEqual({ name, imports: [] });
    }
  });

  it.each([
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ])(
    'has types that a program of a browser can use, with no other types than its own: %s',
    async (module, resolution) => {
      writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
      writeFileSync(join(folder.path, 'consumer.ts'), consumer);
      writeFileSync(join(folder.path, 'readme.ts'), readme());
      writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(tsconfig(module, resolution)));
      const { stdout } = await run(tool('tsc'), ['-p', folder.path]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    },
    packMsMax,
  );

  it('runs where there is nothing of Node', async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return new Response(JSON.stringify({ receipt: { ref: 'memory_1' }, hints: [] }));
    };
    const web = {
      AbortSignal,
      AbortController,
      URL,
      URLSearchParams,
      TextEncoder,
      crypto,
      setTimeout,
      clearTimeout,
      fetch,
    };
    const { Kungfu } = await load(join(installed, 'dist'), createContext({ ...web }));
    const kungfu = new Kungfu({ url: 'https://kungfu.test', key: 'k', keys: new Map() });
    expect(await kungfu.memory.create({ content: { body: 'Hello.' } })).toMatchObject({ ok: true, replayed: false });
    expect(asked).toEqual(['https://kungfu.test/v1/memories']);
  });
});

const tool = (name: string): string => join(root, 'node_modules/.bin', name);

type Manifest = {
  readonly files: readonly string[];
  readonly dependencies?: object;
  readonly peerDependencies?: object;
};
const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier = '']) => specifier);

/** Loads the package's own modules into a context of their own. */
const load = async (dist: string, context: object): Promise<typeof import('@kungfu/client')> => {
  const loaded = new Map<string, Module>();
  const moduleOf = (name: string): Module => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const module = new SourceTextModule(readFileSync(join(dist, name), 'utf8'), { context, identifier: name });
    loaded.set(name, module);
    return module;
  };
  const index = moduleOf('index.js');
  await index.link((specifier) => moduleOf(specifier.replace('./', '')));
  await index.evaluate();
  return index.namespace as typeof import('@kungfu/client');
};
