import {
  type CallToolResult,
  Client,
  type ListToolsResult,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** Where the tools are, and who calls them. */
export type UpstreamOptions = {
  /** The address of a set of tools: `http://127.0.0.1:4600/mcp`. */
  readonly url: string;
  readonly key: string;
  readonly version: string;
};

/** A call could not be handed on, or its answer was lost. The message says what to do. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/**
 * The tools of a running Kungfu over Streamable HTTP. Connects with the first call, and again with the next one after a
 * failure, so that a service which comes back is found. Nothing is sent twice by itself: a call that got no answer is the
 * caller's to repeat, under the same `key`.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  #connected: Promise<Client> | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** What the server tells models about itself. Throws Unanswered. */
  async instructions(): Promise<string | undefined> {
    return this.#on(async (client) => client.getInstructions());
  }

  /** Throws Unanswered. */
  async tools(): Promise<ListToolsResult> {
    return this.#on((client) => client.listTools());
  }

  /** Throws Unanswered, and what the server says of a call that is none. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    return this.#on((client) => client.callTool({ name, arguments: args }, { signal }));
  }

  async close(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    await (await connected)?.close();
  }

  async #on<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#connected ??= this.#connect();
    const connected = this.#connected;
    try {
      return await work(await connected);
    } catch (error) {
      const told = explained(error, this.#options.url);
      if (told === undefined) throw error;
      if (this.#connected === connected) this.#connected = undefined;
      throw told;
    }
  }

  async #connect(): Promise<Client> {
    const { url, key, version } = this.#options;
    const client = new Client({ name: 'kungfu-mcp', version }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
    });
    await client.connect(transport);
    return client;
  }
}

/** What is wrong with the way to the service, in a sentence; undefined for what the service itself has said of a call. */
const explained = (error: unknown, url: string): Unanswered | undefined => {
  const { status, code } = rootOf(error);
  if (status === 401)
    return new Unanswered(`${url} does not know KUNGFU_KEY: take a key that is not revoked.`, { cause: error });
  if (status !== undefined)
    return new Unanswered(`${url} answered with HTTP status ${status}: is KUNGFU_URL that of a Kungfu?`, {
      cause: error,
    });
  if (code !== undefined)
    return new Unanswered(`No answer from ${url} (${code}). Start it, then call again under the same key.`, {
      cause: error,
    });
  return undefined;
};

/** The HTTP status or the system's code at the bottom of what was thrown. */
const rootOf = (error: unknown): { readonly status?: number; readonly code?: string } => {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof SdkHttpError && at.status !== undefined) return { status: at.status };
    if ('code' in at && typeof at.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(at.code))
      return { code: at.code };
  }
  return {};
};
