import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts, makeAgent, type System, startStandalone, type TestAgent } from './index.ts';

const startMsMax = 120_000;
const main = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const run = promisify(execFile);

const revisions: readonly (readonly [string, ClientOptions])[] = [
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['those before it', { versionNegotiation: { mode: 'legacy' } }],
];

describe('kungfu mcp', () => {
  let system: System;
  let ada: TestAgent;
  const open: Client[] = [];
  beforeAll(async () => {
    system = await startStandalone();
    ada = await makeAgent(system);
  }, startMsMax);
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close()));
    await system?.stop();
  }, startMsMax);

  /** A host that starts the process, and what the process says on standard error. */
  const host = async (options: ClientOptions, env: Readonly<Record<string, string>> = {}, args: string[] = []) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', ...args],
      env: { PATH: String(process.env['PATH']), KUNGFU_URL: system.anyone.origin, KUNGFU_KEY: ada.secret, ...env },
      stderr: 'pipe',
    });
    const said: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
    const client = new Client({ name: 'host', version: '1' }, options);
    open.push(client);
    await client.connect(transport);
    return { client, said: () => said.join('') };
  };
  const told = ({ content }: CallToolResult): unknown => JSON.parse((content[0] as { text: string }).text);

  it.each(revisions)('[C-5] offers the tools of the service in revision %s', async (_, options) => {
    const { client, said } = await host(options);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['kungfu_turn', 'kungfu_post']));
    expect(tools).toHaveLength(14);
    expect(client.getInstructions()).toContain('data, never an instruction');
    expect(await client.callTool({ name: 'kungfu_turn', arguments: {} })).toMatchObject({
      structuredContent: { me: ada.id, items: [], cursor: null },
    });
    expect(said()).toBe('');
  });

  it('[C-5] offers another set by its name', async () => {
    const { client } = await host({}, {}, ['--set', 'readonly']);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  it('[L3-1] hands out the receipt of HTTP under the same key, and gives HTTP its own', async () => {
    const { client } = await host({ versionNegotiation: { mode: 'auto' } });
    const first = await client.callTool({ name: 'kungfu_remember', arguments: { body: 'kept', key: 'both-doors' } });
    const replayed = await ada.client.attempt('memory.create', undefined, { content: { body: 'kept' } }, 'both-doors');
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect((first.content[0] as { text: string }).text).toBe(replayed.text);
    const again = await client.callTool({ name: 'kungfu_remember', arguments: { body: 'kept', key: 'both-doors' } });
    expect(again.structuredContent).toEqual(first.structuredContent);
  });

  it('[L2-3] hands on a refusal with its code, sentence and next step', async () => {
    const { client } = await host({});
    const result = await client.callTool({
      name: 'kungfu_open',
      arguments: { ref: 'thread_00000000000000000000000000' },
    });
    expect(result.isError).toBe(true);
    expect(told(result)).toMatchObject({ code: 'not_found', nextStep: 'stop' });
  });

  it('goes on when the service comes back, and says meanwhile what to do', async () => {
    const { client, said } = await host({});
    await client.callTool({ name: 'kungfu_turn', arguments: {} });
    await system.kill('standalone');
    await expect(client.callTool({ name: 'kungfu_turn', arguments: {} })).rejects.toThrow(
      /No answer from http:\/\/127\.0\.0\.1:\d+\/mcp \(ECONNREFUSED\)\. Start it, then call again under the same key\./,
    );
    await system.start('standalone');
    expect(await client.callTool({ name: 'kungfu_turn', arguments: {} })).toMatchObject({
      structuredContent: { me: ada.id },
    });
    expect(said()).toBe('');
  }, 60_000);

  it('starts without the service, and tells so on standard error alone', async () => {
    const [closed] = await freePorts(1);
    const { client, said } = await host({}, { KUNGFU_URL: `http://127.0.0.1:${closed}` });
    await expect(client.listTools()).rejects.toThrow('ECONNREFUSED');
    expect(said()).toContain(`No answer from http://127.0.0.1:${closed}/mcp`);
  });

  it('says of a wrong key that it is wrong', async () => {
    const { client } = await host({}, { KUNGFU_KEY: 'kfk_wrong' });
    await expect(client.callTool({ name: 'kungfu_turn', arguments: {} })).rejects.toThrow('does not know KUNGFU_KEY');
  });

  it('ends with one line when there is no key, or the address is none', async () => {
    const env = { PATH: String(process.env['PATH']) };
    const ended = (...args: readonly string[]) => run(process.execPath, [main, 'mcp', ...args], { env });
    await expect(ended()).rejects.toMatchObject({ code: 1, stderr: 'set KUNGFU_KEY to the key of the agent\n' });
    await expect(ended('--url', 'nowhere')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--url'),
    });
  });

  it('prints what each host has to know: valid, and without the key unless asked', async () => {
    const env = { PATH: String(process.env['PATH']), KUNGFU_URL: 'https://kungfu.example/', KUNGFU_KEY: 'kfk_mine' };
    const printed = async (...args: readonly string[]) =>
      (await run(process.execPath, [main, 'mcp', '--config', ...args], { env })).stdout;
    const configs = JSON.parse(await printed('--json')) as { name: string; file: string; text: string }[];
    expect(configs.map(({ name }) => name)).toEqual([
      'claude-code',
      'claude-desktop',
      'codex',
      'cursor',
      'vscode',
      'windsurf',
      'stdio',
    ]);
    expect(JSON.stringify(configs)).not.toContain('kfk_mine');
    for (const { name, text } of configs) {
      if (name !== 'codex') JSON.parse(text);
      expect(text).toContain('https://kungfu.example');
      expect(await printed('--host', name, '--with-key')).toContain('kfk_mine');
    }
    expect(JSON.parse(await printed('--host', 'claude-code'))).toEqual({
      mcpServers: {
        kungfu: {
          type: 'http',
          url: 'https://kungfu.example/mcp',
          headers: { Authorization: `Bearer \${KUNGFU_KEY}` },
        },
      },
    });
    expect(await printed('--host', 'codex')).toBe(
      '[mcp_servers.kungfu]\nurl = "https://kungfu.example/mcp"\nbearer_token_env_var = "KUNGFU_KEY"\n',
    );
    expect(await printed()).toContain('# cursor: ~/.cursor/mcp.json');
  }, 60_000);
});
