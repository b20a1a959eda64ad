import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { contextKeys } from '../../contributions/ids';
import type { EditLabel } from '../../core/editLabel';
import { Disposables } from '../../core/events';
import { brief, isolate, t, tn } from '../../shared/l10n';
import { announcements } from '../../ui/announcements';
import { setting } from '../../ui/settings/settings';
import { onCommand } from './register';

/** A longer text leaves no room for the other items of the status bar. */
const longestText = 70;

/** Says what was done, with Undo a click away, for as long as the setting says. */
export const announce = (text: string) => announcements.fire(text);

export function undoCommands(engine: DuelineEngine, log: vscode.LogOutputChannel): vscode.Disposable {
  const owned = new Disposables();
  const item = owned.add(vscode.window.createStatusBarItem('dueline.undo', vscode.StatusBarAlignment.Left, 49));
  item.name = t('Dueline: Undo');
  item.command = 'dueline.undo';
  let hiding: NodeJS.Timeout | undefined;
  const offer = (text: string) => {
    const seconds = setting('dueline.completion.undoSeconds');
    if (seconds <= 0) return;
    item.text = `$(discard) ${t('{0} · Undo', text.length > longestText ? isolate(brief(text, longestText)) : text)}`;
    item.tooltip = text;
    item.accessibilityInformation = { label: t('{0}. Undo', text), role: 'button' };
    item.show();
    clearTimeout(hiding);
    hiding = setTimeout(() => item.hide(), seconds * 1000);
  };
  owned.add(announcements.event(offer));
  owned.add({ dispose: () => clearTimeout(hiding) });

  let asked = 0;
  const publish = async () => {
    const question = ++asked;
    const { undo, redo } = await engine.history();
    // An answer that a later question has overtaken would switch off what is possible now.
    if (question !== asked) return;
    void vscode.commands.executeCommand('setContext', contextKeys.canUndo, undo !== undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.canRedo, redo !== undefined);
  };
  const noteHistory = () => void publish().catch(error => log.error(`History: ${error.message}`));
  owned.add(engine.onDidChange(noteHistory));
  noteHistory();

  owned.add(
    onCommand('dueline.undo', async () => {
      item.hide();
      tell(await engine.undoNamed(), t('Nothing to undo.'), name => t('Undone: {0}', name));
    }),
  );
  owned.add(
    onCommand('dueline.redo', async () =>
      tell(await engine.redoNamed(), t('Nothing to redo.'), name => t('Redone: {0}', name)),
    ),
  );
  return owned;
}

function tell(label: EditLabel | undefined, nothing: string, something: (name: string) => string): void {
  vscode.window.setStatusBarMessage(label ? something(editName(label)) : nothing, 5000);
}

/** What an edit is called where it is undone. */
export function editName({ key, count, title }: EditLabel): string {
  const what = count === 1 && title ? isolate(title) : tn(count, '{0} task', '{0} tasks');
  switch (key) {
    case 'create':
      return t('add {0}', what);
    case 'complete':
      return t('complete {0}', what);
    case 'reopen':
      return t('reopen {0}', what);
    case 'delete':
      return t('delete {0}', what);
    case 'move':
      return t('move {0}', what);
    case 'restore':
      return t('restore {0}', what);
    case 'import':
      return t('import {0}', what);
    case 'list.create':
      return t('new list {0}', what);
    case 'list.update':
      return t('change list {0}', what);
    case 'list.delete':
      return t('delete list {0}', what);
    default:
      return t('change {0}', what);
  }
}
