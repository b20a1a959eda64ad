import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { t } from '../shared/l10n';
import { showError } from '../ui/errors';
import { showWarning } from '../ui/notifications';
import { savedFilters } from '../ui/settings/settings';
import type { ViewController } from '../ui/viewController';

/** Links from outside: `/add?title=`, `/task?uid=` or `/task?id=` with a short ID, `/filter?id=`, `/today`. None of them writes anything by itself. */
export const uriHandler = (
  engine: DuelineEngine,
  log: vscode.LogOutputChannel,
  viewController: ViewController,
): vscode.Disposable =>
  vscode.window.registerUriHandler({
    async handleUri(uri) {
      try {
        await follow(engine, log, viewController, uri);
      } catch (error) {
        void showError(error);
      }
    },
  });

async function follow(
  engine: DuelineEngine,
  log: vscode.LogOutputChannel,
  viewController: ViewController,
  { path, query }: vscode.Uri,
): Promise<void> {
  // The editor has decoded the query already: an "&" or a "+" is part of the one value that a link has.
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(query) ?? [];
  switch (path) {
    case '/add':
      await vscode.commands.executeCommand('dueline.quickAdd', name === 'title' ? value.slice(0, 1000) : '');
      return;
    case '/today':
      await vscode.commands.executeCommand('dueline.today.focus');
      return;
    case '/task': {
      if (name === 'id') {
        await vscode.commands.executeCommand('dueline.open', engine.findByShortId(value));
        return;
      }
      const found = engine
        .lists()
        .flatMap(list => engine.rows(list.id))
        .find(row => name === 'uid' && row.uid === value && row.masterId === null && !row.isDeleted);
      if (found) await vscode.commands.executeCommand('dueline.open', found.id);
      else void showWarning(t('The task in this link was not found.'));
      return;
    }
    case '/filter': {
      const filter = savedFilters().find(({ id }) => name === 'id' && id === value);
      if (filter) {
        viewController.filter.set(filter.query);
        await vscode.commands.executeCommand('dueline.lists.focus');
      } else void showWarning(t('The filter in this link was not found.'));
      return;
    }
    default:
      log.warn(`A link asked for ${path}, which Dueline does not know.`);
  }
}
