import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { AccountTarget } from '../../contributions/commandTargets';
import { isDuelineError } from '../../core/kernel/errors';
import type { Account, TaskList } from '../../core/kernel/model';
import { isFolderAccount } from '../../core/sync/folderAccount';
import type { SyncStatus } from '../../core/sync/syncState';
import { isolate, plain, t } from '../../shared/l10n';
import { performOnList } from '../../ui/announcements';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { explain } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { askText } from '../common/inputSteps';
import { listFor } from '../common/targets';
import { pickAccount } from '../lists/pickAccount';
import { askTrust } from './certificate';

export const manageAccountCommands = ({ commands, engine }: CommandServices, syncing: SyncStatus): vscode.Disposable =>
  vscode.Disposable.from(
    commands.onRow('dueline.account.edit', async target => {
      const account = await accountFor(engine, target, t('Select an account to rename'));
      const name =
        account &&
        (await showInputBox({
          title: t('Rename Account'),
          value: account.displayName,
          validateInput: text => (plain(text) === '' ? t('An account name is required.') : undefined),
        }));
      if (account && name) await syncing.renameAccount(account.id, plain(name));
    }),
    commands.onRow('dueline.account.reauthenticate', async target => {
      const failing = engine.accounts().filter(({ id }) => syncing.accountState(id).remedy !== null);
      const chosen = target ?? (failing.length === 1 ? failing[0]!.id : undefined);
      const account = await accountFor(engine, chosen, t('Select an account to sign in to'));
      if (!account || isFolderAccount(account)) return;
      const { remedy } = syncing.accountState(account.id);
      if (remedy === 'certificate' ? await trustAgain(syncing, account) : await enterPassword(syncing, account))
        await vscode.commands.executeCommand('dueline.sync.now', account.id);
    }),
    commands.onRow('dueline.account.chooseLists', async target => {
      const account = await accountFor(engine, target, t('Select an account to choose its lists'));
      if (account) await chooseLists(engine, account);
    }),
    commands.onRow('dueline.list.moveToAccount', async target => {
      const list = await listFor(engine, target, {
        placeholder: t('Select a list to move'),
        accepts: ({ isReadOnly }) => !isReadOnly,
      });
      const to = list && (await pickAccount(engine, list.accountId));
      if (!list || !to) return undefined;
      const move = () => engine.moveListToAccount(list.id, to.accountId);
      const moved = await performOnList(engine, move, t('Moved list {0}', isolate(list.name)));
      if (list.accountId !== null) void announceEmptyList(engine, list);
      // The move is announced at once; its sync runs in the background.
      if (to.accountId !== null) void vscode.commands.executeCommand('dueline.sync.now', to.accountId);
      return moved;
    }),
  );

export async function accountFor(
  engine: DuelineEngine,
  target: AccountTarget | undefined,
  placeHolder: string,
): Promise<Account | undefined> {
  const accounts = engine.accounts();
  const id = typeof target === 'number' ? target : target?.accountId;
  const known = accounts.find(one => one.id === id) ?? (accounts.length === 1 ? accounts[0] : undefined);
  if (known) return known;
  const lines = accounts.map(account => ({
    label: isolate(account.displayName),
    description: account.username ?? undefined,
    account,
  }));
  return (await showQuickPick(lines, { placeHolder }))?.account;
}

/** True once the server has taken it. */
async function enterPassword(syncing: SyncStatus, account: Account): Promise<boolean> {
  let problem: string | undefined;
  while (true) {
    const password = await askText({
      title: isolate(account.displayName),
      prompt: t('Enter your password, or an app password if you use two-factor authentication.'),
      secret: true,
      step: 1,
      of: 1,
      problem,
      check: text => (text === '' ? t('This field is required.') : undefined),
    });
    if (typeof password !== 'string') return false;
    try {
      await syncing.setPassword(account.id, password);
      return true;
    } catch (error) {
      if (!isDuelineError(error, 'auth')) throw error;
      problem = explain(error);
    }
  }
}

async function trustAgain(syncing: SyncStatus, account: Account): Promise<boolean> {
  const address = syncing.addressOf(account.id);
  if (address === undefined) return false;
  const certificate = await syncing.certificateOf(address);
  if (certificate.problem === null) return true; // mended on the server meanwhile
  const fingerprint = await askTrust({ host: new URL(address).host, certificate });
  if (typeof fingerprint !== 'string') return false;
  await syncing.trustCertificate(account.id, fingerprint);
  return true;
}

/** Tasks move; whether to delete the list they leave, for everybody who shares it, is another question. */
async function announceEmptyList(engine: DuelineEngine, list: TaskList): Promise<void> {
  const account = engine.accounts().find(({ id }) => id === list.accountId);
  const remove = t('Delete List…');
  const picked = await showInformation(
    t(
      'The tasks in {0} were moved. The empty list remains on the server of {1}.',
      isolate(list.name),
      isolate(account?.displayName ?? ''),
    ),
    remove,
  );
  if (picked === remove) await vscode.commands.executeCommand('dueline.list.delete', list.id);
}

async function chooseLists(engine: DuelineEngine, account: Account): Promise<void> {
  const lines = engine
    .lists()
    .filter(({ accountId }) => accountId === account.id)
    .map(list => ({
      label: isolate(list.name),
      description: list.isReadOnly ? t('read-only') : undefined,
      picked: list.isSynced,
      list,
    }));
  const picked = await showQuickPick(lines, {
    title: t('Lists to Sync'),
    placeHolder: t('Lists that are not selected stay here but are not synced'),
    canPickMany: true,
  });
  if (!picked) return;
  const chosen = new Set(picked.map(({ list }) => list.id));
  for (const { list } of lines)
    if (list.isSynced !== chosen.has(list.id))
      await engine.updateList(list.id, {
        isSynced: !list.isSynced,
        isVisible: chosen.has(list.id) || list.isVisible,
      });
  await vscode.commands.executeCommand('dueline.sync.now', account.id);
}
