// node .config/generate.mjs           writes docs/protocol/openapi.json and docs/protocol/asyncapi.json
// node .config/generate.mjs --check   fails when they are not what would be written
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const { openApiDocument } = await import('../libs/gateway/dist/index.js');
const { asyncApiDocument } = await import('./async-api.mjs');

const documents = {
  'docs/protocol/openapi.json': openApiDocument(),
  'docs/protocol/asyncapi.json': asyncApiDocument(),
};

const stale = [];
for (const [file, document] of Object.entries(documents)) {
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--check')) stale.push(file);
  else writeFileSync(path, text);
}
for (const file of stale) console.error(`${file} is not fresh: npm run generate`);
process.exit(stale.length === 0 ? 0 : 1);
