import * as vscode from 'vscode';
import { readLine } from '../core/text/document/line';
import { splitLines } from '../core/text/document/readText';
import type { SavedText } from '../core/text/document/types';

/** The cursors of each editor of a text that the editor has moved, as it read the text again, to where they do not belong. */
export type MovedCursors = Map<vscode.TextEditor, readonly vscode.Selection[]>;

/**
 * Returns a function that tells where cursors belong once the editor has read a text again. It replaces each line that a
 * save has given its ID, and puts a cursor that is in it on the next one. Until the editor says so, the selections that
 * an extension sees are those of before. The cursors of other lines are right, and the user may move them at once.
 */
export function cursorsAfter(document: vscode.TextDocument, { text, linesNow }: SavedText) {
  const [lines, linesBefore, saved] = [splitLines(text), splitLines(document.getText()), linesNow()];
  const moved = ({ line, character }: vscode.Position): vscode.Position => {
    const at = saved.get(line) ?? Math.min(line, lines.length - 1);
    const [before, now] = [(linesBefore[line] ?? '').trimEnd(), lines[at]!];
    if (character < before.length) return new vscode.Position(at, Math.min(character, now.length));
    const { from, words, id } = readLine(now, 0) ?? { from: 0, words: now, id: undefined };
    const isBehindId = id === undefined || readLine(before, 0)?.id !== undefined;
    return new vscode.Position(at, isBehindId ? now.length : from + words.length);
  };
  return (changes: readonly vscode.TextDocumentContentChangeEvent[]): MovedCursors => {
    const isWrong = (before: vscode.Position): boolean =>
      changes.some(
        ({ range, rangeOffset, text: { length } }) =>
          range.contains(before) && !document.positionAt(rangeOffset + length).isEqual(moved(before)),
      );
    const wrong = vscode.window.visibleTextEditors.filter(
      editor =>
        editor.document === document &&
        editor.selections.some(({ anchor, active }) => isWrong(anchor) || isWrong(active)),
    );
    return new Map(
      wrong.map(editor => [
        editor,
        editor.selections.map(({ anchor, active }) => new vscode.Selection(moved(anchor), moved(active))),
      ]),
    );
  };
}
