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
  const publish = () => void publishRights(engine).catch(error => log.warn(`Rights of agents: ${error.message}`));
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

/** Publishes what agents may see: they cannot read the editor's settings. */
async function publishRights(engine: DuelineEngine): Promise<void> {
  if (engine.readOnlyReason) return;
  const sidecar = await engine.sidecar();
  const rights = { lists: setting('dueline.agents.lists'), meetings: setting('dueline.agents.meetings') };
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(sidecar.get('agents', name) ?? (name === 'lists' ? [] : false)) !== JSON.stringify(value);
  const changed = Object.entries(rights).filter(isNew);
  if (changed.length > 0) await sidecar.put('agents', changed);
}
