import { setFlagsFromString } from 'node:v8';
import { defaultSettings } from '../../core/settings';
import { serveAgent } from '../../mcp/serve';
import type { Command, Session } from '../session';

async function mcp(session: Session): Promise<void> {
  // It lives as long as the agent does: optimized code pays here.
  setFlagsFromString('--no-liftoff-only');
  await serveAgent({
    open: async () => {
      const engine = await session.open();
      // The tools say how a text is read.
      const { quickAddSyntax, quickAddDates, quickAddLanguage } = defaultSettings;
      engine.configure({ quickAddSyntax, quickAddDates, quickAddLanguage });
      return engine;
    },
    lists: session.all('lists'),
    version: process.env.DUELINE_VERSION ?? '',
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
