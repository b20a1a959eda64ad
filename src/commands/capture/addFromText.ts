import * as vscode from 'vscode';
import type { DuelineEngine, QuickAddLine } from '../../api';
import type { PlaceInCode } from '../../contributions/commandTargets';
import { type TaskLine, taskLines } from '../../core/text/taskLines';
import { isolate, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { createDefaultList } from '../../ui/defaultList';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { codePlaces } from '../../ui/taskLinks';
import { addedText, checkLineCount } from '../../ui/text/addedText';

/** Tasks from what is selected in the editor or lies in the clipboard: a line is a task, several lines are several. */
export const addFromTextCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.addFromSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      return addLines(engine, editor ? await selectedLines(editor) : [], t('Select text in an editor first.'));
    }),
    commands.on('dueline.addHere', async () => {
      const editor = vscode.window.activeTextEditor;
      const place = editor && (await codePlaces()?.at(editor.document, editor.selection.active.line));
      if (!place) {
        void showInformation(t('Open a saved file first. The task is linked to its current line.'));
        return;
      }
      await vscode.commands.executeCommand('dueline.quickAdd', { place });
    }),
    commands.on('dueline.addFromClipboard', async () =>
      addLines(engine, taskLines(await vscode.env.clipboard.readText()), t('The clipboard contains no text.')),
    ),
  );

interface SelectedLine extends TaskLine {
  /** Absent if no task can be linked to the text: it is in no saved file. */
  readonly place?: PlaceInCode | undefined;
}

/** The selected lines, without the signs of comments and words such as TODO; the current line if none is selected. */
async function selectedLines({ document, selections }: vscode.TextEditor): Promise<SelectedLine[]> {
  const places = codePlaces();
  const parts = selections.flatMap(selection => {
    const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
    return Array.from({ length: range.end.line - range.start.line + 1 }, (_, at) => {
      const line = document.lineAt(range.start.line + at);
      const text = document.getText(range.intersection(line.range) ?? line.range);
      const todo = places?.todoIn(document, line.lineNumber, text);
      return { line: line.lineNumber, text: todo ?? text, isTodo: todo !== undefined };
    }).filter(({ text }) => taskLines(text).length > 0);
  });
  const lines = taskLines(parts.map(({ text }) => text).join('\n'));
  return Promise.all(
    lines.map(async (line, at) => ({ ...line, place: await places?.at(document, parts[at]!.line, parts[at]!.isTodo) })),
  );
}

async function addLines(
  engine: DuelineEngine,
  lines: readonly SelectedLine[],
  nothing: string,
): Promise<Announcement | undefined> {
  if (lines.length === 0) {
    void showInformation(nothing);
    return undefined;
  }
  checkLineCount(lines);
  if (lines.length === 1) {
    const { text, place } = lines[0]!;
    await vscode.commands.executeCommand('dueline.quickAdd', place ? { text, place } : text);
    return undefined;
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
  if (!picked || picked.length === 0) return undefined;
  const kept = picked.map(({ at }) => at);
  const chosen = kept.map((at): QuickAddLine => {
    const { place, parent: above = -1, ...line } = lines[at]!;
    const parent = kept.indexOf(above);
    return { ...line, ...(parent < 0 ? {} : { parent }), ...(place ? { own: { anchors: [place.anchor] } } : {}) };
  });
  const listId = await createDefaultList(engine);
  return perform(
    engine,
    () => engine.quickAddLines(chosen, { listId }),
    added => ({ text: addedText(engine, added), added }),
  );
}
