import * as vscode from 'vscode';
import { excludedFiles } from '../../core/code/ignoredFiles';
import { languageOf } from '../../core/code/languages';
import { maxTodoBytes, type Todo } from '../../core/code/todos';
import { setting } from '../../ui/settings/settings';
import { findFiles } from '../findFile';
import { searchFiles } from './todoSearch';
import { type FileTodos, isOnDisk, listedTodos, TodoScan, textOfUri } from './todoTexts';

/** The most files whose text is read; the editor may find twice as many. */
const maxFiles = 100_000;
const maxTotalBytes = 1024 * 1024 * 1024;
const readAtOnce = 50;
/** The number of files searched between two reports of the progress. */
const reportedFiles = 1000;

interface KnownFile {
  /** The state in which a file was read: its time and size. */
  readonly key: string;
  readonly todos: readonly Todo[];
}

export interface FoundInWorkspace {
  readonly files: readonly FileTodos[];
  /** There are more files than are searched. */
  readonly isCut: boolean;
  /** No file of any kind was found: the folder is empty, or the editor cannot search it. */
  readonly isNothing: boolean;
}

type KnownFiles = ReadonlyMap<string, KnownFile>;

interface Search {
  readonly known: KnownFiles;
  readonly words: readonly string[];
  readonly token: vscode.CancellationToken;
  /** Adds a file that was searched, with its key if it can be known again by that. */
  add(uri: vscode.Uri, todos: readonly Todo[], key?: string): void;
}

/** The comments of all files of the workspace. A file is read again only if its time or size has changed. */
export class WorkspaceTodos {
  /** The files of the last search, and its words. */
  #known: KnownFiles = new Map();
  #words = '';

  /** Undefined if the user cancels. */
  async find(
    progress: vscode.Progress<{ message: string; increment: number }>,
    token: vscode.CancellationToken,
  ): Promise<FoundInWorkspace | undefined> {
    const all = await findFiles('**/*', await excluded(), maxFiles * 2, token);
    const searchable = all.filter(({ path }) => languageOf(path) !== undefined).sort(byPath);
    const files: FileTodos[] = [];
    const seen = new Map<string, KnownFile>();
    let count = 0;
    const add: Search['add'] = (uri, todos, key) => {
      count++;
      if (key !== undefined) seen.set(uri.toString(), { key, todos });
      if (todos.length > 0) files.push({ uri, todos });
      if (count % reportedFiles === 0)
        progress.report({
          message: `${count}/${searchable.length}`,
          increment: (reportedFiles * 100) / searchable.length,
        });
    };
    const words = setting('dueline.todos.words');
    const known: KnownFiles = words.join() === this.#words ? this.#known : new Map();
    const open = new Map(vscode.workspace.textDocuments.map(document => [document.uri.toString(), document]));
    const closed: vscode.Uri[] = [];
    for (const uri of searchable.slice(0, maxFiles)) {
      const document = open.get(uri.toString());
      if (document) add(uri, listedTodos(document));
      else closed.push(uri);
    }
    const search = { known, words, token, add };
    await this.#searchDisk(closed.filter(isOnDisk), search);
    await searchElsewhere(
      closed.filter(uri => !isOnDisk(uri)),
      search,
    );
    if (token.isCancellationRequested) return undefined;
    [this.#known, this.#words] = [seen, words.join()];
    files.sort((a, b) => byPath(a.uri, b.uri));
    return { files, isCut: count < searchable.length || all.length === maxFiles * 2, isNothing: all.length === 0 };
  }

  async #searchDisk(uris: readonly vscode.Uri[], { known, words, token, add }: Search): Promise<void> {
    if (uris.length === 0) return;
    const files = uris.map(uri => ({ path: uri.fsPath, key: known.get(uri.toString())?.key }));
    let at = 0;
    await searchFiles({ files, words, maxTotalBytes }, token, part => {
      for (const { key, todos } of part) {
        const uri = uris[at++]!;
        add(uri, todos ?? known.get(uri.toString())!.todos, key);
      }
    });
  }
}

/** The editor reads files that are on no disk, several in the time of one. */
async function searchElsewhere(uris: readonly vscode.Uri[], { known, token, add }: Search): Promise<void> {
  const scan = new TodoScan();
  let bytes = 0;
  for (let at = 0; at < uris.length && bytes < maxTotalBytes && !token.isCancellationRequested; at += readAtOnce) {
    const loaded = await Promise.all(uris.slice(at, at + readAtOnce).map(uri => load(uri, known)));
    for (const { uri, key, text = '', todos = await scan.todosOf(uri, text) } of loaded) {
      bytes += text.length;
      add(uri, todos, key);
    }
  }
}

interface LoadedFile {
  readonly uri: vscode.Uri;
  readonly key?: string;
  readonly text?: string | undefined;
  /** Absent if the text has not been searched yet. */
  readonly todos?: readonly Todo[];
}

async function load(uri: vscode.Uri, known: KnownFiles): Promise<LoadedFile> {
  const file = await vscode.workspace.fs.stat(uri).then(
    found => found,
    () => undefined,
  );
  if (!file || file.size > maxTodoBytes) return { uri, todos: [] };
  const key = `${file.mtime},${file.size}`;
  const before = known.get(uri.toString());
  return before?.key === key ? { uri, ...before } : { uri, key, text: await textOfUri(uri) };
}

const byPath = (a: vscode.Uri, b: vscode.Uri) => (a.path < b.path ? -1 : 1);

/** The editor itself leaves out what `files.exclude` names. */
async function excluded(): Promise<string> {
  const ignoreFiles = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    textOfUri(vscode.Uri.joinPath(uri, '.gitignore')),
  );
  const exclude = vscode.workspace.getConfiguration('search').get<Record<string, unknown>>('exclude', {});
  return excludedFiles(
    exclude,
    (await Promise.all(ignoreFiles)).filter(text => text !== undefined),
  );
}
