import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { agentChanges } from '../commands/agents/changes';
import { commandLine } from '../commands/agents/commandLine';
import { handToAgent } from '../commands/agents/handTask';
import type { OwnTools } from '../commands/agents/offerToEditor';
import { publishSettings } from '../commands/agents/publishSettings';
import { TargetResolver } from '../commands/kit/targets';
import type { Flavor } from '../engine/flavor/flavor';
import { Agent } from '../mcp/agent';
import { tools } from '../mcp/tools';
import { openWith } from '../openWith';
import type { Services } from '../ui/services';
import { engineSettings, setting } from '../ui/settings/settings';

/** What lets programs outside the editor work with its tasks. */
export const registerAgents = (
  { engine, log, selection }: Pick<Services, 'engine' | 'log' | 'selection'>,
  storeFolder: vscode.Uri,
  context: vscode.ExtensionContext,
): vscode.Disposable => {
  const publish = () => void publishLists(engine).catch(error => log.warn(`Lists for agents: ${error.message}`));
  publish();
  const own = ownTools(async () => {
    const mine = await openWith(withoutSync, { folder: storeFolder.fsPath, locale: engine.locale });
    mine.configure(engineSettings());
    return mine;
  });
  return vscode.Disposable.from(
    commandLine(context, storeFolder, log, own),
    own,
    publishSettings(storeFolder, log),
    agentChanges(engine),
    handToAgent(engine, new TargetResolver(engine, selection)),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline.agents') && publish()),
  );
};

/** It writes nothing to a server: the editor's own connection to the store does. */
const withoutSync: Flavor = { name: 'offline', createSyncing: undefined };

/**
 * The tools on a connection to the store of their own, so that the history tells an agent's changes from a person's. It is
 * opened with the first call; one call is answered after the other.
 */
function ownTools(open: () => Promise<DuelineEngine>): OwnTools & vscode.Disposable {
  let engine: DuelineEngine | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const agent = new Agent({
    open: async () => {
      engine = await open();
      return engine;
    },
    lists: [],
  });
  return {
    names: tools.map(({ name }) => name),
    call: (...asked) => {
      const answer = last.then(() => agent.call(...asked));
      last = answer.catch(() => undefined);
      return answer;
    },
    dispose: () => void last.then(() => agent.close()).then(() => engine?.close()),
  };
}

/** Where agents look for them, which cannot read the editor's settings. */
async function publishLists(engine: DuelineEngine): Promise<void> {
  if (engine.readOnlyReason) return;
  const lists = setting('dueline.agents.lists');
  const sidecar = await engine.sidecar();
  const known = sidecar.get<readonly string[]>('agents', 'lists') ?? [];
  if (JSON.stringify(known) !== JSON.stringify(lists)) await sidecar.put('agents', [['lists', lists]]);
}
