import * as vscode from 'vscode';
import type { TaskAnchor } from '../core/code/anchors';
import { hashedPath } from '../core/code/repository';
import { Disposables } from '../core/kernel/events';
import type { GitRepository } from '../ui/text/codeLinks';
import { fileAt, fileIn, findFiles, pathsByHash } from './findFile';
import type { LinkedTasks } from './linkedTasks';
import type { LocationMemory } from './locationMemory';
import type { OpenFiles } from './openFiles';
import { pathIn, type WorkingCopies, type WorkingCopy } from './workingCopies';

/** The part of a repository of the git extension that is used here, beyond {@link GitRepository}; older ones have less. */
interface RenamingRepository extends GitRepository {
  readonly state?: GitRepository['state'] & { readonly indexChanges?: readonly GitRename[] };
  diffBetween?(one: string, other: string): Promise<readonly GitRename[]>;
}

interface GitRename {
  readonly originalUri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
}

interface Rename {
  readonly oldUri: vscode.Uri;
  readonly newUri: vscode.Uri;
}

/** After the start, and after the last of many changes. */
const startMs = 3_000;
const debounceMs = 500;
const maxFiles = 20_000;
const maxLocations = 500;
/** The most anchors for which files of the same name are searched. */
const maxSearches = 50;
/** A program may make many files: no more of them than these are asked whether they are folders. */
const maxChecks = 100;

/**
 * Finds files that were renamed, moved or deleted: the editor reports its own changes, git is asked for its renames,
 * and after other programs the files of the same name are searched. Finds the files of links that were not made in this
 * window, too, as by an agent. The result is kept on this computer and changes no task.
 */
export class MovedFiles implements vscode.Disposable {
  readonly #owned = new Disposables();
  #soon: NodeJS.Timeout | undefined;
  /** Files and folders that were created since the last search, by name; undefined before the first one. */
  #created: Map<string, vscode.Uri> | undefined;
  /** Links of which only the hash of the path is known, and which were searched since the last change of branch or commit. */
  readonly #searched = new Set<string>();

  constructor(
    private readonly engine: Pick<LinkedTasks, 'anchored' | 'onDidChange'>,
    private readonly copies: WorkingCopies,
    private readonly memory: LocationMemory,
    private readonly files: Pick<OpenFiles, 'refresh'>,
  ) {
    const { workspace } = vscode;
    const watcher = workspace.createFileSystemWatcher('**/*', false, true, false);
    const onChange = ({ path }: vscode.Uri) => {
      if (!/\/(?:\.git|node_modules)(?:\/|$)/.test(path)) this.#checkSoon();
    };
    const onCreate = (file: vscode.Uri) => {
      this.#created?.set(nameOf(file.path), file);
      onChange(file);
    };
    for (const part of [
      watcher,
      watcher.onDidCreate(onCreate),
      watcher.onDidDelete(onChange),
      workspace.onDidRenameFiles(({ files }) => void this.#renamed(files)),
      workspace.onDidDeleteFiles(() => this.#checkSoon()),
      copies.onDidChange(() => {
        this.#searched.clear();
        this.#checkSoon();
      }),
      engine.onDidChange(() => this.#anchors().some(this.#isNew) && this.#checkSoon()),
      { dispose: () => clearTimeout(this.#soon) },
    ])
      this.#owned.add(part);
    this.#checkSoon(startMs);
  }

  /** Asks git for renamed files when a branch is checked out, a commit is made, or a file is staged. */
  watch(repository: GitRepository): vscode.Disposable {
    const git: RenamingRepository = repository;
    let head = git.state?.HEAD?.commit;
    let staged = '';
    const listening = git.state?.onDidChange?.(() => {
      const before = head;
      // While a branch is checked out, git may not be able to tell the commit.
      head = git.state?.HEAD?.commit ?? head;
      const renames = renamesOf(git.state?.indexChanges ?? []);
      const isSame = staged === JSON.stringify(renames);
      staged = JSON.stringify(renames);
      if (!isSame) void this.#renamed(renames);
      if (before === undefined || head === undefined || before === head) return;
      // A pull may bring the file of a link that came before it.
      this.#searched.clear();
      void this.#compare(git, before, head);
    });
    return listening ?? { dispose: () => undefined };
  }

  /** A file that one side renamed has its old name on the other. */
  async #compare(git: RenamingRepository, before: string, now: string): Promise<void> {
    const { names } = await this.copies.of(vscode.Uri.joinPath(git.rootUri, 'file'));
    if (names.every(({ id }) => this.engine.anchored(id).length === 0)) return;
    const ask = async (one: string, other: string) =>
      renamesOf((await git.diffBetween?.(one, other).catch(() => undefined)) ?? []);
    const back = (await ask(now, before)).map(({ oldUri, newUri }) => ({ oldUri: newUri, newUri: oldUri }));
    await this.#renamed([...back, ...(await ask(before, now))]);
  }

  async #renamed(renames: readonly Rename[]): Promise<void> {
    for (const rename of renames) {
      const copy = await this.copies.of(rename.newUri);
      if ((await this.copies.of(rename.oldUri)).root.toString() === copy.root.toString())
        await this.#take(copy, rename);
    }
    this.files.refresh();
    this.#checkSoon();
  }

  async #take(copy: WorkingCopy, { oldUri, newUri }: Rename): Promise<void> {
    const [before, now] = [pathIn(copy, oldUri), pathIn(copy, newUri)];
    const isFolder = (await typeOf(newUri)) === vscode.FileType.Directory;
    if (!isFolder && !(await fileAt(copy, now))) return;
    const inside = isFolder ? await findFiles(new vscode.RelativePattern(newUri, '**/*'), null, maxFiles) : [newUri];
    const paths = inside.map(file => pathIn(copy, file)).map(path => [before + path.slice(now.length), path] as const);
    const byPath = new Map(paths);
    for (const name of copy.names) {
      const all = this.engine.anchored(name.id);
      const byHash = new Map(all.length === 0 ? [] : paths.map(([old, path]) => [hashedPath(name, old), path]));
      for (const { anchor } of all) {
        const seen = this.memory.pathOf(anchor);
        const renamedTo = byHash.get(anchor.path) ?? byPath.get(anchor.path);
        // Git does not report renames between two commits.
        const path = byPath.get(seen ?? '') ?? (renamedTo && !(await fileAt(copy, seen)) ? renamedTo : undefined);
        if (path !== undefined) this.memory.notePath(anchor, path);
      }
    }
  }

  #checkSoon(after = debounceMs): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#check(), after);
  }

  /** The places of tasks, each once. */
  #anchors(): readonly TaskAnchor[] {
    const all = new Map(this.engine.anchored().map(({ anchor }) => [anchor.source, anchor]));
    return [...all.values()];
  }

  #isNew = (anchor: TaskAnchor): boolean =>
    this.memory.pathOf(anchor) === undefined && !this.#searched.has(anchor.source);

  async #findNew(copies: readonly WorkingCopy[], anchors: readonly TaskAnchor[]): Promise<void> {
    for (const { source } of anchors) this.#searched.add(source);
    for (const copy of copies)
      for (const name of copy.names) {
        const own = anchors.filter(anchor => anchor.repo === name.id && this.memory.pathOf(anchor) === undefined);
        if (own.length === 0) continue;
        const paths = await pathsByHash(new Set(own.map(({ path }) => path)), name, copy);
        for (const anchor of own) {
          const path = paths.get(anchor.path);
          // The user may have opened the file meanwhile.
          if (path !== undefined && this.memory.pathOf(anchor) === undefined) this.memory.notePath(anchor, path);
        }
      }
  }

  /** Searches files that are gone, and notes those that are not found as missing. */
  async #check(): Promise<void> {
    const created = this.#created;
    this.#created = new Map();
    const open = await this.copies.all();
    const all = this.#anchors();
    await this.#findNew(open, all.filter(this.#isNew).slice(0, maxLocations));
    const anchors = all.slice(0, maxLocations);
    let searches = 0;
    for (const anchor of anchors) {
      const own = open.filter(({ names }) => names.some(({ id }) => id === anchor.repo));
      const path = this.memory.pathOf(anchor);
      if (own.length === 0 || path === undefined) continue;
      // While files are searched, git or the editor may report the new path of this one.
      const note = (now: string, isMissing = false) => {
        if (this.memory.pathOf(anchor) === path) this.memory.notePath(anchor, now, isMissing);
      };
      const there = await Promise.all(own.map(copy => fileAt(copy, path)));
      if (there.some(file => file !== undefined)) {
        if (this.memory.of(anchor)?.isMissing) note(path);
        continue;
      }
      // A large folder is not searched again for a file that it does not contain.
      if (this.memory.of(anchor)?.isMissing && created && !(created.has(nameOf(path)) || (await hasFolder(created))))
        continue;
      const found = searches++ < maxSearches ? await fileIn(own, anchor, this.memory) : undefined;
      note(found ? pathIn(await this.copies.of(found), found) : path, !found);
    }
    if (anchors.length > 0) this.files.refresh();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** The editor may name a folder that came, and none of the files in it. */
async function hasFolder(created: ReadonlyMap<string, vscode.Uri>): Promise<boolean> {
  const types = await Promise.all([...created.values()].slice(0, maxChecks).map(typeOf));
  return types.includes(vscode.FileType.Directory);
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const typeOf = (uri: vscode.Uri): Thenable<vscode.FileType | undefined> =>
  vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => undefined,
  );

const renamesOf = (changes: readonly GitRename[]): Rename[] =>
  changes.flatMap(({ originalUri, renameUri }) =>
    renameUri && renameUri.toString() !== originalUri.toString() ? [{ oldUri: originalUri, newUri: renameUri }] : [],
  );
