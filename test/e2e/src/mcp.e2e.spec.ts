import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAgent, type System, startStandalone, type TestAgent } from './index.ts';
import { connect, revisions } from './mcp/connect.ts';

const startMsMax = 120_000;
const contract = { wanted: 'The sum of 1 and 1.', criteria: 'It is right.' };

// biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
type Told = any;
type Text = { readonly text: string };

describe('the door for models', () => {
  let system: System;
  let [ada, bob]: TestAgent[] = [];
  const open: Client[] = [];
  beforeAll(async () => {
    system = await startStandalone({ rateLimits: true });
    [ada, bob] = [await makeAgent(system), await makeAgent(system)];
  }, startMsMax);
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close()));
    await system?.stop();
  }, startMsMax);

  const at = async (agent: TestAgent, path = '/mcp', options?: Parameters<typeof connect>[2]): Promise<Client> => {
    const client = await connect(`${system.anyone.origin}${path}`, agent.secret, options);
    open.push(client);
    return client;
  };
  let keys = 0;
  /** A call that has to succeed: what it says, as text and as structure. */
  const does = async (client: Client, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Told> => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const { text } = (content as readonly Text[])[0]!;
    expect(JSON.parse(text)).toEqual(structuredContent);
    if (isError) throw new Error(`${name}: ${text}`);
    return structuredContent;
  };
  const acts = (client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<Told> => {
    keys += 1;
    return does(client, name, { ...args, key: `k-${keys}` });
  };
  const refused = async (client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<Told> => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    expect([name, isError]).toEqual([name, true]);
    expect(JSON.parse((content as readonly Text[])[0]!.text)).toEqual(structuredContent);
    return structuredContent;
  };

  it.each(revisions)('[C-5] tells both revisions the same tools, with annotations: %s', async (_, options) => {
    const names: string[][] = [];
    for (const path of ['/mcp', '/mcp/x/govern', '/mcp/x/all', '/mcp/readonly']) {
      const { tools } = await (await at(ada!, path, options)).listTools();
      names.push(tools.map(({ name }) => name));
      for (const { annotations } of tools)
        expect(Object.keys(annotations!).sort()).toEqual([
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
          'readOnlyHint',
        ]);
    }
    const [everyday, govern, all, readonly] = names as [string[], string[], string[], string[]];
    expect(all).toEqual([...everyday, ...govern]);
    expect(all).toEqual(expect.arrayContaining(readonly));
    expect(everyday).toContain('kungfu_turn');
  });

  it.each(revisions)('[C-5] [L6-1] carries a whole piece of work between two agents: %s', async (_, options) => {
    const [a, b] = [await at(ada!, '/mcp', options), await at(bob!, '/mcp', options)];
    const made = await acts(a, 'kungfu_start_thread', { title: 'Sums', grant: true });
    const thread = made.receipt.object;
    await acts(b, 'kungfu_join', { secret: made.secret });
    const { receipt: asked } = await acts(a, 'kungfu_post', {
      ref: thread,
      body: 'What is 1 and 1?',
      ask: 'named',
      askAgents: [bob!.id],
    });
    const turn = await does(b, 'kungfu_turn');
    expect(turn.items).toMatchObject([{ ref: asked.ref, obligation: 'respond', from: ada!.id }]);
    const entry = await does(b, 'kungfu_open', { ref: asked.ref });
    expect(entry).toMatchObject({ author: ada!.id, content: { body: 'What is 1 and 1?' } });
    await acts(b, 'kungfu_post', { ref: asked.ref, body: 'Two.', ask: 'nobody' });
    expect((await does(b, 'kungfu_turn')).items).toEqual([]);

    const { receipt: offered } = await acts(a, 'kungfu_offer_task', {
      ...contract,
      audience: 'restricted',
      restrictedTo: [bob!.id],
    });
    const found = await does(b, 'kungfu_find', { what: 'opportunities' });
    expect(found.items.map(({ ref }: { ref: string }) => ref)).toContain(offered.ref);
    const { receipt: taken } = await acts(b, 'kungfu_take', { ref: offered.ref, version: 1 });
    await acts(b, 'kungfu_deliver', { ref: taken.ref, payload: { sum: 2 } });
    expect(await does(a, 'kungfu_read', { ref: taken.ref })).toMatchObject({ content: { text: '{"sum":2}' } });
    const { receipt: judged } = await acts(a, 'kungfu_judge', { ref: taken.ref, verdict: 'reject', reason: 'Thin.' });
    expect(judged).toMatchObject({ action: 'engagement.reject', ref: taken.ref });
    expect((await does(b, 'kungfu_open', { ref: taken.ref })).status).toBe('rejected');
    expect((await does(b, 'kungfu_open', { ref: thread })).available.length).toBeGreaterThan(0);
  });

  it('[L3-1] [L3-3] gives the receipt of HTTP byte for byte, and HTTP gives its own; secrets are told once', async () => {
    const client = await at(ada!);
    const textOf = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const { content, _meta } = await client.callTool({ name, arguments: args });
      return { text: (content as readonly Text[])[0]!.text, replayed: _meta?.['kungfu/replayed'] === true };
    };
    const http = await ada!.client.attempt('thread.create', undefined, { grant: {} }, 'across');
    const { secret, ...told } = http.json as { secret: string };
    expect(secret).toMatch(/^kfg_/);
    const replayed = await textOf('kungfu_start_thread', { grant: true, key: 'across' });
    expect([JSON.parse(replayed.text), replayed.replayed]).toEqual([told, true]);
    const thread = http.json!.receipt.object as string;
    const posted = await textOf('kungfu_post', { ref: thread, body: 'Once.', key: 'once' });
    const again = await ada!.client.attempt('thread.post', thread, { content: { body: 'Once.' } }, 'once');
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([posted.text, 'true']);
    expect(await refused(client, 'kungfu_post', { ref: thread, body: 'Another.', key: 'once' })).toMatchObject({
      code: 'idempotency_conflict',
      nextStep: 'retry',
    });
  });

  it('[L2-3] [V-14] refuses as HTTP does, and says of what is hidden what it says of what is not there', async () => {
    const client = await at(bob!);
    const { receipt } = await ada!.client.act('memory.create', undefined, { content: { body: 'Mine.' } });
    const missing = 'memory_00000000000000000000000000';
    const [hidden, none] = [
      await refused(client, 'kungfu_open', { ref: receipt.object }),
      await refused(client, 'kungfu_open', { ref: missing }),
    ];
    expect(hidden).toEqual(none);
    const { instance: _, ...overHttp } = (await bob!.client.get(`/v1/memories/${missing}`)).json as Told;
    expect(none).toMatchObject(overHttp);
    const wrong = await refused(client, 'kungfu_post', { ref: 'nonsense', body: 7, colour: 'red', key: 'k' });
    expect(wrong).toMatchObject({ code: 'invalid', status: 422, nextStep: 'retry' });
    expect(JSON.stringify(wrong)).not.toContain('nonsense');
  });

  it('[O-10] waits for the turn to differ, and answers when it does', async () => {
    const [a, b] = [await at(ada!), await at(bob!)];
    const { receipt, secret } = await acts(a, 'kungfu_start_thread', { grant: true });
    await acts(b, 'kungfu_join', { secret });
    const { etag } = await does(b, 'kungfu_turn');
    expect(await does(b, 'kungfu_turn', { since: etag })).toEqual({ unchanged: true, etag });
    const waiting = does(b, 'kungfu_turn', { since: etag, waitSeconds: 25 });
    const asked = await acts(a, 'kungfu_post', {
      ref: receipt.object,
      body: 'Now.',
      ask: 'named',
      askAgents: [bob!.id],
    });
    const woken = await waiting;
    expect(woken.items.map(({ ref }: { ref: string }) => ref)).toContain(asked.receipt.ref);
    expect(woken.etag).not.toBe(etag);
    expect(await refused(b, 'kungfu_turn', { waitSeconds: 26 })).toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/waitSeconds', keyword: 'maximum' }],
    });
  }, 60_000);

  it('[O-7] keeps to the bytes that are asked for, and hands out the rest in pieces', async () => {
    const client = await at(ada!);
    const body = 'A sentence of some length. '.repeat(1_000);
    const { receipt } = await acts(client, 'kungfu_remember', { body, title: null });
    const { content } = await client.callTool({
      name: 'kungfu_open',
      arguments: { ref: receipt.object, maxBytes: 4_096 },
    });
    expect(Buffer.byteLength((content as readonly Text[])[0]!.text)).toBeLessThanOrEqual(4_096);
    let read = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const piece: Told = await does(client, 'kungfu_read', { ref: receipt.object, offset, maxBytes: 8_192 });
      read += piece.content.text;
      offset = piece.next;
    }
    expect(read === body).toBe(true);
  });

  it('[A-2] asks who is there: 401 with the address of the metadata, which says how to sign in', async () => {
    const { origin } = system.anyone;
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await system.anyone.send('POST', '/mcp', { body: JSON.stringify(call), headers });
    expect(answer.status).toBe(401);
    const challenge = String(answer.headers['www-authenticate']);
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
    expect(metadata).toBe(`${origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await (await fetch(metadata!)).json()).toEqual({
      resource: `${origin}/mcp`,
      resource_name: 'Kungfu',
      bearer_methods_supported: ['header'],
    });
    await expect(connect(`${origin}/mcp`, 'kfk_wrong')).rejects.toThrow();
  });

  it('[A-2] lets nobody in with a key that was revoked', async () => {
    const agent = await makeAgent(system);
    const client = await at(agent);
    await does(client, 'kungfu_turn');
    const { keys: held } = await system.administration.read(`/admin/v1/agents/${agent.id}`);
    await system.administration.act('agent.revoke-key', agent.id, { key: held[0].key });
    await expect(client.callTool({ name: 'kungfu_turn', arguments: {} })).rejects.toThrow();
  });

  it('answers what is no call of a tool as a server without sessions does', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const send = async (method: string, body: string | undefined, more: Readonly<Record<string, string>> = {}) => {
      const options = { headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) };
      const { status, json } = await ada!.client.send(method, '/mcp', options);
      return [status, (json as Told)?.error?.code ?? (json as Told)?.code];
    };
    expect(await send('POST', '{"a":')).toEqual([400, -32_700]);
    expect(await send('POST', '{"jsonrpc":"2.0","jsonrpc":"2.0"}')).toEqual([400, -32_700]);
    expect(await send('POST', '[]')).toEqual([400, -32_600]);
    expect(await send('POST', '{}', { origin: 'https://elsewhere.example' })).toEqual([403, 'not_permitted']);
    expect((await send('POST', `"${'x'.repeat(2_000_000)}"`))[0]).toBe(413);
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect(await send(method, undefined)).toEqual([405, 'method_not_allowed']);
  });
});
