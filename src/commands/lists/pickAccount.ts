import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Id } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { accountNames } from '../../ui/text/syncText';

interface AccountChoice extends vscode.QuickPickItem {
  /** Null: this computer. */
  readonly accountId: Id | null;
}

/** Asks for the account that a list will be in, or this computer. `except`: the present one. */
export function pickAccount(engine: DuelineEngine, except?: Id | null): Thenable<AccountChoice | undefined> {
  // A user with an account usually means that one.
  const homes: AccountChoice[] = [
    ...[...accountNames(engine)].map(([accountId, name]) => ({ label: isolate(name), accountId })),
    { label: t('On this computer only'), accountId: null },
  ];
  return showQuickPick(
    homes.filter(({ accountId }) => accountId !== except),
    { placeHolder: t('Select where to store the list') },
  );
}
