import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/model';
import { isolate, t } from '../../shared/l10n';

interface AccountChoice extends vscode.QuickPickItem {
  /** Null: this computer. */
  readonly accountId: Id | null;
}

/** Asks where a list is to live: on this computer or in an account. `except`: where it lives now. */
export function pickAccount(engine: DuelineEngine, except?: Id | null): Thenable<AccountChoice | undefined> {
  const homes: AccountChoice[] = [
    { label: t('On this computer only'), accountId: null },
    ...engine.accounts().map(({ id, displayName }) => ({ label: isolate(displayName), accountId: id })),
  ];
  return vscode.window.showQuickPick(
    homes.filter(({ accountId }) => accountId !== except),
    { placeHolder: t('Select where to store the list') },
  );
}
