import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The protocol revisions that are spoken, and how the official client is told to speak each. */
export const revisions: readonly (readonly [string, ClientOptions])[] = [
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['those before it', { versionNegotiation: { mode: 'legacy' } }],
];

/** The official client at a set of tools, with a key or without. */
export const connect = async (
  url: string,
  key: string | undefined,
  options: ClientOptions = { versionNegotiation: { mode: 'auto' } },
): Promise<Client> => {
  const client = new Client({ name: 'e2e', version: '1' }, options);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
};
