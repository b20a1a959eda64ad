import type { Id } from '../../../src/core/kernel/model';
import type { Editor } from '../../support/vscode/editor';
import { titles } from './home';

/** Shows a file with the cursor on a line, which is counted from 1. */
export const showFile = (editor: Editor, path: string, line = 1): Promise<void> =>
  editor.run(async vscode => {
    const shown = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    shown.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
  });

/** Adds a task for the line of the cursor, which the question calls by `place`. */
export async function addHere(editor: Editor, place: string, words: string): Promise<void> {
  const { questions } = editor;
  void editor.palette('Dueline: Add Task Here');
  await questions.row(place);
  questions.type(words);
  await questions.row('Add');
  questions.accept();
}

/** Until a query finds just these tasks, sorted by their titles. */
export const finds = (editor: Editor, query: string, ...expected: string[]): Promise<true> =>
  editor.changes.until(`${expected} for ${query}`, () => String(titles(editor, query).sort()) === String(expected));

/** The line of the cursor in the file in front. */
export const lineInFront = ({ tabs }: Editor): string => {
  const shown = tabs.activeEditor;
  return shown ? shown.document.lineAt(shown.selection.active.line).text.trim() : '';
};

export const idOf = ({ engine }: Editor, title: string): Id => engine.query(`title:"${title}"`)[0]!.task.id;

/** The actions of the light bulb of a line, which is counted from 1. */
export async function actionTitles(editor: Editor, path: string, line: number): Promise<string[]> {
  const { Range, Uri } = editor.api;
  const at = new Range(line - 1, 0, line - 1, 0);
  const found = (await editor.command('vscode.executeCodeActionProvider', Uri.file(path), at)) as { title: string }[];
  return found.map(({ title }) => title);
}
