import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { DuelineEngine } from '../api';
import { type AnchoredTask, anchorsOf, type TaskAnchor } from '../core/code/anchors';
import { hasBranches, isBranchOf } from '../core/code/branches';
import { indexText, maxCharacters } from '../core/code/fingerprint';
import { locate } from '../core/code/locate';
import { hashedPath, isHashedPath, plainPath, type Repository, type RepositoryNames } from '../core/code/repository';
import { shortIdWords } from '../core/code/shortId';
import type { Id, Task } from '../core/kernel/model';
import { branchAt, repositoriesAt, repositoryAt, workTree } from './repositories';

/** A code location in this folder's repository. */
interface FileLocation {
  /** From the root of the repository. */
  readonly path: string;
  /** From 1; absent if the file as a whole is meant. */
  readonly line?: number;
  /** The line no longer exists; this is its last position. */
  readonly isStale?: true;
}

/** A location as compilers print it: terminals make links of these. */
export const locationAddress = ({ path, line }: FileLocation): string =>
  line === undefined ? path : `${path}:${line}`;

/** A location for the user, marked if the code is no longer there. */
export const locationText = (location: FileLocation): string =>
  `${locationAddress(location)}${location.isStale ? ' (stale)' : ''}`;

/** The most files that are checked for a path that is only known by its hash. */
const maxFiles = 200_000;

/** The code around a terminal: the code locations of tasks in the repository that its folder is in. */
export class CodeAround {
  #root = '';
  #names: RepositoryNames | undefined;
  /** Paths by their hashes, which never mean another path. */
  readonly #paths = new Map<string, string>();
  /** The files of the working tree, read once between two refreshes. */
  #files: readonly string[] | undefined;
  /** The repositories for whose names the files have been searched since. */
  readonly #searched = new Set<string>();
  /** The paths that have been hashed, by the repository for whose name. */
  readonly #hashed = new Map<string, Set<string>>();

  constructor(private readonly folder: string) {
    this.refresh();
  }

  /** Follows what has changed since: remotes, and files that did not exist. */
  refresh(): void {
    this.#root = workTree(this.folder);
    this.#names = repositoryAt(this.folder);
    this.#files = undefined;
    this.#searched.clear();
  }

  /** Lets the queries of an engine ask for code locations. */
  serve(engine: DuelineEngine): void {
    const scopes = {
      repo: () => this.#inRepositories(engine, this.#names ? [this.#names] : []),
      workspace: () => this.#inRepositories(engine, repositoriesAt(this.folder)),
      branch: () => this.#ofBranch(engine),
      folder: () => this.#inFolder(engine),
    };
    engine.setCodeLocations({
      here: scope => {
        if (scope === 'here') return new Set([...scopes.folder(), ...scopes.branch()]);
        return scope === 'file' ? undefined : scopes[scope]();
      },
      links: value => {
        if (value === 'stale') return undefined;
        if (value === 'any') return idsOf([...engine.anchored(), ...engine.fileLinks()]);
        return this.#linkedTo(engine, plainPath(value.replace(/^file:/, '')));
      },
    });
  }

  /** The first locations, at most that many: finding one may need a pass over all files. */
  locationsOf(task: Pick<Task, 'unknownProperties'>, most = Number.POSITIVE_INFINITY): readonly FileLocation[] {
    const found: FileLocation[] = [];
    for (const anchor of anchorsOf(task)) {
      if (found.length >= most) break;
      const location = this.#locationOf(anchor);
      if (location) found.push(location);
    }
    return found;
  }

  #locationOf(anchor: TaskAnchor): FileLocation | undefined {
    const path = this.#pathOf(anchor);
    if (path === undefined) return undefined;
    if (anchor.line === undefined) return { path };
    const { fingerprint, line } = anchor;
    const text = read(() => {
      const file = join(this.#root, path);
      const stat = statSync(file);
      // A pipe may never end.
      if (!stat.isFile()) return undefined;
      return stat.size > maxCharacters ? '' : readFileSync(file, 'utf8');
    });
    if (text === '') return { path, line: line + 1 };
    const found = text === undefined ? undefined : locate(indexText(text), { fingerprint, line });
    return found && found.certainty !== 'stale'
      ? { path, line: found.line + 1 }
      : { path, line: line + 1, isStale: true };
  }

  /** Undefined for the code of another repository, and of a file that is not here. */
  #pathOf({ repo, path }: TaskAnchor): string | undefined {
    const name = this.#names?.find(({ id }) => id === repo);
    if (!name) return undefined;
    if (isHashedPath(path)) return this.#pathOfHash(name, path);
    // The path may come from another program, so it must not lead out of the working tree.
    return path.split(/[\\/]/).includes('..') ? undefined : path;
  }

  #pathOfHash(name: Repository, hash: string): string | undefined {
    if (!this.#paths.has(hash) && !this.#searched.has(name.id)) {
      this.#searched.add(name.id);
      this.#files ??= filesIn(this.#root);
      const hashed = this.#hashed.get(name.id) ?? new Set();
      for (const path of this.#files) if (!hashed.has(path)) this.#paths.set(hashedPath(name, path), path);
      this.#hashed.set(name.id, new Set(this.#files));
    }
    const path = this.#paths.get(hash);
    return path !== undefined && read(() => statSync(join(this.#root, path)))?.isFile() ? path : undefined;
  }

  #inRepositories(engine: DuelineEngine, all: readonly RepositoryNames[]): ReadonlySet<Id> {
    return idsOf(all.flatMap(names => names.flatMap(({ id }) => engine.anchored(id))));
  }

  #here = (engine: DuelineEngine): AnchoredTask[] => (this.#names ?? []).flatMap(({ id }) => engine.anchored(id));

  #inFolder(engine: DuelineEngine): ReadonlySet<Id> {
    const folder = relative(this.#root, this.folder).split(sep).join('/');
    const isBelow = (path: string | undefined) =>
      path !== undefined && (folder === '' || path.startsWith(`${folder}/`));
    return idsOf(this.#here(engine).filter(({ anchor }) => isBelow(this.#pathOf(anchor))));
  }

  #linkedTo(engine: DuelineEngine, path: string): ReadonlySet<Id> {
    return idsOf(
      this.#here(engine).filter(({ anchor }) => {
        const known = this.#pathOf(anchor);
        return known !== undefined && `/${known}`.endsWith(`/${path}`);
      }),
    );
  }

  #ofBranch(engine: DuelineEngine): ReadonlySet<Id> {
    const branch = branchAt(this.folder);
    const names = this.#names;
    if (branch === undefined || !names) return new Set();
    const named = engine.tasksByShortIds(shortIdWords(branch).map(([id]) => id)).values();
    const isOwn = (task: Task) =>
      task.masterId === null && !task.isDeleted && hasBranches(task) && isBranchOf(task, names, branch);
    const lined = engine.lists().flatMap(({ id }) => engine.rows(id).filter(isOwn));
    return new Set([...named, ...lined].map(({ id }) => id));
  }
}

const idsOf = (found: readonly { readonly task: Id }[]): ReadonlySet<Id> => new Set(found.map(({ task }) => task));

/** Paths from a root, without what git and package managers keep there. */
function filesIn(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length < maxFiles; folder = folders.pop())
    for (const entry of read(() => readdirSync(join(root, folder!), { withFileTypes: true })) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name)) folders.push(path);
    }
  return found;
}

function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
