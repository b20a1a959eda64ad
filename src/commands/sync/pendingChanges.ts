import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { PendingChange, SyncStatus } from '../../core/sync/syncState';
import { isolate, t, tn } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { localize } from '../../ui/text/errorText';
import { accountNames } from '../../ui/text/syncText';
import { withIcon } from '../../ui/withIcon';
import type { TargetResolver } from '../common/targets';
import type { SyncDocuments } from './virtualDocuments';

export const pendingChangeCommands = (
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  syncing: SyncStatus,
  texts: SyncDocuments,
): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.sync.showOutbox', () => showPendingChanges(engine, syncing, texts)),
    commands.on('dueline.sync.viewRemote', async target => {
      const task = await targets.task(target, t('Select a task to view its server version'));
      if (task) await texts.openServerCopy(task.id, task.title ?? '');
    }),
  );

interface PendingChoice extends vscode.QuickPickItem {
  readonly change?: PendingChange;
}

/** Shows the changes that wait to be sent, by list, with the server's answer to each; one opens as a diff. */
async function showPendingChanges(engine: DuelineEngine, syncing: SyncStatus, texts: SyncDocuments): Promise<void> {
  const waiting = syncing.pendingChanges();
  if (waiting.length === 0) {
    void showInformation(t('No pending changes.'));
    return;
  }
  const picked = await showQuickPick(choices(engine, waiting), {
    title: tn(waiting.length, '{0} pending change', '{0} pending changes'),
    placeHolder: t('Select a change to see what will be sent'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const change = picked?.change;
  if (change?.taskId != null) await texts.openPending(change.taskId, change.title);
}

function choices(engine: DuelineEngine, waiting: readonly PendingChange[]): PendingChoice[] {
  const accounts = accountNames(engine);
  return engine.lists().flatMap(list => {
    const own = waiting.filter(({ listId }) => listId === list.id);
    if (own.length === 0) return [];
    const where = list.accountId === null ? '' : isolate(accounts.get(list.accountId) ?? '');
    const heading = { label: `${isolate(list.name)} · ${where}`, kind: vscode.QuickPickItemKind.Separator };
    return [heading, ...own.map(choice)];
  });
}

function choice(change: PendingChange): PendingChoice {
  const [icon, label] = changeKinds()[change.kind];
  return {
    ...withIcon(icon, isolate(change.title) || t('(no title)')),
    description: label,
    detail: change.error === null ? undefined : localize(change.error),
    change,
  };
}

const changeKinds = (): Record<PendingChange['kind'], readonly [icon: string, label: string]> => ({
  create: ['add', t('new')],
  change: ['edit', t('changed')],
  move: ['arrow-swap', t('moved here')],
  delete: ['trash', t('deleted')],
  newList: ['new-folder', t('new list')],
  listChange: ['edit', t('list renamed or recolored')],
});
