import type * as vscode from 'vscode';
import type { GitRepository } from '../../src/ui/text/codeLinks';

/** The git extension's answers about a repository with two branches; the test decides the fate of the second one. */
export function repositoryDouble(rootUri: vscode.Uri, branch: string, acts: Partial<GitRepository> = {}) {
  let tip = 'b1';
  let isThere = true;
  const listeners: (() => void)[] = [];
  const repository: GitRepository = {
    rootUri,
    inputBox: { value: '' },
    createBranch: async () => undefined,
    checkout: async () => undefined,
    state: {
      get HEAD() {
        return { name: 'main', commit: tip };
      },
      onDidChange: listener => {
        listeners.push(listener as () => void);
        return { dispose: () => undefined } as vscode.Disposable;
      },
    },
    getBranches: async () => [{ name: 'main', commit: tip }, ...(isThere ? [{ name: branch, commit: 'b1' }] : [])],
    getBranchBase: async () => ({ name: 'main' }),
    getMergeBase: async () => (tip === 'merged' ? 'b1' : 'a0'),
    ...acts,
  };
  const becomes = (commit: string) => {
    tip = commit;
    for (const listener of listeners) listener();
  };
  return {
    repository,
    merge: () => becomes('merged'),
    remove: () => {
      isThere = false;
      becomes('b2');
    },
  };
}
