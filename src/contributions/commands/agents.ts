/** The command line and agents: the full flavor alone has these. */
import type { OnTasks } from '../commandTargets';
import { command } from '../define';
import { anyOpenTask, claimedTask } from '../when';

export const agentCommands = {
  'dueline.installCommandLine': command(),
  'dueline.connectAgent': command(),
  'dueline.agentChanges': command(),
  'dueline.keepAgentPlan': command(),
  'dueline.takeBackFromAgent': command<OnTasks>({
    palette: false,
    menus: [{ menu: 'dueline.status', group: '1@5', when: claimedTask }],
  }),
  'dueline.handToAgent': command<OnTasks>({
    palette: false,
    menus: [
      { menu: 'dueline.status', group: '1@4' },
      // Rows without a submenu of what is done with a task.
      { menu: 'dueline.copy', group: '3@1', when: `!(${anyOpenTask})` },
    ],
  }),
};
