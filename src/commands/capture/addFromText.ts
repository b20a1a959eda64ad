import * as vscode from 'vscode';
import type { DuelineEngine, QuickAddLine } from '../../api';
import type { CodeLocation } from '../../contributions/commandTargets';
import { type TaskLine, taskLines } from '../../core/text/taskLines';
import { isolate, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { createDefaultList } from '../../ui/defaultList';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { addedLinesText, checkLineCount } from '../../ui/text/addedText';
import { codeLinks } from '../../ui/text/codeLinks';

/** Create tasks from the selection in the editor or from the clipboard, one for each line. */
export const addFromTextCommands = ({ commands, engine }: CommandServices): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.addFromSelection', async () => {
      const editor = vscode.window.activeTextEditor;
      return addLines(engine, editor ? await selectedLines(editor) : [], t('Select text in an editor first.'));
    }),
    commands.on('dueline.addHere', async () => {
      const editor = vscode.window.activeTextEditor;
      const location = editor && (await codeLinks()?.at(editor.document, editor.selection.active.line));
      if (!location)
        void showInformation(t('Only lines of saved files can be linked. The task is added without a link.'));
      await vscode.commands.executeCommand('dueline.quickAdd', location ? { location } : undefined);
    }),
    commands.on('dueline.addFromClipboard', async () =>
      addLines(engine, taskLines(await vscode.env.clipboard.readText()), t('The clipboard contains no text.')),
    ),
  );

interface SelectedLine extends TaskLine {
  /** Absent if no task can be linked to the line: its file was never saved. */
  readonly location?: CodeLocation | undefined;
  /** True if the line is a TODO comment. */
  readonly isTodo?: boolean;
  /** True for a heading in Markdown. */
  readonly isHeading?: boolean;
  readonly notes?: string | undefined;
}

/** The selected lines, without the signs of comments and words such as TODO; the current line if none is selected. */
async function selectedLines({ document, selections }: vscode.TextEditor): Promise<SelectedLine[]> {
  const links = codeLinks();
  const parts = selections.flatMap(selection => partsOf(document, selection));
  const lines = taskLines(parts.map(({ text }) => text).join('\n'));
  return Promise.all(
    lines.map(async (line, at) => {
      const { notes, isTodo, isHeading, line: number } = parts[at]!;
      return { ...line, notes, isTodo, isHeading, location: await links?.at(document, number, isTodo) };
    }),
  );
}

/** One part for each line with words; the lines of a TODO comment are one. */
function partsOf(document: vscode.TextDocument, selection: vscode.Selection) {
  const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  const parts: { line: number; text: string; notes?: string | undefined; isTodo: boolean; isHeading: boolean }[] = [];
  for (let at = range.start.line; at <= range.end.line; at++) {
    const line = document.lineAt(at);
    const text = document.getText(range.intersection(line.range) ?? line.range);
    const todo = codeLinks()?.todoIn(document, at, text);
    const isHeading = document.languageId === 'markdown' && /^ {0,3}#{1,6}\s/.test(text);
    parts.push({ line: at, text: todo?.text ?? text, notes: todo?.notes, isTodo: todo !== undefined, isHeading });
    at = todo?.lastLine ?? at;
  }
  return parts.filter(({ text }) => taskLines(text).length > 0);
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
    const { text, notes, location } = lines[0]!;
    await vscode.commands.executeCommand('dueline.quickAdd', location ? { text, notes, location } : text);
    return undefined;
  }
  const add = tn(lines.length, 'Add {0} Task', 'Add {0} Tasks');
  const hasTodos = lines.some(({ isTodo }) => isTodo);
  const picked = await showQuickPick(
    lines.map(({ text, parent, isTodo = false, isHeading = false }, at) => ({
      label: parent === undefined ? isolate(text) : `\u2003${isolate(text)}`,
      at,
      // Among TODO comments, the other lines are code.
      picked: isTodo || !(hasTodos || isHeading),
    })),
    { title: add, placeHolder: t('Deselect lines that are not tasks'), canPickMany: true },
  );
  if (!picked || picked.length === 0) return undefined;
  const kept = picked.map(({ at }) => at);
  const chosen = kept.map((at): QuickAddLine => {
    const { location, notes, isTodo: _, isHeading: _heading, parent: parentLine = -1, ...line } = lines[at]!;
    const parent = kept.indexOf(parentLine);
    const own = {
      ...(location && { anchors: [location.anchor] }),
      ...(notes === undefined ? {} : { defaults: { description: notes } }),
    };
    return { ...line, ...(parent < 0 ? {} : { parent }), own };
  });
  const listId = await createDefaultList(engine);
  return perform(
    engine,
    () => engine.quickAddLines(chosen, { listId }),
    added => ({ text: addedLinesText(engine, added, chosen), added }),
  );
}
