import * as vscode from 'vscode';
import type { GitRepository } from '../ui/text/codeLinks';
import { gitFolder, type WorkingCopy } from './workingCopies';

/** The part of the git extension's API, version 1, that is used here. Members that were added later may be missing. */
export interface GitApi {
  readonly repositories?: readonly GitRepository[];
  readonly onDidOpenRepository?: vscode.Event<GitRepository>;
  registerPostCommitCommandsProvider?(provider: {
    getCommands(repository: Pick<GitRepository, 'rootUri'>): vscode.Command[];
  }): vscode.Disposable;
}

interface GitExtension {
  getAPI?(version: 1): GitApi;
}

/** Undefined if the git extension is off, or on another computer than Dueline. */
export async function gitApi(): Promise<GitApi | undefined> {
  try {
    const git: GitExtension | undefined = await vscode.extensions.getExtension('vscode.git')?.activate();
    return git?.getAPI?.(1);
  } catch {
    return undefined;
  }
}

/**
 * The repository as the git extension knows it; undefined if the extension is not available, or the repository is not
 * trusted yet.
 */
export async function gitOf(copy: Pick<WorkingCopy, 'root'> | undefined): Promise<GitRepository | undefined> {
  const repositories = (await gitApi())?.repositories ?? [];
  if (!copy) return repositories.length === 1 ? repositories[0] : undefined;
  const known = repositories.find(({ rootUri }) => rootUri.toString() === copy.root.toString());
  if (known) return known;
  const mark = await markOf(copy.root);
  for (const repository of mark === undefined ? [] : repositories)
    if ((await markOf(repository.rootUri)) === mark) return repository;
  return undefined;
}

/** A value that is the same for a folder and a link to it: the state of its `.git` on disk. */
async function markOf(root: vscode.Uri): Promise<string | undefined> {
  const git = await gitFolder(root);
  if (!git) return undefined;
  const stats = ['HEAD', 'index', 'config'].map(name =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(git, name)).then(
      ({ ctime, mtime, size }) => `${ctime} ${mtime} ${size}`,
      () => '',
    ),
  );
  return (await Promise.all(stats)).join();
}
