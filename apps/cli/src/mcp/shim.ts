import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Unanswered, type Upstream } from './upstream.ts';

/** What a model is told while the service cannot say it itself. */
const away = 'Kungfu does not answer at the moment; every tool call tries again.';

/**
 * The tools of a running Kungfu over standard input and output, for hosts that start a process. Nothing but the protocol goes
 * to standard output; what goes wrong beside it is told in a line on standard error. Resolves when the input ends.
 */
export const serveShim = (upstream: Upstream, version: string): Promise<void> =>
  new Promise((ended) => {
    const shim = serveStdio(async () => serverOf(upstream, version), {
      onerror: ({ message }) => console.error(message),
    });
    process.stdin.once('end', () => void shim.close().finally(() => upstream.close().finally(ended)));
  });

const serverOf = async (upstream: Upstream, version: string): Promise<Server> => {
  const instructions = await upstream.instructions().catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error;
    console.error(error.message);
    return away;
  });
  const server = new Server(
    { name: 'kungfu', title: 'Kungfu', version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: (await told(upstream.tools())).tools }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    told(upstream.call(params.name, params.arguments ?? {}, mcpReq.signal)),
  );
  return server;
};

/** What keeps a call from its answer is an error of the protocol: it is not known to have had an effect. */
const told = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Unanswered) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
};
