import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { agentLine } from '../commands/agents/agentLine';
import { agentChanges } from '../commands/agents/changes';
import { commandLine } from '../commands/agents/commandLine';
import { handToAgent } from '../commands/agents/handTask';
import { keepAgentPlan } from '../commands/agents/keepPlan';
import { publishSettings } from '../commands/agents/publishSettings';
import { takeBack } from '../commands/agents/takeBack';
import { TargetResolver } from '../commands/common/targets';
import type { Services } from '../ui/services';
import { setting } from '../ui/settings/settings';

/** Lets programs outside the editor work with its tasks. */
export const registerAgents = (
  { engine, log, selection, commands }: Pick<Services, 'engine' | 'log' | 'selection' | 'commands'>,
  storeFolder: vscode.Uri,
  context: vscode.ExtensionContext,
): vscode.Disposable => {
  const publish = () => void publishLists(engine).catch(error => log.warn(`Lists for agents: ${error.message}`));
  publish();
  const targets = new TargetResolver(engine, selection);
  return vscode.Disposable.from(
    commandLine(commands, context, storeFolder, log),
    publishSettings(storeFolder, log),
    agentChanges({ commands, engine }),
    agentLine({ engine }),
    keepAgentPlan({ commands, engine }),
    handToAgent({ commands, engine }, targets),
    takeBack({ commands, engine }, targets),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline.agents') && publish()),
  );
};

/** Publishes the lists for agents, which cannot read the editor's settings. */
async function publishLists(engine: DuelineEngine): Promise<void> {
  if (engine.readOnlyReason) return;
  const lists = setting('dueline.agents.lists');
  const sidecar = await engine.sidecar();
  const known = sidecar.get<readonly string[]>('agents', 'lists') ?? [];
  if (JSON.stringify(known) !== JSON.stringify(lists)) await sidecar.put('agents', [['lists', lists]]);
}
