import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { languageOf, syntaxOf } from '../../core/code/languages';
import { isGenerated, listedTodosOf, maxTodoBytes, type Todo, todosOf } from '../../core/code/todos';
import { setting } from '../../ui/settings/settings';

export interface FileTodos {
  readonly uri: vscode.Uri;
  readonly todos: readonly Todo[];
}

const known = new WeakMap<vscode.TextDocument, { readonly key: string; readonly todos: readonly Todo[] }>();

/** The editor's name for the language, or the file's name if no extension knows the language. */
const languageIn = ({ languageId, uri }: vscode.TextDocument) =>
  syntaxOf(languageId) ? languageId : (languageOf(uri.path) ?? languageId);

/** The TODO comments of an open file. */
export function todosIn(document: vscode.TextDocument): readonly Todo[] {
  const words = setting('dueline.todos.words');
  const language = languageIn(document);
  const key = [document.version, language, ...words].join();
  const before = known.get(document);
  if (before?.key === key) return before.todos;
  const text = document.getText();
  const todos = text.length > maxTodoBytes ? [] : [...todosOf(text, language, words)].filter(todo => !!todo);
  known.set(document, { key, todos });
  return todos;
}

export const todoOn = (document: vscode.TextDocument, line: number): Todo | undefined =>
  todosIn(document).find(todo => todo.line === line);

/** The comment of that line, else the nearest one with the same words: lines were added above it meanwhile. */
export function todoAt(document: vscode.TextDocument, line: number, text?: string): Todo | undefined {
  const same = todosIn(document).filter(todo => text === undefined || todo.text === text);
  const [nearest] = same.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
  return text === undefined && nearest?.line !== line ? undefined : nearest;
}

/** The comments that are listed: those of generated files are left out. */
export const listedTodos = (document: vscode.TextDocument): readonly Todo[] =>
  isGenerated(document.getText(), document.uri.path) ? [] : todosIn(document);

/** The editor's own reading asks its window about each file, which takes five times as long. */
export const isOnDisk = ({ scheme }: vscode.Uri): boolean => scheme === 'file';

/** Undefined if the file is gone, or too large. */
export async function textOfUri(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = new Uint8Array(await (isOnDisk(uri) ? readFile(uri.fsPath) : vscode.workspace.fs.readFile(uri)));
    return bytes.length > maxTodoBytes ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Looks through files that no editor has open, and lets others have the thread after every 8 ms. */
export class TodoScan {
  readonly #words = setting('dueline.todos.words');
  #since = performance.now();

  async todosOf(uri: vscode.Uri, text: string | undefined): Promise<readonly Todo[]> {
    const todos: Todo[] = [];
    for (const todo of listedTodosOf(text ?? '', uri.path, this.#words)) {
      if (todo) todos.push(todo);
      else await this.#pause();
    }
    await this.#pause();
    return todos;
  }

  async #pause(): Promise<void> {
    if (performance.now() - this.#since < 8) return;
    await new Promise(resolve => setImmediate(resolve));
    this.#since = performance.now();
  }
}
