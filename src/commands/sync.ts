import * as vscode from 'vscode';
import type { SyncOptions, SyncReport } from '../api';
import type { TaskList } from '../core/model';
import type { AccountTarget } from '../ids';
import { contextKeys } from '../ids';
import { isolate, t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import { onCommand } from './register';
import { listFor } from './targets';

export function syncCommands(parts: Parts): vscode.Disposable {
  let running: AbortController | undefined;
  const setSyncing = (on: boolean) => vscode.commands.executeCommand('setContext', contextKeys.syncing, on);

  const sync = async (scope: Pick<SyncOptions, 'accountId' | 'listId'>) => {
    if (parts.engine.accounts().length === 0) {
      const add = t('Add Account…');
      void vscode.window
        .showInformationMessage(t('There is no account to sync with.'), add)
        .then(picked => picked === add && vscode.commands.executeCommand('dueline.account.add'));
      return;
    }
    const stop = new AbortController();
    running = stop;
    await setSyncing(true);
    try {
      const report = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: t('Syncing') },
        progress =>
          parts.engine.sync({
            ...scope,
            signal: stop.signal,
            onProgress: ({ label, done, total }) =>
              progress.report({ message: total > 1 ? `${label} ${done}/${total}` : label }),
          }),
      );
      tellReport(parts, report);
    } finally {
      if (running === stop) running = undefined;
      await setSyncing(running !== undefined);
    }
  };

  return vscode.Disposable.from(
    onCommand('dueline.sync.now', target => sync(accountScope(target))),
    onCommand('dueline.sync.list', async target => {
      const accepts = (list: TaskList) => list.accountId !== null;
      const list = await listFor(parts, target, { placeholder: t('Sync which list?'), accepts });
      if (list) await sync({ listId: list.id });
    }),
    onCommand('dueline.sync.cancel', () => running?.abort()),
    new vscode.Disposable(() => running?.abort()),
  );
}

function accountScope(target: AccountTarget | undefined): Pick<SyncOptions, 'accountId'> {
  const accountId = typeof target === 'number' ? target : target?.accountId;
  return accountId === undefined ? {} : { accountId };
}

/** A short line for what went well; a message only for what a person must act on, since they asked for this sync. */
function tellReport(parts: Parts, { accounts }: SyncReport): void {
  const names = new Map(parts.engine.accounts().map(account => [account.id, account.displayName]));
  const openLog = t('Open Log');
  for (const { accountId, error } of accounts) {
    if (error === null) continue;
    void vscode.window
      .showErrorMessage(t('{0} could not be synced: {1}', isolate(names.get(accountId) ?? ''), error), openLog)
      .then(picked => picked === openLog && vscode.commands.executeCommand('dueline.openLog'));
  }
  const refused = accounts.flatMap(({ rowErrors }) => rowErrors);
  if (refused.length > 0) {
    void vscode.window.showWarningMessage(
      tn(refused.length, 'The server refused {0} task: {1}', 'The server refused {0} tasks: {1}', refused[0]!.message),
    );
  }
  const total = (count: (account: SyncReport['accounts'][number]) => number) =>
    accounts.map(count).reduce((a, b) => a + b, 0);
  const down = total(({ pulled, deletedLocally }) => pulled + deletedLocally);
  const up = total(({ pushed, deletedRemotely }) => pushed + deletedRemotely);
  vscode.window.setStatusBarMessage(
    down + up === 0 ? t('Everything is in sync.') : t('Synced: {0} received, {1} sent.', down, up),
    5000,
  );
}
