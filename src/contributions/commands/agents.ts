/** The command line and agents: the full flavor alone has these. */
import type { OnTasks } from '../commandTargets';
import { command } from '../define';

export const agentCommands = {
  'dueline.installCommandLine': command(),
  'dueline.connectAgent': command(),
  'dueline.agentChanges': command(),
  'dueline.handToAgent': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.copy', group: '3@1' }] }),
};
