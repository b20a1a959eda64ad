import * as vscode from 'vscode';
import type { AnchoredTask } from '../core/code/anchors';
import { hashedPath, plainPath } from '../core/code/repository';
import { Disposables, Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import type { CodeScope } from '../query/parse/syntax';
import { onDidDiscardTextDocument } from '../ui/documents/closedDocuments';
import type { BranchTasks } from './branchTasks';
import type { LinkedTasks } from './linkedTasks';
import type { LocationMemory } from './locationMemory';
import { isFile, type OpenFiles } from './openFiles';
import type { WorkingCopies, WorkingCopy } from './workingCopies';

type Engine = Pick<LinkedTasks, 'anchored' | 'onDidChange' | 'setCodeLocations'>;
type ScopeSets = Readonly<Record<Exclude<CodeScope, 'here'>, ReadonlySet<Id>>>;

/** Edits come in bursts. */
const debounceMs = 50;

/**
 * The code in front, for queries such as `in:file`: the file that was active last. It stays the same while the page of a
 * task covers it, so that the group *Here* does not vanish while the user reads its tasks.
 */
export class CurrentCode implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #changed = this.#owned.add(new Emitter<void>());
  /** Everything was read again: the file in front or the branch may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #moved = this.#owned.add(new Emitter<void>());
  /** The cursor has moved in the file. */
  readonly onDidMove = this.#moved.event;
  #document: vscode.TextDocument | undefined;
  /** The editor of the file. It keeps its cursor while another tab covers it. */
  #editor: vscode.TextEditor | undefined;
  #copies: readonly WorkingCopy[] = [];
  #sets: ScopeSets = { file: new Set(), folder: new Set(), repo: new Set(), workspace: new Set(), branch: new Set() };
  #published = '';
  #soon: NodeJS.Timeout | undefined;
  #generation = 0;

  constructor(
    private readonly engine: Engine,
    private readonly files: OpenFiles,
    private readonly copies: WorkingCopies,
    private readonly memory: LocationMemory,
    private readonly branches: BranchTasks,
  ) {
    this.#editor = vscode.window.activeTextEditor;
    this.#document = this.#editor?.document;
    for (const part of [
      vscode.window.onDidChangeActiveTextEditor(editor => {
        if (!editor || !isFile(editor.document)) return;
        this.#editor = editor;
        this.#document = editor.document;
        this.#updateSoon();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === this.#editor) this.#moved.fire();
      }),
      onDidDiscardTextDocument(document => {
        if (document !== this.#document) return;
        this.#document = undefined;
        this.#editor = undefined;
        this.#updateSoon();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#updateSoon()),
      engine.onDidChange(({ tasks }) => tasks.length > 0 && this.#updateSoon()),
      files.onDidChange(() => this.#updateSoon()),
      copies.onDidChange(() => this.#updateSoon()),
      { dispose: () => clearTimeout(this.#soon) },
    ])
      this.#owned.add(part);
    this.#publish([]);
    this.#updateSoon();
  }

  /** The file in front. */
  get file(): vscode.Uri | undefined {
    return this.#document?.uri;
  }

  /** The working copy of the file, or else of the only open folder. */
  get copy(): WorkingCopy | undefined {
    const folders = this.#copies.filter(({ root }) => isOpen(root));
    return (
      (this.#document && this.files.of(this.#document.uri)?.copy) ?? (folders.length === 1 ? folders[0] : undefined)
    );
  }

  /** The working copy as in {@link copy}, but reads the folders first, for use right after a start. */
  async readCopy(): Promise<WorkingCopy | undefined> {
    this.#copies = await this.copies.all();
    return this.copy;
  }

  /** The line of the cursor in the file, or its last one if another tab covers the file. */
  get cursor(): { readonly document: vscode.TextDocument; readonly line: number; readonly path: string } | undefined {
    const file = this.#document && this.files.of(this.#document.uri);
    if (!file || !this.#editor) return undefined;
    const line = Math.min(this.#editor.selection.active.line, file.document.lineCount - 1);
    return { document: file.document, line, path: file.path };
  }

  /** Publishes again even if nothing differs: the texts of code links in rows have changed. */
  redraw(): void {
    this.#published = '';
    this.#updateSoon();
  }

  /** The tasks of the file and of the branch. */
  tasks = (): readonly Id[] => [...new Set([...this.#sets.file, ...this.#sets.branch])];

  #updateSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#update(), debounceMs);
  }

  async #update(): Promise<void> {
    const turn = ++this.#generation;
    const copies = await this.copies.all();
    const file = this.#document && (await this.files.open(this.#document));
    // Another file has come to the front meanwhile; its own update counts.
    if (turn !== this.#generation) return;
    this.#copies = copies;
    const all = this.engine.anchored();
    const folder = file?.path.replace(/[^/]*$/, '');
    const inCopy = (found: AnchoredTask, copies: readonly WorkingCopy[]) =>
      copies.some(({ names }) => names.some(({ id }) => id === found.anchor.repo));
    const folders = this.#copies.filter(({ root }) => isOpen(root));
    const copy = file?.copy ?? (folders.length === 1 ? folders[0] : undefined);
    this.#sets = {
      file: new Set(file && this.files.tasksIn(file.document.uri)),
      folder: idsOf(
        all.filter(
          found => file && inCopy(found, [file.copy]) && this.memory.pathOf(found.anchor)?.startsWith(folder ?? ''),
        ),
      ),
      repo: idsOf(all.filter(found => copy && inCopy(found, [copy]))),
      workspace: idsOf(all.filter(found => inCopy(found, folders))),
      branch: this.#ofBranch(file?.copy ?? folders[0]),
    };
    this.#publish(all);
    this.#changed.fire();
  }

  #ofBranch = (copy: WorkingCopy | undefined): ReadonlySet<Id> =>
    copy ? this.branches.of(copy.names, copy.branch) : new Set();

  /** Views redraw everything on this event, so it only fires if something differs. */
  #publish(all: readonly AnchoredTask[]): void {
    const sets = this.#sets;
    const here = new Set([...sets.file, ...sets.folder, ...sets.branch]);
    const stale = idsOf(all.filter(found => this.#isStale(found)));
    // A row shows its first link, and a link into this file comes first.
    const lines = all.flatMap(found => {
      const known = this.memory.of(found.anchor);
      const { line = known?.line, isProbable = known?.isProbable, file } = this.files.locationOf(found) ?? {};
      const isHere = file !== undefined && file === this.#document?.uri.toString();
      return [found.task, line, known?.isBare, isProbable, isHere, this.memory.pathOf(found.anchor)];
    });
    const published = JSON.stringify([...Object.values(sets), stale, lines].map(ids => [...ids]));
    if (published === this.#published) return;
    this.#published = published;
    this.engine.setCodeLocations({
      here: scope => (scope === 'here' ? here : sets[scope]),
      links: value => {
        if (value === 'stale') return stale;
        return value === 'any' ? idsOf(all) : this.#linkedTo(all, value.replace(/^file:/, ''));
      },
    });
  }

  #isStale(found: AnchoredTask): boolean {
    const location = this.files.locationOf(found);
    return location ? location.line === undefined : this.memory.isStale(found.anchor);
  }

  #linkedTo(all: readonly AnchoredTask[], path: string): ReadonlySet<Id> {
    const hashes = new Set(this.#copies.flatMap(({ names }) => names.map(name => hashedPath(name, path))));
    return idsOf(
      all.filter(({ anchor }) => {
        const known = this.memory.pathOf(anchor);
        return known === undefined ? hashes.has(anchor.path) : `/${known}`.endsWith(`/${plainPath(path)}`);
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const idsOf = (found: readonly AnchoredTask[]): ReadonlySet<Id> => new Set(found.map(({ task }) => task));

const isOpen = (root: vscode.Uri) =>
  (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => `${uri.path}/`.startsWith(`${root.path}/`));
