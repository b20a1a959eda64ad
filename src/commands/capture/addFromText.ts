import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { type TaskLine, taskLines } from '../../core/taskLines';
import { isolate, t, tn } from '../../shared/l10n';
import { added } from '../../ui/announcements';
import { createDefaultList } from '../../ui/defaultList';
import { showInformation } from '../../ui/notifications';
import { addedText } from '../../ui/text/addedText';
import { onCommand } from '../kit/register';
import { announce } from '../kit/undo';

/** Tasks from what is selected in the editor or lies in the clipboard: a line is a task, several lines are several. */
export const addFromTextCommands = (engine: DuelineEngine): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.addFromSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.selections.map(selection =>
        editor.document.getText(selection.isEmpty ? lineAt(editor, selection) : selection),
      );
      await addLines(engine, taskLines((text ?? []).join('\n')), t('Select text in an editor first.'));
    }),
    onCommand('dueline.addFromClipboard', async () =>
      addLines(engine, taskLines(await vscode.env.clipboard.readText()), t('The clipboard contains no text.')),
    ),
  );

const lineAt = (editor: vscode.TextEditor, selection: vscode.Selection) =>
  editor.document.lineAt(selection.active.line).range;

async function addLines(engine: DuelineEngine, lines: readonly TaskLine[], nothing: string): Promise<void> {
  if (lines.length === 0) {
    void showInformation(nothing);
    return;
  }
  if (lines.length === 1) {
    await vscode.commands.executeCommand('dueline.quickAdd', lines[0]!.text);
    return;
  }
  const add = tn(lines.length, 'Add {0} Task', 'Add {0} Tasks');
  const picked = await vscode.window.showQuickPick(
    lines.map(({ text, parent }, at) => ({
      label: parent === undefined ? isolate(text) : `\u2003${isolate(text)}`,
      at,
      picked: true,
    })),
    { title: add, placeHolder: t('Deselect lines that are not tasks'), canPickMany: true },
  );
  if (!picked || picked.length === 0) return;
  const kept = picked.map(({ at }) => at);
  const chosen = kept.map((at): TaskLine => {
    const parent = kept.indexOf(lines[at]!.parent ?? -1);
    return parent < 0 ? { text: lines[at]!.text } : { text: lines[at]!.text, parent };
  });
  const ids = await engine.quickAddLines(chosen, { listId: await createDefaultList(engine) });
  announce(addedText(engine, ids));
  added.fire(ids);
}
