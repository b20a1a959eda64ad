import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { AServer } from '../sync/support/server';
import { todoText } from '../sync/support/texts';
import { duelineApi, eventually, isOffline, run } from './support/api';

describe('a list as text', () => {
  let api: DuelineEngine;
  let listId: number;
  before(async () => {
    api = (await duelineApi()) as DuelineEngine;
    await vscode.workspace.getConfiguration('editor').update('wordBasedSuggestions', 'off', true);
  });
  beforeEach(async () => {
    listId = await api.createList({ name: 'As Text' });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await api.deleteList(listId);
  });

  const { executeCommand } = vscode.commands;
  const add = (...texts: string[]) =>
    api.quickAddLines(
      texts.map(text => ({ text })),
      { listId },
    );
  const tasks = () => api.rows(listId).filter(({ isDeleted }) => !isDeleted);
  const titled = (title: string) => tasks().find(task => task.title === title);

  async function open(
    target: Parameters<typeof run<'dueline.editAsText'>>[1] = { listId },
  ): Promise<vscode.TextEditor> {
    await run('dueline.editAsText', target);
    return eventually('the editor', () => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document.uri.scheme === 'dueline' && activeTextEditor;
    });
  }

  const replace = async ({ document, edit }: vscode.TextEditor, from: string, to: string) => {
    const at = document.getText().indexOf(from);
    assert.ok(at >= 0, from);
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
    assert.equal(await edit(edits => edits.replace(range, to)), true);
  };

  const cursor = ({ selection: { active } }: vscode.TextEditor) => `${active.line}:${active.character}`;

  const problems = ({ document }: vscode.TextEditor) =>
    vscode.languages.getDiagnostics(document.uri).map(({ code, range }) => `${range.start.line} ${code}`);

  it('is opened, changed and saved, and then has the IDs of new tasks', async () => {
    await add('One', 'Two 2030-12-04 !high #tag');
    const editor = await open();
    const { document } = editor;
    assert.equal(document.languageId, 'dueline-tasks');
    assert.match(document.getText(), /^One {2}dl-\w+\nTwo 2030-12-04 !(?:high|hoch) #tag {2}dl-\w+\n$/);
    await replace(editor, 'One', '[x] One');
    const [priority] = / !(?:high|hoch)/.exec(document.getText())!;
    await replace(editor, priority, '');
    await editor.edit(edits => edits.insert(document.positionAt(document.getText().length), 'Three\r\n  Four\r\n'));
    assert.equal(await document.save(), true);
    assert.equal(titled('One')!.status, 2);
    assert.equal(titled('Two')!.priority, 0);
    assert.equal(titled('Four')!.parentId, titled('Three')!.id);
    await eventually('the IDs', () => /Three {2}dl-\w+\r?\n {2}Four {2}dl-\w+/.test(document.getText()));
    assert.equal(document.isDirty, false);
    assert.equal(await api.undo(), true);
    assert.deepEqual([titled('One')!.status, titled('Three')], [0, undefined]);
    await eventually('the text of before', () =>
      /^One {2}dl-\w+\r?\nTwo 2030-12-04 !(?:high|hoch) #tag/.test(document.getText()),
    );
  });

  it('keeps letters with another encoding in the settings, and refuses bytes of one', async () => {
    const files = vscode.workspace.getConfiguration('files');
    try {
      await files.update('encoding', 'windows1252', true);
      await add('Grün 日本');
      const { document, edit } = await open();
      assert.match(document.getText(), /^Grün 日本 /);
      await edit(edits => edits.insert(new vscode.Position(0, 0), 'Größe '));
      assert.equal(await document.save(), true);
      assert.deepEqual(
        tasks().map(({ title }) => title),
        ['Größe Grün 日本'],
      );
      await assert.rejects(
        async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array([0x47, 0x72, 0xfc])),
        {
          code: 'Unavailable',
        },
      );
      assert.equal(tasks().length, 1);
    } finally {
      await files.update('encoding', undefined, true);
    }
  });

  it('keeps the cursors in their lines when a save gives these their IDs', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Three\n\nfour tomorrow  \nTwo');
    editor.selections = [
      [1, 5],
      [3, 15],
      [4, 1],
    ].map(([line, at]) => new vscode.Selection(line!, at!, line!, at!));
    assert.equal(await document.save(), true);
    await eventually('the text with IDs', () => /^four .* {2}dl-/m.test(document.getText()));
    const shown = () =>
      editor.selections.map(({ active }) => document.lineAt(active).text.slice(0, active.character)).join('|');
    await eventually('the cursors', () => /^Three\|four \d{4}-\d\d-\d\d\|T$/.test(shown()));
  });

  it('keeps the cursors of two editors in the same line', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Three\nTwo');
    try {
      await executeCommand('workbench.action.splitEditor');
      const editors = await eventually('two editors', () => {
        const both = vscode.window.visibleTextEditors.filter(one => one.document === document);
        return both.length === 2 && both;
      });
      for (const one of editors) one.selection = new vscode.Selection(1, 2, 1, 2);
      assert.equal(await document.save(), true);
      await eventually('the text with IDs', () => /^Three {2}dl-/m.test(document.getText()));
      await executeCommand('noop'); // Answered after the editor's reports of what it did.
      assert.deepEqual(editors.map(cursor), ['1:2', '1:2']);
    } finally {
      await executeCommand('workbench.action.closeEditorsInOtherGroups');
    }
  });

  it('keeps a cursor in the line where it was moved before the editor had read the IDs', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Three\nFour\nTwo');
    editor.selection = new vscode.Selection(1, 3, 1, 3);
    assert.equal(await document.save(), true);
    editor.selection = new vscode.Selection(2, 1, 2, 1);
    await eventually('the text with IDs', () => /^Four {2}dl-/m.test(document.getText()));
    await executeCommand('noop');
    assert.equal(cursor(editor), '2:1');
  });

  it('lets the user jump after a save that moved no cursor', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Three\nTwo');
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    assert.equal(await document.save(), true);
    await eventually('the text with IDs', () => /^Three {2}dl-/m.test(document.getText()));
    const { uri } = document;
    const there = [new vscode.Location(uri, new vscode.Position(0, 2))];
    await executeCommand('editor.action.goToLocations', uri, new vscode.Position(2, 0), there, 'goto');
    assert.equal(cursor(editor), '0:2');
  });

  it('leaves the cursors to the user after a save that changes no text', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Three');
    editor.selection = new vscode.Selection(1, 3, 1, 3);
    assert.equal(await document.save(), true);
    editor.selection = new vscode.Selection(0, 1, 0, 1);
    await add('Four');
    await eventually('the other task', () => document.getText().includes('Four'));
    const { line, character } = editor.selection.active;
    assert.deepEqual([line, character], [0, 1]);
  });

  it('is the same task if undo leads back to its first line over a later change', async () => {
    const editor = await open();
    const { document } = editor;
    await editor.edit(edits => edits.insert(new vscode.Position(0, 0), 'Milk'));
    assert.equal(await document.save(), true);
    await eventually('the ID', () => document.getText().includes('  dl-'));
    await replace(editor, 'Milk', 'Bread');
    assert.equal(await document.save(), true);
    await eventually('the change', () => titled('Bread'));
    while (document.getText().trim() !== 'Milk') {
      const { version } = document;
      await executeCommand('undo');
      await eventually('the step back', () => document.version > version);
    }
    assert.equal(await document.save(), true);
    await eventually('the first title', () => titled('Milk'));
    assert.equal(tasks().length, 1);
  });

  it('is another task if the first line of one is typed again after undo was reverted', async () => {
    const editor = await open();
    const { document } = editor;
    await editor.edit(edits => edits.insert(new vscode.Position(0, 0), 'Milk'));
    assert.equal(await document.save(), true);
    await eventually('the ID', () => document.getText().includes('  dl-'));
    await replace(editor, 'Milk', '[x] Bread');
    assert.equal(await document.save(), true);
    const { version } = document;
    await executeCommand('undo');
    await eventually('the step back', () => document.version > version && document.isDirty);
    await executeCommand('workbench.action.files.revert');
    await eventually('the text that was saved', () => !document.isDirty && document.getText().includes('Bread'));
    await replace(editor, document.lineAt(0).text, 'Milk');
    assert.equal(await document.save(), true);
    await eventually('the new task', () => titled('Milk'));
    assert.equal(titled('Bread')?.status, 2);
  });

  it('shows changes from elsewhere while it is unchanged', async () => {
    const [id] = await add('One');
    const { document } = await open();
    await api.updateTask(id!, { title: 'One from elsewhere' });
    await eventually('the change', () => document.getText().startsWith('One from elsewhere'));
    assert.equal(document.isDirty, false);
  });

  it('keeps a change from elsewhere if words are typed before the editor has read it', async () => {
    const [, two] = await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    // The editor hears of the change first, and gets these words before the text that it then asks for.
    const typed = new Promise<boolean>((resolve, reject) => {
      const listening = api.onDidChange(() => {
        listening.dispose();
        setImmediate(() => editor.edit(edits => edits.insert(new vscode.Position(0, 0), 'My ')).then(resolve, reject));
      });
    });
    await api.updateTask(two!, { title: 'Two from elsewhere' });
    assert.equal(await typed, true);
    assert.match(document.getText(), /^My One.*\nTwo {2}dl-\w+\n$/);
    assert.equal(await document.save(), true);
    assert.ok(titled('My One'));
    assert.ok(titled('Two from elsewhere'));
    await eventually('the merged text', () => /^My One.*\nTwo from elsewhere/.test(document.getText()));
  });

  it('shows changes from elsewhere once it is shown again, and costs nothing while it is hidden', async () => {
    const [id] = await add('One');
    const { document: hidden } = await open();
    const { document: shown } = await open({ taskId: id! });
    await api.updateTask(id!, { title: 'One from elsewhere' });
    await eventually('the change', () => shown.getText().startsWith('One from elsewhere'));
    assert.match(hidden.getText(), /^One {2}/);
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually('the change', () => hidden.getText().startsWith('One from elsewhere'));
    assert.equal(hidden.isDirty, false);
  });

  it('merges concurrent changes, and asks before it overwrites what both changed', async () => {
    const [one, two] = await add('One', 'Two', 'Three');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'One', 'One mine');
    await replace(editor, 'Three', 'Three mine');
    await api.updateTask(one!, { title: 'One theirs' });
    await api.updateTask(two!, { title: 'Two theirs' });
    await eventually('the diagnostic', () => String(problems(editor)) === '0 changed');
    assert.equal(await document.save(), true);
    assert.deepEqual(
      tasks()
        .map(({ title }) => title)
        .sort(),
      ['One theirs', 'Three mine', 'Two theirs'],
    );
    await eventually('the merged text', () => /^One mine.*\n.*Two theirs.*\n.*Three mine/.test(document.getText()));
    const actions = await executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(0, 0, 0, 0),
    );
    assert.ok(actions.some(({ kind }) => kind?.contains(vscode.CodeActionKind.RefactorRewrite)));
    await executeCommand('workbench.action.files.save');
    await eventually('the message', () => titled('One mine'));
  });

  it('merges concurrent changes after the language of its file has changed, too', async () => {
    const [one] = await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'Two', 'Two mine');
    await api.updateTask(one!, { title: 'One theirs' });
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    assert.equal(await document.save(), true);
    assert.ok(titled('One theirs'));
    assert.ok(titled('Two mine'));
  });

  it('keeps an unreadable line in place, with a diagnostic, and saves the others', async () => {
    await add('One', 'Two');
    const editor = await open();
    const { document } = editor;
    await replace(editor, 'One', 'First 2030-02-30');
    await editor.edit(edits => edits.insert(new vscode.Position(1, 0), 'New @Nowhere\n'));
    await eventually('the diagnostics', () => String(problems(editor)) === '0 noDate,1 noList');
    assert.equal(await document.save(), true);
    assert.ok(titled('First 2030-02-30'));
    assert.equal(tasks().length, 2);
    await eventually('the text', () => /^First.*\nNew @Nowhere\nTwo/.test(document.getText()));
    const range = new vscode.Range(1, 4, 1, 12);
    const [fix] = await eventually('the fix', async () => {
      const found = await executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
        vscode.CodeActionKind.QuickFix.value,
      );
      return found.length > 0 && found;
    });
    await vscode.workspace.applyEdit(fix!.edit!);
    assert.equal(document.lineAt(1).text, 'New \\@Nowhere');
    assert.equal(await document.save(), true);
    assert.ok(titled('New @Nowhere'));
  });

  it('completes names, shows what it recognized, and formats itself', async () => {
    await add('One 2030-12-04 #errand');
    const editor = await open();
    const { document } = editor;
    await editor.edit(edits => edits.insert(new vscode.Position(1, 0), '  !high   Two  #er\n'));
    const { items } = await executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(1, 18),
      '#',
    );
    assert.ok(
      items.some(({ insertText }) => insertText === '#errand'),
      JSON.stringify(items.slice(0, 3)),
    );
    const offered = async (column: number, sign?: string) => {
      const at = [document.uri, new vscode.Position(1, column), sign] as const;
      return (await executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', ...at)).items.length;
    };
    // At the sign alone and in a word, Enter would take what is offered.
    assert.deepEqual([await offered(3, '!'), await offered(12), (await offered(10)) > 0], [0, 0, true]);
    const [hover] = await executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, 1),
    );
    assert.match((hover!.contents[0] as vscode.MarkdownString).value, /One/);
    const hints = await executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new vscode.Range(0, 0, 1, 0),
    );
    assert.match(String(hints[0]!.label), /^→ .*2030/);
    const symbols = await executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    assert.deepEqual(
      symbols.map(({ children }) => children.length),
      [1],
    );
    const folds = await executeCommand<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', document.uri);
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [[0, 1]],
    );
    await executeCommand('editor.action.formatDocument');
    await eventually('the order', () => document.lineAt(1).text === '  Two !high #er');
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    const actions = await executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      editor.selection,
    );
    const done = actions.find(({ edit }) =>
      edit?.get(document.uri).some(({ newText }) => newText.startsWith('[x] One')),
    );
    await vscode.workspace.applyEdit(done!.edit!);
    assert.match(document.getText(), /^\[x\] One.*\n {2}\[x\] Two/);
  });

  it('of a read-only list cannot be edited, and follows the list once it can', async function () {
    if (isOffline) this.skip();
    const server = await AServer.start();
    const theirs = server.addList('theirs');
    theirs.privileges = ['read'];
    theirs.put('t.ics', todoText('t', 'SUMMARY:Theirs'));
    const { url, username, password } = server;
    const account = await api.addAccount({ serverUrl: url, username, password });
    try {
      await run('dueline.sync.now', account);
      const list = api.lists().find(({ accountId }) => accountId === account)!;
      assert.equal(list.isReadOnly, true);
      const { document } = await open({ listId: list.id });
      assert.match(document.getText(), /^Theirs {2}dl-/);
      const { permissions } = await vscode.workspace.fs.stat(document.uri);
      assert.equal(permissions, vscode.FilePermission.Readonly);
      await executeCommand('type', { text: 'x' });
      assert.equal(document.isDirty, false);
      theirs.privileges = ['all'];
      theirs.put('u.ics', todoText('u', 'SUMMARY:Shared'));
      await run('dueline.sync.now', account);
      await eventually('the other task', () => document.getText().includes('Shared'));
      const editor = vscode.window.activeTextEditor!;
      await eventually('an editable text', async () => {
        await executeCommand('type', { text: 'x' });
        return document.isDirty;
      });
      await replace(editor, document.getText().split('  dl-')[0]!, 'Ours');
      assert.equal(await document.save(), true);
      assert.ok(api.rows(list.id).some(({ title }) => title === 'Ours'));
    } finally {
      await executeCommand('workbench.action.revertAndCloseActiveEditor');
      await api.removeAccount(account);
      await server.stop();
    }
  });

  it('of a widget has the tasks that the widget is about', async () => {
    await add('First today', 'Second tomorrow #wide', 'Third #wide');
    const setup = { lists: ['As Text'] };
    const widgets = vscode.workspace.getConfiguration('dueline');
    const textOf = async (kind: 'today' | 'lists' | 'tasks') => {
      await executeCommand(`dueline.widget.editAsText.${kind}`);
      const { document } = await eventually('the editor', () => {
        const { activeTextEditor } = vscode.window;
        return activeTextEditor?.document.uri.scheme === 'dueline' && activeTextEditor;
      });
      const titles = () =>
        [...document.getText().matchAll(/^\s*(First|Second|Third)/gm)].map(([, title]) => title).sort();
      return { uri: document.uri, titles };
    };
    /** A text that was open before is renewed once it is shown. */
    const shows = async (kind: 'today' | 'lists' | 'tasks', ...expected: string[]) => {
      const { uri, titles } = await textOf(kind);
      await eventually(String(expected), () => String(titles()) === String(expected));
      await executeCommand('workbench.action.closeActiveEditor');
      return uri.query;
    };
    try {
      await widgets.update(
        'widgets',
        { today: setup, lists: setup, tasks: { ...setup, filter: '#wide', sort: '-title' } },
        true,
      );
      await shows('today', 'First');
      assert.equal(await shows('lists', 'First', 'Second', 'Third'), `listId=${listId}`);
      const tasks = await shows('tasks', 'Second', 'Third');
      assert.equal(new URLSearchParams(tasks).get('query'), '(list:"As Text") (#wide) sort:-title');
    } finally {
      await widgets.update('widgets', undefined, true);
    }
    // The window hears of a setting a moment after it is written.
    await eventually('the text of all lists', async () => {
      const { uri } = await textOf('lists');
      await executeCommand('workbench.action.closeActiveEditor');
      return uri.query === 'all=true';
    });
    // A tab has a setup of its own, and hands over something else.
    await run('dueline.openWidget', 'week');
    await run('dueline.widget.editAsText', {});
    const { document } = await eventually('the editor', () => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document.uri.scheme === 'dueline' && activeTextEditor;
    });
    assert.match(new URLSearchParams(document.uri.query).get('query')!, /^\(is:open \(due:\d{4}-\d\d-\d\d\.\./);
    await executeCommand('workbench.action.closeAllEditors');
  });
});
