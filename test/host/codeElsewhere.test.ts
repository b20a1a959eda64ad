import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { acceptAll, duelineApi, run } from './support/api';
import { until } from './support/changes';
import { linesOfTasks, setting } from './support/code';

const begin: Readonly<Record<string, string>> = {
  '/app/src/session.ts': '// TODO: check the token\nexport class Session {\n  close(): void {}\n}\n',
  '/app/src/other.ts': 'export const other = 1;\n',
  '/app/.git/HEAD': 'ref: refs/heads/main\n',
};

/** Files that no program and no part of the editor reaches but by its API, as those of a repository on a server. */
class RemoteFiles implements vscode.FileSystemProvider {
  readonly #files = new Map(Object.entries(begin));
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  watch = () => ({ dispose: () => undefined });
  stat({ path }: vscode.Uri): vscode.FileStat {
    const size = this.#files.get(path)?.length;
    const isFolder = [...this.#files.keys()].some(file => file.startsWith(`${path}/`));
    if (size === undefined && !isFolder) throw vscode.FileSystemError.FileNotFound(path);
    const { Directory, File } = vscode.FileType;
    return { type: size === undefined ? Directory : File, ctime: 0, mtime: 0, size: size ?? 0 };
  }
  readFile({ path }: vscode.Uri): Uint8Array {
    const text = this.#files.get(path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return new TextEncoder().encode(text);
  }
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#files.set(uri.path, new TextDecoder().decode(content));
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  readDirectory = (): [string, vscode.FileType][] => [];
  createDirectory(): void {}
  delete(): void {}
  rename(): void {}
}

describe('tasks in code in a folder that is on no disk', () => {
  let engine: DuelineEngine;
  let list: number;
  let provider: vscode.Disposable;
  const file = (name: string) => vscode.Uri.parse(`vscode-vfs://tests/app/${name}`);
  const titles = (query: string) => engine.query(query, { lists: [list] }).map(({ task }) => task.title);
  const finds = (query: string, ...expected: string[]) =>
    until(engine, () => String(titles(query)) === String(expected));
  const text = () => vscode.window.activeTextEditor!.document.getText();
  const show = (name: string, line: number) =>
    vscode.window.showTextDocument(file(name), {
      preview: false,
      selection: new vscode.Range(line - 1, 0, line - 1, 0),
    });

  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
  });
  beforeEach(async () => {
    provider = vscode.workspace.registerFileSystemProvider('vscode-vfs', new RemoteFiles());
    list = await engine.createList({ name: 'Elsewhere' });
    await setting('dueline.links.show', 'codeLens');
  });
  afterEach(async () => {
    await setting('dueline.links.show');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await engine.deleteList(list);
    provider.dispose();
  });

  it('follow their line, and are opened there', async () => {
    const id = await engine.createTask(list, { title: 'Fix race' });
    const { document } = await show('src/session.ts', 3);
    await run('dueline.linkHere', id);
    await finds('in:file', 'Fix race');
    await vscode.window.activeTextEditor!.edit(edit =>
      edit.insert(new vscode.Position(0, 0), '// words\n// more words\n'),
    );
    await document.save();
    assert.deepEqual(await linesOfTasks(document.uri), [5]);
    await show('src/other.ts', 1);
    await finds('in:file');
    await run('dueline.openLink', id);
    await until(engine, () => {
      const shown = vscode.window.activeTextEditor;
      return shown?.document === document && shown.selection.active.line === 4;
    });
  });

  it('are created from TODO comments, which get an ID', async () => {
    await show('src/session.ts', 1);
    await acceptAll(run('dueline.addFromTodoWithId'));
    await until(engine, () => /TODO\(dl-[a-z\d]+\): check the token/.test(text()));
    const [task] = await until(engine, () => {
      const found = engine.query('source:todo title:"check the token"');
      return found.length === 1 && found;
    });
    await engine.deleteTask(task!.task.id);
  });
});
