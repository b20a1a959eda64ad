import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { excludedFiles } from '../core/code/ignoredFiles';
import { languageOf } from '../core/code/languages';
import type { Todo } from '../core/code/todos';
import { setting } from '../ui/settings/settings';
import { findFiles } from './findFile';
import { type FileTodos, isOnDisk, listedTodos, maxBytes, TodoScan, textOfFile } from './todoTexts';

/** The most files whose text is read; the editor may find twice as many. */
const maxFiles = 100_000;
const maxTotalBytes = 1024 * 1024 * 1024;
/** The disk answers several questions in the time of one. */
const readAtOnce = 50;

interface KnownFile {
  /** The state in which a file was read: its time and size, and the words. */
  readonly key: string;
  readonly todos: readonly Todo[];
}

interface LoadedFile {
  readonly uri: vscode.Uri;
  /** Absent for a file that an editor has open. */
  readonly key?: string;
  /** The size in bytes, if it was read. */
  readonly size?: number;
  /** Absent if its todos are known. */
  readonly text?: string | undefined;
  readonly todos?: readonly Todo[];
}

export interface FoundInWorkspace {
  readonly files: readonly FileTodos[];
  /** There are more files than are searched. */
  readonly isCut: boolean;
  /** None was found, of any kind: an empty folder, or one that the editor cannot search. */
  readonly isNothing: boolean;
}

/** The comments of all files of the workspace. A file is read again only if its time or size has changed. */
export class WorkspaceTodos {
  #known = new Map<string, KnownFile>();

  /** Undefined if the user cancels. */
  async find(
    progress: vscode.Progress<{ message: string; increment: number }>,
    token: vscode.CancellationToken,
  ): Promise<FoundInWorkspace | undefined> {
    const all = await findFiles('**/*', await excluded(), maxFiles * 2, token);
    const wanted = all.filter(({ path }) => languageOf(path) !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1));
    const open = new Map(vscode.workspace.textDocuments.map(document => [document.uri.toString(), document]));
    const scan = new TodoScan();
    const files: FileTodos[] = [];
    const seen = new Map<string, KnownFile>();
    let [at, bytes] = [0, 0];
    for (; at < Math.min(wanted.length, maxFiles) && bytes < maxTotalBytes; at += readAtOnce) {
      if (token.isCancellationRequested) return undefined;
      if (at % (readAtOnce * 20) === 0)
        progress.report({ message: `${at}/${wanted.length}`, increment: (readAtOnce * 2000) / wanted.length });
      const part = wanted.slice(at, at + readAtOnce);
      const loaded = await Promise.all(part.map(uri => this.#load(uri, open.get(uri.toString()))));
      for (const { uri, size = 0, text, key, todos = await scan.todosOf(uri, text) } of loaded) {
        bytes += size;
        if (key !== undefined) seen.set(uri.toString(), { key, todos });
        if (todos.length > 0) files.push({ uri, todos });
      }
    }
    this.#known = seen;
    return { files, isCut: at < wanted.length || all.length === maxFiles * 2, isNothing: all.length === 0 };
  }

  async #load(uri: vscode.Uri, document: vscode.TextDocument | undefined): Promise<LoadedFile> {
    if (document) return { uri, todos: listedTodos(document) };
    const pending: Thenable<{ size: number; mtime: unknown }> = isOnDisk(uri)
      ? stat(uri.fsPath)
      : vscode.workspace.fs.stat(uri);
    const file = await pending.then(
      found => found,
      () => undefined,
    );
    if (!file || file.size > maxBytes) return { uri, todos: [] };
    const key = [Number(file.mtime), file.size, ...setting('dueline.todos.words')].join();
    const before = this.#known.get(uri.toString());
    if (before?.key === key) return { uri, key, todos: before.todos };
    return { uri, key, size: file.size, text: await textOfFile(uri, setting('dueline.todos.words')) };
  }
}

/** The editor itself leaves out what `files.exclude` names. */
async function excluded(): Promise<string> {
  const ignoreFiles = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    textOfFile(vscode.Uri.joinPath(uri, '.gitignore')),
  );
  const exclude = vscode.workspace.getConfiguration('search').get<Record<string, unknown>>('exclude', {});
  return excludedFiles(
    exclude,
    (await Promise.all(ignoreFiles)).filter(text => text !== undefined),
  );
}
