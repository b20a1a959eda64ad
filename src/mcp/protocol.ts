import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport, type Streams } from './lines';
import { instructions, isTool, type ToolName, tools, validate } from './tools';

/** Does what a tool is for, with arguments that are as they must be. */
type CallTool = (name: ToolName, args: unknown, client: string) => Promise<CallToolResult>;

/** The Model Context Protocol, in the revisions with `initialize` and without. Resolves when the last line is answered. */
export async function serveLines(version: string, streams: Streams, call: CallTool): Promise<void> {
  const lines = new LineTransport(streams);
  const serving = serveStdio(() => serverOf(version, lines, call), { transport: lines, maxSubscriptions: 0 });
  try {
    await lines.read();
  } finally {
    await serving.close();
  }
}

/** They are the same for every client, as long as the process lives. */
const kept = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The part that each request has in the revision without `initialize`; the package's type leaves it out. */
interface ClientInfo {
  readonly [CLIENT_INFO_META_KEY]?: { readonly name: string };
}

function serverOf(version: string, lines: LineTransport, call: CallTool): Server {
  const server = new Server(
    { name: 'dueline', title: 'Dueline', version },
    { capabilities: { tools: {} }, instructions, cacheHints: { 'tools/list': kept, 'server/discover': kept } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools as Tool[] }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { envelope } }) => {
    const { name, arguments: args = {} } = params;
    if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const { [CLIENT_INFO_META_KEY]: client = server.getClientVersion() } = (envelope ?? {}) as ClientInfo;
    // An answer too, so that the model can do better.
    const wrong = validate(name, lines.refusedArguments ?? args);
    return wrong ? { content: [{ type: 'text', text: wrong }], isError: true } : call(name, args, client?.name ?? '');
  });
  return server;
}
