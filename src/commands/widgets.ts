import * as vscode from 'vscode';
import { t } from '../shared/l10n';
import type { ViewController } from '../ui/viewController';
import { pickKind } from '../views/widgets/pick';
import { defaultSetup } from '../views/widgets/setup';
import { onCommand } from './kit/register';

export const widgetCommands = (shown: ViewController): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.openWidget', async asked => {
      const kind = asked ?? (await pickKind(t('Select a widget to open')));
      if (kind) shown.openWidget(defaultSetup(kind));
    }),
    onCommand('dueline.widget.configure', async asked => {
      const kind = asked ?? (await pickKind(t('Select a widget to configure')));
      if (kind) await shown.configureWidget(kind);
    }),
  );
