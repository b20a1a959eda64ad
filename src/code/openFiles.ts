import * as vscode from 'vscode';
import { type AnchoredTask, isWholeFile, type TaskAnchor } from '../core/code/anchors';
import { fingerprintAt, indexText, maxCharacters, type TextIndex } from '../core/code/fingerprint';
import { LiveAnchors } from '../core/code/liveAnchors';
import { locate, locateFirst } from '../core/code/locate';
import { afterReload, changedLines, isOfWholeLines } from '../core/code/reloaded';
import { hashedPath, plainPath } from '../core/code/repository';
import { Disposables, Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import { onDidDiscardTextDocument } from '../ui/documents/closedDocuments';
import type { LinkedTasks } from './linkedTasks';
import type { LocationMemory } from './locationMemory';
import { todoOn } from './todos/todoTexts';
import { pathIn, type WorkingCopies, type WorkingCopy } from './workingCopies';

/** A code location in an open file. */
export interface OpenLocation extends AnchoredTask {
  /** The address of its working copy. */
  readonly root: string;
  /** The address of the file. */
  readonly file: string;
  /** Undefined if the code is not in the file. */
  readonly line: number | undefined;
  /** Only its surroundings are the same. */
  readonly isProbable: boolean;
}

interface OpenFile {
  readonly document: vscode.TextDocument;
  readonly copy: WorkingCopy;
  readonly path: string;
}

/** Files that tasks are linked to: those that have a repository or a folder, whatever the open folders are made of. */
const schemes = ['file', 'vscode-remote', 'vscode-vfs'];
export const isFile = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  schemes.includes(uri.scheme) || vscode.workspace.getWorkspaceFolder(uri) !== undefined;

/** A task may have a location in each of two working copies of a repository. */
const keyOf = (root: string, { task, anchor }: AnchoredTask) => `${task} ${root} ${anchor.source}`;

/** The code locations of tasks in open files, which follow what is typed, cut and pasted, formatted and undone. */
export class OpenFiles implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #files = new Map<string, OpenFile>();
  readonly #locations = new Map<string, OpenLocation>();
  /** The roots of the working copies that had open files. */
  readonly #roots = new Set<string>();
  readonly #live = new LiveAnchors<string>();
  readonly #large = new WeakSet<vscode.TextDocument>();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly engine: Pick<LinkedTasks, 'anchored' | 'onDidChange'>,
    private readonly copies: WorkingCopies,
    private readonly memory: LocationMemory,
  ) {
    const { workspace } = vscode;
    for (const part of [
      workspace.onDidOpenTextDocument(document => void this.open(document)),
      onDidDiscardTextDocument(document => this.#close(document)),
      workspace.onDidChangeTextDocument(event => this.#edit(event)),
      workspace.onDidSaveTextDocument(document => this.#remember(document)),
      engine.onDidChange(({ tasks }) => tasks.length > 0 && this.#find()),
      copies.onDidChange(() => void this.#openAll()),
    ])
      this.#owned.add(part);
    void this.#openAll();
  }

  async #openAll(): Promise<void> {
    await Promise.all(vscode.workspace.textDocuments.map(document => this.open(document)));
  }

  /** Resolves once its code locations are known. */
  async open(document: vscode.TextDocument): Promise<OpenFile | undefined> {
    if (!isFile(document)) return undefined;
    const copy = await this.copies.of(document.uri);
    if (document.isClosed) return undefined;
    const known = this.of(document.uri);
    if (known?.document === document && known.copy === copy) return known;
    if (this.#isLarge(document)) return undefined;
    const file = { document, copy, path: pathIn(copy, document.uri) };
    this.#roots.add(copy.root.toString());
    this.#files.set(document.uri.toString(), file);
    this.#findIn(file, known?.document !== document);
    this.#changed.fire();
    return file;
  }

  /** Its lines are not read: its code locations stay as this computer last knew them, and new ones are refused. */
  #isLarge(document: vscode.TextDocument): boolean {
    if (this.#large.has(document)) return true;
    const isLarge = document.getText().length > maxCharacters;
    if (isLarge) this.#large.add(document);
    return isLarge;
  }

  of = (uri: vscode.Uri): OpenFile | undefined => this.#files.get(uri.toString());

  in = (uri: vscode.Uri): OpenLocation[] => [...this.#locations.values()].filter(({ file }) => file === uri.toString());

  /** Without anchors to the whole file, which follow no line. */
  #linesIn = (uri: vscode.Uri) => this.in(uri).filter(({ anchor }) => !isWholeFile(anchor));

  /** The location in one of the working copies that have it, preferably one in which the code is found. */
  locationOf(found: AnchoredTask): OpenLocation | undefined {
    const all = [...this.#roots].flatMap(root => this.#locations.get(keyOf(root, found)) ?? []);
    return all.find(({ line }) => line !== undefined) ?? all[0];
  }

  /** Tasks with code locations in a file, by the tasks and by the paths noted on this computer. */
  anchored({ copy, path }: Pick<OpenFile, 'copy' | 'path'>): AnchoredTask[] {
    return copy.names.flatMap(name => {
      const all = this.engine.anchored(name.id);
      if (all.length === 0) return [];
      const written = [plainPath(path), hashedPath(name, path)];
      return all.filter(({ anchor }) => written.includes(anchor.path) || this.memory.of(anchor)?.path === path);
    });
  }

  /** Adds a code location to a file that was moved: its task still has the old path. */
  adopt(file: OpenFile, anchor: TaskAnchor): void {
    this.memory.note(anchor, file.path, indexText(''), undefined);
    this.#find(file);
  }

  /** Files have other paths now. */
  refresh(): void {
    this.#find();
  }

  tasksIn = (uri: vscode.Uri): Id[] => this.in(uri).map(({ task }) => task);

  /** The file in front comes first: a link was made in it, even if another open file has an equal line. */
  #find(only?: OpenFile): void {
    const front = vscode.window.activeTextEditor?.document;
    const rank = ({ document }: OpenFile) => (document === front ? 0 : 1);
    const files = only ? [only] : [...this.#files.values()].sort((a, b) => rank(a) - rank(b));
    for (const file of files) this.#findIn(file);
    this.#changed.fire();
  }

  #findIn(file: OpenFile, isNew = false): void {
    const address = file.document.uri.toString();
    const root = file.copy.root.toString();
    const anchors = new Map(this.anchored(file).map(found => [keyOf(root, found), found]));
    for (const [key, location] of this.#locations)
      if (location.file === address && !anchors.has(key)) this.#locations.delete(key);
    const moved = [...anchors].filter(([key]) => isNew || this.#locations.get(key)?.file !== address);
    if (moved.length === 0) return;
    const index = indexText(file.document.getText());
    for (const [key, found] of moved) {
      const location = this.#located(file, found, index);
      if (location) this.#locations.set(key, location);
    }
    this.#follow(file, index);
  }

  /**
   * Undefined if the code was moved to another file: it may have come back, but its absence here proves nothing. The tab of
   * a file that was renamed elsewhere stays open, but the code is where the file is now.
   */
  #located(
    { document, copy, path }: OpenFile,
    found: AnchoredTask,
    index: TextIndex,
    find = locateFirst,
  ): OpenLocation | undefined {
    const file = document.uri.toString();
    const elsewhere = this.#locations.get(keyOf(copy.root.toString(), found));
    const isMovedHere = this.memory.of(found.anchor)?.path === path;
    if (elsewhere?.line !== undefined && elsewhere.file !== file && !isMovedHere) return undefined;
    if (isWholeFile(found.anchor)) {
      this.memory.notePath(found.anchor, path);
      return { ...found, root: copy.root.toString(), file, line: 0, isProbable: false };
    }
    const best = find(index, this.memory.queries(found.anchor));
    if (!best && (this.memory.of(found.anchor)?.path ?? path) !== path) return undefined;
    const isProbable = best?.certainty === 'probable' || this.#isStillProbable(found.anchor, index, best?.line);
    this.memory.note(found.anchor, path, index, best?.line, {
      isBare: lacksComment(document, found.anchor, best?.line),
      isProbable,
    });
    return {
      ...found,
      root: copy.root.toString(),
      file,
      line: best?.line,
      isProbable: this.memory.of(found.anchor)?.isProbable === true,
    };
  }

  /** A line that was a guess remains one until it is the one that was seen before, or the task's own. */
  #isStillProbable(anchor: TaskAnchor, index: TextIndex, line: number | undefined): boolean {
    if (this.memory.of(anchor)?.isProbable !== true) return false;
    return !this.memory
      .ownQueries(anchor)
      .map(query => locate(index, query))
      .some(found => found.certainty === 'sure' && found.line === line);
  }

  /** Starts tracking the code locations of a file, which then move with each edit. */
  #follow({ document }: OpenFile, index: TextIndex): void {
    const locations = this.#linesIn(document.uri).flatMap(location => {
      const fingerprint = location.line === undefined ? undefined : fingerprintAt(index, location.line);
      return fingerprint ? [{ key: keyOf(location.root, location), line: location.line!, fingerprint }] : [];
    });
    this.#live.open(document.uri.toString(), locations, lineTextOf(document));
  }

  #edit({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const file = this.of(document.uri);
    if (!file || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ range, text }) => ({ start: range.start, end: range.end, text }));
    const before = new Map(this.in(document.uri).map(location => [keyOf(location.root, location), location.line]));
    const moves = this.#live.edit(document.uri.toString(), changes, lineTextOf(document));
    const arrived = new Set<string>();
    for (const { key, file, line } of moves) {
      const location = this.#locations.get(key);
      if (!location) continue;
      if (location.file !== file) arrived.add(key);
      this.#locations.set(key, { ...location, file, line });
    }
    const isReload = !document.isDirty && isOfWholeLines(changes, document.lineCount);
    if (isReload) {
      const lines = changedLines(changes)!;
      // An undo is followed, and pasted text is where it was pasted.
      const isWanted = ([key]: readonly [string, number | undefined]) =>
        !arrived.has(key) && (reason === undefined || this.#locations.get(key)?.line === undefined);
      this.#findAgain(
        file,
        [...before].filter(isWanted),
        line => (index, ways) => afterReload(index, ways, line, lines),
      );
    }
    if (arrived.size > 0) this.#remember(document);
    if (isReload || moves.length > 0) this.#changed.fire();
  }

  #findAgain(
    file: OpenFile,
    lost: readonly (readonly [string, number | undefined])[],
    find: (line: number | undefined) => typeof locateFirst,
  ): void {
    const index = indexText(file.document.getText());
    for (const [key, line] of lost) {
      const location = this.#locations.get(key);
      if (!location) continue;
      const found = this.#located(file, location, index, find(line));
      this.#locations.set(key, found ?? { ...location, line: undefined });
    }
    this.#follow(file, index);
  }

  #remember(document: vscode.TextDocument): void {
    const file = this.of(document.uri);
    const locations = this.#linesIn(document.uri);
    if (!file || locations.length === 0) return;
    const text = document.getText();
    // It grew while it was open.
    if (text.length > maxCharacters) return;
    const index = indexText(text);
    for (const location of locations) {
      const { anchor, line } = location;
      const isProbable = location.isProbable && this.#isStillProbable(anchor, index, line);
      this.#locations.set(keyOf(location.root, location), { ...location, isProbable });
      this.memory.note(anchor, file.path, index, line, { isBare: lacksComment(document, anchor, line), isProbable });
    }
    this.#changed.fire();
  }

  #close({ uri }: vscode.TextDocument): void {
    this.#live.close(uri.toString());
    this.#files.delete(uri.toString());
    // A text that was cut from it may still be pasted.
    for (const location of this.in(uri))
      if (location.line !== undefined) this.#locations.delete(keyOf(location.root, location));
    this.#changed.fire();
  }

  dispose(): void {
    this.memory.flush();
    this.#owned.dispose();
  }
}

const lacksComment = (document: vscode.TextDocument, { isTodo }: TaskAnchor, line: number | undefined): boolean =>
  isTodo === true && line !== undefined && !todoOn(document, line);

const lineTextOf = (document: vscode.TextDocument) => (line: number) =>
  line < document.lineCount ? document.lineAt(line).text : '';
