import * as vscode from 'vscode';
import { branchOf, type Repository, remotesOf, repositoryOf } from '../core/code/repository';
import { Emitter } from '../core/events';

/** The folder of a repository on this computer; where there is no git, the folder that is open. */
export interface WorkingCopy {
  readonly root: vscode.Uri;
  /** What its anchors have as REPO: by its remote, and by the name of its folder, which it had before it had a remote. */
  readonly names: readonly [Repository, ...Repository[]];
  readonly branch: string | undefined;
  /** Absent where there is no git. */
  readonly hasGit?: true;
}

/** How deep repositories are looked for in the open folders, and in how many folders. */
const maxDepth = 3;
const maxFolders = 500;

/** Folders above a file that are looked into. */
const maxLevels = 40;

/** How often `HEAD` and `config` are compared with what was read, and for how many repositories. */
const checkMs = 5000;
const maxChecked = 20;

/**
 * Reads `.git` itself: the git extension is in another extension host in some remote windows, is off in others, and older
 * ones list the remotes in another order.
 */
export class WorkingCopies implements vscode.Disposable {
  readonly #byFolder = new Map<string, Promise<WorkingCopy>>();
  readonly #known = new Map<string, WorkingCopy>();
  #below: Promise<void> | undefined;
  readonly #watchers = new Map<string, vscode.Disposable>();
  /** Of each `.git` that was read, by its address: the mark of its files before that. */
  readonly #marks = new Map<string, string>();
  #isChecking = false;
  readonly #changed = new Emitter<void>();
  /** A branch was switched, or a remote added. */
  readonly onDidChange = this.#changed.event;
  readonly #focus = vscode.window.onDidChangeWindowState(() => void this.#check());
  readonly #interval = setInterval(() => void this.#check(), checkMs).unref();

  of(file: vscode.Uri): Promise<WorkingCopy> {
    const folder = vscode.Uri.joinPath(file, '..');
    const key = folder.toString();
    let found = this.#byFolder.get(key);
    if (!found) {
      found = this.#find(folder);
      this.#byFolder.set(key, found);
    }
    return found;
  }

  /** Those of the open folders, and of files that were open. */
  async all(): Promise<readonly WorkingCopy[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    await Promise.all(folders.map(({ uri }) => this.of(vscode.Uri.joinPath(uri, 'file'))));
    return this.known();
  }

  /** Those that were asked for so far. */
  known = (): readonly WorkingCopy[] => [...this.#known.values()];

  /** Those in the open folders too, of which no file was open. */
  async below(): Promise<readonly WorkingCopy[]> {
    this.#below ??= this.#search();
    await this.#below;
    return this.all();
  }

  async #search(): Promise<void> {
    let folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    for (let [depth, left] = [0, maxFolders]; depth <= maxDepth && folders.length > 0; depth++) {
      const looked = folders.slice(0, left);
      left -= looked.length;
      folders = (await Promise.all(looked.map(folder => this.#lookInto(folder)))).flat();
    }
  }

  /** The folders in it. */
  async #lookInto(folder: vscode.Uri): Promise<vscode.Uri[]> {
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
      if (git) return this.#note(await this.#read(root, git));
      const above = vscode.Uri.joinPath(root, '..');
      if (above.path === root.path) break;
      root = above;
    }
    root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
    // It may become a repository.
    this.#watch(vscode.Uri.joinPath(root, '.git'));
    return this.#note({ root, names: [repositoryOf([], nameOf(root))], branch: undefined });
  }

  async #read(root: vscode.Uri, git: vscode.Uri): Promise<WorkingCopy> {
    const mark = await headMark(git);
    // Of two readings the older one may have missed something.
    if (!this.#marks.has(git.toString())) this.#marks.set(git.toString(), mark);
    // A working copy that git worktree made shares the configuration of the first one.
    const shared = (await textOf(vscode.Uri.joinPath(git, 'commondir')))?.trim();
    const config = await textOf(vscode.Uri.joinPath(shared ? resolve(git, shared) : git, 'config'));
    const byFolder = repositoryOf([], nameOf(root));
    const byRemote = repositoryOf(remotesOf(config ?? ''), nameOf(root));
    this.#watch(git);
    return {
      root,
      names: byRemote.id === byFolder.id ? [byFolder] : [byRemote, byFolder],
      branch: branchOf((await textOf(vscode.Uri.joinPath(git, 'HEAD'))) ?? ''),
      hasGit: true,
    };
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
    this.#marks.clear();
    this.#below = undefined;
    this.#changed.fire();
  }

  /** A watcher begins seconds after it was asked for, and says nothing in some folders of a network. */
  async #check(): Promise<void> {
    if (this.#isChecking || !vscode.window.state.focused) return;
    this.#isChecking = true;
    for (const [git, mark] of [...this.#marks].slice(0, maxChecked)) {
      const now = await headMark(vscode.Uri.parse(git));
      if (now !== mark && this.#marks.get(git) === mark) this.#forget();
    }
    this.#isChecking = false;
  }

  #note(copy: WorkingCopy): WorkingCopy {
    this.#known.set(copy.root.toString(), copy);
    return copy;
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#focus.dispose();
    clearInterval(this.#interval);
    this.#changed.dispose();
  }
}

const nameOf = ({ path }: vscode.Uri) => path.split('/').filter(Boolean).at(-1) ?? '';

/** Below the working copy's root. */
export const pathIn = ({ root }: WorkingCopy, { path }: vscode.Uri): string =>
  path.slice(root.path.endsWith('/') ? root.path.length : root.path.length + 1);

const textOf = async (file: vscode.Uri): Promise<string | undefined> =>
  vscode.workspace.fs.readFile(file).then(
    bytes => new TextDecoder().decode(bytes),
    () => undefined,
  );

/** What the disk says of files in a `.git`: it differs after each change of one of them. */
export async function markOf(git: vscode.Uri, names: readonly string[]): Promise<string> {
  const stats = names.map(name =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(git, name)).then(
      ({ ctime, mtime, size }) => `${ctime} ${mtime} ${size}`,
      () => '',
    ),
  );
  return (await Promise.all(stats)).join();
}

const headMark = (git: vscode.Uri) => markOf(git, ['HEAD', 'config']);

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
