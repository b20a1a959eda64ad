/** The command line and agents: the full flavor alone has these. */
import { flag, setOf } from '../define';

export const agentSettings = {
  'dueline.terminal.command': flag(true, { scope: 'machine', isMarkdown: true }),
  'dueline.agents.lists': setOf<string>({ type: 'string' }, []),
  'dueline.agents.meetings': flag(false),
};
