import * as vscode from 'vscode';
import type { DuelineEngine, SyncReport } from '../../api';
import type { AccountTarget, ListTarget } from '../../contributions/commandTargets';
import type { Message } from '../../core/kernel/message';
import type { TaskList } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import { showErrorText, showInformation, showWarning } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { localize } from '../../ui/text/errorText';
import { accountNames } from '../../ui/text/syncText';
import { notifyWithActions } from '../common/notifyWithActions';
import { listFor } from '../common/targets';
import type { SyncRunner, SyncScope } from './syncRunner';

export function syncCommands(
  { commands, engine }: CommandServices,
  runs: SyncRunner,
  showLog: () => void,
): vscode.Disposable {
  const sync = async (scope: SyncScope) => {
    if (engine.accounts().length === 0) {
      const add = t('Add Account…');
      void showInformation(t('No accounts to sync.'), add).then(
        picked => picked === add && vscode.commands.executeCommand('dueline.account.add'),
      );
      return;
    }
    warnOfBackoff(engine, scope);
    const report = await runs.run(scope, 'user');
    if (report) announceReport(engine, report);
  };

  const stopOrResume = async (target?: ListTarget) => {
    const list = await listFor(engine, target, {
      placeholder: t('Select a list to stop or resume syncing'),
      accepts: isOfAccount,
    });
    if (!list) return;
    const isSynced = !list.isSynced;
    await engine.updateList(list.id, { isSynced });
    if (isSynced) await sync({ listId: list.id });
    else
      vscode.window.setStatusBarMessage(
        t('{0} is no longer synced. It stays on this computer.', isolate(list.name)),
        5000,
      );
  };

  return vscode.Disposable.from(
    commands.on('dueline.sync.now', target => sync(accountScope(target))),
    commands.on('dueline.sync.retry', async target => {
      const failed = engine.accounts().filter(({ lastSyncError }) => lastSyncError !== null);
      const scopes = target === undefined ? failed.map(({ id }) => ({ accountId: id })) : [accountScope(target)];
      for (const scope of scopes) await sync(scope);
    }),
    commands.onRow('dueline.sync.list', async target => {
      const list = await listFor(engine, target, {
        placeholder: t('Select a list to sync'),
        accepts: isOfAccount,
      });
      if (list) await sync({ listId: list.id });
    }),
    commands.onRow('dueline.sync.toggleList', stopOrResume),
    commands.onRow('dueline.sync.resumeList', stopOrResume),
    commands.on('dueline.sync.cancel', () => runs.cancel()),
    commands.on('dueline.sync.pause', () => turnSync(engine)),
    commands.on('dueline.sync.resume', () => turnSync(engine)),
    commands.on('dueline.sync.showLog', showLog),
  );
}

const isOfAccount = ({ accountId }: TaskList) => accountId !== null;

function accountScope(target: AccountTarget | undefined): Pick<SyncScope, 'accountId'> {
  const accountId = typeof target === 'number' ? target : target?.accountId;
  return accountId === undefined ? {} : { accountId };
}

/** A server that asked for a pause gets it, even if the user starts a sync; a message shows until when. */
function warnOfBackoff(engine: DuelineEngine, { accountId }: SyncScope): void {
  for (const account of engine.accounts()) {
    if (accountId !== undefined && account.id !== accountId) continue;
    const retryAt = engine.syncing?.accountState(account.id).retryAt ?? 0;
    if (retryAt <= engine.clock.now()) continue;
    const until = new Date(retryAt).toLocaleTimeString(engine.locale, { timeStyle: 'short' });
    void showWarning(t('The server of {0} is busy. Dueline will retry at {1}.', isolate(account.displayName), until));
  }
}

/** A short line for success; a message only if the user must act, since the user asked for this sync. */
function announceReport(engine: DuelineEngine, { accounts }: SyncReport): void {
  for (const { accountId, reason } of accounts) if (reason !== null) showFailure(engine, accountId, reason);
  const refused = accounts.flatMap(({ rowErrors }) => rowErrors);
  if (refused.length > 0) {
    const show = t('Show Pending Changes');
    void showWarning(
      tn(
        refused.length,
        'The server rejected {0} task: {1}',
        'The server rejected {0} tasks: {1}',
        localize(refused[0]!.reason),
      ),
      show,
    ).then(picked => picked === show && vscode.commands.executeCommand('dueline.sync.showOutbox'));
  }
  const total = (count: (account: SyncReport['accounts'][number]) => number) =>
    accounts.map(count).reduce((a, b) => a + b, 0);
  const down = total(({ pulled, deletedLocally }) => pulled + deletedLocally);
  const up = total(({ pushed, deletedRemotely }) => pushed + deletedRemotely);
  if (down + up === 0 && accounts.some(({ error }) => error !== null)) return;
  // Other conflicts are merged already, and only kept for review.
  const undecided = (engine.syncing?.conflicts() ?? []).filter(({ reason }) => reason === 'copy');
  const count = new Set(undecided.map(({ taskId }) => taskId)).size;
  const still = () =>
    count === 0
      ? t('Everything is in sync.')
      : tn(count, '{0} task needs your decision.', '{0} tasks need your decision.');
  vscode.window.setStatusBarMessage(down + up === 0 ? still() : t('Synced: {0} received, {1} sent.', down, up), 5000);
}

function showFailure(engine: DuelineEngine, accountId: number, error: Message): void {
  const name = accountNames(engine).get(accountId) ?? '';
  const remedy = engine.syncing?.accountState(accountId).remedy;
  const emptied = engine.syncing?.emptiedLists() ?? [];
  const hasQuestion = engine.lists().some(list => list.accountId === accountId && emptied.includes(list.id));
  const commands = remedy
    ? { [remedy === 'password' ? t('Enter Password…') : t('Review Certificate…')]: 'dueline.account.reauthenticate' }
    : hasQuestion
      ? { [t('Review…')]: 'dueline.sync.showConflicts' }
      : { [t('Try Again')]: 'dueline.sync.retry', [t('Show Sync Log')]: 'dueline.sync.showLog' };
  notifyWithActions(
    showErrorText,
    t('{0} could not be synced: {1}', isolate(name), localize(error)),
    commands,
    accountId,
  );
}

/** Pauses sync, or resumes it. */
async function turnSync({ syncing }: DuelineEngine): Promise<void> {
  if (!syncing) return;
  await syncing.setPaused(!syncing.isPaused);
  const text = syncing.isPaused ? t('Sync is paused. Sync Now still works.') : t('Sync resumed.');
  vscode.window.setStatusBarMessage(text, 5000);
}
