import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { screenshotFolder } from '../../../scripts/paths';
import type { DuelineEngine } from '../../../src/api';
import type { Clock } from '../../../src/core/time/clock';
import { openBrowserPage } from './browser';
import { Changes, hasWords, strict, type Words } from './changes';
import { Commands } from './commands';
import { Files } from './files';
import { loadExtension } from './load';
import { Menus } from './menus';
import { Notices } from './notices';
import { Questions } from './questions';
import { Settings } from './settings';
import { Tabs } from './tabs';
import type { TreeDouble } from './trees';
import * as values from './values';
import { classes, enums } from './values';
import { Views } from './views';
import { type Theme, Webviews } from './webviews';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
/** `%key%` in the manifest stands for a text of `package.nls.json`. */
const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const inWords = (title: string): string => title.replace(/^%(.*)%$/, (_, key: string) => nls[key] ?? key);
const extensionId = 'dueline.dueline';

/** A Wednesday, so that a week has days on both sides of it. */
const testNow = Date.UTC(2026, 2, 11, 9, 30);

/** The time and zone that a test gives. */
class TestClock implements Clock {
  constructor(
    public time = testNow,
    public timeZone = 'UTC',
  ) {}
  now = () => this.time;
}

interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** IANA zone of the clock and of the pages. */
  readonly timeZone?: string;
  /** The editor's display language. */
  readonly language?: string;
  readonly theme?: Theme;
  readonly size?: { readonly width: number; readonly height: number };
  /** Folder that is open in the window, or its address if it is on no disk. */
  readonly folder?: string;
  /** Files of the schemes that other extensions bring. */
  readonly schemes?: Readonly<Record<string, vscode.FileSystemProvider>>;
  /** The exports of other extensions, by their ids. */
  readonly extensions?: Readonly<Record<string, object>>;
  /** Restricted Mode: the folder is not trusted. */
  readonly restricted?: boolean;
  /** Texts in the extension's folder before it starts, by their paths: with them the start may fail. */
  readonly files?: Readonly<Record<string, string>>;
  /** Another window of the same user: one store, one memory, one time. */
  readonly besides?: Editor;
  /** The folder of the extension's global storage, which stays after the end. */
  readonly storage?: string;
  /** Answers what the extension asks before it has started. */
  readonly meanwhile?: (editor: Editor) => unknown;
}

interface StatusItem {
  readonly id: string;
  text: string;
  tooltip: unknown;
  command: unknown;
  color: unknown;
  backgroundColor: unknown;
  name: string | undefined;
  accessibilityInformation: unknown;
  isShown: boolean;
}

/**
 * The editor as a double at the edge: the whole extension runs against it in this process, with its real store in a real
 * folder, and its pages in a real browser. `test/contract` checks that the real editor keeps what the double promises of the API.
 */
export class Editor {
  readonly changes = new Changes();
  readonly questions = new Questions(this.changes);
  readonly notices = new Notices(this.changes);
  readonly files = new Files(this.changes);
  readonly webviews = new Webviews(this.changes);
  readonly tabs = new Tabs(this.webviews, this.files, this.changes);
  readonly commands: Commands;
  readonly menus: Menus;
  readonly views: Views;
  readonly settings: Settings;
  readonly clock: TestClock;
  readonly statusItems: StatusItem[] = [];
  readonly opened: string[] = [];
  /** Work that the window is still busy with: it answers only after it. */
  busy: Promise<unknown> = Promise.resolve();
  readonly logs: string[] = [];
  readonly api: typeof vscode;
  clipboard = '';
  /** Undefined if the start failed, which {@link EditorOptions.files} allows. */
  engine!: DuelineEngine;
  /** The folder in which the extension keeps its files, the store among them. */
  readonly storage: string;
  readonly #codeActions = new Set<vscode.CodeActionProvider>();
  /** The state that the extension keeps between its starts. */
  readonly memory: { readonly global: Map<string, unknown>; readonly workspace: Map<string, unknown> };
  readonly #secrets: Map<string, string>;
  readonly #windowState = new values.EventEmitter<{ focused: boolean; active: boolean }>();
  readonly #trust = { isTrusted: true, granted: new values.EventEmitter<void>() };
  readonly #subscriptions: { dispose(): unknown }[] = [];

  private constructor(private readonly options: EditorOptions) {
    const { contributes } = manifest;
    const { besides } = options;
    this.storage = options.storage ?? besides?.storage ?? mkdtempSync(join(tmpdir(), 'dueline-editor-'));
    for (const [name, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(this.storage, name)), { recursive: true });
      writeFileSync(join(this.storage, name), text);
    }
    this.memory = { global: besides?.memory.global ?? new Map(), workspace: new Map() };
    this.#secrets = besides ? besides.#secrets : new Map();
    const properties = contributes.configuration.flatMap((part: { properties: object }) =>
      Object.entries(part.properties),
    ) as [string, { default: unknown; scope?: string }][];
    this.settings = new Settings(new Map(properties), options.settings);
    this.settings.onDidChange(this.changes.notify);
    this.clock = besides?.clock ?? new TestClock(testNow, options.timeZone);
    this.commands = new Commands(
      contributes,
      name => this.settings.value(name),
      inWords,
      line => this.logs.push(line),
      this.changes.notify,
    );
    const textEditor = 'workbench.editors.files.textFileEditor';
    this.tabs.changedEditor.event(shown => this.commands.setContext('activeEditor', shown && textEditor));
    this.menus = new Menus(this.commands, this.changes);
    this.webviews.onMenu = (viewType, context) => {
      const place = { ...context, webviewId: viewType };
      this.menus.show('webview/context', place, { ...context, webview: viewType });
    };
    this.views = new Views(
      this.webviews,
      this.changes,
      id => this.commands.setContext('focusedView', id),
      (id, ...args) => this.commands.start(id, ...args),
    );
    for (const [scheme, provider] of Object.entries(options.schemes ?? {}))
      this.files.registerFileSystemProvider(scheme, provider);
    this.#trust.isTrusted = !options.restricted;
    this.commands.setContext('isWorkspaceTrusted', !options.restricted);
    this.api = this.#createApi();
    this.#registerOwnCommands();
  }

  static async open(options: EditorOptions = {}): Promise<Editor> {
    const editor = new Editor(options);
    const { theme = 'dark', size } = options;
    editor.webviews.theme = theme;
    await editor.webviews.open(await openBrowserPage({ size, timezone: editor.clock.timeZone }));
    options.meanwhile?.(editor);
    await editor.#start();
    return editor;
  }

  get page(): Page {
    return this.webviews.page;
  }

  async #start(): Promise<void> {
    mkdirSync(this.storage, { recursive: true });
    const { start } = loadExtension(this.api);
    const engine = await start(this.#context(), this.clock);
    if (!engine) {
      if (!this.options.files) throw new Error(`Dueline did not start: ${this.logs.join('\n')}`);
      return;
    }
    this.engine = engine;
    engine.onDidChange(this.changes.notify);
    engine.syncing?.onDidChangeState(this.changes.notify);
  }

  /**
   * Ends the extension and starts it again after some milliseconds, on the same store, settings and memory, with the
   * tabs and views that were open.
   */
  async reload(awayMs = 0): Promise<void> {
    await this.webviews.kept();
    const shown = this.views.forget();
    this.tabs.forgetPages();
    // A message that a page sends while it closes is lost.
    await this.webviews.inOrder(async () => {});
    await this.#end();
    this.clock.time += awayMs;
    await this.#start();
    for (const id of shown) await this.views.show(id);
    this.tabs.bringBack();
  }

  async #end(): Promise<void> {
    for (const part of this.#subscriptions.splice(0).reverse()) part.dispose();
    await this.engine?.close();
    this.statusItems.length = 0;
    this.notices.forget();
    this.questions.escape();
  }

  async close(): Promise<void> {
    await this.#end();
    await this.webviews.close();
    if (!this.options.besides && !this.options.storage) rmSync(this.storage, { recursive: true, force: true });
  }

  /** Runs a function with the API, as a part of the extension would call it. */
  run = <Args extends unknown[], Result>(work: (api: typeof vscode, ...args: Args) => Result, ...args: Args): Result =>
    work(this.api, ...args);

  // The hands and eyes of the user

  /** Executes a command by its id, as a key or a menu does. */
  command = (id: string, ...args: unknown[]): Promise<unknown> => this.commands.execute(id, ...args);

  /** Runs the command with that title from the palette. Its end comes after what it asks. */
  palette(title: string): Promise<unknown> {
    const found = this.commands.inPalette().find(one => one.title === title);
    if (!found) throw new Error(`The palette has no ${title}.`);
    return this.commands.start(found.id);
  }

  /** Takes an entry of the menu that a right click on a row of a tree opens. */
  async context(row: Words, path: string, id?: Parameters<Editor['tree']>[0]): Promise<void> {
    const tree = this.tree(id);
    const { node, item } = await tree.row(row);
    const { selection } = tree;
    const isSeveral = selection.length > 1 && selection.includes(node);
    const context = { view: tree.id, viewItem: item.contextValue, listMultiSelection: isSeveral };
    this.menus.show('view/item/context', context, node, isSeveral ? selection : undefined);
    await this.menus.choose(path);
  }

  /** A key of Dueline in the tree that has the focus. */
  key = (key: string): Promise<unknown> => this.commands.key(key, { listFocus: true });

  /** Presses a button in the text of a view without rows. */
  welcomeButton(view: string, label: string): Promise<unknown> {
    const text = this.commands.welcome(view);
    const found = [...text.matchAll(/^\[(.*)\]\(command:(.*)\)$/gm)].find(([, name]) => name === label);
    if (!found) throw new Error(`There is no button ${label} in ${text}`);
    return this.commands.start(found[2]!);
  }

  /** Presses a button of a row of a tree, once it is there. */
  async inline(row: Words, title: string, id?: Parameters<Editor['tree']>[0]): Promise<void> {
    const tree = this.tree(id);
    const findButton = () => {
      const found = tree.find(row);
      const context = { view: tree.id, viewItem: found?.item.contextValue };
      const button = this.commands.menu('view/item/context', context, 'inline').find(one => one.title === title);
      return button && { button, node: found!.node };
    };
    const { button, node } = await this.changes.until(`a button ${title} at ${row}`, findButton);
    this.commands.start(button.id, node);
  }

  /** Titles of the buttons above a view; what is in the menu behind them is none. */
  viewButtons = (view = 'dueline.lists'): readonly string[] =>
    this.commands.menu('view/title', { view }, 'navigation').map(({ title }) => title);

  /** Presses a button above a view, once it is there. */
  async viewButton(title: string, view = 'dueline.lists'): Promise<void> {
    await this.changes.until(`a button ${title}`, () => this.viewButtons(view).includes(title));
    this.menus.show('view/title', { view });
    await this.menus.choose(title);
  }

  /** Presses a button above the text, or the comparison of two, that is in front. */
  async editorButton(title: string): Promise<void> {
    const uri = this.tabs.activeUri;
    this.menus.show('editor/title', { resourceScheme: uri?.scheme }, uri);
    await this.menus.choose(title);
  }

  /** Follows a link in the words of a notification, once it is there. */
  async follow(words: Words, label: string): Promise<void> {
    const { command, args } = await this.notices.link(words, label);
    this.commands.start(command, ...args);
  }

  /** Leaves Restricted Mode. */
  trust(): void {
    this.#trust.isTrusted = true;
    this.commands.setContext('isWorkspaceTrusted', true);
    this.#trust.granted.fire();
  }

  tree(id: 'dueline.lists' | 'dueline.filters' | 'dueline.todos' = 'dueline.lists'): TreeDouble {
    return this.views.trees.get(id)!;
  }

  /** Text of a status-bar item; undefined while it is hidden. */
  status = (id: string): string | undefined => this.#statusItem(id)?.text;

  /** Clicks a status-bar item, once it shows the text. */
  async press(id: string, text: Words): Promise<void> {
    const isThere = () => hasWords(this.status(id), text);
    await this.changes.until(`${text} in the status bar`, isThere);
    const { command } = this.#statusItem(id)!;
    const { command: name, arguments: args = [] } =
      typeof command === 'string' ? { command } : (command as vscode.Command);
    this.commands.start(name, ...args);
  }

  #statusItem = (id: string) => this.statusItems.find(item => item.id.startsWith(id) && item.isShown);

  /** The page with an element for the selector, with the text in it; once there is one. */
  frame(selector: string, text?: Words): Promise<Frame> {
    const known = new Set<Promise<Frame>>();
    let found: Frame | undefined;
    const ask = async (page: Promise<Frame>) => {
      const element = (await page).locator(selector, { hasText: text }).first();
      await element.waitFor({ state: 'attached' });
      found = await page;
      this.changes.notify();
    };
    return this.changes.until(`a page with ${selector} ${text ?? ''}`, () => {
      const fresh = this.webviews.frames.filter(page => !known.has(page));
      for (const page of fresh) {
        known.add(page);
        ask(page).catch(() => {}); // it was closed or replaced meanwhile
      }
      return found;
    });
  }

  async theme(theme: Theme): Promise<void> {
    await this.webviews.setTheme(theme);
  }

  resize = (width: number, height: number): Promise<void> => this.page.setViewportSize({ width, height });

  setFocused(focused: boolean): void {
    this.#windowState.fire({ focused, active: focused });
  }

  /** After a test: a picture if it failed; then closes every question and notification. */
  async tidy(test: { title: string; state?: string } | undefined): Promise<void> {
    if (test?.state === 'failed') {
      const name = test.title.slice(0, 40).replace(/\W+/g, '-');
      await this.page.screenshot({ path: join(screenshotFolder, `failed-${name}.png`) }).catch(() => {});
    }
    this.menus.escape();
    this.questions.escape();
    this.notices.clear();
  }

  // The API

  #registerOwnCommands(): void {
    const own: Record<string, (...args: never[]) => unknown> = {
      setContext: (key: string, value: unknown) => this.commands.setContext(key, value),
      noop: () => this.busy,
      'workbench.action.closeAllEditors': () => this.tabs.closeAll(),
      'workbench.action.closeActiveEditor': () => this.tabs.close(),
      'workbench.action.reloadWindow': () => this.reload(),
      'workbench.action.closeSidebar': () => this.views.close('side'),
      'workbench.action.closePanel': () => this.views.close('panel'),
      'workbench.action.closeQuickOpen': () => this.questions.escape(),
      'workbench.action.acceptSelectedQuickOpenItem': () => this.questions.current && this.questions.accept(),
      'workbench.action.focusActiveEditorGroup': () => {
        this.questions.leave();
        this.tabs.activePanel?.webview.focus();
      },
      'workbench.action.files.newUntitledFile': async () =>
        this.tabs.showTextDocument(await this.files.openTextDocument({})),
      'workbench.action.openSettings': (query: string) => this.opened.push(`settings:${query}`),
      'workbench.action.openWalkthrough': (walkthrough: unknown) =>
        this.opened.push(`walkthrough:${JSON.stringify(walkthrough)}`),
      'workbench.view.extension.dueline': () => this.tree().setVisible(true),
      'list.select': () => this.views.focusedTree?.takeFocused(),
      runCommands: async ({ commands }: { commands: readonly (string | { command: string; args?: unknown })[] }) => {
        for (const one of commands)
          if (typeof one === 'string') await this.commands.execute(one);
          else await this.commands.execute(one.command, one.args);
      },
      'list.toggleSelection': () => this.views.focusedTree?.toggleSelection(),
      'notifications.clearAll': () => this.notices.clear(),
      'vscode.executeCodeActionProvider': async (uri: vscode.Uri, range: vscode.Range) => {
        const document = await this.files.openTextDocument(uri);
        const offers = [...this.#codeActions].map(one =>
          one.provideCodeActions(document as never, range, { diagnostics: [] } as never, {} as never),
        );
        return (await Promise.all(offers)).flatMap(found => found ?? []);
      },
      'vscode.open': (uri: vscode.Uri, options: never) => this.tabs.showTextDocument(uri, options),
      'vscode.diff': (left: vscode.Uri, right: vscode.Uri, title: string) => this.tabs.showDiff(left, right, title),
      revealFileInOS: (uri: vscode.Uri) => this.opened.push(String(uri)),
    };
    for (const [id, run] of Object.entries(own)) this.commands.register(id, run as never);
    this.commands.fallback = id => {
      const [, view] = /^(.*)\.focus$/.exec(id) ?? [];
      return view !== undefined && this.views.has(view) ? () => this.views.focus(view) : undefined;
    };
  }

  #createApi(): typeof vscode {
    return {
      ...values,
      ...classes,
      ...enums,
      version: '1.139.1',
      commands: strict('commands', {
        registerCommand: this.commands.register,
        executeCommand: this.commands.execute,
        getCommands: async () => this.commands.ids(),
      }),
      window: strict('window', this.#window()),
      workspace: strict('workspace', this.#workspace()),
      env: strict('env', this.#env()),
      languages: strict('languages', this.#languages()),
      debug: strict('debug', { activeDebugSession: undefined, ...events('onDidTerminateDebugSession') }),
      extensions: strict('extensions', {
        all: [],
        getExtension: (id: string) => {
          const exports = id === extensionId ? this.engine : this.options.extensions?.[id];
          const packageJSON = id === extensionId ? manifest : {};
          return exports && { id, packageJSON, isActive: true, exports, activate: async () => exports };
        },
        ...events('onDidChange'),
      }),
    } as unknown as typeof vscode;
  }

  #window() {
    const { questions, notices, tabs, views } = this;
    return {
      createQuickPick: questions.createQuickPick,
      createInputBox: questions.createInputBox,
      showQuickPick: questions.showQuickPick.bind(questions),
      showInputBox: questions.showInputBox.bind(questions),
      showInformationMessage: notices.shower('information'),
      showWarningMessage: notices.shower('warning'),
      showErrorMessage: notices.shower('error'),
      withProgress: notices.withProgress.bind(notices),
      setStatusBarMessage: notices.setStatusBarMessage,
      showOpenDialog: notices.showOpenDialog,
      showSaveDialog: notices.showSaveDialog,
      createTreeView: views.createTreeView,
      registerWebviewViewProvider: views.registerWebviewViewProvider,
      createWebviewPanel: tabs.createPanel,
      registerWebviewPanelSerializer: tabs.registerSerializer,
      showTextDocument: tabs.showTextDocument,
      tabGroups: tabs.groups,
      createStatusBarItem: (id: string) => this.#createStatusItem(id),
      createOutputChannel: (name: string) => this.#createLog(name),
      createTextEditorDecorationType: () => ({ key: 'decoration', dispose() {} }),
      registerUriHandler: (handler: vscode.UriHandler) => {
        this.handleUri = handler.handleUri.bind(handler);
        return { dispose() {} };
      },
      registerTerminalLinkProvider: () => ({ dispose() {} }),
      registerFileDecorationProvider: () => ({ dispose() {} }),
      get activeTextEditor() {
        return tabs.activeEditor;
      },
      get visibleTextEditors() {
        return tabs.activeEditor ? [tabs.activeEditor] : [];
      },
      get terminals() {
        return [];
      },
      activeColorTheme: { kind: 2 },
      state: { focused: true, active: true },
      onDidChangeWindowState: this.#windowState.event,
      onDidChangeActiveTextEditor: tabs.changedEditor.event,
      ...events('onDidChangeVisibleTextEditors', 'onDidChangeTextEditorSelection', 'onDidChangeActiveColorTheme'),
      ...events('onDidChangeActiveTerminal', 'onDidOpenTerminal', 'onDidCloseTerminal'),
    };
  }

  handleUri: ((uri: vscode.Uri) => unknown) | undefined;

  #workspace() {
    const { files } = this;
    const { folder } = this.options;
    const trust = this.#trust;
    const uri = folder?.startsWith('/') ? values.Uri.file(folder) : folder && values.Uri.parse(folder);
    const folders = uri ? [{ uri, name: 'workspace', index: 0 }] : undefined;
    const within = ({ scheme, path }: vscode.Uri) =>
      folders?.find(folder => folder.uri.scheme === scheme && path.startsWith(`${folder.uri.path}/`));
    return {
      getConfiguration: this.settings.of,
      onDidChangeConfiguration: this.settings.onDidChange,
      workspaceFolders: folders,
      workspaceFile: undefined,
      name: 'workspace',
      get isTrusted() {
        return trust.isTrusted;
      },
      onDidGrantWorkspaceTrust: trust.granted.event,
      fs: files.fs,
      openTextDocument: files.openTextDocument,
      registerFileSystemProvider: files.registerFileSystemProvider,
      registerTextDocumentContentProvider: files.registerTextDocumentContentProvider,
      get textDocuments() {
        return files.documents;
      },
      getWorkspaceFolder: within,
      asRelativePath: (uri: vscode.Uri) => uri.path.slice((within(uri)?.uri.path.length ?? -1) + 1),
      findFiles: async () => [],
      createFileSystemWatcher: () => ({
        ...events('onDidChange', 'onDidCreate', 'onDidDelete'),
        dispose() {},
      }),
      onDidOpenTextDocument: files.opened.event,
      onDidCloseTextDocument: files.closed.event,
      onDidChangeTextDocument: files.changed.event,
      ...events('onDidSaveTextDocument', 'onDidRenameFiles', 'onDidDeleteFiles'),
      ...events('onDidChangeWorkspaceFolders', 'onDidCreateFiles'),
    };
  }

  #env() {
    return {
      language: this.options.language ?? 'en',
      uriScheme: 'vscode',
      appName: 'Visual Studio Code',
      remoteName: undefined,
      uiKind: enums.UIKind.Desktop,
      machineId: 'machine',
      clipboard: {
        readText: async () => this.clipboard,
        writeText: async (text: string) => {
          this.clipboard = text;
          this.changes.notify();
        },
      },
      openExternal: async (uri: vscode.Uri) => {
        this.opened.push(uri.toString(true));
        this.changes.notify();
        return true;
      },
      asExternalUri: async (uri: vscode.Uri) => uri,
    };
  }

  #languages() {
    const none = () => ({ dispose() {} });
    return {
      registerDocumentLinkProvider: none,
      registerDocumentDropEditProvider: none,
      registerCodeLensProvider: none,
      registerCodeActionsProvider: (_: unknown, provider: vscode.CodeActionProvider) => {
        this.#codeActions.add(provider);
        return { dispose: () => this.#codeActions.delete(provider) };
      },
      registerHoverProvider: none,
      registerCompletionItemProvider: none,
      registerDocumentRangeSemanticTokensProvider: none,
      registerInlayHintsProvider: none,
      registerDocumentSymbolProvider: none,
      registerFoldingRangeProvider: none,
      registerDocumentFormattingEditProvider: none,
      createDiagnosticCollection: () => ({ set() {}, delete() {}, dispose() {} }),
    };
  }

  #createStatusItem(id: string): StatusItem & vscode.Disposable {
    const { changes, statusItems } = this;
    const item: StatusItem & { show(): void; hide(): void; dispose(): void } = {
      id,
      text: '',
      tooltip: undefined,
      command: undefined,
      color: undefined,
      backgroundColor: undefined,
      name: undefined,
      accessibilityInformation: undefined,
      isShown: false,
      show: () => {
        item.isShown = true;
        changes.notify();
      },
      hide: () => {
        item.isShown = false;
        changes.notify();
      },
      dispose: () => void statusItems.splice(statusItems.indexOf(item), 1),
    };
    statusItems.push(item);
    return new Proxy(item, {
      set(target, key, value) {
        Reflect.set(target, key, value);
        changes.notify();
        return true;
      },
    });
  }

  #createLog(name: string) {
    const at = (level: string) => (message: unknown) => void this.logs.push(`${level} ${message}`);
    const [trace, debug, info, warn, error] = ['trace', 'debug', 'info', 'warn', 'error'].map(at);
    const show = () => {
      this.opened.push(`log:${name}`);
      this.changes.notify();
    };
    return { name, trace, debug, info, warn, error, show, dispose() {}, appendLine: at('line') };
  }

  #context(): vscode.ExtensionContext {
    const extensionUri = values.Uri.file(resolve('.'));
    const memento = (map: Map<string, unknown>) => ({
      keys: () => [...map.keys()],
      get: (key: string, otherwise?: unknown) => structuredClone(map.get(key)) ?? otherwise,
      update: async (key: string, value: unknown) => {
        if (value === undefined) map.delete(key);
        else map.set(key, structuredClone(value));
        this.changes.notify();
      },
      setKeysForSync: () => {},
    });
    const secretChanged = new values.EventEmitter<{ key: string }>();
    return {
      subscriptions: this.#subscriptions,
      extensionUri,
      extensionPath: extensionUri.fsPath,
      extensionMode: enums.ExtensionMode.Test,
      extension: { id: extensionId, packageJSON: manifest, extensionUri, extensionKind: 2, isActive: true },
      globalStorageUri: values.Uri.file(this.storage),
      storageUri: values.Uri.file(join(this.storage, 'workspace')),
      logUri: values.Uri.file(join(this.storage, 'log')),
      globalState: memento(this.memory.global),
      workspaceState: memento(this.memory.workspace),
      secrets: {
        get: async (key: string) => this.#secrets.get(key),
        store: async (key: string, value: string) => void this.#secrets.set(key, value),
        delete: async (key: string) => void this.#secrets.delete(key),
        onDidChange: secretChanged.event,
      },
      environmentVariableCollection: environmentVariables(),
    } as unknown as vscode.ExtensionContext;
  }
}

/** Events that never come in the double. */
const events = (...names: string[]) =>
  Object.fromEntries(names.map(name => [name, new values.EventEmitter<unknown>().event]));

function environmentVariables() {
  const all = new Map<string, { value: string }>();
  return {
    persistent: false,
    get: (name: string) => all.get(name),
    append: (name: string, value: string) => void all.set(name, { value }),
    delete: (name: string) => void all.delete(name),
  };
}
