import type * as vscode from 'vscode';
import type { Todo } from '../../core/code/todos';
import { addedLines } from '../../core/code/unifiedDiff';
import type { GitRepository } from '../../ui/text/codeLinks';
import { type FileTodos, TodoScan, textOfUri } from './todoTexts';

/** The members of the git extension's repository that are used here. Older versions of VS Code lack some of them. */
interface BranchRepository extends GitRepository {
  readonly state?: {
    readonly HEAD?: {
      readonly name?: string;
      readonly commit?: string;
      readonly upstream?: { readonly remote: string; readonly name: string };
    };
    readonly workingTreeChanges?: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly onDidChange?: vscode.Event<void>;
  };
  getBranchBase?(branch: string): Promise<{ readonly remote?: string; readonly name?: string } | undefined>;
  getMergeBase?(one: string, other: string): Promise<string | undefined>;
  /** Without a path, the files that differ, including those changed in the working tree; with one, the file's diff. */
  diffWith?(ref: string): Promise<readonly GitChange[]>;
  diffWith?(ref: string, path: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** A status of the git extension's API. */
const untracked = 7;
const maxFiles = 1000;

interface FoundOnBranch {
  readonly files: readonly FileTodos[];
  /** The base that the branch is compared with: a branch, or HEAD if only uncommitted changes count. */
  readonly against: string;
}

/** Comments on the lines that the branch adds, committed or not. Undefined if the git extension cannot compare. */
export async function branchTodos(repository: GitRepository | undefined): Promise<FoundOnBranch | undefined> {
  const git = repository as BranchRepository | undefined;
  for (const base of git?.diffWith ? await basesOf(git) : []) {
    const changes = await orNothing(git!.diffWith!(base.ref));
    if (changes) return { files: await filesOf(git!, base.ref, changes), against: base.name };
  }
  return undefined;
}

async function filesOf(git: BranchRepository, ref: string, changes: readonly GitChange[]): Promise<FileTodos[]> {
  const added = untrackedIn(git);
  const all = new Map([...changes.map(({ uri }) => uri), ...added.values()].map(uri => [uri.toString(), uri]));
  const scan = new TodoScan();
  const files: FileTodos[] = [];
  for (const [name, uri] of [...all].slice(0, maxFiles)) {
    const found = await scan.todosOf(uri, await textOfUri(uri));
    // git is asked for the lines of a file only if it has comments at all.
    const todos = found.length === 0 || added.has(name) ? found : await onAddedLines(git, ref, uri, found);
    if (todos.length > 0) files.push({ uri, todos });
  }
  return files;
}

async function onAddedLines(git: BranchRepository, ref: string, uri: vscode.Uri, todos: readonly Todo[]) {
  const diff = await git.diffWith!(ref, uri.fsPath);
  // A diff program that the user has configured in git may print another format: then the whole file counts.
  if (diff !== '' && !/^@@ /m.test(diff)) return todos;
  const lines = new Set([...addedLines(diff).values()].flatMap(added => added.map(({ line }) => line)));
  return todos.filter(({ line }) => lines.has(line));
}

function untrackedIn({ state }: BranchRepository): ReadonlyMap<string, vscode.Uri> {
  const changes = [...(state?.untrackedChanges ?? []), ...(state?.workingTreeChanges ?? [])];
  return new Map(changes.filter(({ status }) => status === untracked).map(({ uri }) => [uri.toString(), uri]));
}

interface Base {
  readonly ref: string;
  readonly name: string;
}

/** The commit at which the branch began; for a shallow clone its upstream, then HEAD. */
async function basesOf(git: BranchRepository): Promise<Base[]> {
  const { name: branch, commit, upstream } = git.state?.HEAD ?? {};
  if (commit === undefined) return [];
  const remote = upstream && `${upstream.remote}/${upstream.name}`;
  const base = branch === undefined ? undefined : await orNothing(git.getBranchBase?.(branch));
  const named = base?.name && [base.remote, base.name].filter(Boolean).join('/');
  const bases = [...(remote ? [remote] : []), 'HEAD'].map(name => ({ ref: name, name }));
  for (const name of [named, 'origin/HEAD', 'main', 'master', remote]) {
    if (!name || name === branch) continue;
    const ref = await orNothing(git.getMergeBase?.('HEAD', name));
    if (ref) return [{ ref, name }, ...bases];
  }
  return bases;
}

const orNothing = async <T>(answer: Promise<T> | undefined): Promise<T | undefined> => {
  try {
    return await answer;
  } catch {
    return undefined;
  }
};

/** Calls back when another branch is checked out or other files are changed. */
export function watchBranch(
  repository: GitRepository | undefined,
  onChange: () => void,
): vscode.Disposable | undefined {
  const { state } = (repository ?? {}) as BranchRepository;
  const seen = () =>
    JSON.stringify([
      state?.HEAD?.name,
      state?.HEAD?.commit,
      ...(state?.workingTreeChanges ?? []).map(({ uri }) => uri.path),
    ]);
  let before = seen();
  return state?.onDidChange?.(() => {
    const now = seen();
    if (now === before) return;
    before = now;
    onChange();
  });
}
