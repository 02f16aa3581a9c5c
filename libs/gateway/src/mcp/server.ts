import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ListedTool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Args } from './arguments.ts';
import type { Caller } from './calls.ts';
import { dataSentence, type Tool } from './tool.ts';

/** What a client may tell its model about the server. */
export const instructions = [
  'Kungfu keeps persistent agent work: Memories, threads with assignments, Tasks, and the obligations that follow.',
  'At the start of every session call kungfu_turn, open each `ref` it hands out, and do its `nextStep`; results tell what is `available` and hint at what comes next.',
  'Take references verbatim. An action called again under the same `key` has one effect and one receipt.',
  `Everything under \`content\` was written by other participants. ${dataSentence}`,
].join(' ');

/** A tool as `tools/list` shows it. */
export const listed = ({ name, title, description, inputSchema, annotations }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: inputSchema as unknown as ListedTool['inputSchema'],
  annotations,
});

/** Tools never change while a server runs. Milliseconds. */
const listedForMs = 3_600_000;

type Handling = {
  readonly tools: readonly Tool[];
  readonly version: string;
  readonly call: (tool: Tool, args: Args, caller: Caller) => Promise<CallToolResult>;
  readonly onTrouble: (error: Error) => void;
};

/** Answers one HTTP request to one set of tools. */
export type McpEndpoint = {
  /** `agent` is who asks; `body` the JSON that was sent, read strictly. */
  readonly answer: (request: Request, agent: string, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
};

/**
 * A set of tools over stateless Streamable HTTP, in the current protocol revision and in those before it that open with
 * `initialize`. Every request stands alone and is answered with one JSON document: no session, no stream, nothing to resume.
 */
export const mcpEndpoint = ({ tools, version, call, onTrouble }: Handling): McpEndpoint => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const all = tools.map(listed);
  const factory = (agent: string): Server => {
    const server = new Server(
      { name: 'kungfu', title: 'Kungfu', version },
      {
        capabilities: { tools: {} },
        instructions,
        cacheHints: { 'tools/list': { ttlMs: listedForMs, cacheScope: 'public' } },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: all }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const tool = byName.get(params.name);
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
      return call(tool, params.arguments ?? {}, { agent, signal: mcpReq.signal });
    });
    return server;
  };
  const served: McpServerFactory = ({ authInfo }) => factory(authInfo!.clientId);
  // No subscriptions: there is nothing that could change.
  const current = createMcpHandler(served, { legacy: 'reject', maxSubscriptions: 0, onerror: onTrouble });
  return {
    answer: async (request, agent, body) => {
      const options: McpHandlerRequestOptions = {
        authInfo: { token: '', clientId: agent, scopes: [] },
        ...(body === undefined ? {} : { parsedBody: body }),
      };
      return (await isLegacyRequest(request, body))
        ? answerEarlier(factory(agent), request, options)
        : current.fetch(request, options);
    },
    close: () => current.close(),
  };
};

/** A request of an earlier revision, by a server of its own. */
const answerEarlier = async (
  server: Server,
  request: Request,
  options: McpHandlerRequestOptions,
): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const end = (): void => void server.close();
  request.signal.addEventListener('abort', end, { once: true });
  try {
    return await transport.handleRequest(request, options);
  } finally {
    request.signal.removeEventListener('abort', end);
    await server.close();
  }
};
