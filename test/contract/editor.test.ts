import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Api from 'vscode';
import { closeEditor, openEditor } from './support/editor';

/** A promise with what resolves it. */
function signal(): readonly [Promise<void>, () => void] {
  let resolve = () => {};
  const done = new Promise<void>(end => {
    resolve = end;
  });
  return [done, () => resolve()];
}

/**
 * The behavior of the editor that Dueline's tests rely on. The page suite runs it on the double, the host suite in the real one: the
 * double promises nothing that the editor does not keep.
 */
describe('the editor', () => {
  let vscode: typeof Api;
  const owned: { dispose(): unknown }[] = [];
  const own = <T extends { dispose(): unknown }>(part: T): T => {
    owned.push(part);
    return part;
  };
  before(async () => {
    vscode = await openEditor();
  });
  after(() => closeEditor());
  afterEach(async () => {
    for (const part of owned.splice(0).reverse()) part.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  const run = (id: string, ...args: unknown[]) => vscode.commands.executeCommand(id, ...args);
  /** The next event, with what it carries. */
  const next = <T>(event: Api.Event<T>) => new Promise<T>(resolve => own(event(resolve)));

  describe('commands', () => {
    it('return a result, and take arguments', async () => {
      own(vscode.commands.registerCommand('contract.sum', (a: number, b: number) => a + b));
      assert.equal(await run('contract.sum', 2, 3), 5);
    });

    it('are refused if none has that name; registering a name twice is an error', async () => {
      await assert.rejects(async () => run('contract.none'), /not found/);
      own(vscode.commands.registerCommand('contract.one', () => 1));
      assert.throws(() => vscode.commands.registerCommand('contract.one', () => 2), /already exists/);
    });

    it('are listed while they are registered', async () => {
      const one = vscode.commands.registerCommand('contract.named', () => 1);
      assert.ok((await vscode.commands.getCommands(true)).includes('contract.named'));
      one.dispose();
      assert.ok(!(await vscode.commands.getCommands(true)).includes('contract.named'));
    });
  });

  describe('settings', () => {
    const id = 'dueline.upNext.days';
    const settings = () => vscode.workspace.getConfiguration();
    afterEach(() => settings().update(id, undefined, vscode.ConfigurationTarget.Global));

    it('have the default of the manifest, and report changes', async () => {
      const before = settings().get(id);
      assert.equal(settings().inspect(id)?.defaultValue, before);
      // A window that has just been opened reports the settings of other extensions, too.
      const change = new Promise<Api.ConfigurationChangeEvent>(resolve =>
        own(vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(id) && resolve(event))),
      );
      await settings().update(id, 9, vscode.ConfigurationTarget.Global);
      const { affectsConfiguration } = await change;
      assert.deepEqual(
        ['dueline', 'dueline.upNext', id, 'dueline.up', 'http'].map(one => affectsConfiguration(one)),
        [true, true, true, false, false],
      );
      assert.equal(settings().get(id), 9);
      assert.equal(vscode.workspace.getConfiguration('dueline.upNext').get('days'), 9);
    });

    it('of the workspace override the user’s', async () => {
      const other = 'files.insertFinalNewline';
      await settings().update(other, true, vscode.ConfigurationTarget.Global);
      await settings().update(other, false, vscode.ConfigurationTarget.Workspace);
      assert.equal(settings().get(other), false);
      const { globalValue, workspaceValue } = settings().inspect<boolean>(other)!;
      assert.deepEqual([globalValue, workspaceValue], [true, false]);
      await settings().update(other, undefined, vscode.ConfigurationTarget.Workspace);
      assert.equal(settings().get(other), true);
      await settings().update(other, undefined, vscode.ConfigurationTarget.Global);
    });

    it('of the user alone are refused in a workspace', async () => {
      await assert.rejects(async () => settings().update(id, 4, vscode.ConfigurationTarget.Workspace), /User settings/);
    });

    it('return the second argument of get if they are not declared', () => {
      assert.equal(settings().get('contract.nothing', 'else'), 'else');
      assert.equal(settings().get('contract.nothing'), undefined);
    });
  });

  describe('events', () => {
    it('reach each listener at once, until it is disposed of', () => {
      const emitter = own(new vscode.EventEmitter<number>());
      const heard: number[] = [];
      const owner: Api.Disposable[] = [];
      emitter.event(value => heard.push(value), undefined, owner);
      emitter.event(
        function (this: { at: number }, value) {
          heard.push(value * this.at);
        },
        { at: 10 },
      );
      emitter.fire(1);
      owner[0]!.dispose();
      emitter.fire(2);
      assert.deepEqual(heard, [1, 10, 20]);
    });
  });

  describe('a quick pick', () => {
    const labels = (items: readonly Api.QuickPickItem[]) => items.map(({ label }) => label);
    const shown = (items: Api.QuickPickItem[]) => {
      const pick = own(vscode.window.createQuickPick());
      pick.items = items;
      pick.show();
      return pick;
    };
    const accept = () => run('workbench.action.acceptSelectedQuickOpenItem');

    it('starts with its first item active, never a separator, and accepts it', async () => {
      const pick = own(vscode.window.createQuickPick());
      const active = next(pick.onDidChangeActive);
      pick.items = [{ label: 'Group', kind: vscode.QuickPickItemKind.Separator }, { label: 'one' }, { label: 'two' }];
      pick.show();
      await active;
      assert.deepEqual(labels(pick.activeItems), ['one']);
      const accepted = next(pick.onDidAccept);
      await accept();
      await accepted;
      assert.deepEqual(labels(pick.selectedItems), ['one']);
    });

    it('has no active item by itself if several can be selected', async () => {
      const pick = own(vscode.window.createQuickPick());
      pick.canSelectMany = true;
      pick.items = [{ label: 'one' }, { label: 'two' }];
      pick.show();
      const accepted = next(pick.onDidAccept);
      await accept();
      await accepted;
      assert.deepEqual([labels(pick.activeItems), labels(pick.selectedItems)], [[], []]);
    });

    it('reports that it was hidden, by Escape, by itself or by another question', async () => {
      const first = shown([{ label: 'one' }]);
      const escaped = next(first.onDidHide);
      await next(first.onDidChangeActive);
      await run('workbench.action.closeQuickOpen');
      await escaped;
      const second = shown([{ label: 'two' }]);
      const hidden = next(second.onDidHide);
      second.hide();
      await hidden;
      const third = shown([{ label: 'three' }]);
      const replaced = next(third.onDidHide);
      shown([{ label: 'four' }]);
      await replaced;
    });

    it('resolves showQuickPick with the accepted item, and with undefined when it is canceled', async () => {
      const items = [{ label: 'one' }, { label: 'two', mine: 2 }];
      const [isFocused, focused] = signal();
      const taken = vscode.window.showQuickPick(items.toReversed(), { onDidSelectItem: () => focused() });
      await isFocused;
      await accept();
      assert.deepEqual(await taken, { label: 'two', mine: 2 });
      const [isShown, again] = signal();
      const left = vscode.window.showQuickPick(['a', 'b'], { onDidSelectItem: () => again() });
      await isShown;
      await run('workbench.action.closeQuickOpen');
      assert.equal(await left, undefined);
    });

    it('is canceled when the focus goes elsewhere, unless it ignores that', async () => {
      const leave = () => run('workbench.action.focusActiveEditorGroup');
      const stays = own(vscode.window.createQuickPick());
      stays.ignoreFocusOut = true;
      stays.items = [{ label: 'one' }];
      stays.show();
      await next(stays.onDidChangeActive);
      await leave();
      const taken = next(stays.onDidAccept);
      await accept();
      await taken;
      const goes = shown([{ label: 'one' }]);
      const hidden = next(goes.onDidHide);
      await next(goes.onDidChangeActive);
      await leave();
      await hidden;
    });

    it('with several choices starts with the picked ones', async () => {
      const pick = own(vscode.window.createQuickPick());
      pick.canSelectMany = true;
      pick.items = [{ label: 'one', picked: true }, { label: 'two' }, { label: 'three', picked: true }];
      pick.selectedItems = pick.items.filter(({ picked }) => picked);
      pick.show();
      await accepted(accept, next(pick.onDidAccept));
      assert.deepEqual(labels(pick.selectedItems), ['one', 'three']);
    });
  });

  describe('an input box', () => {
    it('has its value when it is accepted', async () => {
      const answer = vscode.window.showInputBox({ value: 'as it is' });
      await accepted(() => run('workbench.action.acceptSelectedQuickOpenItem'), answer);
      assert.equal(await answer, 'as it is');
    });

    it('stays open while its validation refuses the value, which it runs once', async () => {
      const checked: string[] = [];
      const [isChecked, check] = signal();
      const answer = vscode.window.showInputBox({
        value: 'wrong',
        validateInput: value => {
          checked.push(value);
          check();
          return 'Not this one.';
        },
      });
      await isChecked;
      await run('workbench.action.acceptSelectedQuickOpenItem');
      await run('workbench.action.closeQuickOpen');
      assert.equal(await answer, undefined);
      assert.deepEqual(checked, ['wrong']);
    });

    it('resolves with undefined when it is canceled', async () => {
      const box = own(vscode.window.createInputBox());
      const hidden = next(box.onDidHide);
      box.show();
      await run('workbench.action.closeQuickOpen');
      box.hide();
      await hidden;
    });
  });

  describe('a page', () => {
    const html = `<script>
      const api = acquireVsCodeApi();
      const opened = (api.getState()?.opened ?? 0) + 1;
      api.setState({ opened });
      addEventListener('message', ({ data }) => api.postMessage({ heard: data }));
      api.postMessage({ opened });
    </script>`;
    const create = () => {
      const panel = own(
        vscode.window.createWebviewPanel('contract', 'Page', vscode.ViewColumn.Active, { enableScripts: true }),
      );
      return panel;
    };

    it('exchanges messages with the extension', async () => {
      const { webview } = create();
      const opened = next(webview.onDidReceiveMessage);
      webview.html = html;
      assert.deepEqual(await opened, { opened: 1 });
      const heard = next(webview.onDidReceiveMessage);
      assert.equal(await webview.postMessage({ list: [1, null], text: 'ß' }), true);
      assert.deepEqual(await heard, { heard: { list: [1, null], text: 'ß' } });
    });

    it('is discarded while it is hidden, and comes back with its state', async () => {
      const panel = create();
      const opened = next(panel.webview.onDidReceiveMessage);
      panel.webview.html = html;
      await opened;
      const hidden = next(panel.onDidChangeViewState);
      await run('workbench.action.files.newUntitledFile');
      await hidden;
      assert.deepEqual([panel.visible, panel.active], [false, false]);
      const again = next(panel.webview.onDidReceiveMessage);
      panel.reveal();
      assert.deepEqual(await again, { opened: 2 });
      assert.deepEqual([panel.visible, panel.active], [true, true]);
    });

    it('reports when its tab is closed, and its tab has its title', async () => {
      const panel = create();
      panel.title = 'Another';
      const disposed = next(panel.onDidDispose);
      await labeled('Another');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Another');
      await run('workbench.action.closeActiveEditor');
      await disposed;
    });

    const labeled = async (label: string) => {
      const isThere = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(tab => tab.label === label));
      while (!isThere()) await next(vscode.window.tabGroups.onDidChangeTabs);
    };
  });

  describe('a tree', () => {
    const below: Readonly<Record<string, readonly string[]>> = {
      '': ['one', 'two', 'folder', 'other', 'last'],
      folder: ['inside'],
      other: ['within'],
      last: ['end'],
    };
    let view: Api.TreeView<string>;
    before(async () => {
      await run('setContext', 'contract.hasTree', true);
      const { TreeItem, TreeItemCollapsibleState: state } = vscode;
      const treeDataProvider: Api.TreeDataProvider<string> = {
        getChildren: (node = '') => [...(below[node] ?? [])],
        getParent: node => ({ inside: 'folder', within: 'other', end: 'last' })[node],
        getTreeItem: node => {
          const item = new TreeItem(node, below[node] ? state.Collapsed : state.None);
          if (node === 'two') item.command = { title: 'Open', command: 'contract.open', arguments: [node] };
          return item;
        },
      };
      view = vscode.window.createTreeView('contract.tree', { treeDataProvider, canSelectMany: true });
      await run('contract.tree.focus');
      // The editor finds an item at the top only once it has drawn the tree, for which it waits below a collapsed one.
      await view.reveal('end', { select: false });
    });
    after(async () => {
      view?.dispose();
      await run('setContext', 'contract.hasTree', false);
    });
    /** The selection once the editor has reported it. */
    const selected = async (change: () => Thenable<unknown>) => {
      const changed = next(view.onDidChangeSelection);
      await change();
      const { selection } = await changed;
      assert.deepEqual(view.selection, selection);
      return [...selection].sort();
    };
    const focus = (node: string) => view.reveal(node, { select: false, focus: true });

    it('reveals an item below a collapsed one', async () => {
      const opened = next(view.onDidExpandElement);
      assert.deepEqual(await selected(() => view.reveal('inside')), ['inside']);
      assert.equal((await opened).element, 'folder');
      assert.equal(view.visible, true);
    });

    it('adds the focused item to the selection, or removes it', async () => {
      assert.deepEqual(await selected(() => view.reveal('one', { select: true, focus: true })), ['one']);
      await focus('two');
      assert.deepEqual(view.selection, ['one'], 'the focus moves alone');
      const toggle = () => run('list.toggleSelection');
      assert.deepEqual(await selected(toggle), ['one', 'two']);
      assert.deepEqual(await selected(toggle), ['one']);
    });

    it('opens the focused item as a click does: by its command, or by opening it', async () => {
      const [isOpened, open] = signal();
      own(vscode.commands.registerCommand('contract.open', node => node === 'two' && open()));
      await focus('two');
      assert.deepEqual(await selected(() => run('list.select')), ['two']);
      await isOpened;
      await focus('other');
      const expanded = next(view.onDidExpandElement);
      assert.deepEqual(await selected(() => run('list.select')), ['other']);
      assert.equal((await expanded).element, 'other');
    });
  });

  describe('texts and files', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'dueline-contract-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('of a file are read, shown and announced', async () => {
      const path = join(folder, 'a.txt');
      writeFileSync(path, 'one\ntwo\n');
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
      assert.equal(document.getText(), 'one\ntwo\n');
      assert.equal(document.lineAt(1).text, 'two');
      const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(1, 0, 1, 3) });
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
      assert.equal(editor.selection.start.line, 1);
      assert.equal(document.getText(new vscode.Range(1, 1, 1, 3)), 'wo');
    });

    it('are shown with the requested cursor, again in the same tab', async () => {
      writeFileSync(join(folder, 'c.txt'), 'one\ntwo\nthree\n');
      const uri = vscode.Uri.file(join(folder, 'c.txt'));
      for (const line of [1, 2]) {
        const shown = await vscode.window.showTextDocument(uri, { selection: new vscode.Range(line, 0, line, 0) });
        assert.equal(shown.selection.active.line, line);
      }
      assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 1);
    });

    it('report which tabs were opened and closed', async () => {
      const uri = vscode.Uri.file(join(folder, 'd.txt'));
      writeFileSync(uri.fsPath, 'one\n');
      const events: string[] = [];
      const closed = new Promise<void>(resolve => {
        own(
          vscode.window.tabGroups.onDidChangeTabs(event => {
            events.push(
              ...event.opened.map(({ label }) => `+${label}`),
              ...event.closed.map(({ label }) => `-${label}`),
            );
            if (event.closed.length > 0) resolve();
          }),
        );
      });
      await vscode.window.showTextDocument(uri, { preview: false });
      await run('workbench.action.closeActiveEditor');
      await closed;
      assert.deepEqual(events, ['+d.txt', '-d.txt']);
    });

    it('offer code actions for a line', async () => {
      const uri = vscode.Uri.file(join(folder, 'e.txt'));
      writeFileSync(uri.fsPath, 'one\ntwo\n');
      const { QuickFix } = vscode.CodeActionKind;
      own(
        vscode.languages.registerCodeActionsProvider(
          { pattern: '**' },
          {
            provideCodeActions: (document, { start }) => [
              { title: `Contract ${document.lineAt(start.line).text}`, kind: QuickFix },
            ],
          },
        ),
      );
      await vscode.window.showTextDocument(uri);
      const at = new vscode.Range(1, 0, 1, 0);
      const found = (await run('vscode.executeCodeActionProvider', uri, at)) as Api.CodeAction[];
      assert.deepEqual(
        found.map(({ title }) => title).filter(title => title.startsWith('Contract')),
        ['Contract two'],
      );
    });

    it('are compared in one tab, which has both and its title', async () => {
      const uris = ['left.txt', 'right.txt'].map(name => vscode.Uri.file(join(folder, name)));
      for (const { fsPath } of uris) writeFileSync(fsPath, fsPath);
      await run('vscode.diff', ...uris, 'Left and right');
      const { label, input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
      assert.equal(label, 'Left and right');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.deepEqual([input.original, input.modified].map(String), uris.map(String));
      const texts = vscode.workspace.textDocuments.map(({ fileName }) => fileName);
      for (const { fsPath } of uris) assert.ok(texts.includes(fsPath), fsPath);
    });

    it('of a scheme of one’s own come from its provider', async () => {
      own(
        vscode.workspace.registerTextDocumentContentProvider('contract', {
          provideTextDocumentContent: uri => `about ${uri.path}`,
        }),
      );
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('contract:/x'));
      assert.equal(document.getText(), 'about /x');
      const { languageId, isDirty } = await vscode.workspace.openTextDocument(vscode.Uri.parse('contract:/y.md'));
      assert.deepEqual([languageId, isDirty], ['markdown', false]);
    });

    it('of a provider change with it', async () => {
      let text = 'before';
      const changes = own(new vscode.EventEmitter<Api.Uri>());
      own(
        vscode.workspace.registerTextDocumentContentProvider('contract-changes', {
          onDidChange: changes.event,
          provideTextDocumentContent: () => text,
        }),
      );
      const uri = vscode.Uri.parse('contract-changes:/x');
      const document = await vscode.workspace.openTextDocument(uri);
      assert.equal(document.getText(), 'before');
      const changed = new Promise<void>(resolve => {
        own(vscode.workspace.onDidChangeTextDocument(event => event.document === document && resolve()));
      });
      text = 'after';
      changes.fire(uri);
      await changed;
      assert.equal(document.getText(), 'after');
    });

    it('that do not exist are an error with a code', async () => {
      const uri = vscode.Uri.file(join(folder, 'none'));
      await assert.rejects(async () => vscode.workspace.fs.stat(uri), { code: 'FileNotFound' });
      await assert.rejects(async () => vscode.workspace.fs.readFile(uri), { code: 'FileNotFound' });
    });

    it('are written and listed', async () => {
      const uri = vscode.Uri.joinPath(vscode.Uri.file(folder), 'b.txt');
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('ü'));
      assert.deepEqual(await vscode.workspace.fs.readDirectory(vscode.Uri.file(folder)), [
        ['b.txt', vscode.FileType.File],
      ]);
      assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), 'ü');
      assert.equal((await vscode.workspace.fs.stat(uri)).size, 2);
    });
  });

  it('returns undefined for a notification that is closed', async () => {
    const answer = vscode.window.showInformationMessage('Contract', 'Yes');
    await closedNotifications(answer);
    assert.equal(await answer, undefined);
  });

  it('returns the result of a task with progress, or its error', async () => {
    const options = { location: vscode.ProgressLocation.Notification, title: 'Work' };
    assert.equal(await vscode.window.withProgress(options, async () => 7), 7);
    await assert.rejects(async () => vscode.window.withProgress(options, () => Promise.reject(new Error('no'))), /no/);
  });

  it('intersects ranges that share a part or a position, and no others', () => {
    const range = new vscode.Range(1, 2, 3, 4);
    const shared = (...at: [number, number, number, number]) => {
      const found = range.intersection(new vscode.Range(...at));
      return found && [found.start.line, found.start.character, found.end.line, found.end.character];
    };
    assert.deepEqual(shared(0, 0, 2, 1), [1, 2, 2, 1]);
    assert.deepEqual(shared(1, 5, 1, 9), [1, 5, 1, 9]);
    assert.deepEqual(shared(3, 4, 9, 0), [3, 4, 3, 4]);
    assert.equal(shared(3, 5, 9, 0), undefined);
  });

  it('keeps the clipboard', async () => {
    await vscode.env.clipboard.writeText('contract');
    assert.equal(await vscode.env.clipboard.readText(), 'contract');
  });

  it('parses addresses as in RFC 3986', () => {
    const uri = vscode.Uri.parse('scheme://host/a%20b/c?x=1#y');
    assert.deepEqual(
      [uri.scheme, uri.authority, uri.path, uri.query, uri.fragment],
      ['scheme', 'host', '/a b/c', 'x=1', 'y'],
    );
    assert.equal(
      String(vscode.Uri.joinPath(uri, '..', 'd').with({ query: '', fragment: '' })),
      'scheme://host/a%20b/d',
    );
    assert.equal(vscode.Uri.file('/x/y').fsPath, '/x/y');
  });

  /** A command that comes before the notification is drawn closes nothing: it is given again at its next event. */
  async function closedNotifications(answer: Thenable<unknown>): Promise<void> {
    let isOver = false;
    void answer.then(() => {
      isOver = true;
    });
    while (!isOver) await run('notifications.clearAll');
  }

  async function accepted(accept: () => Thenable<unknown>, answer: Thenable<unknown>): Promise<void> {
    let isOver = false;
    void answer.then(() => {
      isOver = true;
    });
    while (!isOver) await accept();
  }
});
