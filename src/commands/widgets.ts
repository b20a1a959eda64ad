import * as vscode from 'vscode';
import { t } from '../views/l10n';
import type { Parts } from '../views/parts';
import type { Shown } from '../views/shown';
import { pickFilter, pickKind, pickLists } from '../views/widgets/pick';
import { defaultSetup } from '../views/widgets/setup';
import { saveSetup } from '../views/widgets/views';
import { onCommand } from './register';

export const widgetCommands = (parts: Parts, shown: Shown): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.openWidget', async asked => {
      const kind = asked ?? (await pickKind(t('Open which widget?')));
      if (kind) shown.openWidget(defaultSetup(kind));
    }),
    onCommand('dueline.widget.configure', async asked => {
      const kind = asked ?? (await pickKind(t('Configure which widget?')));
      if (!kind) return;
      const setup = defaultSetup(kind);
      const lists = await pickLists(parts, setup.lists);
      const filter = lists && (await pickFilter(parts, setup.filter));
      if (lists && filter !== undefined) await saveSetup({ ...setup, lists, filter });
    }),
  );
