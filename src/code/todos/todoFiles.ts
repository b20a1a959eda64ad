import * as vscode from 'vscode';
import { contextKeys, views } from '../../contributions/ids';
import { Disposables, Emitter } from '../../core/kernel/events';
import { isolate, t } from '../../shared/l10n';
import { setting } from '../../ui/settings/settings';
import { gitOf } from '../git';
import { isFile } from '../openFiles';
import type { WorkingCopies, WorkingCopy } from '../workingCopies';
import { branchTodos, watchBranch } from './branchTodos';
import { type FileTodos, listedTodos, TodoScan, textOfUri } from './todoTexts';
import type { FoundInWorkspace } from './workspaceTodos';

type Scope = 'openFiles' | 'branch' | 'workspace' | 'off';

/** Edits come in bursts. */
const debounceMs = 300;

/**
 * The listed TODO comments. Open files are those with a tab, whether or not the editor has loaded them; a branch is
 * compared only while the list is visible; the workspace is searched by a command, and the result is kept until the
 * scope changes.
 */
export class TodoFiles implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #files = new Map<string, FileTodos>();
  /** Tabs that the editor has not loaded: it does so when they are first shown. */
  readonly #read = new Set<string>();
  #scope: Scope = setting('dueline.todos.scope');
  #message: string | undefined;
  #isInSight = false;
  #round = 0;
  #soon: NodeJS.Timeout | undefined;
  #watching: vscode.Disposable | undefined;

  constructor(
    copies: WorkingCopies,
    private readonly copy: () => WorkingCopy | undefined,
  ) {
    const { workspace, window } = vscode;
    for (const part of [
      window.onDidChangeVisibleTextEditors(() => this.#updateSoon()),
      workspace.onDidChangeTextDocument(
        ({ document }) => this.#scope !== 'branch' && isFile(document) && this.#updateSoon(),
      ),
      workspace.onDidSaveTextDocument(() => this.#scope === 'branch' && this.#updateSoon()),
      window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        if (closed.length > 0) this.#forgetClosed();
        if (opened.length > 0) this.#updateSoon();
      }),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#move(oldUri, newUri);
      }),
      workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) this.#move(uri);
      }),
      workspace.onDidChangeConfiguration(event => event.affectsConfiguration('dueline.todos') && void this.#start()),
      copies.onDidChange(() => this.#scope === 'branch' && this.#updateSoon()),
      { dispose: () => clearTimeout(this.#soon) },
      { dispose: () => this.#watching?.dispose() },
    ])
      this.#owned.add(part);
    this.#updateSoon();
  }

  get scope(): Scope {
    return this.#scope;
  }

  /** The message above the list. */
  get message(): string | undefined {
    return (
      this.#message ?? (this.#scope === 'openFiles' && this.#files.size === 0 ? t('No TODO comments.') : undefined)
    );
  }

  get files(): readonly FileTodos[] {
    return [...this.#files.values()].sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
  }

  /** Notes if the list is in sight. */
  show(isInSight: boolean): void {
    this.#isInSight = isInSight;
    if (isInSight && this.#scope === 'branch') this.#updateSoon();
  }

  /** Shows these comments instead of the listed ones, until a scope is set. */
  showWorkspace({ files, isCut, isNothing }: FoundInWorkspace): Promise<void> {
    const cut = isCut && t('Too many files: some were not searched.');
    return this.#replace('workspace', files, isNothing ? t('No files to search were found.') : cut);
  }

  /** Leaves the workspace scope even if the setting has that scope already. */
  async choose(scope: 'openFiles' | 'branch', write: (scope: 'openFiles' | 'branch') => Thenable<void>): Promise<void> {
    await write(scope);
    await this.#start();
    if (scope === 'branch') await vscode.commands.executeCommand(`${views.todos}.focus`);
  }

  async #start(): Promise<void> {
    this.#files.clear();
    this.#read.clear();
    this.#message = undefined;
    this.#scope = setting('dueline.todos.scope');
    this.#watching?.dispose();
    this.#updateSoon();
    await this.#notify();
  }

  #updateSoon(): void {
    clearTimeout(this.#soon);
    if (this.#scope !== 'off') this.#soon = setTimeout(() => void this.#update(), debounceMs);
  }

  async #update(): Promise<void> {
    if (this.#scope === 'branch') return this.#updateBranch();
    if (this.#scope === 'openFiles') return this.#updateOpen();
    for (const { document } of vscode.window.visibleTextEditors)
      if (isFile(document) && vscode.workspace.getWorkspaceFolder(document.uri))
        this.#set({ uri: document.uri, todos: listedTodos(document) });
  }

  async #updateOpen(): Promise<void> {
    const tabs = openTabs();
    for (const document of vscode.workspace.textDocuments)
      if (isFile(document) && tabs.delete(document.uri.toString()))
        this.#set({ uri: document.uri, todos: listedTodos(document) });
    const scan = new TodoScan();
    for (const [name, uri] of tabs) {
      if (!isFile({ uri }) || this.#read.has(name)) continue;
      this.#read.add(name);
      const todos = await scan.todosOf(uri, await textOfUri(uri));
      // It may be closed by now, or shown, and edited.
      const isLoaded = vscode.workspace.textDocuments.some(document => document.uri.toString() === name);
      if (this.#scope === 'openFiles' && !isLoaded && openTabs().has(name)) this.#set({ uri, todos });
    }
  }

  #set(found: FileTodos): void {
    const name = found.uri.toString();
    const before = this.#files.get(name)?.todos ?? [];
    if (before === found.todos || before.length + found.todos.length === 0) return;
    if (found.todos.length > 0) this.#files.set(name, found);
    else this.#files.delete(name);
    void this.#notify();
  }

  /** Moves the comments found in the workspace below a file or folder that the editor renames or deletes. */
  #move(from: vscode.Uri, to?: vscode.Uri): void {
    if (this.#scope !== 'workspace') return;
    const inside = `${from.toString()}/`;
    for (const [name, { uri, todos }] of this.#files) {
      if (name !== from.toString() && !name.startsWith(inside)) continue;
      this.#set({ uri, todos: [] });
      if (to) this.#set({ uri: to.with({ path: to.path + uri.path.slice(from.path.length) }), todos });
    }
  }

  /** The editor keeps the text of a file for a while after its tab is closed. */
  #forgetClosed(): void {
    if (this.#scope !== 'openFiles') return;
    const open = openTabs();
    for (const name of this.#read) if (!open.has(name)) this.#read.delete(name);
    for (const [name, { uri }] of this.#files) if (!open.has(name)) this.#set({ uri, todos: [] });
  }

  async #updateBranch(): Promise<void> {
    if (!this.#isInSight) return;
    const round = ++this.#round;
    const repository = await gitOf(this.copy());
    if (round !== this.#round || this.#scope !== 'branch') return;
    // Before the comparison, which takes a while: what git learns meanwhile is not in it.
    this.#watching?.dispose();
    this.#watching = watchBranch(repository, () => this.#updateSoon());
    const found = await branchTodos(repository).catch(() => undefined);
    if (round !== this.#round || this.#scope !== 'branch') return;
    const words = found
      ? t('Compared with {0}.', isolate(found.against))
      : t('This branch cannot be compared: the Git extension is disabled or has no repository here.');
    await this.#replace('branch', found?.files ?? [], words);
  }

  #replace(scope: Scope, files: readonly FileTodos[], words: string | false): Promise<void> {
    this.#scope = scope;
    this.#files.clear();
    for (const found of files) this.#files.set(found.uri.toString(), found);
    this.#message = [files.length === 0 && t('No TODO comments.'), words].filter(Boolean).join(' ') || undefined;
    return this.#notify();
  }

  async #notify(): Promise<void> {
    await vscode.commands.executeCommand('setContext', contextKeys.listsTodos, this.#scope !== 'off');
    this.#changed.fire();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const openTabs = (): Map<string, vscode.Uri> =>
  new Map(
    vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .flatMap(tab => fileIn(tab.input) ?? [])
      .map(uri => [uri.toString(), uri]),
  );

/** The file of a tab; of a comparison its right side, which is the one that is edited. */
function fileIn(input: unknown): vscode.Uri | undefined {
  const { uri, modified } = (input ?? {}) as { readonly uri?: vscode.Uri; readonly modified?: vscode.Uri };
  return uri ?? modified;
}
