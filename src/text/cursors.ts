import * as vscode from 'vscode';
import { readLine } from '../core/text/document/line';
import { splitLines } from '../core/text/document/readText';
import type { SavedText } from '../core/text/document/types';

/**
 * Returns a function that puts the cursors of a text back once the editor has read it again. It replaces each line that a
 * save has given its ID, and would put a cursor that was in it on the next one. Cursors that are right are not set: the
 * user may move them before the editor hears of it.
 */
export function cursorsAfter(document: vscode.TextDocument, { text, linesNow }: SavedText): () => void {
  const [lines, saved] = [splitLines(text), linesNow()];
  const moved = ({ line, character }: vscode.Position): vscode.Position => {
    const at = saved.get(line) ?? Math.min(line, lines.length - 1);
    const [before, now] = [document.lineAt(line).text.trimEnd(), lines[at]!];
    if (character < before.length) return new vscode.Position(at, Math.min(character, now.length));
    const { from, words, id } = readLine(now, 0) ?? { from: 0, words: now, id: undefined };
    const isBehindId = id === undefined || readLine(before, 0)?.id !== undefined;
    return new vscode.Position(at, isBehindId ? now.length : from + words.length);
  };
  const kept = vscode.window.visibleTextEditors
    .filter(editor => editor.document === document)
    .map(editor => {
      const selections = editor.selections.map(
        ({ anchor, active }) => new vscode.Selection(moved(anchor), moved(active)),
      );
      return { editor, selections };
    });
  return () => {
    for (const { editor, selections } of kept) {
      const isRight = selections.every((selection, at) => editor.selections[at]?.isEqual(selection));
      if (!isRight) editor.selections = selections;
    }
  };
}
