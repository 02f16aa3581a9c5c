// node .config/generate.mjs           writes docs/protocol/openapi.json, docs/protocol/asyncapi.json, docs/reference and the
//                                     generated part of libs/client
// node .config/generate.mjs --check   fails when they are not what would be written
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const { openApiDocument } = await import('../libs/gateway/dist/index.js');
const { asyncApiDocument } = await import('./async-api.mjs');
const { referencePages } = await import('./reference.mjs');
const { clientFile, clientSource } = await import('./client.mjs');

const json = (document) => `${JSON.stringify(document, undefined, 2)}\n`;
const documents = {
  'docs/protocol/openapi.json': json(openApiDocument()),
  'docs/protocol/asyncapi.json': json(asyncApiDocument()),
  ...referencePages(),
  [clientFile]: await clientSource(),
};

const stale = [];
for (const [file, text] of Object.entries(documents)) {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--check')) stale.push(file);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
for (const file of stale) console.error(`${file} is not fresh: npm run generate`);
process.exit(stale.length === 0 ? 0 : 1);
