import { describe, expect, it } from '@jest/globals';
import { actionCatalogue, readCatalogue } from '@kungfu/protocol';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { listed } from './server.ts';
import { toolSets } from './sets.ts';
import { dataSentence } from './tool.ts';

const sets = toolSets();
const set = (path: string) => sets.find((one) => one.path === path)!.tools;

describe('the sets of tools', () => {
  it('[O-7] keeps descriptions and schemas of the default set within 5,000 tokens', () => {
    const tokens = encode(JSON.stringify(set('/mcp').map(listed))).length;
    expect(tokens).toBeLessThanOrEqual(5_000);
    expect(tokens).toBeGreaterThan(1_000);
  });

  it('offers every action and every read of an agent by exactly one tool', () => {
    const offered = set('/mcp/x/all').flatMap(({ does }) => does);
    const there = [
      ...Object.values(actionCatalogue()).filter(({ door }) => door === 'agents'),
      ...Object.values(readCatalogue()).filter(({ door, name }) => door === 'agents' || name === 'service.get'),
    ].map(({ name }) => name);
    expect([...offered].sort()).toEqual([...there].sort());
  });

  it('has the tools of the contract in the default set, the rest under govern, only reads under readonly', () => {
    const names = ['turn', 'open', 'read', 'find', 'post', 'handle', 'take', 'deliver', 'judge', 'drop', 'remember'];
    expect(set('/mcp').map(({ name }) => name)).toEqual(
      [...names, 'start_thread', 'join', 'offer_task'].map((name) => `kungfu_${name}`),
    );
    expect(set('/mcp/x/govern').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['kungfu_thread_revoke_grant', 'kungfu_me']),
    );
    expect(set('/mcp/x/all').map(({ name }) => name)).toEqual(
      [...set('/mcp'), ...set('/mcp/x/govern')].map(({ name }) => name),
    );
    expect(set('/mcp/readonly').every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  });

  it('[L6-2] says in every description that others’ text is data, and how a call behaves', () => {
    for (const { name, description, annotations, inputSchema } of set('/mcp/x/all')) {
      expect([name, description]).toEqual([name, expect.stringContaining(dataSentence)]);
      expect(Object.keys(annotations)).toEqual(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
      expect([name, inputSchema.required.includes('key')]).toEqual([
        name,
        !annotations.readOnlyHint || name === 'kungfu_receipt',
      ]);
      expect(name).toMatch(/^kungfu_[a-z_]+$/);
    }
    expect(set('/mcp').find(({ name }) => name === 'kungfu_drop')!.annotations.destructiveHint).toBe(true);
  });
});
