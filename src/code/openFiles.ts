import * as vscode from 'vscode';
import type { AnchoredTask, DuelineEngine } from '../api';
import type { TaskAnchor } from '../core/code/anchors';
import { fingerprintAt, indexText, mostCharacters, type TextIndex } from '../core/code/fingerprint';
import { LiveAnchors } from '../core/code/liveAnchors';
import { locate } from '../core/code/locate';
import { hashedPath, plainPath } from '../core/code/repository';
import { Disposables, Emitter } from '../core/events';
import type { Id } from '../core/model';
import type { PlaceMemory } from './placeMemory';
import { todoOn } from './todoTexts';
import { pathIn, type WorkingCopies, type WorkingCopy } from './workingCopies';

/** A place in a file that is open. */
export interface OpenPlace extends AnchoredTask {
  /** The address of the file. */
  readonly file: string;
  /** Undefined where the code is not in the file. */
  readonly line: number | undefined;
  /** Only its surroundings are the same. */
  readonly isProbable: boolean;
}

interface OpenFile {
  readonly document: vscode.TextDocument;
  readonly copy: WorkingCopy;
  readonly path: string;
}

/** Files that tasks are linked to: those that have a repository or a folder. */
const schemes = ['file', 'vscode-remote', 'vscode-vfs'];
export const isFile = ({ uri }: vscode.TextDocument): boolean => schemes.includes(uri.scheme);

const keyOf = ({ task, anchor }: AnchoredTask) => `${task} ${anchor.source}`;

/** The places of tasks in open files, which follow what is typed, cut and pasted, formatted and undone. */
export class OpenFiles implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #files = new Map<string, OpenFile>();
  readonly #places = new Map<string, OpenPlace>();
  readonly #live = new LiveAnchors<string>();
  readonly #large = new WeakSet<vscode.TextDocument>();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly engine: Pick<DuelineEngine, 'anchored' | 'onDidChange'>,
    private readonly copies: WorkingCopies,
    private readonly memory: PlaceMemory,
  ) {
    const { workspace } = vscode;
    for (const part of [
      workspace.onDidOpenTextDocument(document => void this.open(document)),
      workspace.onDidCloseTextDocument(document => this.#close(document)),
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

  /** Resolves once its places are known. */
  async open(document: vscode.TextDocument): Promise<OpenFile | undefined> {
    if (!isFile(document)) return undefined;
    const copy = await this.copies.of(document.uri);
    if (document.isClosed) return undefined;
    const known = this.of(document.uri);
    if (known?.document === document && known.copy === copy) return known;
    if (this.#isLarge(document)) return undefined;
    const file = { document, copy, path: pathIn(copy, document.uri) };
    this.#files.set(document.uri.toString(), file);
    this.#find(file);
    return file;
  }

  /** Its lines are not read: its places stay as this computer last knew them, and new ones are refused. */
  #isLarge(document: vscode.TextDocument): boolean {
    if (this.#large.has(document)) return true;
    const isLarge = document.getText().length > mostCharacters;
    if (isLarge) this.#large.add(document);
    return isLarge;
  }

  of = (uri: vscode.Uri): OpenFile | undefined => this.#files.get(uri.toString());

  in = (uri: vscode.Uri): OpenPlace[] => [...this.#places.values()].filter(({ file }) => file === uri.toString());

  place = (found: AnchoredTask): OpenPlace | undefined => this.#places.get(keyOf(found));

  /** Tasks with places in a file, as the tasks and this computer say. */
  anchored({ copy, path }: Pick<OpenFile, 'copy' | 'path'>): AnchoredTask[] {
    return copy.names.flatMap(name => {
      const all = this.engine.anchored(name.id);
      if (all.length === 0) return [];
      const written = [plainPath(path), hashedPath(name, path)];
      return all.filter(({ anchor }) => written.includes(anchor.path) || this.memory.of(anchor)?.path === path);
    });
  }

  /** Takes a place into a file that was moved: its task still has the old path. */
  adopt(file: OpenFile, anchor: TaskAnchor): void {
    this.memory.note(anchor, file.path, indexText(''), undefined);
    this.#find(file);
  }

  tasksIn = (uri: vscode.Uri): Id[] => this.in(uri).map(({ task }) => task);

  #find(only?: OpenFile): void {
    for (const file of only ? [only] : this.#files.values()) this.#findIn(file);
    this.#changed.fire();
  }

  #findIn(file: OpenFile): void {
    const address = file.document.uri.toString();
    const wanted = new Map(this.anchored(file).map(found => [keyOf(found), found]));
    for (const [key, place] of this.#places) if (place.file === address && !wanted.has(key)) this.#places.delete(key);
    const news = [...wanted].filter(([key]) => this.#places.get(key)?.file !== address);
    if (news.length === 0) return;
    const index = indexText(file.document.getText());
    for (const [key, found] of news) {
      const place = this.#located(file, found, index);
      if (place) this.#places.set(key, place);
    }
    this.#follow(file, index);
  }

  /** Undefined where the code went to another file: it may have come back, but need not be missed here. */
  #located({ document, path }: OpenFile, found: AnchoredTask, index: TextIndex): OpenPlace | undefined {
    const file = document.uri.toString();
    const elsewhere = this.place(found);
    if (elsewhere?.line !== undefined && elsewhere.file !== file) return undefined;
    const all = this.memory.wanted(found.anchor).map(wanted => locate(index, wanted));
    const best = all.find(({ standing }) => standing !== 'stale');
    if (!best && (this.memory.of(found.anchor)?.path ?? path) !== path) return undefined;
    this.memory.note(found.anchor, path, index, best?.line, isBare(document, found.anchor, best?.line));
    return {
      ...found,
      file,
      line: best?.line,
      isProbable: best?.standing === 'probable',
    };
  }

  /** Hands the places of a file to what moves them with each edit. */
  #follow({ document }: OpenFile, index: TextIndex): void {
    const places = this.in(document.uri).flatMap(place => {
      const fingerprint = place.line === undefined ? undefined : fingerprintAt(index, place.line);
      return fingerprint ? [{ key: keyOf(place), line: place.line!, fingerprint }] : [];
    });
    this.#live.open(document.uri.toString(), places, lineTextOf(document));
  }

  #edit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const file = this.of(document.uri);
    if (!file || contentChanges.length === 0) return;
    const changes = contentChanges.map(({ range, text }) => ({ start: range.start, end: range.end, text }));
    const moves = this.#live.edit(document.uri.toString(), changes, lineTextOf(document));
    let comesFromAnother = false;
    for (const { key, file, line } of moves) {
      const place = this.#places.get(key);
      if (!place) continue;
      comesFromAnother ||= place.file !== file;
      this.#places.set(key, { ...place, file, line });
    }
    if (comesFromAnother) this.#remember(document);
    // The file was changed from outside, by a branch that was switched to for example.
    const isLost = !document.isDirty && this.in(document.uri).some(({ line }) => line === undefined);
    if (isLost) this.#findAgain(file);
    if (isLost || moves.length > 0) this.#changed.fire();
  }

  #findAgain(file: OpenFile): void {
    const index = indexText(file.document.getText());
    for (const place of this.in(file.document.uri))
      if (place.line === undefined) this.#places.set(keyOf(place), this.#located(file, place, index) ?? place);
    this.#follow(file, index);
  }

  #remember(document: vscode.TextDocument): void {
    const file = this.of(document.uri);
    const places = this.in(document.uri);
    if (!file || places.length === 0) return;
    const text = document.getText();
    // It grew while it was open.
    if (text.length > mostCharacters) return;
    const index = indexText(text);
    for (const { anchor, line } of places)
      this.memory.note(anchor, file.path, index, line, isBare(document, anchor, line));
    this.#changed.fire();
  }

  #close({ uri }: vscode.TextDocument): void {
    this.#live.close(uri.toString());
    this.#files.delete(uri.toString());
    for (const place of this.in(uri)) this.#places.delete(keyOf(place));
    this.#changed.fire();
  }

  dispose(): void {
    this.memory.flush();
    this.#owned.dispose();
  }
}

const isBare = (document: vscode.TextDocument, { isTodo }: TaskAnchor, line: number | undefined): boolean =>
  isTodo === true && line !== undefined && !todoOn(document, line);

const lineTextOf = (document: vscode.TextDocument) => (line: number) =>
  line < document.lineCount ? document.lineAt(line).text : '';
