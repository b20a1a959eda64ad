import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { AccountTarget } from '../../contributions/commandTargets';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { isFolderAccount } from '../../core/sync/folderAccount';
import type { SyncStatus } from '../../core/sync/syncState';
import { isolate, t, tn } from '../../shared/l10n';
import { showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { accountNames } from '../../ui/text/syncText';
import { taskCount } from '../lists/taskCount';
import { askForAccount } from './addAccount';
import { accountFor } from './manageAccount';

export const accountCommands = (
  { commands, engine }: CommandServices,
  log: vscode.LogOutputChannel,
  syncing: SyncStatus,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.account.add', () => askForAccount(engine, log, syncing)),
    commands.onRow('dueline.account.remove', target => removeAccount(engine, syncing, target)),
  );

async function removeAccount(
  engine: DuelineEngine,
  syncing: SyncStatus,
  target: AccountTarget | undefined,
): Promise<void> {
  const account = await accountFor(engine, target, t('Select an account to remove'));
  if (!account) return;
  const kept = keptLocally(engine, account.id);
  const lists = new Set(kept.lists);
  const waiting = syncing.pendingChanges().filter(({ listId }) => lists.has(listId)).length;
  const name = isolate(accountNames(engine).get(account.id) ?? '');
  const remove = t('Remove Account');
  const syncFirst = t('Sync First');
  const picked = await showWarning(
    t('Remove the account {0}?', name),
    {
      modal: true,
      detail: [
        tn(
          kept.tasks,
          '{0} task is kept on this computer, in a local list.',
          '{0} tasks are kept on this computer, in local lists.',
        ),
        isFolderAccount(account) ? t('Nothing is deleted in the folder.') : t('Nothing is deleted on the server.'),
        waiting === 0 ? '' : tn(waiting, '{0} unsynced change will be lost.', '{0} unsynced changes will be lost.'),
      ]
        .filter(Boolean)
        .join(' '),
    },
    remove,
    ...(waiting > 0 ? [syncFirst] : []),
  );
  if (picked === syncFirst) {
    await vscode.commands.executeCommand('dueline.sync.now', account.id);
    if (engine.accounts().some(({ id, lastSyncError }) => id === account.id && lastSyncError === null))
      await removeAccount(engine, syncing, account.id);
  } else if (picked === remove) await removeWithProgress(engine, account.id, t('Removing the account {0}…', name));
}

/** A removal waits for a sync that runs, in any window. */
async function removeWithProgress(engine: DuelineEngine, id: Id, title: string): Promise<void> {
  const stop = new AbortController();
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  await vscode.window.withProgress(options, async (_, token) => {
    token.onCancellationRequested(() => stop.abort());
    await engine.removeAccount(id, { signal: stop.signal }).catch(error => {
      if (!isDuelineError(error, 'cancelled')) throw error;
    });
  });
}

function keptLocally(engine: DuelineEngine, accountId: Id): { lists: readonly Id[]; tasks: number } {
  const lists = engine
    .lists()
    .filter(list => list.accountId === accountId)
    .map(({ id }) => id);
  return { lists, tasks: lists.reduce((sum, id) => sum + taskCount(engine, id), 0) };
}
