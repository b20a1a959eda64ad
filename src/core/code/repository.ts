import { createHash } from 'node:crypto';
import { percentDecoded } from '../fields/percent';

/** A working copy's code as every computer knows it, without its path on the disk. */
export interface Repository {
  /** `github.com/owner/name`; without a remote, `folder:` and the name of its folder. Never leaves this computer. */
  readonly name: string;
  /** REPO of an anchor: the first 12 hexadecimal digits of the name's SHA-256. */
  readonly id: string;
}

/** The beginning of a path in PATH that is not synced; a path that begins so itself is written with `./`. */
const hashMark = '#';
const pathDigits = 24;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * By its first remote that names a host, in the order of git's configuration: a clone with two remotes is the same
 * repository wherever both are listed in this order. Else by the name of its folder.
 */
export function repositoryOf(remotes: readonly string[], folder: string): Repository {
  const name = remotes.map(normalizeRemote).find(found => found !== undefined) ?? `folder:${folder.toLowerCase()}`;
  return { name, id: sha256(name).slice(0, 12) };
}

/** Other clones on any computer have the same name; without a remote, other repositories may. */
export const isByRemote = ({ name }: Repository): boolean => !name.startsWith('folder:');

/**
 * `host/owner/name` in small letters, the same for the ssh and the https address: without credentials, port, `.git`, and
 * without what forges add to one of the two (`scm/` of Bitbucket, `v3/` and `_git/` of Azure). Undefined for a path.
 */
export function normalizeRemote(url: string): string | undefined {
  const { host, path } = hostAndPath(url.trim());
  if (host === undefined || path === undefined) return undefined;
  const parts = percentDecoded(path)
    .split(/[?#]/, 1)[0]!
    .split('/')
    .filter(part => part !== '' && part !== '_git');
  if (parts.length > 1 && /^(?:scm|v3)$/.test(parts[0]!)) parts.shift();
  const name = parts.join('/').replace(/\.git$/i, '');
  if (name === '') return undefined;
  return `${host.replace(/^(?:alt)?ssh\.(?=.*\.)/i, '')}/${name}`.toLowerCase();
}

/** Cut at the signs that part an address: one expression for all of it could go back from each `@`. */
function hostAndPath(address: string): { readonly host?: string | undefined; readonly path?: string | undefined } {
  const url = /^(?:https?|ssh|git|git\+ssh):\/\/([^/]*)\/(.*)$/i.exec(address);
  if (!url) return /^(?:[^@/:]+@)?(?<host>[^@/:\\]{2,}):(?![\\/]{2})\/?(?<path>.*)$/.exec(address)?.groups ?? {};
  const authority = url[1]!.slice(url[1]!.lastIndexOf('@') + 1);
  return { host: /^(\[[^\]]*\]|[^:]+)(?::\d*)?$/.exec(authority)?.[1], path: url[2] };
}

export type RepositoryNames = readonly [Repository, ...Repository[]];

/**
 * The names by which anchors may know the repository of a working tree: that of its remote, of the folder with the shared
 * `.git`, which is another one for a tree that `git worktree` made, and of its own folder.
 */
export function namesOfTree(config: string, folder: string, sharedGit?: string): RepositoryNames {
  const parts = (sharedGit ?? '').split(/[\\/]/).filter(Boolean);
  const last = parts.pop() ?? folder;
  const shared = last === '.git' ? (parts.pop() ?? folder) : last.replace(/\.git$/, '');
  const all = [repositoryOf(remotesOf(config), shared), repositoryOf([], shared), repositoryOf([], folder)] as const;
  const [first, ...others] = all.filter(({ id }, at) => all.findIndex(one => one.id === id) === at);
  return [first!, ...others];
}

/** The name of each repository by the ids that anchors have it by. */
export const repositoryNames = (all: readonly (readonly Repository[])[]): ReadonlyMap<string, string> =>
  new Map(all.flatMap(names => names.map(({ id }) => [id, names[0]!.name] as const)));

/** The name that people use: `owner/name`, or the name of the folder. */
export const shortRepositoryName = (name: string): string => name.replace(/^folder:|^[^/]+\/(?=.)/, '');

/** Below the repository's root, with `/`. */
const cleanPath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');

/** The PATH if paths are synced. */
export function plainPath(path: string): string {
  const clean = cleanPath(path);
  return clean.startsWith(hashMark) ? `./${clean}` : clean;
}

/**
 * The PATH if paths are not synced. The repository's name is its salt: each computer with the code knows it, the server
 * does not, and nothing has to be kept for it. A salt of the list or the account would lose the locations of a task that
 * moves to another one.
 */
export const hashedPath = ({ name }: Repository, path: string): string =>
  hashMark + sha256(`${name}\n${cleanPath(path)}`).slice(0, pathDigits);

export const isHashedPath = (path: string): boolean => /^#[\da-f]{24}$/.test(path);

/** The addresses of the remotes in git's configuration (git-config(1)), in its order. */
export function remotesOf(config: string): string[] {
  const found: string[] = [];
  let isRemote = false;
  for (const line of config.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) isRemote = /^\s*\[remote\s/i.test(line);
    const value = isRemote ? /^\s*url\s*=(.*)$/is.exec(line)?.[1] : undefined;
    const url = value?.trim().replace(/^"|"$/g, '');
    if (url) found.push(url);
  }
  return found;
}

/** The branch that git's HEAD names; undefined if a commit is checked out without one. */
export const branchOf = (head: string): string | undefined => /^ref:\s*refs\/heads\/(\S+)/.exec(head)?.[1];

const maxCandidates = 50;

/** Candidates for a file that is gone: files of the same name, those that share most folders with it first. */
export function renameCandidates(gone: string, paths: Iterable<string>): string[] {
  const parts = cleanPath(gone).split('/');
  const name = parts.at(-1)!;
  const found: { readonly path: string; readonly shared: number }[] = [];
  for (const path of paths) {
    const others = cleanPath(path).split('/');
    if (others.at(-1) !== name || path === gone) continue;
    found.push({ path, shared: others.filter(part => parts.includes(part)).length / others.length });
  }
  return found
    .sort((a, b) => b.shared - a.shared || (a.path < b.path ? -1 : 1))
    .slice(0, maxCandidates)
    .map(({ path }) => path);
}
