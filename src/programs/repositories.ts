import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, win32 } from 'node:path';
import { branchOf, type Repository, remotesOf, repositoryOf } from '../core/code/repository';

type Names = readonly [Repository, ...Repository[]];

/** By which tasks know the repository that a folder is in: its remote, and the name of its folder. */
export function repositoryAt(folder: string): Names | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = namesOf(at);
    if (found || dirname(at) === at) return found;
  }
}

/** The folder of the working tree that a folder is in; itself if it is in none. */
export function workTree(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (read(() => statSync(join(at, '.git')))) return at;
    if (dirname(at) === at) return resolve(folder);
  }
}

/** The repository that a folder is in, else those that are directly in it. */
export function repositoriesAt(folder: string): readonly Names[] {
  const own = repositoryAt(folder);
  if (own) return [own];
  const below = read(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return below.flatMap(entry => {
    const names = entry.isDirectory() ? namesOf(resolve(folder, entry.name)) : undefined;
    return names ? [names] : [];
  });
}

function namesOf(root: string): Names | undefined {
  const git = read(() => statSync(join(root, '.git')));
  if (!git) return undefined;
  const byFolder = repositoryOf([], basename(root));
  const folder = git.isFile() ? sharedFolder(root) : join(root, '.git');
  const config = folder && read(() => readFileSync(join(folder, 'config'), 'utf8'));
  const byRemote = repositoryOf(remotesOf(config ?? ''), basename(root));
  return byRemote.id === byFolder.id ? [byFolder] : [byRemote, byFolder];
}

/** The checked out branch of the working tree that a folder is in. */
export function branchAt(folder: string): string | undefined {
  const root = workTree(folder);
  const isFile = read(() => statSync(join(root, '.git')))?.isFile();
  const own = isFile ? ownFolder(root) : join(root, '.git');
  return own && branchOf(read(() => readFileSync(join(own, 'HEAD'), 'utf8')) ?? '');
}

/** The state of a working tree that git keeps elsewhere; undefined if the repository's files name none. */
function ownFolder(at: string): string | undefined {
  const text = read(() => readFileSync(join(at, '.git'), 'utf8')) ?? '';
  return onThisHost(at, /^gitdir: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
}

/** The folder with what all trees of the repository share. */
function sharedFolder(at: string): string | undefined {
  const own = ownFolder(at);
  return own && onThisHost(own, (read(() => readFileSync(join(own, 'commondir'), 'utf8')) ?? '').trim());
}

/**
 * A path that a repository's file names, from a folder. On Windows, one that begins with two slashes is on the host that
 * it names, and reading there signs in to it: it is only followed from a folder of the same share.
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
