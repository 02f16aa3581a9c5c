import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const statement = readFileSync(join(root, 'docs/conformance.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

it('[C-1] the conformance statement names specification, implementation, profiles, unmet rules and evidence', () => {
  expect(statement).toContain('- Specification: Kungfu Protocol 1.0');
  expect(statement).toContain(`- Implementation: Kungfu ${version}`);
  expect(statement).toContain('- Profiles claimed: Memory, Thread, Task, Full');
  expect(statement).toMatch(/## Unmet rules\n\n(None\.|- [A-Z]\d?-\d+: )/);
  expect(statement).toMatch(/## Evidence\n\n### L1-1 \(Memory\): (passed|failed|no test)/);
});
