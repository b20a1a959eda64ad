import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, win32 } from 'node:path';
import { branchOf, namesOfTree, type RepositoryNames } from '../core/code/repository';
import { textOfFile } from '../textFile';

/** The names by which tasks identify the repository of a folder: its remote and the name of its root folder. */
export function repositoryAt(folder: string): RepositoryNames | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = namesOf(at);
    if (found || dirname(at) === at) return found;
  }
}

/** The root of the working tree that contains a folder; undefined outside of one. */
function gitTree(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (read(() => statSync(join(at, '.git')))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The working tree that an agent works in, the same by whatever path its folder is reached: without links, on Windows
 * with the disk's own case. A submodule is a part of the tree around it.
 */
export function agentTree(folder: string): string | undefined {
  const tree = gitTree(read(() => realpathSync.native(folder)) ?? folder);
  const isSubmodule = tree !== undefined && submoduleState.test(gitFolders(tree)?.own ?? '');
  return (isSubmodule ? agentTree(dirname(tree)) : undefined) ?? tree;
}

/** `/app/.git/modules/lib`, in a tree that `git worktree` made `/app/.git/worktrees/fix/modules/lib`. */
const submoduleState = /[\\/]\.git[\\/](?:worktrees[\\/][^\\/]+[\\/])?modules[\\/]/;

/** The root of the working tree that contains a folder; outside of one, the folder itself. */
export const workTree = (folder: string): string => gitTree(folder) ?? resolve(folder);

/** The repository that contains a folder, or else those directly in the folder. */
export function repositoriesAt(folder: string): readonly RepositoryNames[] {
  const own = repositoryAt(folder);
  if (own) return [own];
  const entries = read(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap(entry => {
    const names = entry.isDirectory() ? namesOf(resolve(folder, entry.name)) : undefined;
    return names ? [names] : [];
  });
}

function namesOf(root: string): RepositoryNames | undefined {
  const git = gitFolders(root);
  if (!git) return undefined;
  const config = git.shared && textOfFile(join(git.shared, 'config'));
  return namesOfTree(config ?? '', basename(root), git.shared);
}

/** The current branch of the working tree that contains a folder. */
export function branchAt(folder: string): string | undefined {
  const own = gitFolders(workTree(folder))?.own;
  return own === undefined ? undefined : branchOf(textOfFile(join(own, 'HEAD')) ?? '');
}

/** The folders with a working tree's own state and with the state that all trees of the repository share. */
function gitFolders(
  root: string,
): { readonly own?: string | undefined; readonly shared?: string | undefined } | undefined {
  const git = read(() => statSync(join(root, '.git')));
  if (!git) return undefined;
  const folder = join(root, '.git');
  if (!git.isFile()) return { own: folder, shared: folder };
  const text = textOfFile(folder) ?? '';
  const own = onThisHost(root, /^gitdir: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
  const common = own && textOfFile(join(own, 'commondir'));
  // The folder of a submodule shares nothing.
  return { own, shared: own && (common === undefined ? own : onThisHost(own, common.trim())) };
}

/**
 * Resolves a path that a file of a repository names. On Windows, a path with two slashes at its front is on another host,
 * and reading it signs in there: it is only followed from a folder of the same share.
 */
function onThisHost(folder: string, path: string): string | undefined {
  const shareOf = (text: string) => win32.parse(text).root.replaceAll('/', '\\').toLowerCase();
  if (/^[\\/]{2}/.test(path) && shareOf(path) !== shareOf(folder)) return undefined;
  return resolve(folder, path);
}

function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
