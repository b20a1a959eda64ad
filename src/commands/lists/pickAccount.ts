import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { accountNames } from '../../ui/text/syncText';

interface AccountChoice extends vscode.QuickPickItem {
  /** Null: this computer. */
  readonly accountId: Id | null;
}

/** Asks where a list is to live: on this computer or in an account. `except`: where it lives now. */
export function pickAccount(engine: DuelineEngine, except?: Id | null): Thenable<AccountChoice | undefined> {
  const homes: AccountChoice[] = [
    { label: t('On this computer only'), accountId: null },
    ...[...accountNames(engine)].map(([accountId, name]) => ({ label: isolate(name), accountId })),
  ];
  return vscode.window.showQuickPick(
    homes.filter(({ accountId }) => accountId !== except),
    { placeHolder: t('Select where to store the list') },
  );
}
