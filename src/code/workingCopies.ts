import * as vscode from 'vscode';
import { branchOf, namesOfTree, type Repository, type RepositoryNames, repositoryOf } from '../core/code/repository';
import { Emitter } from '../core/kernel/events';

/** The folder of a repository on this computer; without git, the folder that is open. */
export interface WorkingCopy {
  readonly root: vscode.Uri;
  /** The root of the repository's first working tree, if git has created this one from it. */
  readonly main?: vscode.Uri;
  /**
   * The values of REPO in its anchors: by its remote, and by the name of its folder, which it had before it had a
   * remote.
   */
  readonly names: RepositoryNames;
  readonly branch: string | undefined;
  /** Absent if the folder is not a git repository. */
  readonly hasGit?: true;
}

/** The depth to which open folders are searched for repositories, and the most folders. */
const maxDepth = 3;
const maxFolders = 500;

/** The most folders above a file that are checked. */
const maxLevels = 40;

/** The interval at which `HEAD` and `config` are checked, and the number of repositories each time. */
const checkMs = 5000;
const maxChecked = 20;

/**
 * Reads `.git` itself: the git extension is in another extension host in some remote windows, is off in others, and older
 * ones list the remotes in another order.
 */
export class WorkingCopies implements vscode.Disposable {
  readonly #byFolder = new Map<string, Promise<WorkingCopy>>();
  readonly #known = new Map<string, WorkingCopy>();
  #nested: Promise<void> | undefined;
  readonly #watchers = new Map<string, vscode.Disposable>();
  /** The texts that were read, by the address of the `.git`. */
  readonly #read = new Map<string, GitTexts>();
  #generation = 0;
  #checked = 0;
  #isChecking = false;
  readonly #changed = new Emitter<void>();
  /** A branch was switched, or a remote added. */
  readonly onDidChange = this.#changed.event;
  readonly #focus = vscode.window.onDidChangeWindowState(() => void this.#check());
  readonly #interval = setInterval(() => void this.#check(), checkMs).unref();

  async of(file: vscode.Uri): Promise<WorkingCopy> {
    const folder = vscode.Uri.joinPath(file, '..');
    const key = folder.toString();
    for (;;) {
      const generation = this.#generation;
      let found = this.#byFolder.get(key);
      if (!found) {
        found = this.#find(folder);
        this.#byFolder.set(key, found);
      }
      const copy = await found;
      // A branch was switched while it was read.
      if (generation !== this.#generation) continue;
      this.#known.set(copy.root.toString(), copy);
      return copy;
    }
  }

  /** The working copies of the open folders, and of files that were open. */
  async all(): Promise<readonly WorkingCopy[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    await Promise.all(folders.map(({ uri }) => this.of(vscode.Uri.joinPath(uri, 'file'))));
    return this.known();
  }

  /** The working copies that were found so far. */
  known = (): readonly WorkingCopy[] => [...this.#known.values()];

  /** All working copies, including those inside the open folders without an open file. */
  async withNested(): Promise<readonly WorkingCopy[]> {
    this.#nested ??= this.#search();
    await this.#nested;
    return this.all();
  }

  async #search(): Promise<void> {
    let folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    for (let [depth, left] = [0, maxFolders]; depth <= maxDepth && folders.length > 0; depth++) {
      const batch = folders.slice(0, left);
      left -= batch.length;
      folders = (await Promise.all(batch.map(folder => this.#searchIn(folder)))).flat();
    }
  }

  /** The folders in it. */
  async #searchIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
    const entries = await vscode.workspace.fs.readDirectory(folder).then(
      found => found,
      () => [],
    );
    if (entries.some(([name]) => name === '.git')) await this.of(vscode.Uri.joinPath(folder, 'file'));
    return entries
      .filter(([name, type]) => type === vscode.FileType.Directory && !/^\.|^node_modules$/.test(name))
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  }

  async #find(folder: vscode.Uri): Promise<WorkingCopy> {
    let root = folder;
    for (let level = 0; level < maxLevels; level++) {
      const git = await gitFolder(root);
      if (git) return this.#copyIn(root, git);
      const parent = vscode.Uri.joinPath(root, '..');
      if (parent.path === root.path) break;
      root = parent;
    }
    root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
    // It may become a repository.
    const git = vscode.Uri.joinPath(root, '.git');
    this.#watch(git);
    this.#keep(git, { config: vscode.Uri.joinPath(git, 'config') });
    return { root, names: [repositoryOf([], nameOf(root))], branch: undefined };
  }

  async #copyIn(root: vscode.Uri, git: vscode.Uri): Promise<WorkingCopy> {
    const { copy, texts } = await readCopy(root, git);
    this.#watch(git);
    this.#keep(git, texts);
    return copy;
  }

  /** Keeps the newer one of two readings: the older one may have missed something. */
  #keep(git: vscode.Uri, texts: GitTexts): void {
    if (!this.#read.has(git.toString())) this.#read.set(git.toString(), texts);
  }

  #watch(git: vscode.Uri): void {
    if (this.#watchers.has(git.toString())) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(git, '{HEAD,config}'));
    watcher.onDidChange(() => this.#forget());
    watcher.onDidCreate(() => this.#forget());
    this.#watchers.set(git.toString(), watcher);
  }

  #forget(): void {
    this.#byFolder.clear();
    this.#known.clear();
    this.#read.clear();
    this.#generation++;
    this.#nested = undefined;
    this.#changed.fire();
  }

  /** A watcher begins seconds after it was asked for, and reports nothing in some network folders. */
  async #check(): Promise<void> {
    if (this.#isChecking || !vscode.window.state.focused) return;
    this.#isChecking = true;
    const all = [...this.#read];
    for (let left = Math.min(maxChecked, all.length); left > 0; left--) {
      const [git, before] = all[this.#checked++ % all.length]!;
      const now = await textsOf(vscode.Uri.parse(git), before.config);
      // A folder that is temporarily unreachable has not changed.
      const isOther = now.head !== undefined && (now.head !== before.head || now.configText !== before.configText);
      if (isOther && this.#read.get(git) === before) this.#forget();
    }
    this.#isChecking = false;
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#focus.dispose();
    clearInterval(this.#interval);
    this.#changed.dispose();
  }
}

const nameOf = ({ path }: vscode.Uri) => path.split('/').filter(Boolean).at(-1) ?? '';

async function readCopy(root: vscode.Uri, git: vscode.Uri): Promise<{ copy: WorkingCopy; texts: GitTexts }> {
  // A working copy that git worktree made shares the configuration of the first one.
  const shared = (await textOf(vscode.Uri.joinPath(git, 'commondir')))?.trim();
  const common = shared ? resolve(git, shared) : git;
  const config = vscode.Uri.joinPath(common, 'config');
  const texts = await textsOf(git, config);
  const copy: WorkingCopy = {
    root,
    ...(shared && nameOf(common) === '.git' && { main: vscode.Uri.joinPath(common, '..') }),
    names: namesOfTree(texts.configText ?? '', nameOf(root), shared && common.path),
    branch: branchOf(texts.head ?? ''),
    hasGit: true,
  };
  return { copy, texts };
}

/** The repository whose root a folder is, without watching it; undefined if it is none, or gone. */
export async function repositoryWithRoot(root: vscode.Uri): Promise<Repository | undefined> {
  const git = await gitFolder(root);
  return git && (await readCopy(root, git)).copy.names[0];
}

/** Below the working copy's root. */
export const pathIn = ({ root }: WorkingCopy, { path }: vscode.Uri): string =>
  path.slice(root.path.endsWith('/') ? root.path.length : root.path.length + 1);

const textOf = async (file: vscode.Uri): Promise<string | undefined> =>
  vscode.workspace.fs.readFile(file).then(
    bytes => new TextDecoder().decode(bytes),
    () => undefined,
  );

/** The files of a `.git` that are read; without texts if there is none. */
interface GitTexts {
  /** The location of the configuration: a working copy may share that of another. */
  readonly config: vscode.Uri;
  readonly head?: string | undefined;
  readonly configText?: string | undefined;
}

async function textsOf(git: vscode.Uri, config: vscode.Uri): Promise<GitTexts> {
  const [head, configText] = await Promise.all([textOf(vscode.Uri.joinPath(git, 'HEAD')), textOf(config)]);
  return { config, head, configText };
}

const resolve = (base: vscode.Uri, path: string): vscode.Uri =>
  /^(?:\/|[A-Za-z]:)/.test(path)
    ? base.with({ path: path.replaceAll('\\', '/').replace(/^(?!\/)/, '/') })
    : vscode.Uri.joinPath(base, path);

/** `.git` is a folder, or in a worktree and a submodule a file that names it. */
export async function gitFolder(root: vscode.Uri): Promise<vscode.Uri | undefined> {
  const git = vscode.Uri.joinPath(root, '.git');
  const type = await vscode.workspace.fs.stat(git).then(
    stat => stat.type,
    () => undefined,
  );
  if (type === undefined) return undefined;
  if (type & vscode.FileType.Directory) return git;
  const named = /^gitdir:\s*(.+)/.exec((await textOf(git)) ?? '')?.[1]?.trim();
  return named === undefined ? undefined : resolve(root, named);
}
