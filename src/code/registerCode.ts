import * as vscode from 'vscode';
import type { CodeLocation } from '../contributions/commandTargets';
import { type AnchorEdit, anchorsOf, fileLinksOf, isWholeFile, type TaskAnchor } from '../core/code/anchors';
import { writtenBranch } from '../core/code/branches';
import { fingerprintAt, indexOf } from '../core/code/fingerprint';
import { hashedPath, plainPath, repositoryNames } from '../core/code/repository';
import { DuelineError } from '../core/kernel/errors';
import { Disposables, Emitter } from '../core/kernel/events';
import type { Id, Task } from '../core/kernel/model';
import { isolate, t } from '../shared/l10n';
import type { Services } from '../ui/services';
import { setting } from '../ui/settings/settings';
import { syncsPaths } from '../ui/settings/syncSettings';
import { mayOpen } from '../ui/taskLinks';
import { type CodeLink, type CodeLinks, type LinkedTask, offerCodeLinks } from '../ui/text/codeLinks';
import { BranchTasks } from './branchTasks';
import { LineTasks } from './decorations';
import { exists, fileOfAnchor } from './findFile';
import { gitApi, gitOf } from './git';
import { GitWork } from './gitWork';
import { CurrentCode } from './here';
import { LinkedTasks } from './linkedTasks';
import { LocationMemory } from './locationMemory';
import { MergedBranches } from './mergedBranches';
import { MovedFiles } from './movedFiles';
import { OpenFiles } from './openFiles';
import { linkShortIds, type MarkdownIt, shortIdLinks } from './shortIds';
import { TaskDrop } from './taskDrop';
import { registerTodos } from './todos/registerTodos';
import { todoOn } from './todos/todoTexts';
import { pathIn, repositoryWithRoot, WorkingCopies, type WorkingCopy } from './workingCopies';

type CodeServices = Pick<Services, 'engine' | 'workspaceState' | 'selection' | 'commands' | 'announce' | 'extensionId'>;

interface CodeRoom extends vscode.Disposable {
  /** The editor's preview of Markdown asks what the extension exports for this, by this name. */
  extendMarkdownIt(md: MarkdownIt): MarkdownIt;
}

/**
 * The door of the code room: code locations of tasks, TODO comments, and the branches of tasks.
 *
 * It starts no process, and writes into a file only if the user asks. A location is kept as an anchor (a fingerprint of
 * the line and its neighbors) and searched again after every change; the task itself changes only by a command.
 */
export function registerCode(services: CodeServices): CodeRoom {
  const { engine, workspaceState, extensionId } = services;
  const owned = new Disposables();
  const known = new LocationMemory(workspaceState);
  const copies = owned.add(new WorkingCopies());
  const linked = new LinkedTasks(engine, copies);
  const files = owned.add(new OpenFiles(linked, copies, known));
  const branches = owned.add(new BranchTasks(engine));
  const here = owned.add(new CurrentCode(linked, files, copies, known, branches));
  const moved = owned.add(new MovedFiles(linked, copies, known, files));
  owned.add(new LineTasks(engine, files));
  owned.add(shortIdLinks(engine));
  owned.add(registerTodos(services, { files, copies, memory: known, here }));
  const merged = owned.add(new MergedBranches(engine, branches, workspaceState));
  owned.add(new GitWork({ engine, here, copies, branches, merged, moved }));
  const links = owned.add(new OpenCodeLinks(linked, files, copies, known, here, branches, merged));
  owned.add(new TaskDrop(engine, links, services.announce));
  offerCodeLinks(links);
  return {
    dispose: () => owned.dispose(),
    extendMarkdownIt: md => linkShortIds(md, engine, extensionId),
  };
}

class OpenCodeLinks implements CodeLinks, vscode.Disposable {
  readonly #moved = new Emitter<void>();
  readonly onDidMove = this.#moved.event;
  #cursor: string | undefined;

  constructor(
    private readonly linked: LinkedTasks,
    private readonly files: OpenFiles,
    private readonly copies: WorkingCopies,
    private readonly memory: LocationMemory,
    private readonly inFront: CurrentCode,
    private readonly branches: BranchTasks,
    private readonly merged: MergedBranches,
  ) {
    inFront.onDidChange(() => this.#onMove());
    inFront.onDidMove(() => this.#onMove());
  }

  cursor() {
    const { cursor } = this.inFront;
    return cursor && { ...cursor, label: labelOf(cursor.path, cursor.line) };
  }

  #onMove(): void {
    const label = this.cursor()?.label;
    if (label === this.#cursor) return;
    this.#cursor = label;
    this.#moved.fire();
  }

  dispose(): void {
    this.#moved.dispose();
  }

  here = () => this.inFront.tasks();
  repository = async () => (await this.inFront.readCopy())?.names[0];
  repositoryNames = async () => repositoryNames((await this.copies.withNested()).map(({ names }) => names));
  isBranchOf = (task: Task, name: string) => this.branches.isOf(task, this.inFront.copy?.names ?? [], name);
  branchLine(name: string) {
    const repository = this.inFront.copy?.names[0];
    return repository && writtenBranch(repository, name, syncsPaths(setting));
  }
  endOf = (id: Id) => this.merged.of(id);
  async git(root?: vscode.Uri) {
    const { length: folders } = vscode.workspace.workspaceFolders ?? [];
    if (!root && folders > 1 && (await gitApi()) && !(await this.repository()))
      throw new DuelineError('invalid', t('This window has several folders. Open a file of the repository first.'));
    return gitOf(root ? { root } : this.inFront.copy);
  }
  async mainTrees() {
    const front = this.inFront.copy;
    const all = [...(front ? [front] : []), ...(await this.copies.all())].filter(({ hasGit }) => hasGit);
    return [...new Map(all.map(({ root, main = root }) => [main.toString(), main])).values()];
  }

  repositoryAt = repositoryWithRoot;

  /** Those in the file in front come first: rows show the first one. */
  of(task: LinkedTask): CodeLink[] {
    const front = this.inFront.file?.toString();
    const isInFront = (anchor: TaskAnchor) => this.files.locationOf({ task: task.id, anchor })?.file === front;
    const all = this.#anchorsOf(task);
    const sorted = front === undefined ? all : [...all.filter(isInFront), ...all.filter(one => !isInFront(one))];
    return sorted.map(anchor => {
      const known = this.memory.of(anchor);
      const location = this.files.locationOf({ task: task.id, anchor });
      const line = isWholeFile(anchor) ? undefined : (location?.line ?? known?.line ?? anchor.line);
      const isStale = location ? location.line === undefined : this.memory.isStale(anchor);
      const isGone = anchor.isTodo === true && (isStale || known?.isBare === true);
      const isProbable = !isStale && (location?.isProbable ?? known?.isProbable ?? false);
      const path = this.memory.pathOf(anchor);
      const folder = path?.replace(/\/?[^/]*$/, '') ?? '';
      const isInNotes = this.linked.isInNotes(task.id, anchor);
      return { source: anchor.source, label: labelOf(path, line), folder, isStale, isProbable, isGone, isInNotes };
    });
  }

  #anchorsOf = (task: LinkedTask): readonly TaskAnchor[] => [...anchorsOf(task), ...this.linked.linksOf(task.id)];

  async at(document: vscode.TextDocument, line: number, isTodo = false): Promise<CodeLocation | undefined> {
    const file = await this.files.open(document);
    if (!file) return undefined;
    const fingerprint = fingerprintAt(indexOf(document), line);
    const { anchor, label } = wholeFile(file);
    return {
      anchor: { ...anchor, line, ...(fingerprint && { fingerprint }), ...(isTodo && { isTodo }) },
      label: `${label}:${line + 1}`,
    };
  }

  async atLink(link: string): Promise<CodeLocation | undefined> {
    const [found] = fileLinksOf({ url: link, description: null });
    if (found?.source !== link) return undefined;
    const file = vscode.Uri.joinPath(vscode.Uri.parse(found.uri), '.');
    // A file elsewhere is found by its address alone.
    if (!vscode.workspace.getWorkspaceFolder(file) || !(await exists(file))) return undefined;
    if (found.line === undefined) {
      const copy = await this.copies.of(file);
      return wholeFile({ copy, path: pathIn(copy, file) });
    }
    const document = await vscode.workspace.openTextDocument(file).then(
      opened => opened,
      () => undefined,
    );
    return document && this.at(document, Math.min(found.line, document.lineCount - 1));
  }

  async link(task: Task, document: vscode.TextDocument, line: number): Promise<AnchorEdit | undefined> {
    const links = this.linked.linksOf(task.id).map(({ source }) => source);
    const lost = this.files
      .in(document.uri)
      .filter(one => one.task === task.id && (one.line === undefined || links.includes(one.anchor.source)));
    const isTodo = lost.some(({ anchor }) => anchor.isTodo);
    const location = await this.at(document, line, isTodo);
    if (!location) return undefined;
    return { add: [location.anchor], remove: lost.map(({ anchor }) => anchor.source) };
  }

  async pin(task: Task): Promise<AnchorEdit | undefined> {
    // A file that the user has opened only now is not known yet.
    for (const { document } of vscode.window.visibleTextEditors) await this.files.open(document);
    const links = this.linked.linksOf(task.id);
    const replace: { source: string; by: CodeLocation['anchor'] }[] = [];
    for (const anchor of this.#anchorsOf(task)) {
      const location = this.files.locationOf({ task: task.id, anchor });
      const file = location && this.files.of(vscode.Uri.parse(location.file));
      if (!file || location.line === undefined) continue;
      const found = isWholeFile(anchor)
        ? wholeFile(file)
        : await this.at(file.document, location.line, anchor.isTodo === true);
      if (found) replace.push({ source: anchor.source, by: found.anchor });
    }
    if (replace.length === 0) return undefined;
    const isLink = ({ source }: { readonly source: string }) => links.some(link => link.source === source);
    const fromLinks = replace.filter(isLink);
    return {
      replace: replace.filter(one => !isLink(one)),
      remove: fromLinks.map(({ source }) => source),
      add: fromLinks.map(({ by }) => by),
    };
  }

  todoIn(document: vscode.TextDocument, line: number, words: string) {
    const todo = todoOn(document, line);
    if (!todo || todo.text === '' || !words.includes(todo.word)) return undefined;
    const { text, notes, comment } = todo;
    return { text, notes, lastLine: document.positionAt(comment.until).line };
  }

  async open(task: Task, source: string): Promise<void> {
    const anchor = this.#anchorsOf(task).find(one => one.source === source);
    if (!anchor) return;
    const uri = await fileOfAnchor(anchor, this.copies, this.memory);
    if (!uri) throw new DuelineError('notFound', this.#missing(anchor));
    // A folder is known from a file of it that was opened; an address can name every other file there.
    const isLink = this.linked.linksOf(task.id).some(link => link.source === source);
    if (isLink && !(await mayOpen(uri))) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const file = await this.files.open(document);
    // A file that was moved is known from now on by its new path.
    const known = this.files.locationOf({ task: task.id, anchor });
    if (file && known?.line === undefined && known?.file !== uri.toString()) this.files.adopt(file, anchor);
    const locationNow = () => this.files.locationOf({ task: task.id, anchor });
    const location = locationNow();
    const show = (line: number) =>
      vscode.window.showTextDocument(document, { selection: new vscode.Range(line, 0, line, 0) });
    const line = Math.min(location?.line ?? anchor.line ?? 0, document.lineCount - 1);
    await show(line);
    // After a switch of branches the text of before may have been there until now.
    const moved = locationNow()?.line ?? line;
    if (moved !== line) await show(moved);
    if (location && location.line === undefined)
      vscode.window.setStatusBarMessage(t('The code is no longer there. This is the line where it was.'), 8000);
  }

  #missing(anchor: TaskAnchor): string {
    const path = this.memory.pathOf(anchor);
    return path === undefined
      ? t('The linked file is not in an open folder.')
      : t('File not found in this workspace: {0}', isolate(path));
  }
}

function wholeFile({ copy, path }: { readonly copy: WorkingCopy; readonly path: string }): CodeLocation {
  const [name] = copy.names;
  const written = syncsPaths(setting) ? plainPath(path) : hashedPath(name, path);
  return { anchor: { repo: name.id, path: written }, label: labelOf(path, undefined) };
}

const labelOf = (path: string | undefined, line: number | undefined): string => {
  const name = path === undefined ? t('elsewhere') : (path.split('/').at(-1) ?? path);
  return line === undefined || path === undefined ? name : `${name}:${line + 1}`;
};
