import * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import { isolate, plain, t, tn } from '../../shared/l10n';
import { createDefaultList } from '../../ui/defaultList';
import { showInformation } from '../../ui/notifications';
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
      await addLines(engine, linesOf((text ?? []).join('\n')), t('Select text in an editor first.'));
    }),
    onCommand('dueline.addFromClipboard', async () =>
      addLines(engine, linesOf(await vscode.env.clipboard.readText()), t('The clipboard contains no text.')),
    ),
  );

const lineAt = (editor: vscode.TextEditor, selection: vscode.Selection) =>
  editor.document.lineAt(selection.active.line).range;

/** Without what marks a list entry or a comment. */
const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(line => plain(line.replace(/^\s*(?:(?:\/\/+|#+|--|;+|\*|-|\+|•|\d+[.)])\s+)?(?:\[[ xX]?\]\s+)?/, '')))
    .filter(line => line !== '');

async function addLines(engine: DuelineEngine, lines: readonly string[], nothing: string): Promise<void> {
  if (lines.length === 0) {
    void showInformation(nothing);
    return;
  }
  if (lines.length === 1) {
    await vscode.commands.executeCommand('dueline.quickAdd', lines[0]);
    return;
  }
  const add = tn(lines.length, 'Add {0} Task', 'Add {0} Tasks');
  const picked = await vscode.window.showQuickPick(
    lines.map(line => ({ label: isolate(line), line, picked: true })),
    { title: add, placeHolder: t('Deselect lines that are not tasks'), canPickMany: true },
  );
  if (!picked || picked.length === 0) return;
  const listId = await createDefaultList(engine);
  const changes: TaskChange[] = picked.map(({ line }) => {
    const { input, title, listId: named = listId, problem, fromCompletion } = engine.understand(line);
    if (problem) return { type: 'create', listId: named, input: { title: line } };
    return { type: 'create', listId: named, input: { ...input, title }, from: fromCompletion ? 'completion' : 'due' };
  });
  await engine.apply(changes);
  announce(tn(changes.length, 'Added {0} task', 'Added {0} tasks'));
}
