import { serveAgent } from '../../mcp/agent';
import { optimizeSqlite } from '../optimizer';
import type { Command, Session } from '../session';

async function mcp(session: Session): Promise<void> {
  // It lives as long as the agent does: optimized code pays here.
  optimizeSqlite(true);
  await serveAgent({
    open: mayCreate => session.openStore({ mayCreate, isForAgent: true }),
    lists: session.all('lists'),
    cwd: () => session.surroundings.path('.'),
    code: session.code,
    version: session.surroundings.version,
    streams: session.surroundings.streams(),
  });
}

export const mcpCommand: Command = {
  usage: '',
  summary: 'Serve the tasks to an agent over standard input and output (Model Context Protocol)',
  options: {
    lists: {
      type: 'string',
      multiple: true,
      takes: 'LIST',
      help: 'A list that the agent may see although it is shared or has private tasks',
    },
  },
  examples: ['dueline mcp', 'dueline mcp --lists Family', 'claude mcp add --scope user dueline -- dueline mcp'],
  run: mcp,
};
