import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { textScheme } from '../contributions/ids';
import { Disposables, Emitter } from '../core/kernel/events';
import type { SavedText, TasksAsText, Vanished } from '../core/text/document/types';
import { onDidDiscardTextDocument } from '../ui/documents/closedDocuments';
import { EditedFiles } from '../ui/documents/editedFiles';
import { explain } from '../ui/errors';
import { cursorsAfter, type MovedCursors } from './cursors';
import { targetOf } from './textUri';

/** The state of a text that the editor has, or will read next. */
interface OpenText {
  readonly uri: vscode.Uri;
  readonly tasks: TasksAsText;
  text: string;
  /** The text that a save compares with: the last one that was read or written. */
  base: string;
  mtime: number;
  isReadOnly: boolean;
  /** It has lines that were not saved, which changes from elsewhere must not replace. */
  isHeld: boolean;
  /** The text is one that undo led to, or continues from there. */
  isUndone: boolean;
  /** The editor has read the text. Until then it may be about to restore unsaved changes to the base. */
  isRead: boolean;
  /** The result of the save, for when the editor knows that it has saved. */
  next?: SavedText | undefined;
  /** Tells which cursors the editor moves as it reads that. */
  movesCursors?: ReturnType<typeof cursorsAfter> | undefined;
  /** They are put back once the editor says so. */
  moved?: MovedCursors | undefined;
}

/** The part of a text with changes that is kept over a reload. */
interface Kept {
  readonly base: string;
  /** Only if the editor has nothing to restore. */
  readonly text?: string;
}

const memoryKey = (uri: vscode.Uri) => `text:${uri.toString()}`;

/** Asked with the titles of tasks whose lines are gone, once for each save. */
type Ask = (titles: readonly string[]) => Promise<Vanished>;

interface TextFilesOptions {
  readonly engine: DuelineEngine;
  readonly workspaceState: vscode.Memento;
  readonly ask: Ask;
  readonly announce: (saved: SavedText, step: string | undefined) => void;
}

/**
 * Texts of tasks as files. While the editor has unsaved changes, it keeps the version that it read: changes from
 * elsewhere are merged when it saves, and shown before.
 */
export class TextFiles extends EditedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  readonly #stateChanged = this.#owned.add(new Emitter<vscode.Uri>());
  /** Fires when the state of a text has changed. */
  readonly onDidChangeState = this.#stateChanged.event;
  readonly #open = new Map<string, OpenText>();
  #checking: NodeJS.Immediate | undefined;

  constructor(private readonly options: TextFilesOptions) {
    super();
    this.#owned.add(this.#changes);
    this.#owned.add(vscode.workspace.registerFileSystemProvider(textScheme, this, { isCaseSensitive: true }));
    this.#owned.add(options.engine.onDidChange(() => this.#checkSoon()));
    this.#owned.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#checkSoon()));
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saved(uri)));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(document => this.#follow(document)));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(event => {
        this.#noteChange(event);
        this.#follow(event.document);
      }),
    );
    this.#owned.add(vscode.window.onDidChangeTextEditorSelection(event => this.#noteSelection(event)));
    this.#owned.add(onDidDiscardTextDocument(document => this.#forget(document)));
  }

  /** The tasks of a text, and the text that it is compared with; undefined if its list, filter or task is gone. */
  of(uri: vscode.Uri): Pick<OpenText, 'tasks' | 'base'> | undefined {
    if (uri.scheme !== textScheme || !targetOf(uri)) return undefined;
    try {
      const open = this.#text(uri);
      open.tasks.write(open.base);
      return open;
    } catch {
      return undefined;
    }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { mtime, isReadOnly } = this.#text(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      // A newer file of another size would be a conflict for the editor, which then does not save. Here a save merges.
      size: 0,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const open = this.#text(uri);
    open.isRead = true;
    return this.bytesOf(open.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const open = this.#text(uri);
    const mine = this.textOf(content);
    const { engine, ask, announce } = this.options;
    const { isUndone } = open;
    // While the question is open, undo may lead to another text.
    open.isUndone = false;
    try {
      const { vanished } = open.tasks.check(open.base, mine, isUndone);
      const answer = vanished.length > 0 ? await ask(vanished) : 'keep';
      const { result, step } = await engine.stepOf(() =>
        open.tasks.save({ base: open.base, mine, vanished: answer, isUndone }),
      );
      // For the editor, the file has the text that it wrote. The text that it reads next is a new version.
      Object.assign(open, { base: result.base, isHeld: result.isHeld, isRead: true, text: mine, next: result });
      void this.#remember(uri, result.isHeld ? { base: result.base, text: result.text } : undefined);
      if (!documentOf(uri)) this.#saved(uri);
      announce(result, step);
    } catch (error) {
      open.isUndone ||= isUndone;
      throw vscode.FileSystemError.Unavailable(explain(error));
    }
  }

  dispose(): void {
    clearImmediate(this.#checking);
    for (const { tasks } of this.#open.values()) tasks.dispose();
    this.#owned.dispose();
  }

  #text(uri: vscode.Uri): OpenText {
    const known = this.#open.get(uri.toString());
    if (known) return known;
    const target = targetOf(uri);
    if (!target) throw vscode.FileSystemError.FileNotFound(uri);
    const tasks = this.options.engine.asText(target);
    try {
      const kept = this.options.workspaceState.get<Kept>(memoryKey(uri));
      const { text, isReadOnly } = tasks.write(kept?.base);
      const isHeld = kept?.text !== undefined;
      const open = {
        uri,
        tasks,
        text: kept?.text ?? text,
        base: kept?.base ?? text,
        mtime: Date.now(),
        isReadOnly,
        isHeld,
        isUndone: false,
        isRead: false,
      };
      this.#open.set(uri.toString(), open);
      return open;
    } catch (error) {
      tasks.dispose();
      throw vscode.FileSystemError.FileNotFound(explain(error));
    }
  }

  /** Another version; two within a millisecond are two. */
  #renew(open: OpenText, text: string, movesCursors?: OpenText['movesCursors']): void {
    if (open.text === text) return;
    Object.assign(open, { text, movesCursors, mtime: Math.max(Date.now(), open.mtime + 1) });
    this.#changes.fire([{ uri: open.uri, type: vscode.FileChangeType.Changed }]);
    this.#stateChanged.fire(open.uri);
  }

  #saved(uri: vscode.Uri): void {
    const open = this.#open.get(uri.toString());
    if (!open?.next) return;
    const document = documentOf(uri);
    const isOther = document && open.next.text !== open.text;
    this.#renew(open, open.next.text, isOther ? cursorsAfter(document, open.next) : undefined);
    open.next = undefined;
  }

  #noteChange({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const open = this.#open.get(document.uri.toString());
    if (!open) return;
    const isRead = document.getText() === open.text;
    // Words that are typed before the editor reads a newer version are compared with the one that it shows.
    if (isRead && !open.isHeld && !open.next) open.base = open.text;
    if (isRead) open.isUndone = false;
    else if (reason === vscode.TextDocumentChangeReason.Undo) open.isUndone = true;
    if (contentChanges.length === 0) return;
    open.moved = isRead && !document.isDirty ? open.movesCursors?.(contentChanges) : undefined;
    open.movesCursors = undefined;
  }

  /** A cursor that the user has moved since stays. */
  #noteSelection({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const moved = this.#open.get(textEditor.document.uri.toString())?.moved;
    const selections = moved?.get(textEditor);
    if (!moved?.delete(textEditor) || !selections) return;
    if (kind === undefined) textEditor.selections = selections;
  }

  /** Changes in quick succession are handled together, once the caches of the tasks are dropped. */
  #checkSoon(): void {
    this.#checking ??= setImmediate(() => {
      this.#checking = undefined;
      this.#check();
    });
  }

  /** A text that nobody sees is renewed once it is shown: the editor keeps those of closed tabs for minutes. */
  #check(): void {
    const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    for (const [key, open] of this.#open) {
      if (!shown.has(key)) continue;
      try {
        const { text, isReadOnly } = open.tasks.write(open.base);
        open.isReadOnly = isReadOnly;
        const isEdited = open.isHeld || open.next !== undefined || documentOf(open.uri)?.isDirty;
        if (open.isRead && !isEdited) {
          if (!documentOf(open.uri)) open.base = text;
          this.#renew(open, text);
        }
        this.#stateChanged.fire(open.uri);
      } catch {
        this.#changes.fire([{ uri: open.uri, type: vscode.FileChangeType.Deleted }]);
      }
    }
  }

  /** Unsaved changes outlive the window, so the text that they are compared with must, too. Without any, it is renewed. */
  #follow({ uri, isDirty }: vscode.TextDocument): void {
    if (uri.scheme !== textScheme) return;
    const open = this.#open.get(uri.toString());
    const kept = this.options.workspaceState.get<Kept>(memoryKey(uri));
    if (!isDirty) this.#checkSoon();
    else if (open && kept?.base !== open.base) void this.#remember(uri, { ...kept, base: open.base });
  }

  #forget({ uri }: vscode.TextDocument): void {
    const open = uri.scheme === textScheme ? this.#open.get(uri.toString()) : undefined;
    if (!open) return;
    if (!open.isHeld) void this.#remember(uri, undefined);
    this.#open.delete(uri.toString());
    open.tasks.dispose();
  }

  #remember(uri: vscode.Uri, kept: Kept | undefined): Thenable<void> {
    return this.options.workspaceState.update(memoryKey(uri), kept);
  }
}

const documentOf = (uri: vscode.Uri) =>
  vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
