/** The command line and agents: the full flavor alone has these. */
import type { OnTasks } from '../commandTargets';
import { command } from '../define';
import { claimedTask } from '../when';

export const agentCommands = {
  'dueline.installCommandLine': command(),
  'dueline.connectAgent': command(),
  'dueline.agentChanges': command(),
  'dueline.keepAgentPlan': command(),
  'dueline.takeBackFromAgent': command<OnTasks>({
    palette: false,
    menus: [{ menu: 'dueline.status', group: '1@4', when: claimedTask }],
  }),
  'dueline.handToAgent': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.copy', group: '3@1' }] }),
};
