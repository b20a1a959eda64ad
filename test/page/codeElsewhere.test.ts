import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Editor } from '../support/vscode/editor';
import { FileSystemError } from '../support/vscode/values';
import { addHere, finds, idOf, lineInFront } from './support/code';
import { clear } from './support/widgets';

const begin: Readonly<Record<string, string>> = {
  '/app/src/session.ts': '// TODO: check the token\nexport class Session {\n  close(): void {}\n}\n',
  '/app/src/other.ts': 'export const other = 1;\n',
  '/app/.git/HEAD': 'ref: refs/heads/main\n',
};

/** Files that are in memory, which are accessible only through the editor's API. */
function memoryFiles(files: Map<string, string>): vscode.FileSystemProvider {
  const below = (path: string) => {
    const start = path.replace(/\/?$/, '/');
    return [...files.keys()].filter(file => file.startsWith(start)).map(file => file.slice(start.length));
  };
  const refuse = () => {
    throw FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: () => ({ dispose() {} }),
    watch: () => ({ dispose() {} }),
    stat: ({ path }) => {
      const text = files.get(path);
      if (text === undefined && below(path).length === 0) throw FileSystemError.FileNotFound(path);
      return { type: text === undefined ? 2 : 1, ctime: 0, mtime: 0, size: text?.length ?? 0 };
    },
    readDirectory: ({ path }) =>
      [...new Set(below(path).map(name => name.replace(/\/.*/, '/')))].map(name =>
        name.endsWith('/') ? [name.slice(0, -1), 2] : [name, 1],
      ),
    readFile: ({ path }) => {
      const text = files.get(path);
      if (text === undefined) throw FileSystemError.FileNotFound(path);
      return new TextEncoder().encode(text);
    },
    writeFile: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}

describe('tasks in code in a folder that is on no disk', () => {
  let editor: Editor;
  const files = new Map<string, string>();

  const show = (name: string, line = 1) =>
    editor.run(async ({ window, Uri, Selection }) => {
      const shown = await window.showTextDocument(Uri.parse(`memory:/app/${name}`), { preview: false });
      shown.selection = new Selection(line - 1, 0, line - 1, 0);
    });

  before(async () => {
    for (const [path, text] of Object.entries(begin)) files.set(path, text);
    editor = await Editor.open({ folder: 'memory:/app', schemes: { memory: memoryFiles(files) } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    for (const [path, text] of Object.entries(begin)) files.set(path, text);
    await clear(editor);
    editor.settings.reset();
    await show('src/session.ts', 3);
    await addHere(editor, 'session.ts:3', 'Fix race');
    await finds(editor, 'in:file', 'Fix race');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  it('are added for a line, and are found', async () => {
    await editor.tree().expand('Inbox');
    await editor.tree().row(/Fix race.*session\.ts:3/);
    await show('src/other.ts');
    await finds(editor, 'in:file');
    await finds(editor, 'in:workspace', 'Fix race');
    await editor.command('dueline.openLink', idOf(editor, 'Fix race'));
    await editor.changes.until('the line', () => lineInFront(editor) === 'close(): void {}');
    assert.equal(editor.tabs.activeEditor?.selection.active.line, 2);
  });

  it('are those of a branch even without a notification', async () => {
    await finds(editor, 'in:branch');
    const id = editor.engine.shortIdOf(editor.engine.task(idOf(editor, 'Fix race'))!);
    files.set('/app/.git/HEAD', `ref: refs/heads/${id}\n`);
    editor.setFocused(true);
    await finds(editor, 'in:branch', 'Fix race');
    files.set('/app/.git/HEAD', 'ref: refs/heads/main\n');
    editor.setFocused(true);
    await finds(editor, 'in:branch');
  });

  it('show what does not work there', async () => {
    const todos = editor.tree('dueline.todos');
    const messageHas = (words: string) => editor.changes.until(words, () => todos.message?.includes(words) === true);
    await editor.command('workbench.action.closeSidebar');
    void editor.palette('Dueline: Find TODO Comments in Workspace');
    await messageHas('No files to search were found.');
    void editor.command('dueline.showTodosOf');
    await editor.questions.pick('This Branch');
    await messageHas('This branch cannot be compared');
    void editor.command('dueline.showTodosOf');
    await editor.questions.pick('Open Files');
    await todos.row('check the token');
    assert.equal(todos.message, undefined);
  });
});
