import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { accountCommands } from '../commands/accounts/accounts';
import { manageAccountCommands } from '../commands/accounts/manageAccount';
import { TargetResolver } from '../commands/common/targets';
import { repositoryLists } from '../commands/lists/repositoryList';
import { conflictCommands } from '../commands/sync/conflicts';
import { pendingChangeCommands } from '../commands/sync/pendingChanges';
import { syncCommands } from '../commands/sync/sync';
import { SyncRunner } from '../commands/sync/syncRunner';
import { SyncDocuments } from '../commands/sync/virtualDocuments';
import { contextKeys } from '../contributions/ids';
import type { SyncStatus } from '../core/sync/syncState';
import type { Services } from '../ui/services';
import { engineSettings } from '../ui/settings/settings';
import { registerAgents } from './agents';
import { scheduleSync } from './syncSchedule';

/** The parts that only the full flavor has in the editor: accounts and sync, and interfaces for other programs. */
export function registerSync(
  services: Services,
  storeFolder: vscode.Uri,
  context: vscode.ExtensionContext,
): vscode.Disposable {
  const { engine, selection } = services;
  const { syncing } = engine;
  if (!syncing) return new vscode.Disposable(() => {});
  const log = vscode.window.createOutputChannel('Dueline Sync', { log: true });
  const texts = new SyncDocuments(syncing);
  const runs = new SyncRunner(engine);
  return vscode.Disposable.from(
    log,
    publishAccounts(engine),
    publishPaused(syncing),
    // The way out is the editor's: its proxy.
    vscode.workspace.onDidChangeConfiguration(
      event => event.affectsConfiguration('http') && engine.configure(engineSettings()),
    ),
    syncing.onDidLog(({ level, text }) => log[level](text)),
    texts,
    runs,
    accountCommands(services, services.log, syncing),
    manageAccountCommands(services, syncing),
    repositoryLists(services, context.globalState),
    syncCommands(services, runs, () => log.show()),
    conflictCommands(services, syncing, texts),
    pendingChangeCommands(services, new TargetResolver(engine, selection), syncing, texts),
    scheduleSync(services, syncing, runs, storeFolder),
    registerAgents(services, storeFolder, context),
  );
}

/** Lets when-clauses know whether there is an account. */
function publishAccounts(engine: DuelineEngine): vscode.Disposable {
  const publish = () =>
    void vscode.commands.executeCommand('setContext', contextKeys.hasAccounts, engine.accounts().length > 0);
  publish();
  return engine.onDidChange(change => (change.accounts.length > 0 || change.tasks.length === 0) && publish());
}

/** Lets them know whether sync is paused. */
function publishPaused(syncing: SyncStatus): vscode.Disposable {
  const publish = () => void vscode.commands.executeCommand('setContext', contextKeys.syncPaused, syncing.isPaused);
  publish();
  return syncing.onDidChangeState(publish);
}
